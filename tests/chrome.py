# SPDX-License-Identifier: MIT
"""Checks a Chrome trace (JSON) against the rules of the format and against the tables of the same run.

    chrome.py TRACE.json MHZ FROM TO ISSUES.csv OCCUPANCY.csv LIFETIMES.csv REPORT.json

MHZ: cycles in a microsecond of the trace. FROM and TO: the window in cycles (TO - : none). The tables and the report are of
the whole run, on all SMs that the trace shows. Written from the format's description, not from the exporter: numbers are
read as exact fractions.
"""
import collections
import csv
import json
import sys
from fractions import Fraction

ROUNDING = Fraction(1, 10**6)  # of the tables' times, in cycles; of the trace's, in microseconds


def fail(text):
    sys.exit(f"{sys.argv[1]}: {text}")


def rows(path):
    with open(path, encoding="ascii") as table:
        return list(csv.DictReader(table))


def load(path):
    with open(path, encoding="utf-8") as trace:
        document = json.load(trace, parse_float=Fraction, parse_int=Fraction)
    if set(document) != {"traceEvents", "displayTimeUnit", "otherData"} or document["displayTimeUnit"] != "ns":
        fail("the document's members")
    for event in document["traceEvents"]:
        if not {"ph", "pid", "name"} <= set(event) or ("ts" in event) == (event["ph"] == "M"):
            fail(f"an event lacks a member: {event}")
    return document["traceEvents"]


def check_names(events):
    """Each process and thread that has events is named, once, with a place of its own."""
    named, places, used = collections.Counter(), {}, set()
    for event in events:
        thread = (event["pid"], event.get("tid"))
        if event["ph"] != "M":
            used |= {thread, (event["pid"], None)}
        elif event["name"] in ("process_name", "thread_name"):
            if (event["name"] == "process_name") != (thread[1] is None) or not event["args"]["name"]:
                fail(f"a name of the wrong thing: {event}")
            named[thread] += 1
        elif event["name"] in ("process_sort_index", "thread_sort_index"):
            places[thread] = event["args"]["sort_index"]
        else:
            fail(f"unknown metadata: {event}")
    if set(named) != used or set(places) != used or set(named.values()) - {1}:
        fail(f"threads without a name, or names without a thread: {set(named) ^ used}")
    taken = [(thread[0] if thread[1] is not None else None, place) for thread, place in places.items()]
    if len(set(taken)) != len(taken):
        fail("two threads have one place")
    return {(event["pid"], event.get("tid")): event["args"]["name"] for event in events
            if event["ph"] == "M" and event["name"].endswith("_name")}


def check_complete(events, names):
    """No two overlap on a thread, not even for a viewer with whole nanoseconds."""
    threads = collections.defaultdict(list)
    for event in events:
        if event["ph"] == "X":
            threads[event["pid"], event["tid"]].append(event)
    for thread, its in threads.items():
        end = end_ns = 0
        for event in sorted(its, key=lambda e: (e["ts"], e["dur"])):
            if event["dur"] < 0 or (event["dur"] == 0 and "pipeline" not in names[thread]):
                fail(f"no duration: {event}")
            if event["ts"] < end or int(event["ts"] * 1000) < end_ns:
                fail(f"it overlaps the one before: {event}")
            end, end_ns = event["ts"] + event["dur"], int(event["ts"] * 1000) + int(event["dur"] * 1000)


def check_pairs(events, first, second, categories):
    pairs = collections.defaultdict(list)
    for event in events:
        if event["ph"] in (first, second):
            if event["cat"] not in categories:
                fail(f"unknown category: {event}")
            # Viewers pair by id alone, over categories and processes.
            pairs[event["id"]].append(event)
    for key, pair in pairs.items():
        if [event["ph"] for event in pair] != [first, second] or pair[0]["name"] != pair[1]["name"]:
            fail(f"no pair of {first} and {second}: {key}")
        # Arrows may lead from one process to another: to a pipeline that SMs share.
        if pair[0]["cat"] != pair[1]["cat"] or (first == "b" and pair[0]["pid"] != pair[1]["pid"]):
            fail(f"a pair of two kinds or processes: {pair}")
        if pair[0]["ts"] > pair[1]["ts"]:
            fail(f"the end comes first: {pair}")
    return list(pairs.values())


def have_paths(events, names):
    """Whether an instruction passes several pipelines."""
    stays = collections.Counter((e["pid"], *(e["args"][name] for name in ("block", "warp", "index"))) for e in events
                                if e["ph"] == "X" and names[e["pid"], e["tid"]].startswith("pipeline "))
    return max(stays.values(), default=1) > 1 or any(" of SM" in name for name in names.values())


