# SPDX-License-Identifier: MIT
"""The tables of doc/fidelity-kernels.md: lines of Markdown, made of rows alone."""
import ablate
import baselines
import ledger
import power
import rows as table_rows
import scores
from cases import CASES, COUNTERS


def line(*cells):
    return "| " + " | ".join(map(str, cells)) + " |"


def heading(*cells):
    return [line(*cells), "| --- |" + " ---: |" * (len(cells) - 1)]


def percent(value, sign=""):
    return "-" if value is None else f"{value:{sign}.1f}%"


def share(value):
    return "-" if value is None else f"{value:.3f}"


SCORES = ("mean error", "bias", "median", "90th percentile", "within 25%", "Pearson", "Spearman",
          "Kendall", "first choice", "best of five")


def score_cells(found):
    return [percent(found.mean), percent(found.bias, "+"), percent(found.median),
            percent(found.high), "-" if found.within is None else f"{found.within:.0f}%",
            share(found.pearson), share(found.spearman), share(found.kendall),
            share(found.first), share(found.five)]


def error(row):
    return 100 * (row["predicted_us"] / row["us"] - 1)


def of(rows, column="predicted_us"):
    return scores.Scores([row[column] for row in rows], [row["us"] for row in rows])


HALVES = (("all rows", ("fitted", "held-out")), ("fitted", ("fitted",)),
          ("held out", ("held-out",)))


def one_factor(rows):
    """The rows that were held out, with all times longer by what those of the other half lack in
    the median: what is left where the clock, or anything that all rows have, is another."""
    half = {name: [row for row in rows if row["half"] == name] for name in ("fitted", "held-out")}
    if not half["fitted"] or not half["held-out"]:
        return []
    factor = round(scores.median(row["us"] / row["predicted_us"] for row in half["fitted"]), 3)
    part = [row | {"predicted_us": factor * row["predicted_us"]} for row in half["held-out"]]
    return [line(f"held out, times {factor:.3f}", len(part), *score_cells(of(part)))]


def results(case, rows):
    """How far off the program is: all rows, each half, and at the rated clock."""
    lines = heading("rows", "n", *SCORES)
    for name, halves in HALVES:
        part = [row for row in rows if row["half"] in halves]
        if part:
            lines.append(line(name, len(part), *score_cells(of(part))))
    lines += one_factor(rows)
    clock = table_rows.implied_clock(case, rows)
    if clock:
        rated = [row | {"predicted_us": row["cycles"] / case.clock} for row in rows]
        lines.append(line(f"all rows, at {case.clock} MHz", len(rows), *score_cells(of(rated))))
    return lines


def clock(case, rows):
    """The one figure, and how it is spread over the rows."""
    alone = [table_rows.implied_clock(case, [row]) for row in rows]
    if alone[0] is None:
        return [f"{case.title}: {case.clock} MHz, as rated."]
    low, high = scores.quantile(alone, 0.1), scores.quantile(alone, 0.9)
    return [f"{case.title}: {table_rows.implied_clock(case, rows)} MHz in the median of {len(rows)} "
            f"rows, {low:.0f} to {high:.0f} between the deciles."]


def counter_errors(rows, name):
    """Per cent, of rows where it was counted at all."""
    return [100 * (row[f"predicted_{name}"] / row[f"measured_{name}"] - 1) for row in rows
            if row[f"measured_{name}"]]


def counters(_case, rows):
    lines = heading("counter", "n", "median error", "90th percentile", "median bias",
                    "none, rightly", "none, wrongly")
    for name in (*COUNTERS, "registers", "shared_memory"):
        if name in ("registers", "shared_memory"):
            rows = [row | {f"predicted_{name}": row[name]} for row in rows]
        errors = counter_errors(rows, name)
        none = [row[f"predicted_{name}"] for row in rows if not row[f"measured_{name}"]]
        sizes = [abs(value) for value in errors]
        cells = ([percent(scores.median(sizes)), percent(scores.quantile(sizes, 0.9)),
                  percent(scores.median(errors), "+")] if errors else ["-"] * 3)
        lines.append(line(name.replace("_", " "), len(errors), *cells,
                          sum(not value for value in none), sum(bool(value) for value in none)))
    return lines


def groups(rows, key):
    found = {}
    for row in rows:
        found.setdefault(key(row), []).append(row)
    return found


def by(rows, what, key, order=None):
    lines = heading(what, "n", "mean error", "bias", "median", "90th percentile")
    found = groups(rows, key)
    for name in sorted(found, key=order):
        part = of(found[name])
        lines.append(line(name, part.n, percent(part.mean), percent(part.bias, "+"),
                          percent(part.median), percent(part.high)))
    return lines


def by_bound(_case, rows):
    return by(rows, "bound", table_rows.verdict)


