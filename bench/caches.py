# SPDX-License-Identifier: MIT
"""Kernels that live from shared memory, caches or arithmetic, simulated with contended memory and
measured by others; the tables of doc/fidelity-caches.md.

caches.py           runs all of it and rewrites the tables of the page; a minute or two
caches.py --check   all of it; status 1 if a table differs from what the program gives
caches.py --quick   the two multiplications of matrices alone, without the page; some seconds

In each case status 1 if one of these is more than 10% off, or if the load/store unit's queue is not
what its warps wait for most.
"""
import argparse
import concurrent.futures
import json
import os
import sys
import tempfile

import places
import rivals
import stream
from contended import HERE, read_table, warpipe
from listing import contexts
from rule import Facts
from validate import DOC, row, table

PAGE = os.path.join(DOC, "fidelity-caches.md")
STALLS = ("pipeline", "dependency", "barrier", "not_selected", "drain")
LIMIT = 10  # per cent


BASELINES = ("ideal", "Volkov, contention", "roofline")


def simulate(*arguments):
    return json.loads(warpipe(*arguments, "--format", "json"))


def models(arguments, resident):
    """Warps a cycle and SM by Volkov's contention model, None where it does not apply, and by the
    throughput of the busiest unit alone: a roofline with all of the description's units."""
    bounds = json.loads(warpipe(*arguments, "--format", "json", command="bounds"))
    return (rivals.ask(arguments, [resident])[0]["volkov-contention"],
            1 / bounds["throughput_bound"])


def signed(value):
    return "-" if value is None else f"{value:+.1f}%"


def parallel(function, *lists):
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(function, *lists))


class Device:
    """A shipped GPU at the clock of a measurement, as a file of its own in FOLDER."""

    def __init__(self, name, clock, folder):
        self.facts, self.clock = Facts(name), clock
        handle, self.path = tempfile.mkstemp(suffix=f"-{name}.xml", dir=folder)
        with open(handle, "w", encoding="ascii") as out:
            out.write(f'<gpu like="{name}"><device clock-mhz="{clock:g}"/></gpu>\n')


# ---- Multiplications of matrices ----

class Gemm:
    """One of the two: what was measured, and what is simulated of it."""

    def __init__(self, measured, folder):
        self.measured = measured
        self.name, self.cycles = measured["kernel"], float(measured["cycles"])
        self.gpu = Device(measured["gpu"], float(measured["clock_mhz"]), folder)
        self.kernel = os.path.join(HERE, f"{self.name}.xml")
        self.report = self.run("--memory", "contended")
        self.error = 100 * (self.report["cycles"] / self.cycles - 1)
        total = sum(self.report["stalls"].values())
        self.stalls = {name: 100 * self.report["stalls"][name] / total for name in STALLS}

    def run(self, *options):
        return simulate(self.kernel, "--gpu", self.gpu.path, *options)

    def in_use(self):
        """Of the load/store units of all SMs, per cent of the time; the SM that is simulated has
        the most blocks."""
        unit = next(one for one in self.report["pipelines"] if one["name"] == "lsu")
        blocks = self.report["launch"]["blocks"] / self.gpu.facts.sms
        here = self.report["blocks"] / self.simulated_sms()
        return 100 * unit["utilization"] * blocks / here

    def simulated_sms(self):
        return self.report.get("simulated_sms", self.report["sms"])

    def others(self):
        """Cycles by BASELINES, for the warps of the fullest SM."""
        yield self.run("--memory", "ideal")["cycles"]
        warps = self.report["warps"] / self.simulated_sms()
        resident = round(self.report["resident_warps"])
        yield from (rate and warps / rate for rate in
                    models([self.kernel, "--gpu", self.gpu.path], resident))

    def holds(self):
        most = max(self.stalls, key=self.stalls.get)
        return abs(self.error) <= LIMIT and most == "pipeline"


def gemms(folder):
    return parallel(lambda measured: Gemm(measured, folder), read_table("gemm-rtx3080ti.csv"))


def gemm_table(cases):
    lines = table("kernel", "measured, cycles", "simulated", "error",
                  "load/store unit in use, measured", "simulated",
                  "waits: its queue", "results", "barrier", "scheduler")
    for one in cases:
        lines.append(row(one.name, f"{one.cycles:,.0f}", f"{one.report['cycles']:,.0f}",
                         f"{one.error:+.1f}%", one.measured["in_use"] or "-",
                         f"{one.in_use():.1f}",
                         *[f"{one.stalls[name]:.0f}%" for name in STALLS[:4]]))
    return lines


def gemm_others(cases):
    lines = table("kernel", "contended", *BASELINES)
    for one in cases:
        errors = [one.error, *[cycles and 100 * (cycles / one.cycles - 1)
                               for cycles in one.others()]]
        lines.append(row(one.name, *map(signed, errors)))
    return lines


# ---- Streams that hit in L2 ----

L2_MEASURED = {"a40": "gpu-l2-stream-a40.csv", "a100-80": "gpu-l2-stream-a100-80.csv"}
L2_LISTING = os.path.join(HERE, "cuda", "gpu-l2-stream.ptx")
L2_STREAMS = {"read": 1, "scale": 2, "triad": 4, "write": 1}
L2_WARPS = 1500


def l2_points(name):
    return [stream.Point(kernel, int(cells["threads_per_block"]), int(cells["blocks_per_sm"]),
                         float(cells["occupancy_percent"]), float(cells[kernel]))
            for cells in read_table(L2_MEASURED[name]) for kernel in L2_STREAMS]


