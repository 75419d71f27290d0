# SPDX-License-Identifier: MIT
"""Configurations compiled and simulated, several at a time; what was done is kept in the build
folder, by the program and the descriptions that did it, so that a run that was stopped goes on."""
import concurrent.futures
import glob
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import threading
import time

BUILD = os.environ.get("abs_builddir", os.getcwd())
KEPT = os.path.join(BUILD, "validate-kernels")
TOO_LONG = 900  # seconds of a run


class Failed(Exception):
    """The compiler or the program refused; the text says why."""


def digest(*texts):
    return hashlib.sha256("\0".join(map(str, texts)).encode()).hexdigest()[:16]


def call(command, **options):
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=TOO_LONG,
                              check=False, **options)
    except subprocess.TimeoutExpired as late:
        raise Failed(f"longer than {TOO_LONG} s") from late
    if done.returncode:
        lines = (done.stderr or done.stdout).strip().splitlines()
        raise Failed(next((line for line in lines if "error" in line), lines[-1] if lines else
                          f"status {done.returncode}"))
    return done.stdout


def kept(path, make):
    """What MAKE returns, as it is or from the last time."""
    if os.path.exists(path):
        with open(path, encoding="utf-8") as text:
            return json.load(text)
    found = make()
    os.makedirs(os.path.dirname(path), exist_ok=True)
    part = f"{path}.{os.getpid()}"
    with open(part, "w", encoding="utf-8") as text:
        json.dump(found, text)
    os.replace(part, path)
    return found


class Program:
    """The program that was built, told apart by its bytes and those of the descriptions."""

    def __init__(self, gpus):
        """GPUS: files to read in the place of shipped descriptions, by their names."""
        self.path = next((path for path in (os.path.join(BUILD, ".libs", "warpipe"),
                                            os.path.join(BUILD, "warpipe"))
                          if os.path.isfile(path)), None)
        if not self.path:
            sys.exit(f"{BUILD}: warpipe is not built there; make")
        self.gpus = gpus
        self.environment = os.environ | {
            "LC_ALL": "C", "LD_LIBRARY_PATH": os.path.join(BUILD, ".libs"),
            "WARPIPE_DATA_DIR": os.environ.get("WARPIPE_DATA_DIR", os.path.join(
                os.path.dirname(os.path.abspath(__file__)), os.pardir, os.pardir))}
        self.version = self.find_version()

    def find_version(self):
        hashed = hashlib.sha256()
        folder = self.environment["WARPIPE_DATA_DIR"]
        for path in sorted([self.path, *glob.glob(os.path.join(BUILD, ".libs", "*.so")),
                            *glob.glob(os.path.join(folder, "configs", "*.xml")),
                            *self.gpus.values()]):
            with open(path, "rb") as data:
                hashed.update(data.read())
        return hashed.hexdigest()[:16]

    def text(self, command, *arguments):
        return call([self.path, command, *map(str, arguments)], env=self.environment)

    def json(self, command, *arguments):
        return json.loads(self.text(command, *arguments, "--format", "json"))

    def gpu(self, name):
        return self.gpus.get(name, name)

    def gpu_file(self, name):
        """The file of the description NAME."""
        return self.gpus.get(name) or os.path.join(self.environment["WARPIPE_DATA_DIR"], "configs",
                                                   f"{name}.xml")


class Kernels:
    """Cubins, made once for each source and options.

    Where a case says `apart`, accesses to shared memory are volatile in the PTX, so that ptxas
    leaves each of them as it is. It merges neighbouring ones where it can; the measured times
    say that those kernels had them apart.
    """

    def __init__(self, measured):
        self.measured, self.nvcc = measured, shutil.which("nvcc")

    def make(self, one, kind="cubin"):
        """The path of ONE's cubin, or of its PTX."""
        case = one.case
        source, options = case.source(self.measured), case.options(one, self.measured)
        if os.path.isabs(source):
            with open(source, encoding="utf-8") as text:
                source = text.read()
        flags = [f"-{kind}", f"-arch={case.arch}", "-lineinfo", *options]
        apart = kind == "cubin" and case.apart
        path = os.path.join(KEPT, "apart" if apart else kind, f"{case.kernel}-{case.arch}",
                            f"{one.label}-{digest(source, *flags)}.{kind}")
        if apart and not os.path.exists(path):
            self.assemble(self.make(one, "ptx"), case.arch, path)
        elif not os.path.exists(path):
            self.compile(source, flags, path)
        return path

    def assemble(self, listing, arch, path):
        """Makes PATH of a listing, with each access to shared memory left as it is."""
        os.makedirs(os.path.dirname(path), exist_ok=True)
        part = f"{path}.{os.getpid()}"
        with open(listing, encoding="utf-8") as text:
            changed = re.sub(r"\b(ld|st)\.shared\.", r"\1.volatile.shared.", text.read())
        with open(f"{part}.ptx", "w", encoding="utf-8") as text:
            text.write(changed)
        try:
            call(["ptxas", f"-arch={arch}", "-lineinfo", "-o", part, f"{part}.ptx"])
            os.replace(part, path)
        finally:
            os.unlink(f"{part}.ptx")

    def compile(self, source, flags, path):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        base = f"{path}.{os.getpid()}"
        with open(f"{base}.cu", "w", encoding="utf-8") as text:
            text.write(source)
        try:
            call([self.nvcc, *flags, "-o", f"{base}.part", f"{base}.cu"])
            os.replace(f"{base}.part", path)
        finally:
            os.unlink(f"{base}.cu")


