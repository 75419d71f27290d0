#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Signals, limits, and what is waited for: a run that a signal ends cleans up, whatever it waits for.

    signals.py TESTS-FOLDER    (in an empty folder)"""
import array
import concurrent.futures
import fcntl
import os
import resource
import signal
import stat
import subprocess
import sys
import termios
import time

TESTS = os.path.abspath(sys.argv[1])
LONG = ["run", "vector-add", "--gpu", "gtx680", "--blocks", "9000000000000000"]
SHORT = ["run", "vector-add", "--gpu", "gtx980", "--blocks", "64"]
LIMIT = 2048
failures = []


def look(folder):
    """Names and contents below FOLDER; None for what is no file."""
    return {name: open(os.path.join(folder, name), "rb").read() if os.path.isfile(os.path.join(folder, name)) else None
            for name in sorted(os.listdir(folder))}


def start(words, folder, path=None, limit=None, **more):
    def prepare():
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)
        if limit:
            resource.setrlimit(*limit)

    environment = dict(os.environ)
    if path:
        environment["PATH"] = path + ":" + environment["PATH"]
    more.setdefault("stdout", subprocess.DEVNULL)
    more.setdefault("stdin", subprocess.DEVNULL)
    return subprocess.Popen(["warpipe", *words], cwd=folder, env=environment, preexec_fn=prepare, stderr=subprocess.PIPE,
                            **more)


def end(child, title):
    """The status and the lines of CHILD, which ends soon."""
    try:
        said = child.communicate(timeout=120)[1].decode()
    except subprocess.TimeoutExpired:
        child.kill()
        child.communicate()
        failures.append(title + ": it does not end")
        return None, []
    return child.returncode, said.splitlines()


def wait_until(what, child):
    while child.poll() is None and not what():
        time.sleep(0.01)


def holds(child, number):
    """Whether CHILD holds signal NUMBER back: it has read its input, and makes its files."""
    try:
        with open("/proc/%d/status" % child.pid) as file:
            for line in file:
                if line.startswith("SigBlk:"):
                    return int(line.split()[1], 16) >> (number - 1) & 1
    except (FileNotFoundError, ProcessLookupError):
        pass
    return False


def expect(title, child, statuses, folder, before):
    """CHILD ends with one of STATUSES, says nothing but how far it is, and leaves FOLDER as it was BEFORE."""
    status, said = end(child, title)
    if status is None:
        return
    if status not in statuses:
        failures.append("%s: status %d, expected %s: %s" % (title, status, statuses, said))
    said = [line for line in said if " assumed" not in line and "warning: " not in line]
    if said:
        failures.append("%s: it says %s" % (title, said))
    if look(folder) != before:
        failures.append("%s: files came, went or changed: %s, before %s" % (title, list(look(folder)), list(before)))


# ---- Signals ----


def signalled(folder, title, name):
    number = getattr(signal, name)
    with open(folder + "/kept.csv", "w") as file:
        file.write("written before\n")
    before = look(folder)
    child = start([*LONG, "--lifetimes", "kept.csv", "--issues", "new.csv", "--html", "new.html", "--chrome", "new.json"], folder)
    wait_until(lambda: holds(child, number) and holds(child, signal.SIGINT), child)
    child.send_signal(number)
    expect(title, child, [130 if name == "SIGINT" else 128 + number], folder, before)


def ignored(folder, title, name):
    """What the caller ignores does not end it."""
    number = getattr(signal, name)
    before = look(folder)
    child = subprocess.Popen(["sh", "-c", 'trap "" %d; exec warpipe "$@"' % number, "sh", *LONG, "--issues", "new.csv"], cwd=folder,
                             stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    wait_until(lambda: holds(child, signal.SIGTERM), child)
    child.send_signal(number)
    child.send_signal(signal.SIGTERM)
    expect(title, child, [143], folder, before)


# ---- Limits ----

limited = {
    "a table": ([*SHORT, "--issues", "new.csv"], "new.csv"),
    "a table that was there": ([*SHORT, "--issues", "kept.csv"], "kept.csv"),
    "a page": ([*SHORT, "--html", "new.html"], "new.html"),
    "a trace": ([*SHORT, "--chrome", "new.json"], "new.json"),
    "another trace": ([*SHORT, "--konata", "new.log"], "new.log"),
    "the machine": ([*SHORT, "--machine", "new.json"], "new.json"),
    "an import": (["import", os.path.join(TESTS, "cuda", "copy.sm_80.ptx"), "-o", "new.xml"], "new.xml"),
    "a graph": (["show", "vector-add", "--format", "graphml", "-o", "new.graphml"], "new.graphml"),
    "a sweep": (["sweep", "vector-add", "--gpu", "gtx980", "--blocks", "1-20", "-o", "new.csv"], "new.csv"),
    "a sweep to go on with": (["sweep", "vector-add", "--gpu", "gtx980", "--blocks", "1-20", "--resume", "new.csv"], "new.csv"),
    "a script": (["sweep", "vector-add", "--gpu", "gtx980", "--blocks", "1-300", "--gnuplot", "new.gnuplot"], "new.gnuplot"),
}


def too_large(folder, title, words, name):
    with open(folder + "/kept.csv", "w") as file:
        file.write("written before\n")
    before = look(folder)
    child = start(words, folder, limit=(resource.RLIMIT_FSIZE, (LIMIT, LIMIT)))
    status, said = end(child, title)
    after = look(folder)
    last = said[-1] if said else ""
    if status != 3 or not last.startswith("warpipe: ") or name not in last or str(LIMIT) not in last:
        failures.append("%s: status %s, it says %s" % (title, status, said))
    if "--resume" in words:
        after.pop(name, None)  # what it had found
    if after != before:
        failures.append("%s: files came, went or changed: %s" % (title, list(after)))


def standard_output_too_large(folder, title):
    with open(folder + "/out", "w") as out:
        child = start([*SHORT, "--issues", "-"], folder, limit=(resource.RLIMIT_FSIZE, (LIMIT, LIMIT)), stdout=out)
    status, said = end(child, title)
    if status != 3 or len(said) != 1 or "standard output" not in said[0] or str(LIMIT) not in said[0]:
        failures.append("%s: status %s, it says %s" % (title, status, said))


def too_long(folder, title):
    before = look(folder)
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    child = start([*LONG, "--no-skip", "--lifetimes", "new.csv"], folder, limit=(resource.RLIMIT_CPU, (1, hard)))
    expect(title, child, [128 + signal.SIGXCPU], folder, before)


# ---- What is waited for ----


def count_waiting(fd):
    count = array.array("i", [0])
    fcntl.ioctl(fd, termios.FIONREAD, count)
    return count[0]


def reader_stopped(folder, title, words, number):
    before = look(folder)
    ours, theirs = os.pipe()
    size = fcntl.fcntl(ours, 1031, 4096)  # F_SETPIPE_SZ
    child = start(words, folder, stdout=theirs)
    os.close(theirs)
    wait_until(lambda: count_waiting(ours) >= size, child)
    child.send_signal(number)
    expect(title, child, [128 + number, -number], folder, before)
    os.close(ours)


def no_reader(folder, title, words, name):
    os.mkfifo(os.path.join(folder, name))
    before = look(folder)
    child = start(words, folder)
    wait_until(lambda: holds(child, signal.SIGINT), child)
    child.send_signal(signal.SIGINT)
    expect(title, child, [130], folder, before)
    if not stat.S_ISFIFO(os.stat(os.path.join(folder, name)).st_mode):
        failures.append(title + ": the FIFO was replaced")


def late_reader(folder, title):
    """A reader that comes is waited for, and gets all."""
    expected = subprocess.run(["warpipe", *SHORT, "--issues", "file"], cwd=folder, capture_output=True, check=True)
    assert not expected.stderr
    os.mkfifo(folder + "/new.csv")
    child = start([*SHORT, "--issues", "new.csv"], folder)
    wait_until(lambda: holds(child, signal.SIGINT), child)
    with open(folder + "/new.csv", "rb") as file, open(folder + "/file", "rb") as whole:
        if file.read() != whole.read():
            failures.append(title + ": not what a file gets")
    if end(child, title) != (0, []):
        failures.append(title + ": it fails")


def gnuplot_hangs(folder, title, words):
    tools = os.path.abspath(folder + "-tools")
    os.mkdir(tools)
    with open(tools + "/gnuplot", "w") as file:
        file.write('#!/bin/sh\necho $$ >%s/pid.new\nmv %s/pid.new %s/pid\ntrap "" TERM INT HUP\nsleep 10000 &\nwait\nwait\n'
                   % (tools, tools, tools))
    os.chmod(tools + "/gnuplot", 0o755)
    before = look(folder)
    child = start(words, folder, path=tools)
    wait_until(lambda: os.path.exists(tools + "/pid"), child)
    with open(tools + "/pid") as file:
        pid = int(file.read())
    child.send_signal(signal.SIGINT)
    expect(title, child, [130], folder, before)
    try:
        os.kill(pid, 0)
        failures.append(title + ": gnuplot still runs")
    except ProcessLookupError:
        pass


# ---- FIFOs and pipes as inputs ----


def no_writer(folder, title, words, name):
    """It waits for who writes, and is ended at once; or does not begin to."""
    os.mkfifo(os.path.join(folder, name))
    before = look(folder)
    child = start(words, folder)
    fds = []

    def is_read():
        """Whether somebody reads the FIFO; from then on it has a writer, who writes nothing."""
        try:
            fds.append(os.open(os.path.join(folder, name), os.O_WRONLY | os.O_NONBLOCK))
        except OSError:
            return False
        return True

    wait_until(is_read, child)
    if fds:
        child.send_signal(signal.SIGINT)
        expect(title, child, [130, -signal.SIGINT], folder, before)
        os.close(fds[0])
        return
    status, said = end(child, title)
    if status not in (1, 2, 3) or len(said) != 1 or name not in said[0] or look(folder) != before:
        failures.append("%s: status %s, it says %s" % (title, status, said))


def through_pipe(folder, title, words, source, name, is_read):
    """What comes through a pipe called NAME gives what the file does, or one line that says that it is a pipe."""
    with open(source, "rb") as file:
        content = file.read()
    with open(os.path.join(folder, "file-" + name), "wb") as file:
        file.write(content)
    os.symlink("/dev/stdin", os.path.join(folder, name))
    expected = subprocess.run(["warpipe", *(w.replace(name, "file-" + name) for w in words)], cwd=folder, capture_output=True,
                              timeout=120)
    got = subprocess.run(["warpipe", *words], cwd=folder, capture_output=True, input=content, timeout=120)
    if is_read:
        if expected.returncode != 0 or (got.returncode, got.stdout) != (0, expected.stdout.replace(b"file-", b"")):
            failures.append("%s: status %d, %s" % (title, got.returncode, got.stderr))
        return
    said = got.stderr.decode().splitlines()
    if got.returncode != 1 or len(said) != 1 or not ("a pipe" in said[0] or "regular file" in said[0]) or got.stdout:
        failures.append("%s: status %d, it says %s" % (title, got.returncode, said))


PTX, CUBIN = (os.path.join(TESTS, "cuda", name) for name in ("copy.sm_80.ptx", "sgemm-16.sm_80.cubin"))
XML, TRACE = os.path.join(TESTS, "..", "idg", "kernels", "vector-add.xml"), os.path.join(TESTS, "bad", "good.traceg")
A100 = ["--gpu", "a100-80"]
EXECUTED = [*A100, "--sms", "1", "--launch", "sgemm_16<<<1, dim3(16, 16)>>>(A, B, C, 16)"]
SWEEP = ["sweep", "vector-add", "--gpu", "gtx980", "--blocks", "4", "--occupancy", "8,16"]

cases = [(signalled, "signal " + name, name) for name in
         ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGXCPU", "SIGUSR1", "SIGUSR2")]
cases += [(ignored, name + " ignored", name) for name in ("SIGINT", "SIGHUP", "SIGQUIT", "SIGXCPU")]
cases += [(too_large, "too large, " + title, *case) for title, case in limited.items()]
cases += [
    (standard_output_too_large, "too large, standard output"),
    (too_long, "the limit of processor time"),
    (reader_stopped, "a reader that stopped", [*LONG, "--issues", "-", "--lifetimes", "new.csv"], signal.SIGINT),
    (reader_stopped, "a reader that stopped, SIGTERM", [*LONG, "--issues", "-", "--html", "new.html"], signal.SIGTERM),
    (reader_stopped, "a reader of a sweep that stopped", [*SWEEP[:4], "--blocks", "1-100000"], signal.SIGINT),
    (reader_stopped, "a reader of an import that stopped", ["import", PTX], signal.SIGINT),
    (reader_stopped, "a reader of a list that stopped", ["list", "ops", "--gpu", "gtx980"], signal.SIGINT),
    (reader_stopped, "a reader of a graph that stopped", ["show", "volkov-mix", "--format", "graphml"], signal.SIGINT),
    (no_reader, "a FIFO for a table", [*SHORT, "--lifetimes", "new.csv", "--issues", "fifo"], "fifo"),
    (no_reader, "a FIFO for a page", [*SHORT, "--html", "fifo"], "fifo"),
    (no_reader, "a FIFO for an import", ["import", PTX, "-o", "fifo"], "fifo"),
    (no_reader, "a FIFO for a sweep", [*SWEEP, "-o", "fifo"], "fifo"),
    (no_reader, "a FIFO for a script", [*SWEEP, "-o", "new.csv", "--gnuplot", "fifo"], "fifo"),
    (no_reader, "a FIFO for a picture", [*SWEEP, "-o", "new.csv", "--plot", "fifo.svg"], "fifo.svg"),
    (no_reader, "a FIFO for a comparison", ["compare", *SHORT[1:], "--policy", "rr,gto", "--html", "fifo"], "fifo"),
    (late_reader, "a FIFO whose reader comes late"),
    (gnuplot_hangs, "a gnuplot that hangs", [*SWEEP, "--plot", "new.svg"]),
    (gnuplot_hangs, "a gnuplot that hangs, of models", ["models", "volkov-mix", "--gpu", "gtx980", "--occupancy", "4,8", "--plot",
                                                       "new.svg"]),
    *((no_writer, "nobody writes " + name, words, name) for name, words in {
        "k.xml": ["run", "./k.xml", "--gpu", "gtx980"],
        "v.xml": ["validate", "./v.xml"],
        "g.xml": ["run", "vector-add", "--gpu", "./g.xml"],
        "k.ptx": ["run", "./k.ptx", *A100],
        "i.ptx": ["import", "./i.ptx", "-o", "new.xml"],
        "l.ptx": ["run", "./l.ptx", *EXECUTED],
        "k.sass": ["run", "./k.sass", "--gpu", "gtx980"],
        "k.cubin": ["run", "./k.cubin", *EXECUTED],
        "k.cu": ["run", "./k.cu", *EXECUTED],
        "k.traceg": ["run", "./k.traceg", *A100],
        "kernelslist.g": ["run", "./kernelslist.g", *A100],
        "k.traceg.gz": ["run", "./k.traceg.gz", *A100],
        "s.xml": ["sweep", "./s.xml", "--gpu", "gtx980"],
        "d.json": ["diff", "./d.json", "./d.json"],
        "log": ["import", PTX, "--ptxas-log", "log"],
        "data": ["run", CUBIN, *EXECUTED, "--data", "A=f32:file:data"],
    }.items()),
    (through_pipe, "a kernel through a pipe", ["run", "./k.xml", "--gpu", "gtx980"], XML, "k.xml", True),
    (through_pipe, "PTX through a pipe", ["import", "./k.ptx"], PTX, "k.ptx", True),
    (through_pipe, "PTX through a pipe, run", ["run", "./k.ptx", *A100], PTX, "k.ptx", True),
    (through_pipe, "PTX through a pipe without a name", ["import", "./k"], PTX, "k", False),
    (through_pipe, "PTX through a pipe, executed", ["run", "./k.ptx", *EXECUTED], PTX, "k.ptx", False),
    (through_pipe, "a cubin through a pipe", ["run", "./k.cubin", *EXECUTED], CUBIN, "k.cubin", False),
    (through_pipe, "a cubin through a pipe without a name", ["run", "./k", *EXECUTED], CUBIN, "k", False),
    (through_pipe, "a trace through a pipe", ["run", "./k.traceg", *A100], TRACE, "k.traceg", True),
    (through_pipe, "a trace through a pipe without a name", ["run", "./k", *A100], TRACE, "k", False),
    (through_pipe, "a sweep's kernel through a pipe", ["sweep", "./k.xml", "--gpu", "gtx980"], XML, "k.xml", False),
]


def attack(number, case):
    folder = "s%d" % number
    os.mkdir(folder)
    try:
        case[0](folder, *case[1:])
    except Exception as problem:  # of one case, beside which the others count
        failures.append("%s: %r" % (case[1], problem))


def main():
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        list(pool.map(attack, range(len(cases)), cases))
    for failure in failures:
        print(failure)
    print("%d cases" % len(cases))
    sys.exit(bool(failures))


main()