def l2_launch(gpu, description, point):
    """Arguments, and how many threads they launch."""
    resident = stream.resident_warps(point)
    blocks = max(40, L2_WARPS // resident) * point.blocks * round(gpu.sms)
    arguments = [L2_LISTING, "--entry", point.kernel, "--branch", "all=not",
                 *contexts(L2_LISTING, point.kernel, (), "l2", ("ld.global", "st.global")),
                 "--gpu", description, "--threads", point.threads, "--blocks", blocks]
    return arguments, blocks * point.threads


def l2_bandwidth(gpu, description, point, *options):
    arguments, threads = l2_launch(gpu, description, point)
    report = simulate(*arguments, "--occupancy", stream.resident_warps(point), *options)
    return 8 * L2_STREAMS[point.kernel] * threads / float(report["time_drained_us"]) / 1000


def l2_models(gpu, description, point):
    """GB/s by the two models."""
    arguments, _ = l2_launch(gpu, description, point)
    scale = (8 * L2_STREAMS[point.kernel] * point.threads / -(-point.threads // 32) * gpu.sms *
             gpu.clock / 1000)
    return [rate and rate * scale for rate in models(arguments, stream.resident_warps(point))]


class L2:
    """All points of a GPU by each simulation and model."""

    def __init__(self, name):
        gpu, self.points = Facts(name), l2_points(name)
        self.found = [parallel(lambda point: l2_bandwidth(gpu, name, point, "--memory", memory),
                               self.points) for memory in ("contended", "ideal")]
        self.found += zip(*parallel(lambda point: l2_models(gpu, name, point), self.points))

    def errors(self):
        lines = table("kernel", "contended", *BASELINES)
        for kernel in L2_STREAMS:
            cells = []
            for values in self.found:
                pairs = [(value, point.measured) for value, point in zip(values, self.points)
                         if point.kernel == kernel]
                cells.append("-" if any(value is None for value, _ in pairs) else
                             f"{stream.mean(abs(100 * (v / m - 1)) for v, m in pairs):.1f}")
            lines.append(row(kernel, *cells))
        return lines

    def table(self):
        lines = table("threads on an SM", *L2_STREAMS)
        by_launch = {}
        for point, gbs in zip(self.points, self.found[0]):
            by_launch.setdefault((point.blocks, point.threads), []).append(
                f"{point.measured:.0f} / {gbs:.0f}")
        return lines + [row(f"{blocks} × {threads}", *cells)
                        for (blocks, threads), cells in by_launch.items()]


# ---- Multiply-adds on streams ----

ROOF_MEASURED = {"a40": ("gpu-roofline-a40.csv", 6), "a100-40": ("gpu-roofline-a100-40.csv", 8)}
ROOF_KERNEL = os.path.join(HERE, "roofline.xml")
ROOF_WORK = 10000  # multiply-adds of a thread, about


class Roof:
    """A row of the measurement."""

    def __init__(self, name, blocks, cells, folder):
        self.adds, self.measured = int(cells["multiply_adds"]), float(cells["gflops"])
        self.gpu = Device(name, float(cells["clock_mhz"]), folder)
        self.rounds = max(10, min(200, ROOF_WORK // (2 * self.adds + 20)))
        self.arguments = [ROOF_KERNEL, "--gpu", self.gpu.path, "--blocks",
                          blocks * round(self.gpu.facts.sms), "--set", f"adds={self.adds}", "--set",
                          f"rounds={self.rounds}"]
        self.flops = (2 + 2 * self.adds) * 2 * self.rounds * 256 * blocks * self.gpu.facts.sms
        self.found = [self.rate(simulate(*self.arguments, "--memory", memory))
                      for memory in ("contended", "ideal")]
        self.found += [rate and rate * self.flops / (8 * blocks) * self.gpu.clock / 1000
                       for rate in models(self.arguments, 8 * blocks)]

    def rate(self, report):
        return self.flops / float(report["time_drained_us"]) / 1000

    def errors(self):
        return [found and 100 * (found / self.measured - 1) for found in self.found]


def roof_table(rows):
    lines = table("multiply-adds", "clock, MHz", "measured, Gflop/s", "simulated",
                  "contended", *BASELINES)
    for one in rows:
        lines.append(row(one.adds, f"{one.gpu.clock:g}", f"{one.measured:,.0f}",
                         f"{one.found[0]:,.0f}", *map(signed, one.errors())))
    return lines


def roofs(name, folder):
    path, blocks = ROOF_MEASURED[name]
    return parallel(lambda cells: Roof(name, blocks, cells, folder), read_table(path))


# ---- The page ----

def tables(folder, quick):
    cases = gemms(folder)
    yield "gemm", gemm_table(cases)
    for one in cases:
        if not one.holds():
            raise SystemExit(f"{one.name}: {one.error:+.1f}%, waits {one.stalls}")
    if quick:
        return
    yield "gemm, others", gemm_others(cases)
    for name in L2_MEASURED:
        found = L2(name)
        yield f"l2 errors {name}", found.errors()
        yield f"l2 {name}", found.table()
    for name in ROOF_MEASURED:
        yield f"roofline {name}", roof_table(roofs(name, folder))


def check(name, lines):
    if not places.differences(PAGE, [(name, lines)]):
        return True
    print(f"{name}: the program gives", *lines, sep="\n")
    return False


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--check", action="store_true", help="compare the page")
    what.add_argument("--quick", action="store_true", help="two kernels alone")
    options = parser.parse_args()
    good = True
    with tempfile.TemporaryDirectory() as folder:
        for name, lines in tables(folder, options.quick):
            if options.check:
                good = check(name, lines) and good
                continue
            print(name, *lines, sep="\n", flush=True)
            if not options.quick:
                places.write(PAGE, [(name, lines)])
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
