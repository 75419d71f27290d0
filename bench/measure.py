# SPDX-License-Identifier: MIT
"""What the benchmarks share: running the program with time or instructions measured.

They run the program itself, not libtool's wrapper, in a clean environment, so that variables of a
test suite (MALLOC_PERTURB_, G_SLICE) do not affect measurements. Machine instructions are counted
by callgrind for two runs of different length: their difference excludes start-up, and does not
depend on the machine's other load.
"""
import collections
import concurrent.futures
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

BUILD = os.environ.get("abs_builddir", os.getcwd())
QUICK = bool(os.environ.get("BENCH_QUICK"))
HAVE_VALGRIND = shutil.which("valgrind") is not None

OTHER_COMMANDS = ("bounds",)

# One run. seconds: processor time, start-up included; elapsed: by the clock; megabytes: peak of
# resident memory.
Run = collections.namedtuple("Run", "seconds elapsed megabytes report")


class TooLong(Exception):
    """A run exceeded its time limit and was killed."""


def explain():
    """Prints what the script says of itself, and ends, where its arguments ask for that."""
    if sys.argv[1:2] in (["--help"], ["-h"]):
        print(sys.modules["__main__"].__doc__.strip())
        sys.exit()


def cores():
    with open("/proc/cpuinfo", encoding="ascii", errors="replace") as info:
        model = re.search(r"^model name\s*: (.*)$", info.read(), re.MULTILINE)
    return f"{os.cpu_count()} cores, {model[1] if model else 'of unknown make'}"


def program():
    for path in (os.path.join(BUILD, ".libs", "warpipe"), os.path.join(BUILD, "warpipe")):
        if os.path.isfile(path):
            return path
    sys.exit(f"{BUILD}: warpipe is not built there; make, and begin this in the build directory or set abs_builddir")


def environment():
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "TMPDIR", "WARPIPE_DATA_DIR")
            if name in os.environ}
    return kept | {"LC_ALL": "C", "LD_LIBRARY_PATH": os.path.join(BUILD, ".libs")}


def command(arguments):
    """ARGUMENTS are those of run, unless they begin with another command."""
    words = list(map(str, arguments))
    return [program(), *([] if words[0] in OTHER_COMMANDS else ["run"]), *words, "--format", "json"]


def peak_megabytes(pid):
    """Peak so far, or None once the process has ended. The kernel's rusage is no alternative,
    because it includes the memory of this program when it forked."""
    try:
        with open(f"/proc/{pid}/status", encoding="ascii", errors="replace") as status:
            found = re.search(r"^VmHWM:\s*(\d+) kB", status.read(), re.MULTILINE)
    except OSError:
        return None
    return int(found[1]) / 1024 if found else None


def run_once(arguments, limit=120.0):
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as messages:
        start = time.monotonic()
        child = subprocess.Popen(command(arguments), stdout=out, stderr=messages, env=environment())
        megabytes, pid = 0, 0
        while pid == 0:
            megabytes = max(peak_megabytes(child.pid) or 0, megabytes)
            time.sleep(0.0002)
            if time.monotonic() - start > limit:
                os.kill(child.pid, signal.SIGKILL)
            pid, status, usage = os.wait4(child.pid, os.WNOHANG)
        elapsed = time.monotonic() - start
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode == -signal.SIGKILL:
            raise TooLong
        if child.returncode != 0:
            messages.seek(0)
            sys.exit(f"failed ({child.returncode}): {' '.join(command(arguments))}\n{messages.read().decode()}")
        out.seek(0)
        # Times stay as they are written, so that they can be compared to the last digit.
        return Run(usage.ru_utime + usage.ru_stime, elapsed, megabytes,
                   json.load(out, parse_float=str))


def run(arguments, limit=120.0):
    """The fastest of three runs (or of one, if that takes long), with the peak memory over all of
    them, because a run of some milliseconds may end before its memory is read."""
    runs = [run_once(arguments, limit)]
    for _ in range(0 if QUICK or runs[0].elapsed > 3 else 2):
        runs.append(run_once(arguments, limit))
    best = min(runs, key=lambda one: one.seconds)
    return best._replace(megabytes=max(one.megabytes for one in runs))


def callgrind(arguments, *options):
    """Machine instructions and simulated instructions of one run. OPTIONS are callgrind's."""
    done = subprocess.run(
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *options,
         *command(arguments)],
        env=environment(), capture_output=True, text=True, check=False)
    collected = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode != 0 or collected is None:
        sys.exit(f"failed under valgrind: {' '.join(command(arguments))}\n{done.stderr}")
    return int(collected[1]), json.loads(done.stdout)["instructions"]


