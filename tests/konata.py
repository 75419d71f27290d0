# SPDX-License-Identifier: MIT
"""Checks a Kanata log against the rules of the format (version 0004) and against the table of the same run's issues.

    konata.py LOG FROM TO ISSUES.csv

FROM and TO: the window in cycles (TO - : none). The table is of the whole run, on all SMs that the log shows. Written from
the format's description, not from the exporter.
"""
import csv
import re
import sys
from fractions import Fraction
from math import ceil, floor

FIELDS = {"C": 2, "I": 4, "L": 4, "S": 4, "E": 4, "R": 4, "W": 4}
STAGES = re.compile(r"(Dp |Br |Il )?(Pw )?(Sc )?(Ba |(Qu )?(Is )?(X )?)")
LABEL = re.compile(r"(?:SM (\d+) )?block (\d+) warp (\d+) #(\d+) (\S+)")
ROUNDING = Fraction(1, 10**6)  # of the table's times


class Instruction:
    def __init__(self, cycle, thread):
        self.thread = thread
        self.begin, self.end = cycle, None
        self.labels = {}
        self.stages = []  # (name, begin), of lane 0
        self.passes = {}  # of the other lanes: (name, begin)
        self.present = {}  # by lane
        self.producers = []


def fail(number, text):
    sys.exit(f"{sys.argv[1]}:{number}: {text}")


class Log:
    """The log read, line by line."""

    def __init__(self, lines):
        self.instructions = []
        self.retired = 0
        self.number = 2
        if lines[0] != "Kanata\t0004":
            fail(1, "this is not version 0004")
        if not re.fullmatch(r"C=\t\d+", lines[1]):
            fail(2, "the first cycle is missing")
        self.cycle = int(lines[1][3:])
        for self.number, line in enumerate(lines[2:], 3):
            fields = line.split("\t")
            if len(fields) != FIELDS.get(fields[0]):
                fail(self.number, f"no command: {line}")
            getattr(self, "on_" + fields[0].lower())(*fields[1:])
        if any(one.end is None for one in self.instructions):
            fail(self.number, "an instruction never leaves")

    def alive(self, ident):
        if not ident.isdigit() or int(ident) >= len(self.instructions):
            fail(self.number, f"there is no instruction {ident}")
        one = self.instructions[int(ident)]
        if one.end is not None:
            fail(self.number, f"instruction {ident} has left")
        return one

    def on_c(self, cycles):
        if int(cycles) <= 0:
            fail(self.number, "time does not pass")
        self.cycle += int(cycles)

    def on_i(self, ident, _serial, thread):
        if int(ident) != len(self.instructions):
            fail(self.number, "numbers of instructions are not in order")
        self.instructions.append(Instruction(self.cycle, int(thread)))

    def on_l(self, ident, kind, text):
        labels = self.alive(ident).labels
        if kind in labels or kind not in ("0", "1") or not text:
            fail(self.number, "a label twice, or none")
        labels[kind] = text

    def on_s(self, ident, lane, stage):
        one = self.alive(ident)
        if not lane.isdigit() or lane in one.present:
            fail(self.number, f"a stage begins in {one.present}")
        one.present[lane] = stage
        (one.stages if lane == "0" else one.passes.setdefault(int(lane), [])).append((stage, self.cycle))

    def on_e(self, ident, lane, stage):
        one = self.alive(ident)
        if one.present.pop(lane, None) != stage:
            fail(self.number, f"{stage} ends in {one.present}")

    def on_r(self, ident, retired, kind):
        one = self.alive(ident)
        if one.present or int(retired) != self.retired or kind != "0":
            fail(self.number, "an instruction leaves in the midst, or in disorder")
        self.retired += 1
        one.end = self.cycle

    def on_w(self, consumer, producer, kind):
        one = self.alive(consumer)
        if not producer.isdigit() or int(producer) >= int(consumer) or kind != "0":
            fail(self.number, f"{consumer} cannot depend on {producer}")
        one.producers.append(self.instructions[int(producer)])


def floors(time):
    return {floor(time - ROUNDING), floor(time + ROUNDING)}


def key(one):
    label = LABEL.fullmatch(one.labels.get("0", ""))
    if label is None or "1" not in one.labels:
        sys.exit(f"{sys.argv[1]}: an instruction without its labels: {one.labels}")
    return tuple(int(part or 0) for part in label.groups()[:4]), label[5]


def check_instruction(one, row, window):
    """Its stages are known ones, and change when the table says so."""
    names = "".join(name + " " for name, _ in one.stages)
    if not STAGES.fullmatch(names):
        return f"stages {names}"
    time, start, complete = (Fraction(row[name]) for name in ("time", "start", "complete"))
    for stage, when in (("Ba", time), ("Qu", time), ("Is", start)):
        begins = [begin for name, begin in one.stages if name == stage]
        if begins and window[0] <= when and begins[0] not in floors(when):
            return f"{stage} begins at {begins}, and not at {float(when)}"
    for lane, stages in one.passes.items():
        names = [name for name, _ in stages]
        said = one.labels["1"].split(" complete ")[0].split(" start ")[1].split()[2 * lane - 1:][:2]
        if len(names) > 2 or (len(names) == 2 and names[0] != "Qu") or (names[-1] != "Qu" and said[0] != names[-1]):
            return f"lane {lane} has {names}, and the label {said}"
        if names[-1] != "Qu" and window[0] <= Fraction(said[1]) and stages[-1][1] not in floors(Fraction(said[1])):
            return f"{names[-1]} begins at {stages[-1][1]}, and not at {said[1]}"
    if window[1] is None or complete < window[1]:
        if one.end < min(floors(complete)):
            return f"it leaves at {one.end}, and is complete at {float(complete)}"
        if one.stages and one.stages[-1][0] in ("X", "Ba") and not one.passes and one.end not in floors(complete):
            return f"it leaves at {one.end}, and is complete at {float(complete)}"
    if one.begin > max(floors(max(time, ceil(window[0])))):
        return f"it begins at {one.begin}, and issues at {float(time)}"
    for producer in one.producers:
        mine, its = key(one)[0], key(producer)[0]
        if mine[:3] != its[:3] or mine[3] <= its[3] or producer.thread != one.thread:
            return f"it depends on {its}"
    return None


def main():
    path, begin, end, issues = sys.argv[1:]
    window = (Fraction(begin), None if end == "-" else Fraction(end))
    with open(path, encoding="utf-8") as log:
        text = log.read()
    if not text.endswith("\n"):
        sys.exit(f"{path}: no end of line at the end")
    log = Log(text[:-1].split("\n"))
    rows = {}
    with open(issues, encoding="utf-8") as table:
        for row in csv.DictReader(table):
            rows[tuple(int(row[name]) for name in ("sm", "block", "warp", "index"))] = row
    seen = set()
    one_sm = len({place[0] for place in rows}) <= 1
    for one in log.instructions:
        place, op = key(one)
        if place in seen or place not in rows or rows[place]["op"] != op:
            sys.exit(f"{path}: instruction {place} {op} is there twice, or not in the table")
        seen.add(place)
        problem = check_instruction(one, rows[place], window)
        if problem is not None:
            sys.exit(f"{path}: instruction {place} {op}: {problem}")
    for place, row in rows.items():
        if place not in seen and window[0] <= Fraction(row["time"]) and (
                window[1] is None or Fraction(row["time"]) < window[1]):
            sys.exit(f"{path}: instruction {place} is missing{'' if one_sm else ' (of several SMs)'}")


main()
