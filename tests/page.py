# SPDX-License-Identifier: MIT
"""Reads a page of run --html as a browser would, and compares it with the report and tables of the same run.

page.py PAGE REPORT ISSUES LIFETIMES OCCUPANCY [--part]
REPORT is that of --format json; the others are the run's tables. --part: the page may keep less than all.
"""
import base64
import csv
import hashlib
import html.parser
import json
import sys
from fractions import Fraction

problems = []


def check(is_right, what):
    if not is_right:
        problems.append(what)


class Reader(html.parser.HTMLParser):
    """The texts of style and script elements, and the policy."""

    def __init__(self):
        super().__init__()
        self.texts = {"style": [], "script": [], "data": []}
        self.open = None
        self.policy = None
        self.title = ""
        self.links = []

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.open = tag
        if tag == "script" and attributes.get("id") == "data":
            self.open = "data"
        if self.open in self.texts:
            self.texts[self.open].append("")
        if attributes.get("http-equiv") == "Content-Security-Policy":
            self.policy = attributes["content"]
        self.links += [attributes[name] for name in ("src", "href") if name in attributes]

    def handle_endtag(self, tag):
        self.open = None

    def handle_data(self, data):
        if self.open in self.texts:
            self.texts[self.open][-1] += data
        if self.open == "title":
            self.title += data


def check_page(text):
    reader = Reader()
    reader.feed(text)
    check([len(reader.texts[kind]) for kind in ("style", "script", "data")] == [1, 1, 1],
          "one style, one script and one element of data were expected")
    for kind in ("style", "script"):
        digest = hashlib.sha256(reader.texts[kind][0].encode()).digest()
        check(f"{kind}-src 'sha256-{base64.b64encode(digest).decode()}'" in reader.policy, f"the policy does not name the {kind}")
    check(reader.policy.startswith("default-src 'none'"), "the policy lets something be fetched")
    check(all(link.startswith("#") for link in reader.links), f"links leave the page: {reader.links}")
    data = reader.texts["data"][0]
    check("<" not in data and "\u2028" not in data and "\u2029" not in data, "something is not escaped in the data")
    return reader.title, json.loads(data)


def decimal(ticks, per_cycle):
    """A time as tables and reports print it."""
    digits = (2 * ticks * 10**6 + per_cycle) // (2 * per_cycle)
    text = f"{digits // 10**6}.{digits % 10**6:06d}".rstrip("0").rstrip(".")
    return text


class Record:
    """The columns of a run, put together again."""

    def __init__(self, run):
        record = run["record"]
        self.record = record
        self.per_cycle = int(record["ticks_per_cycle"])
        self.warps = self.read_warps(record["warps"])
        self.issues = self.read_issues(record["issues"])

    def text(self, ticks):
        return decimal(ticks, self.per_cycle)

    def read_warps(self, columns):
        warps, start = [], 0
        for i in range(columns["n"]):
            start += int(columns["start"][i])
            life = int(columns["life"][i])
            warps.append({"block": columns["block"][i], "warp": columns["warp"][i], "slot": columns["slot"][i],
                          "scheduler": columns["scheduler"][i], "age": columns["age"][i], "start": start,
                          "end": None if life == -1 else start + life, "issued": columns["issued"][i]})
        check(all(len(column) == columns["n"] for column in columns.values() if isinstance(column, list)), "columns of warps differ in length")
        return warps

    def read_issues(self, columns):
        issues, time = [], 0
        for i in range(columns["n"]):
            time += int(columns["time"][i])
            instr = self.record["instrs"][str(columns["instr"][i])]
            start = time + int(columns["start"][i])
            served = start + (int(columns["served"][i]) if "served" in columns else 0)
            if "pipeline" not in instr:
                complete = time + int(columns["release"][i])
            else:
                complete = time if instr.get("posted") else served + int(instr["completion"])
            issues.append({"time": time, "since": time - int(columns["since"][i]), "ready": time - int(columns["ready"][i]),
                           "accept": time - int(columns["accept"][i]), "start": start, "complete": complete, "instr": instr,
                           "why": columns["why"][i], "index": columns["index"][i], "warp": self.warps[columns["warp"][i]]})
        check(all(len(column) == columns["n"] for column in columns.values() if isinstance(column, list)), "columns of issues differ in length")
        return issues