def steps(value, edges, unit):
    low = max((edge for edge in edges if edge <= value), default=0)
    high = min((edge for edge in edges if edge > value), default=None)
    return f"{low} to {high - 1} {unit}" if high else f"{low} {unit} and more"


def by_size(text):
    return int(text.split()[0])


def by_occupancy(_case, rows):
    return by(rows, "resident warps", lambda row: steps(row["resident_warps"],
                                                        (1, 5, 9, 13, 17, 25, 33, 49), "warps"),
              by_size)


def by_block(_case, rows):
    return by(rows, "block", lambda row: steps(row["threads"], (1, 32, 64, 128, 256, 512, 1024),
                                               "threads"), by_size)


def label(case, row):
    return " ".join(f"{row[column]:g}" for column in case.columns)


def worst(case, rows):
    lines = heading(" ".join(case.columns).replace("_", " "), "measured, us", "predicted", "error",
                    "bound", "resident warps", "use: compute", "lsu", "L2", "memory", "waits for")
    for row in sorted(rows, key=lambda row: -abs(error(row)))[:10]:
        lines.append(line(label(case, row), f"{row['us']:.0f}", f"{row['predicted_us']:.0f}",
                          percent(error(row), "+"), table_rows.verdict(row),
                          f"{row['resident_warps']:.0f}",
                          *[f"{100 * row[f'use_{unit}']:.0f}%" for unit in table_rows.UNITS],
                          f"{row['waits_for'].replace('_', ' ')} {100 * row['waits_share']:.0f}%"))
    return lines


def against(case, rows):
    lines = heading("by", "n", *SCORES)
    for name, found in baselines.all_of(case, rows):
        lines.append(line(name, found.n, *score_cells(found)))
    return lines


def refused(_case, rows):
    asked = [row for row in rows if row.get("ptx_us") is not None]
    said = [row for row in asked if row["ptx_us"] == "refused"]
    return [f"Of {len(asked)} listings of PTX the program refused {len(said)}."]


def ablations(case, _rows):
    lines = heading("what is otherwise", "n", "mean error", "change", "bias", "median", "Spearman",
                    "first choice")
    found = [row for row in ablate.read() if row["case"] == case.name]
    for row in found:
        lines.append(line(row["variant"], f"{row['n']:.0f}", percent(row["mean"]),
                          percent(row["change"], "+") if row is not found[0] else "",
                          percent(row["bias"], "+"), percent(row["median"]),
                          share(row["spearman"]), share(row["first"])))
    return lines


def power_limits(_case, rows):
    """The rows' errors with the clock that a limit of power leaves; fitted on the fitted half."""
    lines = heading("clock", "an instruction of a warp, pJ", "a sector of L2, pJ", "rows", "n",
                    *SCORES)
    half = {name: [row for row in rows if row["half"] == name] for name in ("fitted", "held-out")}
    merged, _ = table_rows.read(CASES["gemm-merged"])
    for free, name in enumerate(("as rated", "limited by power", "limited by power")):
        card = power.fit(half["fitted"], free)
        for part, which in ((half["fitted"], "fitted"), (half["held-out"], "held out"),
                            (merged, "as compiled today")):
            part = card.slowed(part) if free else part
            lines.append(line(name, f"{1e12 * card.instruction:.0f}" if free else "",
                              f"{1e12 * card.sector_of_l2:.0f}" if free else "", which, len(part),
                              *score_cells(of(part))))
    return lines


def ledgers(case, _rows):
    lines = heading("GPU", "configurations", "clock, MHz", "quickest, us", "median", "slowest",
                    "date", "version")
    found = groups([row for row in ledger.read() if row["kernel"] == case.name],
                   lambda row: (row["gpu"], row["date"], row["version"], row["clock_mhz"]))
    for (gpu, date, version, clock_mhz), part in found.items():
        times = sorted(float(row["predicted_us"]) for row in part)
        lines.append(line(gpu, len(part), clock_mhz, f"{times[0]:.0f}",
                          f"{scores.median(times):.0f}", f"{times[-1]:.0f}", date, version))
    return lines


TABLES = {"clock": clock, "results": results, "counters": counters, "baselines": against, "refused": refused,
          "by bound": by_bound, "by occupancy": by_occupancy, "by block": by_block, "worst": worst,
          "ablations": ablations, "power": power_limits, "ledger": ledgers}


def has(case, name):
    """Whether the page has table NAME of CASE."""
    if name == "power":
        return case.name == "gemm"
    return name == "results" or (case.as_measured and (name != "counters" or bool(case.counters)))


def all_of():
    """(name of the place on the page, lines) of each table whose rows there are."""
    for case in CASES.values():
        rows, _ = table_rows.read(case)
        for name, make in TABLES.items():
            if rows and has(case, name):
                yield f"{name}, {case.name}", make(case, rows)
