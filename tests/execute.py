# SPDX-License-Identifier: MIT
"""Executes the kernels of cuda/execute and compares what they leave in memory with what the CPU computes.

The head of each source says what is launched, in lines after "//":

  case NAME: LAUNCH      a case, and its first launch; reference-*.c has a function of this name
    launch: LAUNCH       further launches, on the same memory
    more: REST           of a launch that is longer than a line
    data: NAME=HOW...    buffers that are not files; those that the reference writes are given as files
    from: 80             the least compute capability, before all cases for the whole file
      until: 100           the greatest, of a case
  only: 90a            before all cases: the one target of the whole file
    check: none          only that it runs: what it computes from data that nobody gave is not known
    check: refused       an error says that it is not covered

Without options it runs the fixtures, in TAP; with --compile TARGETS it compiles all kernels with nvcc, prints a table, and
with --page FILE keeps it there."""
import argparse
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import tempfile

SOURCE = os.environ.get("abs_srcdir") or os.path.dirname(os.path.abspath(__file__))
SOURCE = SOURCE if os.path.basename(SOURCE) == "tests" else os.path.join(SOURCE, "tests")
FOLDER = os.path.join(SOURCE, "cuda", "execute")
FIXTURES = os.path.join(FOLDER, "fixtures")
WARPIPE = os.environ.get("WARPIPE", "warpipe")
REFERENCE = os.environ.get("REFERENCE", os.path.join("tests", "cuda", "execute", "reference"))
TARGETS = {75: "titanrtx", 80: "a100-80", 86: "a40", 89: "rtx4090", 90: "h100-sxm", 100: "b200", 120: "rtx5090"}
BEGIN, END = "<!-- make validate-execution: begin -->", "<!-- end -->"


class Case:
    """One case of a source: a line of the table."""

    def __init__(self, source, name, launch, least):
        self.source, self.name, self.launches, self.least = source, name, [launch], least
        self.data, self.is_checked, self.is_refused = [], True, False
        self.only, self.most = "", 1000

    def runs_on(self, target):
        return target == int(self.only.strip("af")) if self.only else self.least <= target <= self.most

    def get_command(self, cubin, folder, dumps):
        target = int(re.search(r"sm_(\d+)", cubin).group(1))
        command = [WARPIPE, "run", cubin, "--gpu", TARGETS[target]]
        for launch in self.launches:
            command += ["--launch", launch]
        given = sorted(name[:-3] for name in os.listdir(folder) if name.endswith(".in"))
        for name in given:
            command += ["--data", f"{name}=file:{os.path.join(folder, name)}.in"]
        for data in self.data:
            if not data.endswith("=file"):
                command += ["--data", data]
        for name in dumps:
            command += ["--dump", f"{name}={os.path.join(folder, name)}.out"]
        return command

    def execute(self, cubin, folder):
        """What is wrong, "" if nothing is."""
        dumps = []
        if self.is_checked:
            subprocess.run([REFERENCE, self.name, folder, "make"], check=True)
            with open(os.path.join(folder, "dumps"), encoding="utf-8") as file:
                dumps = sorted(set(file.read().split()))
        command = self.get_command(cubin, folder, dumps)
        self.command = " ".join(f"'{word}'" if re.search(r"[<>() *]", word) else word for word in command)
        try:
            result = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        except subprocess.TimeoutExpired:
            return "it does not end within two minutes"
        if self.is_refused:
            return "" if result.returncode == 1 and "not covered" in result.stderr else "it is not refused"
        # A GPU may lack the figures to simulate what was executed (DMMA on a GeForce): its memory is to be right.
        if result.returncode != 0 and "has no figure for op" not in result.stderr:
            return (result.stderr.strip() or f"status {result.returncode}").splitlines()[-1]
        if not self.is_checked:
            return ""
        result = subprocess.run([REFERENCE, self.name, folder, "check"], capture_output=True, text=True, check=False)
        return "" if result.returncode == 0 else (result.stdout + result.stderr).strip().replace("\n", "; ")

    def run(self, cubin, keep=None):
        folder = keep or tempfile.mkdtemp(prefix="execute-")
        try:
            return self.execute(cubin, folder)
        finally:
            if not keep:
                shutil.rmtree(folder, ignore_errors=True)


def read_cases(path):
    source, least, only, cases = os.path.basename(path)[:-3], 0, "", []
    with open(path, encoding="utf-8") as file:
        for line in file:
            if not line.startswith("//"):
                break
            match = re.match(r"// +(case (\w+)|launch|more|data|from|until|only|check): +(.*)", line)
            if not match:
                continue
            kind, name, text = match.groups()
            if name:
                cases.append(Case(source, name, text.strip(), least))
                cases[-1].only = only
            elif kind == "only":
                only = text.strip()
            elif kind == "from" and not cases:
                least = int(text)
            elif kind == "from":
                cases[-1].least = int(text)
            elif kind == "until":
                cases[-1].most = int(text)
            elif kind == "launch":
                cases[-1].launches.append(text.strip())
            elif kind == "more":
                cases[-1].launches[-1] += " " + text.strip()
            elif kind == "data":
                cases[-1].data += text.split()
            elif kind == "check":
                cases[-1].is_checked = text.strip() not in ("none", "refused")
                cases[-1].is_refused = text.strip() == "refused"
    return cases


def read_all():
    names = sorted(name for name in os.listdir(FOLDER) if name.endswith(".cu"))
    return [case for name in names for case in read_cases(os.path.join(FOLDER, name))]


