# SPDX-License-Identifier: MIT
"""What each part of the prediction is worth: the first rows again, with one thing otherwise. The
errors are kept in bench/data/kernels-ablations.csv, from which the page has its tables."""
import csv
import io
import os

import rows as table_rows
import scores
import work
from cases import CASES, DATA

KEPT = os.path.join(DATA, "kernels-ablations.csv")
COLUMNS = ("case", "variant", "n", "mean", "change", "bias", "median", "spearman", "first")

# (what is otherwise, options of the program, what stands in a description like the GPU's own)
VARIANTS = (
    ("as it is", (), ""),
    ("policy: greedy then oldest", ("--policy", "gto"), ""),
    ("policy: greedy then youngest", ("--policy", "gty"), ""),
    ("issue in dataflow order", ("--order", "dataflow"), ""),
    ("the compiler's waits", ("--compiler-waits",), ""),
    ("contended memory", ("--memory", "contended"), ""),
    ("all code fits", (), '<code-cache bytes="16777216"/>'),
    ("no L2 cache", (), '<cache level="2" bytes="2048"/>'),
)


def description(program, gpu, text):
    """A file with a GPU like GPU, but for TEXT; its path."""
    if not text:
        return program.gpu(gpu)
    path = os.path.join(work.KEPT, "gpus", f"{gpu}-{work.digest(gpu, text)}.xml")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="ascii") as out:
        out.write(f'<gpu like="{program.gpu(gpu)}">{text}</gpu>\n')
    return path


def one_variant(case, variant, chosen, options, program, kernels):
    name, more, text = variant
    simulation = work.Simulation(program, kernels, ["--sms", options.sms, *more], options.limit,
                                 description(program, case.gpu, text))
    done = work.each(f"{case.title}, {name}", simulation.run, chosen, options.jobs)
    return {one: run["cycles"] for one, run in done}


def run(case, options, program, kernels):
    """Errors of each variant on the rows that it can run, and how much larger they are than those
    of the first variant on the same rows."""
    chosen = case.spread(options.measured, options.ablate)
    found = [(variant[0], one_variant(case, variant, chosen, options, program, kernels))
             for variant in VARIANTS]
    plain = found[0][1]
    clock = table_rows.set_times(case, [{"cycles": 1.0} | {
        f"measured_{name}": value for name, value in one.measured.items()} | one.measured
                                        for one in chosen])
    for name, cycles in found:
        rows = [one for one in chosen if one in cycles and one in plain]
        if rows:
            of, base = errors(rows, cycles, clock), errors(rows, plain, clock)
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