def check_counters(events, executions, window, several):
    """Values change one time after another; instructions in flight are those that have begun and not ended, where
    SEVERAL in each of the pipelines that they pass."""
    series = collections.defaultdict(list)
    for event in events:
        if event["ph"] == "C":
            series[event["pid"], event["name"]].append(event)
    for (pid, name), its in series.items():
        times = [event["ts"] for event in its]
        if times != sorted(set(times)) or (name == "in flight" and times[0] > window[0]):
            fail(f"counter {name}: times are not rising from the window's beginning on")
        if min(min(event["args"].values()) for event in its) < 0:
            fail(f"counter {name}: less than nothing")
        if name != "in flight":
            continue
        changes = collections.Counter()
        for begin, end in executions:
            if begin["pid"] == pid:
                changes[begin["ts"]] += 1
                if window[1] is None or end["ts"] < window[1] - ROUNDING:
                    changes[end["ts"]] -= 1
        flying, at = 0, iter(sorted(changes.items()) + [(float("inf"), 0)])
        time, change = next(at)
        for event in its:
            while time <= event["ts"]:
                flying += change
                time, change = next(at)
            total = sum(event["args"].values())
            if (total > 0) != (flying > 0) or total < flying or (total > flying and not several):
                fail(f"{flying} instructions are in flight: {event}")
        if any(change != 0 for time, change in changes.items() if time not in times):
            fail("a change of what is in flight is missing")


def check_window(events, cycle, window):
    """Times are those of the window; its ends are the first ticks that are not before them, rounded down."""
    stamps = [event["ts"] for event in events if "ts" in event]
    if min(stamps) < window[0] - ROUNDING:
        fail(f"it begins at {float(min(stamps))} and not at {float(window[0])}")
    if window[1] is not None and max(stamps) >= window[1] + 1 / cycle:
        fail(f"it goes on to {float(max(stamps))}")
    return max(min(stamps), window[0]), window[1]


def check_tables(events, names, cycle, window, paths):
    """Every issue has its mark, occupancy is that of the table, and states fill the lifetimes of warps."""
    def inside(time):
        return window[0] <= time and (window[1] is None or time < window[1])

    def us(text):
        return Fraction(text) / cycle

    slack = ROUNDING / cycle + ROUNDING
    marks = collections.Counter(int(e["pid"]) - 1 for e in events if e["ph"] == "i")
    wanted = collections.Counter(int(row["sm"]) for row in rows(paths[0]) if inside(us(row["time"])))
    if marks != wanted:
        fail(f"marks of issues: {dict(marks)}, and not {dict(wanted)}")
    counts = {}
    for event in events:
        if event["ph"] == "C" and event["name"] == "occupancy":
            counts.setdefault(int(event["pid"]) - 1, []).append(
                (event["ts"], event["args"]["blocks"], event["args"]["warps"]))
    table = collections.defaultdict(list)
    for row in rows(paths[1]):
        if inside(us(row["time"])):
            table[int(row["sm"])].append((us(row["time"]), int(row["blocks"]), int(row["warps"])))
    for sm, wanted in table.items():
        got = [value for value in counts[sm] if value[0] > window[0] + slack or wanted[0][0] <= window[0] + slack]
        if len(got) != len(wanted) or any(a[1:] != b[1:] or abs(a[0] - b[0]) > slack for a, b in zip(got, wanted)):
            fail(f"occupancy of SM {sm} is not that of the table")
    lived = Fraction(0)
    lives = rows(paths[2])
    for row in lives:
        start, end = max(us(row["start"]), window[0]), us(row["end"])
        lived += max(0, (end if window[1] is None else min(end, window[1])) - start)
    spans = [e for e in events if e["ph"] == "X" and names[e["pid"], e["tid"]].startswith("warp slot")]
    states = sum(event["dur"] for event in spans)
    if abs(lived - states) > slack * (len(lives) + len(spans) + 1):
        fail(f"warps live for {float(lived)} us, and have states for {float(states)}")


def check_use(events, names, path):
    """What a viewer that keeps whole nanoseconds adds up for a pipeline is what the report says, within 0.1%."""
    with open(path, encoding="utf-8") as text:
        report = json.load(text)
    sums, cut = collections.Counter(), collections.Counter()
    for event in events:
        name = names[event["pid"], event["tid"]] if event["ph"] == "X" else ""
        if name.startswith("pipeline "):
            sums[name.split()[1]] += int(event["dur"] * 1000) / 1000
            cut[name.split()[1]] += 0.001 * (event["dur"] * 1000 % 1 != 0)
    for pipeline in report["pipelines"]:
        name = pipeline["name"]
        one = pipeline["utilization"] * report["cycles_drained" if report["stores_queued"] else "cycles"]
        # Of each scheduler, of each SM, or of some SMs: as many instances as the sum needs.
        instances = max(1, round(sums[name] / one)) if one else 1
        if abs(sums[name] - instances * one) > 0.001 * instances * one + cut[name]:
            fail(f"slices of {name} last {sums[name]} us; in use it is for {one} in each instance")


def main():
    trace, mhz, begin, end, *paths, report = sys.argv[1:]
    cycle = Fraction(mhz)
    window = (Fraction(begin) / cycle, None if end == "-" else Fraction(end) / cycle)
    events = load(trace)
    if not any("ts" in event for event in events):
        return
    window = check_window(events, cycle, window)
    names = check_names(events)
    check_complete(events, names)
    executions = [pair for pair in check_pairs(events, "b", "e", {"execution", "block"})
                  if pair[0]["cat"] == "execution"]
    check_pairs(events, "s", "f", {"dependence"})
    check_counters(events, executions, window, have_paths(events, names) or end != "-" or begin != "0")
    check_tables(events, names, cycle, window, paths)
    if (begin, end, mhz) == ("0", "-", "1"):
        check_use(events, names, report)


main()
