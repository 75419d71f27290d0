# SPDX-License-Identifier: MIT
"""The rows of bench/data/kernels-*.csv: what was measured of a configuration, and predicted."""
import csv
import io

import scores
from cases import COUNTERS, row_file

UNITS = ("compute", "lsu", "l2", "memory")
MORE_MEASURED = ("registers", "shared_memory", "issue_active_percent", "warps_active_percent")


def number(value):
    """Six digits: more would change with each build and mean nothing."""
    if isinstance(value, str) or value is None:
        return value or ""
    if float(value).is_integer():
        return str(int(value))
    return f"{value:.6g}"


def counters(found):
    """The program's counters by the names of the rows."""
    return {name: sum(found[part] for part in parts) for name, (_, parts) in COUNTERS.items()}


def make(one, run):
    """A row: a dictionary of what is known of configuration ONE and its RUN; times by predicted
    clock come later."""
    stalls = max(sum(run["stalls"].values()), 1e-9)
    most = max(run["stalls"], key=run["stalls"].get)
    row = dict(one.values) | {
        "half": "held-out" if one.held_out else "fitted", "us": one.measured["us"],
        "predicted_us": None, "cycles": run["cycles"], "kind": run["kind"],
        "resource": run["resource"], "threads": one.case.threads(one),
        "resident_warps": run["resident_warps"], "occupancy": run["occupancy"],
        "registers": run["registers"], "shared_memory": run["shared_memory"],
        **{f"use_{unit}": run["use"].get(unit, 0) for unit in UNITS},
        "waits_for": most, "waits_share": run["stalls"][most] / stalls}
    row |= {f"predicted_{name}": value for name, value in counters(run["counters"]).items()}
    row |= {f"measured_{name}": one.measured[name]
            for name in (*one.case.counters, *MORE_MEASURED) if name in one.measured}
    return row


def implied_clock(case, rows):
    """The clock in MHz at which the SMs issued as many instructions as were counted, in the part of
    the time that was measured: the median of all rows; None where nobody counted them."""
    if not case.counters:
        return None
    return round(scores.median(
        row["measured_warp_instructions"] / (4 * case.sms * row["measured_issue_active_percent"] /
                                             100) / row["us"] for row in rows))


def set_times(case, rows):
    clock = implied_clock(case, rows) or case.clock
    for row in rows:
        row["predicted_us"] = row["cycles"] / clock
    return clock


def text(case, rows, note):
    out = io.StringIO()
    out.write(f"# {note}\n")
    columns = list(dict.fromkeys(name for row in rows for name in row))
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    for row in rows:
        writer.writerow([number(row.get(name)) for name in columns])
    return out.getvalue()


NOTE = ("bench/kernels writes this: {n} configurations of {title}, as others measured them on "
        "{device} (MIT; doc/fidelity-kernels.md has the source), and as warpipe {version} "
        "predicts them, on {date}.")


def write(case, rows, version, date):
    keep(case, rows, NOTE.format(n=len(rows), title=case.title, device=case.device,
                                 version=version, date=date))


def keep(case, rows, note):
    with open(row_file(case), "w", encoding="utf-8") as out:
        out.write(text(case, rows, note))


def value(cell):
    try:
        return float(cell)
    except ValueError:
        return cell or None


def read(case):
    """What was written, with all numbers as such; the note; [] and "" where nothing was."""
    try:
        with open(row_file(case), encoding="utf-8") as lines:
            note = lines.readline().lstrip("# ").rstrip("\n")
            return [{name: value(cell) for name, cell in row.items()}
                    for row in csv.DictReader(lines)], note
    except FileNotFoundError:
        return [], ""


def label(case, row):
    """That of the configuration of ROW."""
    return "-".join(str(round(row[column])) for column in case.columns)


def verdict(row):
    return f"{row['kind']}: {row['resource']}" if row["resource"] else row["kind"]
