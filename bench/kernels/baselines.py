# SPDX-License-Identifier: MIT
"""What else would choose a launch, or predict its time, on the same rows."""
import csv
import os

import scores
import work

MODELS = "model_"


# ---- That rows themselves give ----

def clock(row):
    return row["cycles"] / row["predicted_us"]


def roofline(case, row):
    """The longer of: operations at the peak rate (64 lanes an SM, a multiply-add is two), counted
    sectors at the rate of memory."""
    sectors = row["predicted_dram_read_sectors"] + row["predicted_dram_write_sectors"]
    return max(case.flops(row) / (case.sms * 128 * clock(row)), 32 * sectors / case.gbs / 1000)


def instructions(case, row):
    """All counted instructions, one a cycle on each of four schedulers."""
    return row["predicted_warp_instructions"] / (4 * case.sms * clock(row))


def scored(rows, times):
    return scores.Scores(times, [row["us"] for row in rows])


def ranked(rows, keys):
    return scores.Ranking(keys, [row["us"] for row in rows])


def cheap(case, rows):
    yield "warpipe", scored(rows, [row["predicted_us"] for row in rows])
    yield "highest occupancy", ranked(rows, [-row["resident_warps"] for row in rows])
    yield "roofline", scored(rows, [roofline(case, row) for row in rows])
    yield "instructions counted", scored(rows, [instructions(case, row) for row in rows])
    yield "a random choice", ranked(rows, [0] * len(rows))


def columns(rows):
    """Those that are there for some rows alone: PTX, models."""
    return [name for name in dict.fromkeys(name for row in rows for name in row)
            if name == "ptx_us" or name.startswith(MODELS)]


def title(column):
    return "PTX, not executed" if column == "ptx_us" else f"model {column[len(MODELS):-3]}"


def all_of(case, rows):
    """(name, Scores) of each, on all rows it has; warpipe again on the rows of the dear ones."""
    yield from cheap(case, rows)
    dear = [row for row in rows if row.get("ptx_us") is not None]
    if dear:
        yield f"warpipe, {len(dear)} of these rows", scored(dear, [row["predicted_us"]
                                                                   for row in dear])
    for column in columns(rows):
        part = [row for row in dear if isinstance(row.get(column), float)]
        if part:
            yield title(column), scored(part, [row[column] for row in part])


# ---- That the program is asked for ----

class Others:
    """The models' and PTX's times of a configuration, at its clock, as columns of a row."""

    def __init__(self, simulation, rate):
        self.simulation, self.rate = simulation, rate
        self.program = simulation.program

    def ask(self, one, resident=None):
        """Of configuration ONE with RESIDENT warps on an SM; None: as many as a run finds."""
        cubin = self.simulation.kernels.make(one)
        key = work.digest(self.program.version, os.path.basename(cubin), one.case.gpu, "others",
                          *self.simulation.options)
        path = os.path.join(work.KEPT, "others", one.case.name, f"{one.label}-{key}.json")
        found = work.kept(path, lambda: {"models": self.models(one, cubin, resident),
                                         "ptx": self.ptx(one)})
        row = {"ptx_us": found["ptx"] if found["ptx"] == "refused" else found["ptx"] / self.rate}
        return row | {f"{MODELS}{name}_us": None if cycles is None else cycles / self.rate
                      for name, cycles in found["models"].items()}

    def models(self, one, cubin, resident):
        """Cycles by each model: the warps of an SM, divided by what it says of their rate."""
        case = one.case
        if resident is None:
            resident = self.simulation.run(one)["resident_warps"]
        out = self.program.text("models", cubin, "--gpu", self.program.gpu(case.gpu), "--launch",
                                case.launch(one), "--occupancy", resident, "--cores",
                                1, "--format", "csv", *self.simulation.limit)
        rates = list(csv.DictReader(out.splitlines()))[-1]
        warps = case.blocks(one) * -(-case.threads(one) // 32) / case.sms
        return {name: warps / float(rate) if rate and float(rate) else None
                for name, rate in rates.items() if name not in ("occupancy", "simulation")}

    def ptx(self, one):
        case = one.case
        grid, block = case.sizes(one)
        try:
            listing = self.simulation.kernels.make(one, "ptx")
            report = self.program.json("run", listing, "--gpu", self.program.gpu(case.gpu),
                                       "--grid", "x".join(map(str, grid)), "--threads",
                                       "x".join(map(str, block)), "--cores", 1)
        except work.Failed:
            return "refused"
        return float(report["cycles_drained"])
