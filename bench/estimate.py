# SPDX-License-Identifier: MIT
"""Is what `run --estimate` says true? Runs in full and estimated, side by side: whether the time in
full lies within the error that the estimate states, how far off it is, and what it saves.

estimate.py [--jobs N] [--only WORD] [--rows FILE] [--again FILE]     in the build folder, for some
twenty minutes; estimate.py --from-rows bench/data/estimate.csv: the table of doc/performance.md
"""
import argparse
import concurrent.futures
import csv
import json
import os
import subprocess
import sys
import tempfile
import time

SOURCE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
WARPIPE = os.environ.get("WARPIPE", "./warpipe")
CUDA = os.path.join(SOURCE, "tests", "cuda")

# Instructions of a run in full, about; and generations of blocks, at least.
WORK = 6e7
MOST_WORK = 3e8
GENERATIONS = 120

POLICIES = ("rr", "gto", "gty", "oldest", "block", "two-level")

SHIPPED = ("stream", "stream-ilp4", "vector-add", "volkov-mix", "volkov-mix-shared",
           "kothapalli-matmul", "kothapalli-histogram", "workload", "lemeire-barrier",
           "permute-random", "vector-abs-positive", "barrier-divergence")
OLD = ("gtx280", "gtx480", "gtx680", "gtx980", "p100", "v100")

# As tests/experts has them, with fewer rounds: a block is not to be the whole run.
IMPORTED = {
    "sgemm-16": "--threads 16x16 --registers 32 --trip sgemm-16.cu:14=16",
    "sgemm-32": "--threads 32x32 --registers 32 --trip sgemm-32.cu:14=8",
    "sgemm-8x8": "--threads 256 --registers 127 --trip sgemm-8x8.cu:18=24",
    "tree-reduction": "--threads 256 --registers 13 --shared-memory 1024"
                      " --trip tree-reduction.cu:13=16",
    "stencil-3d": "--threads 32x8 --registers 32 --trip stencil-3d.cu:12=30",
    "byte-histogram": "--threads 256 --registers 16 --trip byte-histogram.cu:11=16",
    "row-softmax": "--threads 32x8 --registers 31 --trip row-softmax.cu:12=8"
                   " --trip row-softmax.cu:16=8 --trip row-softmax.cu:21=8",
    "transpose-naive": "--threads 32x8 --registers 20",
    "transpose-padded": "--threads 32x8 --registers 28",
    "gemm-mma": "--threads 128 --registers 182 --trip gemm-mma.cu:15=16",
    "gemm-cp-async": "--threads 128 --registers 224 --trip gemm-cp-async.cu:37=15",
}
NEW = ("v100", "a100-80", "h100-sxm", "rtx4090")

# Executed, with unknown data: which caches serve an access is a mix, so that no state recurs.
EXECUTED = {
    "transpose-naive": "transpose_naive<<<dim3(384,384),dim3(32,8)>>>(TO,FROM,12288)",
    "row-softmax": "row_softmax<<<65536,dim3(32,8)>>>(IN,OUT,256)",
    "sgemm-16": "sgemm_16<<<dim3(256,256),dim3(16,16)>>>(A,B,C,64)",
}


def find_gpu(kernel, gpu):
    """V100 has none of the tensor instructions of these kernels."""
    return "a40" if gpu == "v100" and kernel.startswith("gemm-") else gpu


def make_cases():
    """(group, kernel, GPU, options without the grid, whether the grid may be set)"""
    n = 0
    for kernel in SHIPPED:
        for gpu in OLD:
            n += 1
            yield "contended", kernel, gpu, ["--memory", "contended", "--seed", str(n), "--policy",
                                             POLICIES[n % 6]], True
    for kernel in ("stream", "vector-add", "volkov-mix", "permute-random"):
        for gpu in ("gtx980", "p100", "a100-40"):
            yield "contended, all SMs", kernel, gpu, ["--memory", "contended", "--sms", "all"], True
    for kernel, options in IMPORTED.items():
        path = os.path.join(CUDA, f"{kernel}.sm_80.ptx")
        for gpu in NEW:
            n += 1
            gpu = find_gpu(kernel, gpu)
            for policy in (POLICIES[n % 3], POLICIES[3 + n % 3]):
                yield "imported", path, gpu, [*options.split(), "--policy", policy], True
        for gpu in ("a100-80", "v100"):
            yield "imported, contended", path, find_gpu(kernel, gpu), [
                *options.split(), "--memory", "contended", "--seed", str(n)], True
    for kernel in ("kothapalli-matmul", "volkov-mix", "stream-ilp4", "vector-add",
                   "lemeire-barrier"):
        for gpu in ("a100-40", "h100-sxm", "a40"):
            yield "SMs share memory", kernel, gpu, ["--policy", "gto"], True
    for kernel, launch in EXECUTED.items():
        for gpu, target in (("a100-80", "sm_80"), ("h100-sxm", "sm_90"), ("a40", "sm_80")):
            path = os.path.join(CUDA, f"{kernel}.{target}.cubin")
            yield "executed", path, gpu, ["--launch", launch], False


