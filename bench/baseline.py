# SPDX-License-Identifier: MIT
"""Machine instructions of short runs, by callgrind, against those that baseline.json keeps.

What counts is what is executed from the first event of a run to its last; start-up is left out.
Without an argument, the exit status is 1 if a run has grown by more than 5%, and 77 if this build
cannot be compared. With --write, writes baseline.json anew.
"""
import json
import os
import platform
import re
import shlex
import subprocess
import sys

from measure import HAVE_VALGRIND, count_simulations, explain

explain()

FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "baseline.json")
KERNELS = os.path.join(os.path.dirname(FILE), os.pardir, "tests", "cuda")
TOLERANCE = 0.05


def skip(why):
    print(f"skipped: {why}")
    sys.exit(77)


def compiler():
    """gcc 12, clang 14, ...: counts of another compiler or major version say nothing."""
    preprocess = [*shlex.split(os.environ.get("CC", "cc")), "-E", "-P", "-"]
    done = subprocess.run(preprocess, input="__clang_major__ __GNUC__\n", stdout=subprocess.PIPE,
                          text=True, check=False)
    found = re.search(r"(\S+) (\S+)\s*$", done.stdout) if done.returncode == 0 else None
    clang, gcc = found.groups() if found else ("", "unknown")
    return f"clang {clang}" if clang.isdigit() else f"gcc {gcc}"


def build():
    """What decides the code that runs; debugging information does not."""
    flags = [flag for name in ("BUILD_CFLAGS", "SAN_CFLAGS")
             for flag in shlex.split(os.environ.get(name, ""))]
    return {"machine": platform.machine(), "compiler": compiler(),
            "flags": " ".join(flag for flag in flags if flag != "-g")}


def words(arguments):
    """Files are those of this folder, or of that of a compiler's kernels."""
    folders = {".xml": os.path.dirname(FILE), ".ptx": KERNELS}
    return [os.path.join(folders.get(os.path.splitext(word)[1], ""), word)
            for word in shlex.split(arguments)]


def measure(runs):
    counts = count_simulations([[*words(one["run"]), "--blocks", one["blocks"]] for one in runs])
    return [{"simulated": simulated, "machine": machine} for machine, simulated in counts]


def write(runs):
    for one, counts in zip(runs, measure(runs)):
        one.update(counts)
    head = json.dumps(build(), indent=2)[:-2]
    lines = ",\n".join(f"    {json.dumps(one)}" for one in runs)
    with open(FILE, "w", encoding="ascii") as out:
        out.write(f'{head},\n  "runs": [\n{lines}\n  ]\n}}\n')


def judge(one, now):
    if now["simulated"] != one["simulated"]:
        return f"not the run of the baseline: {now['simulated']} instructions, {one['simulated']} there", True
    change = now["machine"] / one["machine"] - 1
    if abs(change) <= TOLERANCE:
        return f"{change:+.1%}", False
    verdict = ": too many" if change > 0 else ": make baseline keeps this"
    return f"{change:+.1%}" + verdict, change > 0


def check(kept):
    for key, value in build().items():
        if value != kept[key]:
            skip(f"this build has {key} \"{value}\", the baseline \"{kept[key]}\"")
    failed = False
    print("machine instructions for each simulated one: baseline, now, change")
    for one, now in zip(kept["runs"], measure(kept["runs"])):
        verdict, bad = judge(one, now)
        failed |= bad
        each = [counts["machine"] / counts["simulated"] for counts in (one, now)]
        print(f"{each[0]:10.2f} {each[1]:10.2f}  {verdict:32} {one['run']}")
    if failed:
        print("Where that is meant: make baseline, and commit bench/baseline.json with the change.")
    sys.exit(failed)


if not HAVE_VALGRIND:
    skip("valgrind is not installed")
with open(FILE, encoding="ascii") as baseline:
    content = json.load(baseline)
if sys.argv[1:] == ["--write"]:
    write(content["runs"])
else:
    check(content)
