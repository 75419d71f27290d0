# SPDX-License-Identifier: MIT
"""Kernels of cuda with their launch and nothing else: verdicts of an expert, transposes in the measured order, caches that
hit where they should, and counts by hand of kernels that data decide. In TAP."""
import json
import os
import re
import struct
import subprocess
import tempfile

SOURCE = os.environ["abs_srcdir"]
CUDA = os.path.join(SOURCE, "tests", "cuda")
NUMBER = 0


def check(is_right, title, *more):
    global NUMBER
    NUMBER += 1
    print("ok" if is_right else "not ok", NUMBER, "-", title, flush=True)
    for line in more if not is_right else ():
        print("#", line, flush=True)


def run(cubin, gpu, launch, *options):
    """The report, or None and what was said."""
    command = ["warpipe", "run", os.path.join(CUDA, cubin), "--gpu", gpu, "--launch", launch, "--format", "json", *options]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    return json.loads(result.stdout) if result.stdout else None, result.stderr


def check_verdict(kernel, gpu, launch, expected):
    target = "sm_90" if gpu.startswith("h100") else "sm_80"
    report, errors = run(f"{kernel}.{target}.cubin", gpu, launch)
    said = f"{report['verdict']['kind']} {report['verdict']['resource']}" if report else errors
    check(said == expected, f"{kernel} on {gpu}, told its launch alone: {expected}", said)
    return report


def check_transposes(gpu):
    """Measured (doc/fidelity.md): the padded one is the fastest, then the tiled one, the naive one takes twice as long."""
    cycles = {}
    for kind, expected in ("naive", None), ("tiled", "throughput lsu"), ("padded", "throughput memory"):
        launch = f"transpose_{kind}<<<dim3(128,128), dim3(32,8)>>>(TO, FROM, 4096)"
        if expected:
            report = check_verdict(f"transpose-{kind}", gpu, launch, expected)
        else:
            report, _ = run(f"transpose-{kind}.{'sm_90' if gpu.startswith('h100') else 'sm_80'}.cubin", gpu, launch)
        cycles[kind] = report["cycles"] if report else 0
    said = ", ".join(f"{kind} {value:.0f}" for kind, value in cycles.items())
    naive, tiled = (cycles[kind] / max(cycles["padded"], 1) for kind in ("naive", "tiled"))
    check(1 < tiled < 2.2 and 1.4 < naive < 4 and tiled < naive, f"transposes on {gpu} come in the order that is measured",
          said)


def run_case(cubin, launch, folder, *options):
    path = os.path.join(folder, "out")
    report, errors = run(os.path.join("execute", "fixtures", cubin), "a100-80", launch, "--dump", f"OUT={path}", *options)
    data = b""
    if report and os.path.exists(path):
        with open(path, "rb") as file:
            data = file.read()
    return report, errors, data


def check_unknown(folder):
    """What data would decide is noted, with its line and the name of the buffer."""
    notes = {"unknown_branch<<<4, 64>>>(UNKNOWN, OUT, 200)": r"notes\.cu:\d+: .*UNKNOWN",
             "unknown_address<<<4, 64>>>(UNKNOWN, TABLE, OUT, 200)": r"notes\.cu:\d+: .*UNKNOWN",
             "unknown_trips<<<4, 64>>>(UNKNOWN, OUT, 200)": r"notes\.cu:\d+: .*UNKNOWN"}
    for launch, pattern in notes.items():
        report, errors, _ = run_case("notes.sm_80.cubin", launch, folder)
        check(report and re.search(pattern, errors), f"{launch}: what is not known is noted", errors)
    report, errors, _ = run_case("notes.sm_80.cubin", "unknown_dense<<<4, 64>>>(UNKNOWN, OUT, 200)", folder)
    check(report and "UNKNOWN" not in errors, "unknown_dense: nothing depends on data, and nothing is noted", errors)


def check_part():
    """Where what is resident at a time is beyond the limit, some blocks are executed, whole, and all others do as they do."""
    launch = "sgemm_16<<<dim3(32,32), dim3(16,16)>>>(A, B, C, 512)"
    whole, _ = run("sgemm-16.sm_80.cubin", "a100-80", launch)
    report, errors = run("sgemm-16.sm_80.cubin", "a100-80", launch, "--execute-limit", "2000000")
    found = re.search(r"of 1024 blocks the first (\d+) were executed", errors)
    check(found and 10 < int(found.group(1)) < 400, "a wave that is beyond the limit: some of its blocks are executed", errors)
    check(whole and report and whole["instructions"] == report["instructions"]
          and 0.95 < report["cycles"] / whole["cycles"] < 1.05, "...and the kernel is the whole one's, within 5%", errors)


def main():
    check_transposes("a100-40")
    check_transposes("h100-sxm")
    check_verdict("tree-reduction", "a100-40", "tree_reduction<<<4096, 256, 1024>>>(IN, OUT, 16777216)", "throughput memory")
    check_verdict("tree-reduction", "h100-sxm", "tree_reduction<<<4096, 256, 1024>>>(IN, OUT, 16777216)", "latency memory")
    check_verdict("stencil-3d", "a100-40", "stencil_3d<<<dim3(16,64), dim3(32,8)>>>(IN, OUT, 512, 512, 40, 0.1f)",
                  "throughput memory")
    check_part()
    with tempfile.TemporaryDirectory() as folder:
        check_unknown(folder)
        # OUT[3] of the one thread that the last block has: the guard lets 200 of 256 threads through.
        _, errors, data = run_case("copy.sm_80.cubin", "copy_float4<<<4, 32>>>(OUT, IN, 128)", folder, "--data", "IN=f32:iota")
        check(len(data) == 2048 and struct.unpack("<512f", data) == tuple(range(512)), "iota comes out of a copy", errors)
    print(f"1..{NUMBER}")


main()