def count_simulation(arguments):
    """The same from the first event of the run to its last; start-up and the report are left out."""
    machine, simulated = callgrind(arguments, "--toggle-collect=wp_drive")  # run/simulate/driver.h
    if machine < simulated:
        sys.exit("hardly anything was counted: is it still wp_drive() that runs a simulation?")
    return machine, simulated


def count_simulations(runs):
    """The same for each of RUNS, all in one process (tests/commands): callgrind takes longer to begin and to translate the
    program than most of them take."""
    commands = [command(arguments)[1:] for arguments in runs]
    asked = "".join(f"{len(words)}\n" + "".join(f"{word}\0" for word in words) for words in commands)
    runner = os.path.join(BUILD, "tests", ".libs", "commands")
    if not os.path.isfile(runner):
        runner = os.path.join(BUILD, "tests", "commands")
    with tempfile.TemporaryDirectory() as folder:
        counts, out, messages = (os.path.join(folder, name) for name in ("counts", "out", "messages"))
        done = subprocess.run(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={counts}", "--toggle-collect=wp_drive",
             "--dump-after=wp_cli_main", runner, out, messages],
            env=environment(), input=asked, capture_output=True, text=True, check=False)
        if done.returncode != 0 or done.stdout.split() != ["0"] * len(runs):
            with open(messages, encoding="utf-8") as said:
                sys.exit(f"failed under valgrind, with status: {done.stdout.split()}\n{done.stderr}{said.read()}")
        with open(out, encoding="utf-8") as text:
            reports = text.read()
        found = []
        for number in range(1, len(runs) + 1):
            with open(f"{counts}.{number}", encoding="utf-8") as dump:
                machine = int(re.search(r"^(?:summary|totals): (\d+)", dump.read(), re.MULTILINE)[1])
            report, length = json.JSONDecoder().raw_decode(reports)
            reports = reports[length:].lstrip()
            if machine < report["instructions"]:
                sys.exit("hardly anything was counted: is it still wp_drive() that runs a simulation?")
            found.append((machine, report["instructions"]))
    return found


def count_differences(pairs):
    """For each (short, long) pair of runs: machine and simulated instructions of the long minus the
    short one."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        counts = list(pool.map(callgrind, [arguments for pair in pairs for arguments in pair]))
    return [(long[0] - short[0], long[1] - short[1])
            for short, long in zip(counts[::2], counts[1::2])]


def machine_each(pairs):
    """For each pair: machine instructions for each simulated one; None without valgrind."""
    if not HAVE_VALGRIND:
        return [None] * len(pairs)
    return [machine / simulated for machine, simulated in count_differences(pairs)]


class Workload:
    """A kernel on a GPU, launched with as many blocks as a wanted number of instructions takes on
    the one SM that is simulated, always in whole generations (the blocks that are resident
    together)."""

    def __init__(self, kernel, gpu, sms, *options):
        self.kernel, self.gpu, self.sms = kernel, gpu, sms
        self.arguments = [kernel, "--gpu", gpu, *options]
        report = run_once([*self.arguments, "--blocks", sms]).report
        self.generation = report["resident_blocks"]
        self.block_instructions = report["instructions"]

    def generations(self, instructions):
        return max(1, -(-instructions // (self.block_instructions * self.generation)))

    def launch(self, generations, *options):
        return [*self.arguments, *options, "--blocks", generations * self.generation * self.sms]

    def sized(self, instructions, *options):
        return self.launch(self.generations(instructions), *options)

    def pair(self, instructions, *options):
        """Two lengths, one twice the other."""
        generations = self.generations(instructions)
        return self.launch(generations, *options), self.launch(2 * generations, *options)


def figure(value, width, digits=1):
    """Aligned to the right; - where there is none; fewer digits for large values, more for small
    ones."""
    if value is None:
        return "-".rjust(width)
    if isinstance(value, str):
        return value.rjust(width)
    if value >= 1000:
        digits = 0
    elif 0 < value < 1:
        digits = 3
    return f"{value:{width}.{digits}f}"


def heading(title, text):
    print(f"\n{title}\n{'-' * len(title)}\n{text.strip()}\n", flush=True)


def line(*cells):
    print("  ".join(cells), flush=True)