class Progress:
    """A line on a terminal, and a line now and then elsewhere."""

    def __init__(self, what, n):
        self.what, self.n, self.done, self.began = what, n, 0, time.monotonic()
        self.failed, self.lock = [], threading.Lock()

    def add(self, failure=None):
        with self.lock:
            self.say(failure)

    def say(self, failure):
        self.done += 1
        if failure:
            self.failed.append(failure)
        spent = time.monotonic() - self.began
        text = (f"{self.what}: {self.done} of {self.n}, {len(self.failed)} failed, {spent:.0f} s, "
                f"{spent / self.done * (self.n - self.done):.0f} s more")
        if sys.stderr.isatty():
            print(f"\r{text}\033[K", end="" if self.done < self.n else "\n", file=sys.stderr)
        elif self.done % 50 == 0 or self.done == self.n:
            print(text, file=sys.stderr, flush=True)


def each(what, function, configurations, jobs, end=None):
    """FUNCTION of each of CONFIGURATIONS, JOBS at a time: [(configuration, result)] of those that
    did not fail, in their order; why the others did is printed. END: none is begun from then on, by
    the clock of time.monotonic()."""
    progress = Progress(what, len(configurations))

    def one(configuration):
        if end and time.monotonic() > end:
            return configuration, None
        try:
            found, failure = function(configuration), None
        except Failed as problem:
            found, failure = None, f"{configuration.label}: {problem}"
        progress.add(failure)
        return configuration, found

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        found = list(pool.map(one, configurations))
    if progress.done < progress.n:
        print(f"{what}: {progress.n - progress.done} were left out, for lack of time",
              file=sys.stderr)
    for failure in progress.failed[:10]:
        print(f"{what}: {failure}", file=sys.stderr)
    return [(configuration, result) for configuration, result in found if result is not None]


class Simulation:
    """A way to run a configuration, with OPTIONS beyond the defaults, on GPU where that is not the
    case's own."""

    def __init__(self, program, kernels, options=(), limit=None, gpu=None):
        self.program, self.kernels, self.gpu = program, kernels, gpu
        self.limit = ["--execute-limit", limit] if limit else []
        # What the rows were made with.
        memory = [] if "--memory" in options else ["--memory", "ideal"]
        self.options = [*options, *memory, *self.limit]

    def run(self, one):
        cubin = self.kernels.make(one)
        key = digest(self.program.version, os.path.basename(cubin), self.gpu or one.case.gpu,
                     *self.options, *(["apart"] if one.case.apart else []))
        path = os.path.join(KEPT, "runs", one.case.name, f"{one.label}-{key}.json")
        return kept(path, lambda: self.simulate(one, cubin))

    def simulate(self, one, cubin):
        began = time.monotonic()
        gpu = self.gpu or self.program.gpu(one.case.gpu)
        report = self.program.json("run", cubin, "--gpu", gpu, "--launch", one.case.launch(one),
                                   "--cores", 1, "--no-lines", *self.options)
        return summary(report) | {"seconds": round(time.monotonic() - began, 2)}


def summary(report):
    """What is kept of a run."""
    verdict = report["verdict"]
    stalls = report["stalls"]
    return {"cycles": float(report["cycles_drained"]), "us": float(report["time_drained_us"]),
            "kind": verdict["kind"], "resource": verdict.get("resource") or "",
            "resident_warps": report["resident_warps"],
            "occupancy": float(report["mean_occupancy"]),
            "registers": report["launch"]["registers"],
            "shared_memory": report["launch"]["shared_memory"],
            "counters": report["counters"],
            "use": {unit["name"]: float(unit["utilization"]) for unit in report["pipelines"]},
            "stalls": {name: float(value) for name, value in stalls.items()}}
