# SPDX-License-Identifier: MIT
"""The same work done by other tools: volkov-mix in Python with SimPy, and a chain of dependent
instructions in llvm-mca. Ours counts whole, start-up included; of theirs only what simulates. Both
are optional."""
import os
import resource
import shutil
import subprocess
import sys
import tempfile

from measure import QUICK, explain, figure, heading, line, run

explain()

HERE = os.path.dirname(os.path.abspath(__file__))
ALPHA = 32


def mix(warps, rounds, *options):
    """The same launch for warpipe, in blocks of 16 warps, which take the slots in order as one
    block would."""
    return ["volkov-mix", "--gpu", os.path.join(HERE, "mix-gpu.xml"), "--threads",
            min(warps, 16) * 32,
            "--blocks", -(-warps // 16), "--set", f"alpha={ALPHA}", "--set",
            f"rounds={rounds}", *options]


def simpy_mix(warps, rounds):
    """Cycles, instructions, seconds; None where SimPy is not installed."""
    done = subprocess.run([sys.executable, os.path.join(HERE, "simpy-mix.py"), str(warps),
                           str(ALPHA), str(rounds)],
                          stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode == 77:
        return None
    if done.returncode != 0:
        sys.exit("simpy-mix.py failed")
    cycles, instructions, seconds = done.stdout.split()
    return cycles, int(instructions), float(seconds)


def compare_simpy():
    heading("Beside SimPy", f"""
volkov-mix at alpha {ALPHA} on mix-gpu.xml (4 schedulers, rr), one generation; simpy-mix.py is the
same in Python. Cycles are of the same launch in both; ours is then timed on one of 200 times as
many rounds, --no-skip. M/s: million warp instructions a second.
""")
    rounds = 5 if QUICK else 20
    if simpy_mix(1, 1) is None:
        print("SimPy is not installed (Debian: python3-simpy3)")
        return
    line(" warps", "warpipe cycles", " SimPy cycles", "warpipe M/s", "SimPy M/s", "   ratio")
    for warps in (1, 16, 64):
        cycles, instructions, seconds = simpy_mix(warps, rounds)
        same = run(mix(warps, rounds)).report
        if same["instructions"] != instructions:
            sys.exit("not the same work")
        ours = run(mix(warps, rounds * 200, "--no-skip"))
        our_speed, their_speed = ours.report["instructions"] / ours.seconds, instructions / seconds
        line(f"{warps:6}", f"{same['cycles']:>14}", f"{cycles:>13}", figure(our_speed / 1e6, 11),
             f"{their_speed / 1e6:9.4f}", figure(our_speed / their_speed, 8, 0))
        if str(same["cycles"]) != cycles:
            sys.exit("the cycles differ")


def mca_seconds(program, source, iterations):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([program, "-mtriple=x86_64", "-mcpu=haswell", f"-iterations={iterations}",
                    "-all-views=0",
                    "-summary-view", source], stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def compare_mca(folder):
    heading("Beside llvm-mca", """
A chain of dependent additions: one warp here (volkov-mix on mix-gpu.xml: one load, then adds;
--no-skip), addss on haswell there. M/s: million instructions a second.
""")
    program = shutil.which("llvm-mca")
    if program is None:
        print("llvm-mca is not installed (Debian: llvm)")
        return
    source = os.path.join(folder, "chain.s")
    with open(source, "w", encoding="ascii") as out:
        out.write("addss %xmm1, %xmm0\n" * 100)
    short, long = 100, 2_000 if QUICK else 10_000
    seconds = min(mca_seconds(program, source, long) for _ in range(3)) - \
        min(mca_seconds(program, source, short) for _ in range(3))
    theirs = (long - short) * 100 / seconds
    line("instructions", "warpipe M/s", "llvm-mca M/s", "   ratio")
    for count in ((long - short) * 100, 10_000_000):
        done = run(["volkov-mix", "--gpu", os.path.join(HERE, "mix-gpu.xml"), "--threads", 32,
                    "--blocks", 1,
                    "--set", "rounds=1", "--set", f"alpha={count}", "--no-skip"])
        ours = done.report["instructions"] / done.seconds
        line(f"{count:12}", figure(ours / 1e6, 11), f"{theirs / 1e6:12.3f}",
             figure(ours / theirs, 8))


compare_simpy()
with tempfile.TemporaryDirectory() as temporary:
    compare_mca(temporary)
