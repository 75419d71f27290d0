# SPDX-License-Identifier: MIT
"""Lets calls of the C library fail, one in each run of a command (tests/inject.c), and looks at what becomes of it.

Whatever fails, and whichever call of it: the command ends with status 3 (1 where it could not read its input, 2 where it
could not load a policy) and says one line; it leaves no file but those that it would have written, whole; files that were there keep their bytes. Or it
ends with status 0, and then has printed and written what it would have without a failure.

    inject.py WARPIPE INJECT.SO POLICY.SO TESTS-FOLDER [POINTS [TITLE...]]

POINTS: how many calls of a kind are tried in each command, spread over all (60; 0: each one). TITLE: of this command
alone."""
import collections
import concurrent.futures
import os
import shutil
import subprocess
import sys
import tempfile

warpipe, inject, policy, tests = (os.path.abspath(name) for name in sys.argv[1:5])
points = int(sys.argv[5]) if len(sys.argv) > 5 else 60
titles = sys.argv[6:]
kinds = ("memory", "map", "open", "read", "write", "rename", "sync", "close", "thread", "child", "library")
refusals = {"open": 1, "read": 1,  # what cannot be read is an error of the input
            "library": 2}  # and a policy that cannot be loaded one of the command line
here = tempfile.mkdtemp()

inputs = {
    "k.ptx": os.path.join(tests, "cuda", "copy.sm_80.ptx"),
    "k.cubin": os.path.join(tests, "cuda", "sgemm-16.sm_80.cubin"),
    "k.xml": os.path.join(tests, "bad", "good-kernel.xml"),
    "t.traceg": os.path.join(tests, "bad", "good.traceg"),
    "t.traceg.gz": os.path.join(tests, "fuzz", "corpus", "accel", "compressed.traceg.gz"),
    "t.traceg.xz": os.path.join(tests, "fuzz", "corpus", "accel", "compressed.traceg.xz"),
    "k.sass": os.path.join(tests, "sass", "listing-3.1.sass"),
    "a.json": os.path.join(tests, "fuzz", "corpus", "report", "run.json"),
    "p.so": policy,
    "g.xml": os.path.join(tests, "golden", "probe-gpu.xml"),
    "b.json": os.path.join(tests, "fuzz", "corpus", "report", "other.json"),
}
small = ["vector-add", "--gpu", "gtx980", "--blocks", "16", "--threads", "64"]
launch = ["k.cubin", "--gpu", "a100-80", "--sms", "1", "--launch", "sgemm_16<<<1, dim3(16, 16)>>>(A, B, C, 16)"]
commands = {
    "a report": ["run", *small],
    "a run of all SMs": ["run", *small, "--sms", "all", "--cores", "2", "--format", "json"],
    "tables and a page": ["run", *small, "--lifetimes", "a.csv", "--issues", "i.csv", "--html", "p.html"],
    "traces": ["run", *small, "--chrome", "c.json", "--konata", "k.log"],
    "machine code": ["run", *launch, "--data", "A=f32:iota", "--dump", "C=c.bin"],
    "an import": ["import", "k.ptx", "-o", "i.xml"],
    "an import of a trace": ["import", "t.traceg", "-o", "t.xml"],
    "an import of a packed trace": ["import", "t.traceg.gz", "-o", "t.xml"],
    "an import of another packed trace": ["import", "t.traceg.xz", "-o", "t.xml"],
    "an import of a listing": ["import", "k.sass", "-o", "-"],
    "a sweep": ["sweep", *small[:3], "--blocks", "4", "--occupancy", "2,4", "--cores", "2", "--output", "s.csv"],
    "a sweep, resumed": ["sweep", *small[:3], "--blocks", "4", "--occupancy", "2,4", "--cores", "1", "--resume", "r.csv"],
    "a comparison": ["compare", *small, "--policy", "rr,gto", "--format", "csv"],
    "a difference": ["diff", "a.json", "b.json"],
    "a page of several runs": ["compare", *small, "--policy", "rr,gto", "--cores", "2", "--html", "p.html"],
    "a script for a plot": ["compare", *small, "--policy", "rr,gto", "--gnuplot", "g.gp"],
    "a plot": ["sweep", *small[:3], "--blocks", "4", "--occupancy", "8,16", "--cores", "2", "--output", "s.csv",
               "--plot", "p.svg"],
    "launches ranked": ["tune", *launch[:5], "--cores", "2", "--set", "b=8,16", "--launch",
                        "sgemm_16<<<1, dim3($b, 16)>>>(A, B, C, 16)", "--format", "json"],
    "a policy in a library": ["run", *small, "--policy", "./p.so", "--policy-set", "limit=2"],
    "policies compared": ["compare", *small, "--policy", "gto,./p.so", "--policy-set", "limit=2,4", "--cores", "2"],
    "figures set": ["run", *small, "--gpu-set", "sms=2", "--gpu-set", "op.ld.global.issue=8"],
    "a GPU of many": ["sweep", *small, "--gpu-set", "sms=2,4", "--cores", "2", "--output", "s.csv"],
    "models": ["models", *small, "--format", "json"],
    "bounds": ["bounds", *small],
    "an explanation": ["explain", *small, "--format", "json"],
    "headroom": ["headroom", *small, "--tries", "16", "--schedule", "best.order"],
    "a graph": ["show", "vector-add", "--format", "dot", "-o", "g.dot"],
    "occupancy": ["occupancy", "--gpu", "v100", "--threads", "256", "--registers", "32"],
    "validation": ["validate", "k.xml"],
    "a GPU measured": ["probe", "--on", "g.xml", "--quick", "-o", "m.xml"],
    "a picture": ["run", *small, "--svg", "p.svg"],
}
# What fontconfig does where it cannot read or has no memory is not ours.
gives_up = ("Unexpected error from C library during 'malloc'",)  # GLib, for a lock
not_ours = {("a picture", "memory"), ("a picture", "open"), ("a picture", "read"), ("a picture", "map"),
            ("a picture", "close")}