def read_table(name):
    with open(name, newline="") as table:
        return list(csv.DictReader(table))


def check_issues(record, rows, in_part):
    names = [pipeline["name"] for pipeline in record.record["pipelines"]]
    rows = [row for row in rows if int(row["sm"]) == record.record["sm"]]
    if in_part:
        rows = rows[:len(record.issues)]
    check(len(rows) == len(record.issues), f"{len(record.issues)} issues in the page, {len(rows)} in the table")
    for row, issue in zip(rows, record.issues):
        warp, instr = issue["warp"], issue["instr"]
        found = {"time": record.text(issue["time"]), "scheduler": str(warp["scheduler"]), "block": str(warp["block"]),
                 "warp": str(warp["warp"]), "index": str(issue["index"]), "op": instr["op"],
                 "pipeline": names[instr["pipeline"]] if "pipeline" in instr else "", "start": record.text(issue["start"]),
                 "complete": record.text(issue["complete"])}
        wanted = {name: row[name] for name in found}
        if found != wanted:
            check(False, f"an issue is {found} in the page and {wanted} in the table")
            break
        if not issue["since"] <= issue["ready"] <= issue["accept"] <= issue["time"] <= issue["start"]:
            check(False, f"the times of an issue are out of order: {issue}")
            break


def check_lifetimes(record, rows, in_part):
    rows = {(row["block"], row["warp"]): row for row in rows if int(row["sm"]) == record.record["sm"]}
    check(in_part or len(rows) == len(record.warps), f"{len(record.warps)} warps in the page, {len(rows)} in the table")
    check([warp["age"] for warp in record.warps] == sorted(warp["age"] for warp in record.warps), "warps are not by age")
    for warp in record.warps:
        row = rows[(str(warp["block"]), str(warp["warp"]))]
        found = {"slot": str(warp["slot"]), "scheduler": str(warp["scheduler"]), "start": record.text(warp["start"]),
                 "end": record.text(warp["end"]), "issued": str(warp["issued"])}
        if any(row[name] != value for name, value in found.items()):
            check(False, f"a warp is {found} in the page and {row} in the table")
            break


def check_stalls(record, report):
    """Waits of warps, summed over the issues, are those of the report (drains are not issues)."""
    sums = [0] * 6
    for issue in record.issues:
        if issue["why"] != -1:
            sums[issue["why"]] += issue["ready"] - issue["since"]
        sums[3] += issue["accept"] - issue["ready"]
        sums[4] += issue["time"] - issue["accept"]
    for name, total in zip(("barrier", "dependency", "ilp", "pipeline", "not_selected"), sums):
        check(Fraction(str(report["stalls"][name])) == Fraction(record.text(total)),
              f"waits for {name}: {record.text(total)} in the page, {report['stalls'][name]} in the report")


def check_steps(record, curve, rows, column):
    time, steps = 0, []
    for step, value in zip(curve["time"], curve["value"]):
        time += int(step)
        steps.append((record.text(time), str(value)))
    wanted = [(row["time"], row[column]) for before, row in zip([None] + rows, rows) if before is None or before[column] != row[column]]
    check(steps == wanted, f"the curve of {column} is {steps[:4]}... in the page and {wanted[:4]}... in the table")


