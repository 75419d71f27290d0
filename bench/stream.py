# SPDX-License-Identifier: MIT
"""Streaming kernels on newer GPUs: bandwidth by block size, simulated with contended memory and
measured by others.

stream.py                  compares four GPUs with the measurements; status 1 if a GPU's mean error
                           is above 6%, or its bias beyond 3% where bandwidth is low, half full or
                           full (below 40% of what the kernel reaches, to 90%, above)
stream.py --quick          the same with a sixth of the block sizes and shorter runs
stream.py --search [S]     fits the numbers of the rule anew, for S seconds (600)
stream.py --search --without GPU
                           the same without one GPU, which is then compared

Each kernel computes one element per thread, in double precision. Block size and resident blocks are
those of the measurement. As many SMs are simulated as share memory in the description.
"""
import argparse
import collections
import concurrent.futures
import functools
import json
import os
import random
import sys
import tempfile
import time

from contended import HERE, read_table, warpipe
from listing import contexts
from measure import heading, line
from rule import SHIPPED, Facts, Memory

MEASURED = {"v100-pcie": "gpu-stream-v100.csv", "a40": "gpu-stream-a40.csv",
            "l40": "gpu-stream-l40.csv", "h100-pcie": "gpu-stream-h100-pcie.csv"}

LISTING = os.path.join(HERE, "cuda", "gpu-stream.ptx")

# Arrays of 8 bytes an element that a kernel reads or writes.
STREAMS = {"init": 1, "read": 1, "scale": 2, "triad": 4, "triad3": 3, "pt3": 2, "pt5": 2}
# The load of a stencil that brings the data which its other loads find in L1: the one that is
# needed first, as they come together.
STENCILS = {"pt3": 0, "pt5": 1}

LIMIT, BIAS = 6, 3  # per cent of the measured bandwidth: mean error, bias in a zone
MORE = 2.5  # than that, which a quick check allows: few and short runs
# Per cent of the greatest bandwidth that the kernel reaches: up to where a zone extends.
ZONES = {"below 40%": 40, "40 to 90%": 90, "above 90%": 101}
# What caches absorb, on the V100 above this occupancy, per cent: writes at exactly the pin
# bandwidth, which is a limit and no target.
ABSORBED = {"v100-pcie": 21}
SPARSE = 6  # of so many block sizes one, in a quick check

# Warps of a run on an SM, at least, and generations of blocks: long enough for its beginning, its
# end and the stores that are left then to count little.
Length = collections.namedtuple("Length", "warps generations")
LONG, SHORT = Length(2500, 50), Length(800, 20)
OF_STORES = 4  # times as many where nothing but stores are made

Point = collections.namedtuple("Point", "kernel threads blocks occupancy measured")


def read_points(gpu):
    points = []
    for row in read_table(MEASURED[gpu]):
        threads, occupancy = int(row["threads_per_block"]), float(row["occupancy_percent"])
        if threads >= 32:
            points += [Point(kernel, threads, int(row["blocks_per_sm"]), occupancy,
                             float(row[kernel]))
                       for kernel in STREAMS if kernel in row
                       and (kernel != "init" or occupancy < ABSORBED.get(gpu, 101))]
    return points