def run_all(jobs, n_threads):
    """Runs (case, target, cubin), yields (case, target, what is wrong)."""
    with concurrent.futures.ThreadPoolExecutor(n_threads) as pool:
        for (case, target, _), wrong in zip(jobs, pool.map(lambda job: job[0].run(job[2]), jobs)):
            yield case, target, wrong


def run_fixtures(cases):
    jobs = []
    for case in cases:
        for target in TARGETS:
            cubin = os.path.join(FIXTURES, f"{case.source}.sm_{case.only or target}.cubin")
            if case.runs_on(target) and os.path.exists(cubin):
                jobs.append((case, target, cubin))
    if os.environ.get("SAN_CFLAGS"):  # fuzz-execute begins with the code of all
        jobs = jobs[::4]
    print(f"1..{len(jobs)}", flush=True)
    for number, (case, target, wrong) in enumerate(run_all(jobs, 2), 1):
        print("not ok" if wrong else "ok", number, "-", f"{case.source}.cu, {case.name} on sm_{target}", flush=True)
        if wrong:
            print("#", wrong, flush=True)
            print("#", case.command, flush=True)


def compile_one(job):
    source, target, folder, options, only = job
    cubin = os.path.join(folder, f"{source}.sm_{target}.cubin")
    result = subprocess.run(["nvcc", "-cubin", "-lineinfo", f"-arch=sm_{only or target}", os.path.join(FOLDER, source + ".cu"),
                             *options, "-o", cubin], capture_output=True, text=True, check=False)
    if result.returncode != 0:
        sys.exit(result.stderr)
    return cubin


def make_table(cases, targets, wrong):
    """Rows by source: how many of its cases are right on each target."""
    lines = ["| source | cases | " + " | ".join(f"sm_{target}" for target in targets) + " |",
             "| --- | ---: |" + " ---: |" * len(targets)]
    total = [0] * (len(targets) + 1)
    for source in sorted({case.source for case in cases}):
        mine = [case for case in cases if case.source == source]
        cells, total[0] = [str(len(mine))], total[0] + len(mine)
        for column, target in enumerate(targets, 1):
            tried = [case for case in mine if case.runs_on(target)]
            right = [case for case in tried if not wrong[case.name, target]]
            total[column] += len(right)
            cells.append("" if not tried else str(len(right)) if len(right) == len(tried)
                         else f"{len(right)} of {len(tried)}")
        lines.append(f"| `{source}.cu` | " + " | ".join(cells) + " |")
    lines.append("| all | " + " | ".join(str(cell) for cell in total) + " |")
    return lines


def keep_table(path, lines):
    with open(path, encoding="utf-8") as file:
        page = file.read()
    before, begin, rest = page.partition(BEGIN + "\n")
    _, end, after = rest.partition(END)
    if not begin or not end:
        sys.exit(f"{path}: {BEGIN} and {END} are missing")
    with open(path, "w", encoding="utf-8") as file:
        file.write(before + begin + "\n".join(lines) + "\n" + end + after)


def validate(cases, targets, n_threads, page, options):
    if not shutil.which("nvcc"):
        print("nvcc is not on the PATH: install the CUDA toolkit to compile the kernels (the fixtures need none)")
        return 77
    folder = tempfile.mkdtemp(prefix="validate-execution-")
    try:
        sources = sorted({case.source for case in cases})
        wanted = [(source, target, folder, options, mine[0].only) for source in sources for target in targets
                  if (mine := [case for case in cases if case.source == source and case.runs_on(target)])]
        with concurrent.futures.ThreadPoolExecutor(n_threads) as pool:
            cubins = {job[:2]: cubin for job, cubin in zip(wanted, pool.map(compile_one, wanted))}
        jobs = [(case, target, cubins[case.source, target]) for case in cases for target in targets
                if case.runs_on(target)]
        wrong = {}
        for case, target, text in run_all(jobs, n_threads):
            wrong[case.name, target] = text
            if text:
                print(f"{case.source}.cu: {case.name} on sm_{target}: {text}", flush=True)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    lines = make_table(cases, targets, wrong)
    print("\n".join(lines))
    n_wrong = sum(bool(text) for text in wrong.values())
    print(f"{len(wrong)} executions, {n_wrong} of them wrong")
    if page and not n_wrong:
        keep_table(page, lines)
    return n_wrong > 0


def main():
    parser = argparse.ArgumentParser(description="Executes the kernels of cuda/execute.")
    parser.add_argument("--compile", metavar="TARGETS", nargs="?", const="all", help="with nvcc, for 75,80,... (all)")
    parser.add_argument("--cases", default="", help="those whose source:name matches this expression")
    parser.add_argument("--nvcc", default="", help="further options of nvcc, in one word: --nvcc='-G -maxrregcount=32'")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--page", help="keeps the table in this file")
    parser.add_argument("--one", nargs=2, metavar=("CUBIN", "FOLDER"), help="runs one case, and keeps its files")
    options = parser.parse_args()
    cases = [case for case in read_all() if re.search(options.cases, f"{case.source}:{case.name}")]
    if options.one:
        for case in cases:
            wrong = case.run(*options.one)
            print(case.command, wrong or "right", sep="\n")
        return 0
    if not options.compile:
        return run_fixtures(cases)
    targets = list(TARGETS) if options.compile == "all" else [int(target) for target in options.compile.split(",")]
    return validate(cases, targets, options.threads, options.page, options.nvcc.split())


if __name__ == "__main__":
    sys.exit(main())
