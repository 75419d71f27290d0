# SPDX-License-Identifier: MIT
"""Predictions for what nobody has measured here, written down with date and version, so that
whoever measures can judge: bench/data/kernels-ledger.csv. Lines are added and never changed."""
import csv
import os

import rows as table_rows
import work
from cases import DATA, Convolution, Gemm

KEPT = os.path.join(DATA, "kernels-ledger.csv")
COLUMNS = ("date", "version", "kernel", "gpu", "clock_mhz", "configuration", "predicted_us",
           "cycles", "bound")
NOTE = ("Predictions, by bench/kernels/main.py --ledger: configurations in the order of "
        "kernels-*.csv, with their columns joined by dashes; microseconds at the clock that is "
        "named. Nothing here was measured when it was written.")


class On:
    """A case on another GPU."""

    def __init__(self, case, gpu, arch):
        self.case, self.gpu, self.arch = case, gpu, arch

    def __getattr__(self, name):
        return getattr(self.case, name)


def elsewhere():
    for gpu, arch in (("a6000", "sm_86"), ("a4000", "sm_86"), ("rtx3080", "sm_86"),
                      ("rtx3090", "sm_86"), ("a100-40", "sm_80")):
        yield On(Convolution(), gpu, arch)
    for gpu, arch in (("a6000", "sm_86"), ("h100-pcie", "sm_90")):
        yield On(Gemm(), gpu, arch)


def lines(case, options, program, kernels, stamp):
    """What is predicted for the first configurations of CASE."""
    chosen = case.case.spread(options.measured, options.ledger)
    for one in chosen:
        one.case = case
    simulation = work.Simulation(program, kernels, ["--sms", options.sms], options.limit)
    for one, run in work.each(f"{case.title}, {case.gpu}", simulation.run, chosen, options.jobs):
        yield [*stamp, case.name, case.gpu, f"{run['cycles'] / run['us']:.0f}", one.label,
               table_rows.number(run["us"]), table_rows.number(run["cycles"]),
               table_rows.verdict(run)]


def append(found):
    new = not os.path.exists(KEPT)
    with open(KEPT, "a", encoding="utf-8") as out:
        writer = csv.writer(out, lineterminator="\n")
        if new:
            out.write(f"# {NOTE}\n")
            writer.writerow(COLUMNS)
        writer.writerows(found)


def read():
    try:
        with open(KEPT, encoding="utf-8") as text:
            return list(csv.DictReader(line for line in text if line[0] != "#"))
    except FileNotFoundError:
        return []
