#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the table of a sweep, read from standard input, with `warpipe run --format json` of each row.

sweep.py OPTION...: what all rows share and no column says (--no-limits). Every cell is compared: columns are the report's
keys, those of an object inside it joined with "_", of pipelines "pipelines_NAME_KEY"; or else what was asked for.
"""
import csv
import json
import subprocess
import sys

ASKED = {"launch_threads": "threads", "launch_registers": "registers", "launch_shared_memory": "shared-memory",
         "launch_blocks": "blocks", "sms": "sms", "occupancy": "occupancy", "policy": "policy",
         "active_set": "active-set", "order": "order", "memory": "memory", "seed": "seed"}
# What a row has beyond the report, and what the report has beyond a row.
OWN = {"row", "error", "check", "sweep", "active_set", "occupancy"}
NOT_THERE = {"complete", "skipped", "cores", "stores_queued", "verdict_text", "verdict_kind",
             "verdict_resource", "notes"}


def arguments(row, shared):
    yield from ("warpipe", "run", row["kernel"], "--gpu", row["gpu"], "--format", "json", *shared)
    for column, option in ASKED.items():
        if row[column]:
            yield f"--{option}={row[column]}"
    for column, value in row.items():
        if column.startswith("set_"):
            yield from ("--set", f"{column[4:]}={value}")


def flatten(value, name=""):
    """Column and cell of each metric of a report, numbers as they are printed there."""
    if isinstance(value, dict):
        for key, member in value.items():
            yield from flatten(member, f"{name}_{key}" if name else key)
    elif name == "pipelines":
        for pipeline in value:
            yield from flatten({key: v for key, v in pipeline.items() if key != "name"}, f"{name}_{pipeline['name']}")
    elif name == "warnings":
        yield name, " ".join(warning["name"] for warning in value)
    elif isinstance(value, list):
        yield name, " ".join(value)
    else:
        yield name, str(value)


def differences(row, shared):
    done = subprocess.run(list(arguments(row, shared)), capture_output=True, text=True, check=False)
    figures = {column for column in row if column not in OWN and column not in ASKED
               and column not in ("kernel", "gpu") and not column.startswith("set_")}
    if done.returncode != 0:
        if not row["error"]:
            yield f"run says {done.stderr.strip()}, the row has no error"
        yield from (f"{column} is {row[column]} beside an error" for column in figures if row[column])
        return
    if row["error"]:
        yield f"run works, the row says {row['error']}"
        return
    report = dict(flatten(json.loads(done.stdout, parse_int=str, parse_float=str)))
    for column in NOT_THERE:
        del report[column]
    for column, value in report.items():
        if row.get(column) != value:
            yield f"{column}: {value} in the report, {row.get(column)} in the row"
    for column, value in row.items():
        if column not in report and column not in OWN and not column.startswith("set_") and value:
            yield f"{column}: {value} in the row, nothing in the report"


def main():
    rows = list(csv.DictReader(sys.stdin, strict=True))
    failed = False
    for number, row in enumerate(rows, 1):
        if None in row or None in row.values():
            sys.exit(f"row {number} has other than the header's number of cells")
        if row["row"] != str(number):
            sys.exit(f"row {number} says that it is {row['row']}")
        for difference in differences(row, sys.argv[1:]):
            print(f"row {number}: {difference}")
            failed = True
    if not rows:
        sys.exit("there are no rows")
    sys.exit(failed)


main()