def check_bins(record, curve, rows, column):
    """Minimum, maximum and mean, from the table's changes, in cycles."""
    width, elapsed = Fraction(int(curve["width"]), record.per_cycle), Fraction(int(record.record["elapsed"]), record.per_cycle)
    changes = [(Fraction(row["time"]), int(row[column])) for row in rows] + [(elapsed + 1, 0)]
    bins = [[None, None, Fraction(0)] for _ in curve["mean"]]
    value, since = 0, Fraction(0)
    for time, after in changes:
        while since < min(time, elapsed):
            i = since // width
            until = min(time, elapsed, (i + 1) * width)
            # A table's times are rounded to a millionth, which shorter ones may reach.
            if until - since > Fraction(2, 10**6):
                least, greatest, _ = bins[i]
                bins[i][0] = value if least is None else min(least, value)
                bins[i][1] = value if greatest is None else max(greatest, value)
            bins[i][2] += value * (until - since)
            since = until
        value = after
    for i, (least, greatest, area) in enumerate(bins):
        mean = area / (min((i + 1) * width, elapsed) - i * width)
        if (least, greatest) != (curve["min"][i], curve["max"][i]) or abs(mean - Fraction(curve["mean"][i])) > Fraction(1, 1000) * max(mean, 1):
            check(False, f"{column}, stretch {i}: {least} to {greatest}, mean {float(mean)} by the table; "
                  f"{curve['min'][i]} to {curve['max'][i]}, mean {curve['mean'][i]} in the page")
            break


def check_curves(record, rows):
    rows = [row for row in rows if int(row["sm"]) == record.record["sm"]]
    for name, column in (("occupancy", "warps"), ("blocks", "blocks")):
        curve = record.record[name]
        (check_bins if "width" in curve else check_steps)(record, curve, rows, column)


def check_queue(record, facts, report):
    """Where stores are queued at the end the page knows when they are done, and its point is not above the bound."""
    check(("drained" in facts) == report["stores_queued"], "the page does not know of stores that are queued")
    time = Fraction(str(report["cycles_drained" if report["stores_queued"] else "cycles"]))
    if "drained" in facts:
        check(Fraction(record.text(int(facts["drained"]))) == time, "the time until stores are done differs")
    check(all(pipeline["utilization"] <= 1 for pipeline in report["pipelines"]), "a pipeline is in use for more than all the time")
    point = float(report["warps"] / time / report["sms"]) if time else 0
    bounds = [point["warp_throughput"] for point in facts["bounds"].get("by_occupancy", []) if point["warp_throughput"]]
    check(not bounds or "estimates" not in facts["bounds"] or facts["bounds"]["estimates"]
          or point <= max(bounds) * (1 + 1e-9), "the point is above its bound")


def main():
    in_part = "--part" in sys.argv
    page, report, issues, lifetimes, occupancy = [name for name in sys.argv[1:] if name != "--part"]
    with open(page, encoding="utf-8") as file:
        title, data = check_page(file.read())
    with open(report, encoding="utf-8") as file:
        report = json.load(file)
    check(title == data["page"]["title"] == f"{report['kernel']} on {report['gpu']}", f"the title is {title}")
    run = data["runs"][0]
    # Other cores may take part where no table is written.
    different = [name for name in report if name != "cores" and report[name] != run["facts"]["report"].get(name)]
    check(not different, f"the page's report differs in {different}")
    record = Record(run)
    check(record.text(int(run["record"]["elapsed"])) == decimal(Fraction(str(report["cycles"])), 1)
          or abs(Fraction(int(run["record"]["elapsed"]), record.per_cycle) - Fraction(str(report["cycles"]))) < Fraction(1, 10**6),
          "the page's time differs")
    check_queue(record, run["facts"], report)
    check_issues(record, read_table(issues), in_part)
    check_lifetimes(record, read_table(lifetimes), in_part)
    check_curves(record, read_table(occupancy))
    if not in_part and run["record"]["sms"] == 1:
        check_stalls(record, report)
    for problem in problems:
        print(f"{page}: {problem}")
    sys.exit(1 if problems else 0)


main()
