# SPDX-License-Identifier: MIT
"""Runs the rows of experts/table, compares the verdicts, and keeps the table of doc/import.md. In
TAP."""
import concurrent.futures
import json
import os
import re
import subprocess
import sys

SOURCE = os.environ["abs_srcdir"]
PAGE = os.path.join(SOURCE, "doc", "import.md")
BEGIN, END = "<!-- tests/experts.tap: begin -->", "<!-- end -->"


class Row:
    """A line of the table."""

    def __init__(self, fields, launch, executed):
        self.kernel, self.gpu, self.told, self.expert, self.warpipe, self.why, self.wrong = fields
        self.is_executed = self.told == "executed"
        self.launch = [] if self.told == "nothing" else ["--launch", executed] if self.is_executed else launch
        self.told = [] if self.told in ("-", "nothing", "executed") else self.told.split()
        self.expected = self.expert if self.warpipe == "=" else self.warpipe

    def get_title(self):
        told = ["executed"] if self.is_executed else self.told if self.launch else ["told nothing"]
        return " ".join([self.kernel, "on", self.gpu, *told])

    def get_command(self):
        target = "sm_90" if self.gpu.startswith("h100") else "sm_80"
        file = os.path.join("tests", "cuda", f"{self.kernel}.{target}.{'cubin' if self.is_executed else 'ptx'}")
        return ["warpipe", "run", file, "--gpu", self.gpu, "--format", "json", *self.launch, *self.told]

    def run(self):
        """Sets what was said, as "KIND RESOURCE WARNING...", and the cycles."""
        result = subprocess.run(self.get_command(), capture_output=True, text=True, cwd=SOURCE, check=False)
        self.errors = result.stderr
        self.cycles = ""
        if result.returncode != 0:
            self.said = "refused" if result.returncode == 1 and not result.stdout else f"status {result.returncode}"
            return self
        report = json.loads(result.stdout)
        verdict = report["verdict"]
        names = sorted({warning["name"] for warning in report["warnings"]})
        self.text = verdict["text"]
        self.notes = report["notes"]
        self.said = " ".join([verdict["kind"], verdict["resource"] or "-", *names])
        self.cycles = f"{report['cycles']:.0f}"
        return self


def read_table():
    launches, executed, rows = {}, {}, []
    with open(os.path.join(SOURCE, "tests", "experts", "table"), encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            line = line.strip()
            if not line or line.startswith("#"):
                continue
            fields = [field.strip() for field in line.split(" | ")]
            if line.startswith("launch ") and len(fields) == 2:
                launches[fields[0].split()[1]] = fields[1].split()
            elif line.startswith("execute ") and len(fields) == 2:
                executed[fields[0].split()[1]] = fields[1]
            elif len(fields) in (6, 7) and fields[0] in (executed if fields[2] == "executed" else launches):
                rows.append(Row((fields + [""])[:7], launches.get(fields[0]), executed.get(fields[0])))
            else:
                sys.exit(f"Bail out! experts/table:{number}: not a launch, nor six or seven columns")
    return launches, executed, rows


def say(said):
    """A verdict in words: "throughput: shared"."""
    kind, resource, *names = said.split() + ["-"] * (" " not in said)
    words = f"no verdict: {', '.join(names)}" if kind == "none" and names else \
        "cannot be known" if kind == "none" else \
        kind if resource == "-" else f"{kind}: {resource}"
    return words + (f" (warns: {', '.join(names)})" if names and kind != "none" else "")


def say_told(row):
    if not row.launch:
        return "nothing at all"
    if row.is_executed:
        return "executed: `--launch` alone"
    return "" if not row.told else "`" + re.sub(r"--context \S*?:", "", " ".join(row.told)) + "`"


def make_page(launches, executed, rows):
    """The lines between the marks."""
    lines = ["| kernel | launch |", "| --- | --- |"]
    lines += [f"| `{kernel}` | `{' '.join(launch)}` |" for kernel, launch in launches.items()]
    lines += ["", "| kernel | executed, with this alone |", "| --- | --- |"]
    lines += [f"| `{kernel}` | `--launch '{launch}'` |" for kernel, launch in executed.items()]
    lines += ["", "| kernel | GPU | further options | expert | why | warpipe | cycles | who is wrong |"]
    lines += ["| --- | --- | --- | --- | --- | --- | ---: | --- |"]
    for row in rows:
        lines.append(f"| `{row.kernel}` | `{row.gpu}` | {say_told(row)} | {say(row.expert)} | {row.why} "
                     f"| {say(row.said)} | {row.cycles} | {row.wrong} |")
    return "\n".join(re.sub(r" {2,}", " ", line) for line in lines)


def check_page(launches, executed, rows, number):
    with open(PAGE, encoding="utf-8") as file:
        page = file.read()
    before, _, rest = page.partition(BEGIN + "\n")
    old, _, after = rest.partition(END)
    new = make_page(launches, executed, rows) + "\n"
    if os.environ.get("UPDATE_GOLDEN") == "1" and after:
        with open(PAGE, "w", encoding="utf-8") as file:
            file.write(before + BEGIN + "\n" + new + END + after)
        old = new
    print("ok" if old == new else "not ok", number, "- the table of doc/import.md is that of these runs")
    if old != new:
        for line in sorted(set(new.splitlines()) - set(old.splitlines())):
            print("# should have:", line)


def main():
    launches, executed, rows = read_table()
    pattern = os.environ.get("EXPERTS", "")
    chosen = [row for row in rows if re.search(pattern, row.get_title())]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for number, row in enumerate(pool.map(Row.run, chosen), 1):
            right = row.said == row.expected
            print("ok" if right else "not ok", number, "-", f"{row.get_title()}: {row.expected}")
            if not right:
                print("# command:", " ".join(row.get_command()))
                print("# said:", row.said, "cycles", row.cycles)
                print("# expert:", row.expert, "because:", row.why)
                for line in row.errors.splitlines():
                    print("#  ", line)
            sys.stdout.flush()
    if not pattern:
        check_page(launches, executed, rows, len(chosen) + 1)
    print(f"1..{len(chosen) + (not pattern)}")


main()