def call(kernel, gpu, options):
    """The report, and seconds of the processor."""
    # The processor's time of this child alone, others being under way.
    with tempfile.NamedTemporaryFile("r") as out:
        start = time.monotonic()
        child = subprocess.Popen([WARPIPE, "run", kernel, "--gpu", gpu, "--format", "json",
                                  "--no-lines", "--cores", "1", *options],
                                 stdout=open(out.name, "w"), stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode != 0:
            raise RuntimeError(f"{kernel} on {gpu} {' '.join(options)}: exit {child.returncode}"
                               f" after {time.monotonic() - start:.1f} s")
        return json.load(out), usage.ru_utime + usage.ru_stime


def find_blocks(kernel, gpu, options):
    """A grid that takes a second or some."""
    report, _ = call(kernel, gpu, [*options, "--blocks", "400"])
    each = report["instructions"] / report["blocks"]
    share = report["blocks"] / 400
    generation = report["resident_blocks"] * report["sms"]
    blocks = min(max(WORK / each, GENERATIONS * generation), MOST_WORK / each)
    return int(blocks / share)


KNOWN = {}  # rows of an earlier time: what a run in full takes does not change


def run_in_full(kernel, gpu, options, sized):
    """Its options with the grid, what it comes to, and seconds."""
    known = KNOWN.get((os.path.basename(kernel), gpu, " ".join(options)))
    if known is not None and "cycles" in known:
        return (known["options"].split() if sized else options,
                {"blocks": int(known["blocks"]), "cycles": float(known["cycles"])},
                float(known["seconds"]))
    if sized:
        options = [*options, "--blocks", str(find_blocks(kernel, gpu, options))]
    return options, *call(kernel, gpu, options)


def measure(case):
    group, kernel, gpu, options, sized = case
    try:
        options, full, full_s = run_in_full(kernel, gpu, options, sized)
        part, part_s = call(kernel, gpu, [*options, "--estimate"])
    except RuntimeError as error:
        print(error, file=sys.stderr)
        return None
    estimate = part["estimate"]
    off = abs(part["cycles"] / full["cycles"] - 1)
    return {"group": group, "kernel": os.path.basename(kernel), "gpu": gpu,
            "options": " ".join(options), "kind": estimate["kind"],
            "blocks": full["blocks"], "simulated": estimate["simulated_blocks"],
            "cycles": full["cycles"], "estimated": part["cycles"], "off": f"{off:.3g}",
            "stated": f"{estimate['error']:.3g}", "within": int(off <= estimate["error"] + 1e-12),
            "seconds": f"{full_s:.2f}", "seconds_estimated": f"{part_s:.2f}"}


def summarise(rows):
    print("| runs | | estimated | within what is stated | stated, mean | off, mean | off, most |"
          " seconds, full | estimated |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    groups = list(dict.fromkeys(row["group"] for row in rows))
    for group in [*groups, "all"]:
        here = [row for row in rows if group in ("all", row["group"])]
        made = [row for row in here if row["kind"] == "estimated"]
        if not made:
            print(f"| {group} | {len(here)} | 0 | | | | | | |")
            continue

        def mean(name):
            return sum(float(row[name]) for row in made) / len(made)

        within = sum(int(row["within"]) for row in made)
        print(f"| {group} | {len(here)} | {len(made)} | {within} | {100 * mean('stated'):.2g}% |"
              f" {100 * mean('off'):.2g}% | {100 * max(float(r['off']) for r in made):.2g}% |"
              f" {mean('seconds') * len(made):.0f} | {mean('seconds_estimated') * len(made):.0f} |")
    exact = [row for row in rows if row["kind"] != "estimated"]
    wrong = [row for row in exact if float(row["off"]) > 0]
    print(f"\nNot estimated: {sum(r['kind'] == 'period' for r in exact)} came to a period,"
          f" {sum(r['kind'] == 'whole' for r in exact)} were simulated in full;"
          f" {len(wrong)} of them differ from the run in full.")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--rows", help="write a row for each run (CSV)")
    parser.add_argument("--again", help="take the runs in full from rows that were written")
    parser.add_argument("--from-rows", help="only the table, of rows that were written")
    options = parser.parse_args()
    if options.from_rows:
        summarise(list(csv.DictReader(open(options.from_rows))))
        return
    for row in csv.DictReader(open(options.again)) if options.again else ():
        name = row["options"].split(" --blocks ")[0]
        KNOWN[row["kernel"], row["gpu"], name] = row
    cases = [case for case in make_cases() if options.only in " ".join(case[:3])]
    out = open(options.rows, "w") if options.rows else None
    writer, rows = None, []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for row in pool.map(measure, cases):
            if row is None:
                continue
            rows.append(row)
            if out and writer is None:
                writer = csv.DictWriter(out, list(row))
                writer.writeheader()
            if writer:
                writer.writerow(row)
                out.flush()
    summarise(rows)


main()