def fresh():
    """A folder with the inputs, and with files of an earlier run."""
    folder = tempfile.mkdtemp(dir=here)
    for name, path in inputs.items():
        shutil.copy(path, os.path.join(folder, name))
    for name in ("a.csv", "i.xml", "p.svg", "g.dot"):
        with open(os.path.join(folder, name), "w") as file:
            file.write("written before\n")
    return folder


def look(folder):
    files = {}
    for name in os.listdir(folder):
        with open(os.path.join(folder, name), "rb") as file:
            files[name] = file.read()
    return files


def run(words, kind, at, count=None):
    folder = fresh()
    before = look(folder)
    # The C++ run-time library is there from the start: where it cannot be loaded, names of C++ stay as they are.
    environment = dict(os.environ, LD_PRELOAD=inject + " libstdc++.so.6", INJECT_KIND=kind, INJECT_AT=str(at), G_SLICE="always-malloc")
    if count:
        environment["INJECT_COUNT"] = count
    try:
        done = subprocess.run([warpipe, *words], cwd=folder, env=environment, capture_output=True, timeout=300)
        return done, before, look(folder)
    finally:
        shutil.rmtree(folder)


def count_calls(words):
    """How many calls of each kind the run of WORDS makes, and what comes of it where none fails."""
    with tempfile.NamedTemporaryFile(dir=here) as file:
        done, before, after = run(words, "", 0, file.name)
        assert done.returncode == 0, (words, done)
        return dict(zip(kinds, map(int, file.read().split()), strict=True)), (done.stdout, done.stderr, after)


def judge(words, kind, at, expected):
    """What is wrong with the run of WORDS in which call AT of KIND fails, or None."""
    try:
        done, before, after = run(words, kind, at)
    except subprocess.TimeoutExpired:
        return "it does not end"
    said = done.stderr.decode()
    if done.returncode == 0:
        return None if (done.stdout, done.stderr, after) == expected else "status 0, but other bytes: " + said
    if done.returncode < 0 and any(words in said for words in gives_up):
        return None
    if done.returncode != 3 and done.returncode != refusals.get(kind):
        return "status %d: %s" % (done.returncode, said)
    lines = said.splitlines()
    if not lines or not lines[-1].startswith("warpipe: ") or lines[:-1] != expected[1].decode().splitlines()[:len(lines) - 1]:
        return "status %d, but it says: %r" % (done.returncode, said)
    for name in before.keys() | after.keys():
        if name not in after:
            return "%s has gone" % name
        if after[name] not in (before.get(name), expected[2].get(name)) and name not in ("r.csv", "r.csv.ahead"):
            return "%s is new, or not whole" % name
    return None


def finish_table():
    """Makes f.csv, a table of which no row is missing."""
    inputs["f.csv"] = os.path.join(here, "f.csv")
    words = ["sweep", *small[:3], "--blocks", "4", "--occupancy", "2,4", "--cores", "1", "--resume"]
    subprocess.run([warpipe, *words, inputs["f.csv"]], check=True, capture_output=True)
    commands["a finished table"] = [*words, "f.csv"]


def give_up_rows():
    """What is wrong with f.csv where its last row, and its end, cannot be read: it stays as it is."""
    words = commands["a finished table"]
    n = count_calls(words)[0]["read"]
    for at in (n - 1, n):
        done, before, after = run(words, "read", at)
        if done.returncode != 3 or b"cannot read f.csv: " not in done.stderr or after != before:
            yield "a finished table: read call %d of %d: status %d: %s" % (at, n, done.returncode, done.stderr.decode().strip())


def main():
    failed = 0
    finish_table()
    tried = collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(min(os.cpu_count() or 2, 4)) as pool:
        for title, words in commands.items():
            began = tried.total()
            if titles and title not in titles:
                continue
            calls, expected = count_calls(words)
            for kind, n in calls.items():
                if (title, kind) in not_ours:
                    continue
                step = max(1, n // points) if points else 1
                places = range(1, n + 1, step)
                tried[kind] += len(places)
                wrong = [(at, said) for at, said in
                         zip(places, pool.map(lambda at: judge(words, kind, at, expected), places)) if said]
                failed += len(wrong)
                for at, said in wrong[:5]:
                    print("%s: %s call %d of %d: %s" % (title, kind, at, n, said.strip()))
                if len(wrong) > 5:
                    print("%s: %s: and %d more" % (title, kind, len(wrong) - 5))
            print("%s: %d calls failed" % (title, tried.total() - began), flush=True)
    for said in give_up_rows():
        print(said)
        failed += 1
    print("calls that failed: " + ", ".join("%d of %s" % (tried[kind], kind) for kind in kinds))
    shutil.rmtree(here)
    return 1 if failed else 0


sys.exit(main())
