# SPDX-License-Identifier: MIT
"""What does it cost to execute machine code? Warp instructions a second on one core, and on all;
simulation of what was executed is in it, which is little where warps are alike."""
import os

from measure import QUICK, TooLong, explain, figure, heading, line, run

explain()

TESTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "cuda")
SIZE = 256 if QUICK else 1024
BLOCKS = 10_000 if QUICK else 1_000_000
RUNS = (
    ("saxpy", "execute/fixtures/copy.sm_80.cubin",
     f"saxpy<<<{BLOCKS}, 256>>>({256 * BLOCKS}, 2.5f, X, Y)", ()),
    ("sgemm-16", "sgemm-16.sm_80.cubin",
     f"sgemm_16<<<dim3({SIZE // 16}, {SIZE // 16}), dim3(16, 16)>>>(A, B, C, {SIZE})", ()),
    ("... of data", "sgemm-16.sm_80.cubin",
     f"sgemm_16<<<dim3({SIZE // 16}, {SIZE // 16}), dim3(16, 16)>>>(A, B, C, {SIZE})",
     ("--data", "A=f32:random", "--data", "B=f32:random")),
)


def timed(path, launch, *options):
    try:
        return run([path, "--gpu", "a100-80", "--launch", launch, *options])
    except TooLong:
        return None


heading("Machine code executed",
        "Kernels of tests/cuda, with unknown data where none is named. "
        f"saxpy: {BLOCKS} blocks of 256 threads; sgemm-16: {SIZE} by {SIZE}, in tiles of 16. "
        "One core s, CPU s: processor time, with one thread and with all.")
line(f"{'kernel':12}", "M instructions", " one core s", "  M/s", "all cores s", "  CPU s",
     "     MB")
for name, cubin, launch, options in RUNS:
    path = os.path.join(TESTS, cubin)
    # A few SMs are simulated, unless all are asked for: they say how many instructions there were.
    whole = timed(path, launch, "--sms", "all", *options)
    one, every = timed(path, launch, "--cores", "1", *options), timed(path, launch, *options)
    if not whole or not one or not every:
        line(f"{name:12}", "too long")
        continue
    millions = whole.report["instructions"] / 1e6
    line(f"{name:12}", figure(millions, 14), figure(one.seconds, 11),
         figure(millions / one.seconds, 5), figure(every.elapsed, 11), figure(every.seconds, 7),
         figure(every.megabytes, 7))
