# SPDX-License-Identifier: MIT
"""Chains of double-precision multiply-adds on one SM of the V100: cycles per operation, simulated
and measured by others.

incore.py   compares the simulation with bench/data/incore-v100.csv; status 1 if it is off by more
            than 5% with up to 3 chains in a warp, or by more than 12% with more
"""
import collections
import json
import os
import sys

from contended import HERE, read_table, warpipe
from listing import contexts
from measure import explain, heading, line

GPU = "v100-pcie"
LISTING = os.path.join(HERE, "cuda", "incore.ptx")
ROUNDS, OPERATIONS = 100, 64  # of the loop in incore.cu
CHAINS = range(1, 9)

Cell = collections.namedtuple("Cell", "warps chains measured reached error")


def limit(chains):
    """Per cent."""
    return 5 if chains <= 3 else 12


def launch(chains, warps):
    kernel = f"dfma{chains}"
    return [LISTING, "--entry", kernel, *contexts(LISTING, kernel), "--gpu", GPU, "--threads",
            32 * warps, "--blocks", 1]


def operations(chains):
    """Of a warp."""
    return ROUNDS * (OPERATIONS // chains * chains)


def cells():
    for row in read_table("incore-v100.csv"):
        warps = int(row["warps"])
        for chains in CHAINS:
            report = json.loads(warpipe(*launch(chains, warps), "--format", "json"))
            reached, measured = float(report["cycles"]) / operations(chains) / warps, float(row[f"ilp{chains}"])
            yield Cell(warps, chains, measured, reached, 100 * (reached / measured - 1))


def main():
    missed = 0
    heading(GPU, "Cycles an operation: measured, simulated, per cent.")
    for cell in cells():
        verdict = "ok" if abs(cell.error) <= limit(cell.chains) else "MISSED"
        missed += verdict != "ok"
        line(f"{cell.warps:3} warps", f"{cell.chains} chains", f"{cell.measured:5.2f}",
             f"{cell.reached:5.2f}",
             f"{cell.error:+5.1f}", verdict)
    print(f"\n{missed} missed" if missed else "\nAll targets are met.")
    return 1 if missed else 0


if __name__ == "__main__":
    explain()
    sys.exit(main())