def sparse(points, step):
    """One of STEP of each kernel's points, from low occupancy to high."""
    ordered = sorted(points, key=lambda point: (point.kernel, point.occupancy, point.threads))
    return ordered[step // 2::step]


@functools.lru_cache(maxsize=None)
def kernel_arguments(kernel):
    hits = contexts(LISTING, kernel, {STENCILS[kernel]}) if kernel in STENCILS else []
    return [LISTING, "--entry", kernel, "--branch", "all=not", *hits]


def resident_warps(point):
    return -(-point.threads // 32) * point.blocks


def launch(gpu, description, point, length):
    """Arguments, and how many threads they launch."""
    times = OF_STORES if point.kernel == "init" else 1
    generations = times * max(length.generations, length.warps // resident_warps(point))
    blocks = generations * point.blocks * round(gpu.sms)
    return [*kernel_arguments(point.kernel), "--gpu", description, "--threads", point.threads,
            "--blocks", blocks,
            "--occupancy", resident_warps(point)], blocks * point.threads


def bandwidth(gpu, description, point, length, *options):
    """GB/s of the device, as the benchmark counts them."""
    arguments, threads = launch(gpu, description, point, length)
    report = json.loads(warpipe(*arguments, *(options or ("--memory", "contended")),
                                "--format", "json"))
    return 8 * STREAMS[point.kernel] * threads / float(report["time_us"]) / 1000


def simulate(gpu, description, points, length, *options):
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        return list(pool.map(lambda point: bandwidth(gpu, description, point, length, *options),
                             points))


JOBS = int(os.environ.get("BENCH_JOBS", os.cpu_count()))


def mean(values):
    values = list(values)
    return sum(values) / len(values)


class Errors:
    """Of FOUND, per cent of the measured bandwidth; None where a model says nothing."""

    def __init__(self, gpu, points, found):
        top = collections.defaultdict(float)
        for point in read_points(gpu):
            top[point.kernel] = max(top[point.kernel], point.measured)
        if gpu in ABSORBED:
            top["init"] = Facts(gpu).pin
        self.all, self.by_kernel = [], collections.defaultdict(list)
        self.by_zone = {zone: [] for zone in ZONES}
        self.cells = collections.defaultdict(list)
        for point, gbs in zip(points, found):
            error = 100 * (gbs / point.measured - 1)
            part = 100 * point.measured / top[point.kernel]
            zone = next(zone for zone, end in ZONES.items() if part < end)
            self.all.append(error)
            self.by_kernel[point.kernel].append(error)
            self.by_zone[zone].append(error)
            self.cells[point.kernel, zone].append(error)

    def amount(self):
        return mean(map(abs, self.all))

    def kernels(self):
        """{kernel: mean amount}"""
        return {kernel: mean(map(abs, values)) for kernel, values in self.by_kernel.items()}

    def biases(self):
        """{zone: bias}, of the zones that the points have"""
        return {zone: mean(values) for zone, values in self.by_zone.items() if values}


# ---- Check ----

def check_gpu(name, description, length, step, more=0):
    """Prints its errors; how many are too great."""
    gpu, points = Facts(name), sparse(read_points(name), step)
    found = simulate(gpu, description, points, length)
    errors = Errors(name, points, found)
    heading(name, "Errors of the bandwidth, per cent: by kernel, its amount's mean, the bias in "
                  "each zone, and the worst.")
    for kernel, amount in errors.kernels().items():
        biases = [mean(errors.cells[kernel, zone]) if errors.cells[kernel, zone] else None
                  for zone in ZONES]
        worst, at, _ = max(((100 * (gbs / point.measured - 1), point, gbs)
                            for point, gbs in zip(points, found) if point.kernel == kernel),
                           key=lambda one: abs(one[0]))
        line(f"{kernel:6}", f"{amount:5.1f}",
             " ".join("      " if bias is None else f"{bias:+6.1f}" for bias in biases),
             f"{worst:+6.1f} with {at.blocks} x {at.threads:4} threads")
    missed = errors.amount() > LIMIT + more
    line("all   ", f"{errors.amount():5.1f}", "MISSED" if missed else "ok")
    for zone, bias in errors.biases().items():
        off = abs(bias) > BIAS + more
        missed += off
        line(f"{zone:10}", f"{bias:+5.1f}", "MISSED" if off else "ok")
    return missed


def check(quick):
    length, step, more = (SHORT, SPARSE, MORE) if quick else (LONG, 1, 0)
    missed = sum(check_gpu(name, name, length, step, more) for name in MEASURED)
    print(f"\n{missed} missed" if missed else "\nAll targets are met.")
    return missed == 0


# ---- Search ----

CHOICES = {"reads": (0.95, 0.96, 0.97, 0.975, 0.98, 0.985, 0.99),
           "busy": (0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.9, 0.92),
           "stores": (4, 8, 12, 16, 24, 32, 48),
           "visit": (60, 72, 80, 100, 115, 130, 150, 175, 200, 230, 255, 300, 340, 380, 430, 500),
           "writes": (0.8, 0.82, 0.84, 0.86, 0.88, 0.9, 0.92, 0.94, 0.96, 0.98, 1),
           "turn": (0, 0.1, 0.2, 0.3, 0.4, 0.5)}
FAMILIES = ("visit", "writes", "turn")  # with a number for each kind of memory
STEPS = (-2, -1, 1, 2)
# Where a search begins: without the fit. launch is measured, by init with one warp a block.
START = SHIPPED._replace(busy=0.8, stores=8, visit={"HBM": 150, "GDDR": 150},
                         writes={"HBM": 0.9, "GDDR": 0.9}, turn={"HBM": 0.2, "GDDR": 0.2})


def describe(name, rule, folder):
    path = os.path.join(folder, f"candidate-{name}.xml")
    lines = Memory(Facts(name), rule).lines()
    with open(path, "w", encoding="ascii") as out:
        out.write("\n".join([f'<gpu like="{name}">', *lines, "</gpu>\n"]))
    return path


class Search:
    """Changes one, two or three numbers a little, at random, and keeps a change that is better."""

    def __init__(self, names, folder):
        self.names, self.folder, self.draw = names, folder, random.Random(1)
        self.points = {name: sparse(read_points(name), 4) for name in names}
        self.known = {}

    def cost_of(self, name, rule):
        """The mean error and what biases have above half of what they may have."""
        lines = tuple(Memory(Facts(name), rule).lines())
        if (name, lines) not in self.known:
            found = simulate(Facts(name), describe(name, rule, self.folder), self.points[name],
                             SHORT)
            errors = Errors(name, self.points[name], found)
            kernels = [mean(values) for values in errors.cells.values()]
            self.known[name, lines] = (
                errors.amount() + sum(max(0, abs(bias) - BIAS / 2)
                                      for bias in errors.biases().values())
                + sum(max(0, abs(bias) - 2 * BIAS) for bias in kernels) / 8)
        return self.known[name, lines]

    def cost(self, rule):
        costs = [self.cost_of(name, rule) for name in self.names]
        return mean(costs), costs

    def step(self, what, value):
        choices = CHOICES[what]
        at = min(range(len(choices)), key=lambda i: abs(choices[i] - value))
        return choices[min(max(at + self.draw.choice(STEPS), 0), len(choices) - 1)]

    def change(self, rule):
        kinds = sorted({Facts(name).memory for name in self.names})
        for what in self.draw.sample(sorted(CHOICES), self.draw.choice((1, 1, 2, 3))):
            value = getattr(rule, what)
            if what in FAMILIES:
                kind = self.draw.choice(kinds)
                value = value | {kind: self.step(what, value[kind])}
            else:
                value = self.step(what, value)
            rule = rule._replace(**{what: value})
        return rule

    def run(self, seconds):
        rule, end = START, time.monotonic() + seconds
        best, costs = self.cost(rule)
        print_rule(best, rule, costs)
        while time.monotonic() < end:
            tried = self.change(rule)
            reached, costs = self.cost(tried)
            if reached < best:
                best, rule = reached, tried
                print_rule(best, rule, costs)
        return rule


def print_rule(reached, rule, costs):
    line(f"{reached:6.2f}", ", ".join(f"{key}={value}" for key, value in rule._asdict().items()),
         " ".join(f"{one:.1f}" for one in costs))
    sys.stdout.flush()


def search(seconds, without, folder):
    rule = Search([name for name in MEASURED if name != without], folder).run(seconds)
    if without:
        check_gpu(without, describe(without, rule, folder), LONG, 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--quick", action="store_true", help="fewer and shorter runs")
    what.add_argument("--search", nargs="?", type=int, const=600, metavar="SECONDS",
                      help="fit the rule's numbers anew")
    parser.add_argument("--without", metavar="GPU", help="leave one out of the search")
    options = parser.parse_args()
    if options.without and (options.search is None or options.without not in MEASURED):
        parser.error(f"--without goes with --search, and names one of {', '.join(MEASURED)}")
    if options.search is None:
        return 0 if check(options.quick) else 1
    with tempfile.TemporaryDirectory() as folder:
        search(options.search, options.without, folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
