# SPDX-License-Identifier: MIT
"""What does it cost to execute machine code? Warp instructions a second on one core, and on all;
simulation of what was executed is in it, which is little where warps are alike."""
import os

from measure import QUICK, TooLong, figure, heading, line, run

TESTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "cuda")
SIZE = 256 if QUICK else 512
BLOCKS = 10_000 if QUICK else 200_000
RUNS = (
    ("saxpy", "execute/fixtures/copy.sm_80.cubin",
     f"saxpy<<<{BLOCKS}, 256>>>({256 * BLOCKS}, 2.5f, X, Y)"),
    ("sgemm-16", "sgemm-16.sm_80.cubin",
     f"sgemm_16<<<dim3({SIZE // 16}, {SIZE // 16}), dim3(16, 16)>>>(A, B, C, {SIZE})"),
)


def timed(path, launch, *options):
    try:
        return run([path, "--gpu", "a100-80", "--launch", launch, *options])
    except TooLong:
        return None


heading("Machine code executed", "Kernels of tests/cuda with unknown data.")
line(f"{'kernel':12}", "M instructions", " one core s", "  M/s", "all cores s", "     MB")
for name, cubin, launch in RUNS:
    path = os.path.join(TESTS, cubin)
    # One SM is simulated, unless all are asked for: they say how many instructions there were.
    whole = timed(path, launch, "--sms", "all")
    one, every = timed(path, launch, "--cores", "1"), timed(path, launch)
    if not whole or not one or not every:
        line(f"{name:12}", "too long")
        continue
    millions = whole.report["instructions"] / 1e6
    line(f"{name:12}", figure(millions, 14), figure(one.elapsed, 11),
         figure(millions / one.elapsed, 5), figure(every.elapsed, 11), figure(every.megabytes, 7))
