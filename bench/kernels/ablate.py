# SPDX-License-Identifier: MIT
"""What each part of the prediction is worth: the first rows again, with one thing otherwise. The
errors are kept in bench/data/kernels-ablations.csv, from which the page has its tables."""
import csv
import io
import os
import sys
import time
import xml.etree.ElementTree as ET

import rows as table_rows
import scores
import work
from cases import CASES, DATA

KEPT = os.path.join(DATA, "kernels-ablations.csv")
COLUMNS = ("case", "variant", "n", "mean", "change", "bias", "median", "spearman", "first")

NOTHING = "0.01"  # cycles that a pipeline of a path takes where there is to be none


def fast_path(source):
    """What an access passes behind its own pipeline takes nothing but its latency: the contexts of
    executed accesses, as SOURCE, a description's file, has them, with other rates."""
    out = []
    for op in ET.parse(source).getroot().iter("op"):
        for context in op.iter("context"):
            if context.get("name") == "access-*-*-*":
                for then in context.iter("then"):
                    then.attrib |= {"issue": NOTHING, "issue-each": NOTHING}
                out.append(f'<op name="{op.get("name")}">'
                           f'{ET.tostring(context, encoding="unicode").strip()}</op>')
    return "".join(out)


# (what is otherwise, options of the program, what stands in a description like the GPU's own, or a
# function that makes it of the GPU's file)
VARIANTS = (
    ("as it is", (), ""),
    ("policy: greedy then oldest", ("--policy", "gto"), ""),
    ("policy: greedy then youngest", ("--policy", "gty"), ""),
    ("issue in dataflow order", ("--order", "dataflow"), ""),
    ("the compiler's waits", ("--compiler-waits",), ""),
    ("contended memory", ("--memory", "contended"), ""),
    ("all code fits", (), '<code-cache bytes="16777216"/>'),
    ("no L1 cache", (), '<cache level="1" bytes="2048"/>'),
    ("no L2 cache", (), '<cache level="2" bytes="2048"/>'),
    ("path off", (), fast_path),
)


def description(program, gpu, text):
    """A file with a GPU like GPU, but for TEXT; its path."""
    if not text:
        return program.gpu(gpu)
    if callable(text):
        text = text(program.gpu_file(gpu))
    path = os.path.join(work.KEPT, "gpus", f"{gpu}-{work.digest(gpu, text)}.xml")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="ascii") as out:
        out.write(f'<gpu like="{program.gpu(gpu)}">{text}</gpu>\n')
    return path


def run_all(simulations, one):
    """Cycles of configuration ONE by each variant that can run it, by its name."""
    found = {}
    for name, simulation in simulations.items():
        try:
            found[name] = simulation.run(one)["cycles"]
        except work.Failed as problem:
            if name == VARIANTS[0][0]:
                raise
            print(f"{one.label}, {name}: {problem}", file=sys.stderr)
    return found


def run(case, options, program, kernels):
    """Errors of each variant on the rows that it can run, and how much larger they are than those
    of the first variant on the same rows."""
    chosen = case.spread(options.measured, options.ablate)
    chosen = [one for one, _ in work.each(f"{case.title}, compiled", kernels.make, chosen,
                                          options.jobs)]
    end = time.monotonic() + 60 * options.minutes if options.minutes else None
    simulations = {name: work.Simulation(program, kernels, ["--sms", options.sms, *more],
                                         options.limit, description(program, case.gpu, text))
                   for name, more, text in VARIANTS}
    found = dict(work.each(f"{case.title}, variants", lambda one: run_all(simulations, one), chosen,
                           options.jobs, end))
    clock = table_rows.set_times(case, [{"cycles": 1.0} | {
        f"measured_{name}": value for name, value in one.measured.items()} | one.measured
                                        for one in chosen])
    for name in simulations:
        rows = [one for one in found if name in found[one]]
        if rows:
            of, base = (errors(rows, {one: found[one][by] for one in rows}, clock)
                        for by in (name, VARIANTS[0][0]))
            yield dict(zip(COLUMNS, (case.name, name, of.n, of.mean, of.mean - base.mean, of.bias,
                                     of.median, of.spearman, of.first)))


def errors(rows, cycles, clock):
    return scores.Scores([cycles[one] / clock for one in rows],
                         [one.measured["us"] for one in rows])


def read():
    try:
        with open(KEPT, encoding="utf-8") as text:
            return [{name: table_rows.value(cell) for name, cell in row.items()}
                    for row in csv.DictReader(line for line in text if line[0] != "#")]
    except FileNotFoundError:
        return []


def write(found, note):
    """Keeps FOUND, and what was there of other cases."""
    cases = {row["case"] for row in found}
    found = [row for row in read() if row["case"] not in cases] + found
    out = io.StringIO()
    out.write(f"# {note}\n")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in sorted(found, key=lambda row: list(CASES).index(row["case"])):
        writer.writerow([table_rows.number(row[name]) for name in COLUMNS])
    with open(KEPT, "w", encoding="utf-8") as text:
        text.write(out.getvalue())
