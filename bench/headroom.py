# SPDX-License-Identifier: MIT
"""The table of doc/headroom.md: the kernels of `list suite` on a GPU.

    headroom.py [GPU]            the whole table, by the program on the PATH
    headroom.py --row REPORT     the row of a report in JSON
"""
import json
import math
import subprocess
import sys

from measure import explain


def percent(share):
    """Rounded up, as the program does."""
    value = 100 * share
    if value <= 1e-9:
        return "0%"
    step, digits = (0.01, 2) if value < 1 else (0.1, 1)
    return f"{math.ceil(value / step - 1e-9) * step:.{digits}f}%"


def row(report):
    best, floor = report["best"], report["floor"]
    policies = {policy["policy"]: policy for policy in report["policies"]}
    first = min(report["policies"], key=lambda policy: policy["cycles"])
    return (f"| `{report['kernel']}` | {first['policy']} | {percent(policies['rr']['above_best'])} | {percent(policies['gto']['above_best'])} "
            f"| {percent(first['above_best'])} | {percent(best['above_floor']) if floor else '-'} |")


def main():
    if sys.argv[1:2] == ["--row"]:
        with open(sys.argv[2], encoding="utf-8") as file:
            print(row(json.load(file)))
        return
    gpu = sys.argv[1] if len(sys.argv) > 1 else "a100-80"
    listed = subprocess.run(["warpipe", "list", "suite"], stdout=subprocess.PIPE, text=True, check=True).stdout
    print("| kernel | fastest policy | rr | gto | the fastest | best found above the floor |\n| --- | --- | ---: | ---: | ---: | ---: |")
    for line in listed.splitlines():
        if not line.startswith("suite/"):
            continue
        done = subprocess.run(["warpipe", "headroom", line.split()[0], "--gpu", gpu, "--format", "json"], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True, check=True)
        print(row(json.loads(done.stdout)))


explain()
main()
