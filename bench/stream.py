# SPDX-License-Identifier: MIT
"""Streaming kernels on newer GPUs: bandwidth by block size, simulated with contended memory and
measured by others.

stream.py                compares the V100 and the A40 with the measurements; status 1 if a mean
                         error is above 8%
stream.py --quick        the same with shorter runs
stream.py --search [S]   fits the numbers of the rule anew, for S seconds (600), to the mean errors
                         of both GPUs

Each kernel computes one element per thread, in double precision. Block size and resident blocks are
those of the measurement. One SM of the device is simulated, with at least 40 generations of
blocks.
"""
import argparse
import collections
import concurrent.futures
import functools
import json
import math
import os
import random
import sys
import tempfile
import time

from contended import HERE, read_table, warpipe
from listing import contexts
from measure import heading, line
from rule import SHIPPED, Facts, Memory

MEASURED = {"v100-pcie": "gpu-stream-v100.csv", "a40": "gpu-stream-a40.csv"}

LISTING = os.path.join(HERE, "cuda", "gpu-stream.ptx")
STENCILS = ("pt3", "pt5")

# Arrays of 8 bytes an element that a kernel reads or writes.
STREAMS = {"init": 1, "read": 1, "scale": 2, "triad": 4, "pt3": 2, "pt5": 2}

LIMIT = 8  # per cent, mean over block sizes
INIT_OCCUPANCY = 20  # per cent: above, caches absorb what init writes
WARPS, WARPS_QUICK = 3000, 2000  # at least, of a run

Point = collections.namedtuple("Point", "kernel threads blocks occupancy measured")


def read_points(gpu):
    points = []
    for row in read_table(MEASURED[gpu]):
        threads, occupancy = int(row["threads_per_block"]), float(row["occupancy_percent"])
        if threads >= 32:
            points += [Point(kernel, threads, int(row["blocks_per_sm"]), occupancy,
                             float(row[kernel]))
                       for kernel in STREAMS if kernel != "init" or occupancy < INIT_OCCUPANCY]
    return points


@functools.lru_cache(maxsize=None)
def kernel_arguments(kernel):
    """The first load of a stencil's warp brings the data that its other loads find in L1."""
    hits = contexts(LISTING, kernel, skip=1 if kernel in STENCILS else math.inf)
    return [LISTING, "--entry", kernel, "--branch", "all=not", *hits]


def resident_warps(point):
    return -(-point.threads // 32) * point.blocks


def launch(gpu, description, point, warps):
    """Arguments, and how many threads they launch."""
    generations = max(40, warps // resident_warps(point))
    blocks = generations * point.blocks * round(gpu.sms)
    return [*kernel_arguments(point.kernel), "--gpu", description, "--threads", point.threads,
            "--blocks", blocks,
            "--occupancy", resident_warps(point)], blocks * point.threads


def bandwidth(gpu, description, point, warps, *options):
    """GB/s of the device, as the benchmark counts them."""
    arguments, threads = launch(gpu, description, point, warps)
    report = json.loads(warpipe(*arguments, *(options or ("--memory", "contended")),
                                "--format", "json"))
    return 8 * STREAMS[point.kernel] * threads / float(report["time_us"]) / 1000


def simulate(gpu, description, points, warps, *options):
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(lambda point: bandwidth(gpu, description, point, warps, *options),
                             points))


def errors(points, found):
    """Errors in per cent of the measured bandwidth, by kernel."""
    by_kernel = collections.defaultdict(list)
    for point, gbs in zip(points, found):
        by_kernel[point.kernel].append(100 * (gbs / point.measured - 1))
    return by_kernel


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def mean_errors(points, found):
    return {kernel: mean(map(abs, values)) for kernel, values in errors(points, found).items()}


# ---- Check ----

def check(warps):
    missed = 0
    for name in MEASURED:
        gpu, points = Facts(name), read_points(name)
        found = simulate(gpu, name, points, warps)
        heading(name, "Error of the bandwidth over all block sizes, per cent: its amount's mean, and the worst.")
        for kernel, values in errors(points, found).items():
            amount, worst = mean(map(abs, values)), max(values, key=abs)
            at = [point for point in points if point.kernel == kernel][values.index(worst)]
            missed += amount > LIMIT
            line(f"{kernel:6}", f"{amount:5.1f}",
                 f"{worst:+6.1f} with {at.blocks} x {at.threads:4} threads",
                 "MISSED" if amount > LIMIT else "ok")
    print(f"\n{missed} missed" if missed else "\nAll targets are met.")
    return missed == 0


# ---- Search ----

CHOICES = {"reads": (0.96, 0.965, 0.97, 0.975, 0.98, 0.985, 0.99),
           "writes": (0.74, 0.76, 0.78, 0.8, 0.82, 0.84, 0.86, 0.88),
           "use": (0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9),
           "visit": (4, 6, 8, 10, 12, 15, 20, 30),
           "stores": (1, 2), "launch": (290, 300, 310, 320, 330, 340)}


def describe(name, rule, folder):
    path = os.path.join(folder, f"candidate-{name}.xml")
    lines = Memory(Facts(name), rule).lines()
    with open(path, "w", encoding="ascii") as out:
        out.write("\n".join([f'<gpu like="{name}">', *lines, "</gpu>\n"]))
    return path


def cost(rule, points, folder):
    """The mean of all kernels' mean errors on both GPUs, plus the square of what each kernel is
    above its limit."""
    means = []
    for name in MEASURED:
        found = simulate(Facts(name), describe(name, rule, folder), points[name], WARPS_QUICK)
        means += mean_errors(points[name], found).values()
    return mean(means) + sum(max(0, one - LIMIT + 0.5) ** 2 for one in means), means


def search(seconds, folder):
    """Changes one, two or three numbers at random and keeps a change that is no worse; there are
    hardly any other local minima."""
    points = {name: read_points(name) for name in MEASURED}
    draw, rule, end = random.Random(1), SHIPPED, time.monotonic() + seconds
    best, means = cost(rule, points, folder)
    print_rule(best, rule, means)
    while time.monotonic() < end:
        names = draw.sample(sorted(CHOICES), draw.choice((1, 1, 2, 3)))
        tried = rule._replace(**{name: draw.choice(CHOICES[name]) for name in names})
        reached, means = cost(tried, points, folder)
        if reached < best:
            best, rule = reached, tried
            print_rule(best, rule, means)


def print_rule(reached, rule, means):
    line(f"{reached:6.2f}", ", ".join(f"{key}={value:g}" for key, value in rule._asdict().items()),
         " ".join(f"{one:.1f}" for one in means))


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--quick", action="store_true", help="shorter runs")
    what.add_argument("--search", nargs="?", type=int, const=600, metavar="SECONDS",
                      help="fit the rule's numbers anew")
    options = parser.parse_args()
    if options.search is None:
        return 0 if check(WARPS_QUICK if options.quick else WARPS) else 1
    with tempfile.TemporaryDirectory() as folder:
        search(options.search, folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
