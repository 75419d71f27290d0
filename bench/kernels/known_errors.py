# SPDX-License-Identifier: MIT
"""run/tune/known-errors.def: how far off predictions were, by bound and generation, which `warpipe
tune` says of its first choice. Made of the rows alone; those of both halves."""
import math
import os

import rows as table_rows
import scores
from cases import CASES, HERE

FILE = os.path.join(HERE, os.pardir, os.pardir, "run", "tune", "known-errors.def")
LEAST = 5  # rows; of fewer nothing is said
HEAD = """/* SPDX-License-Identifier: MIT */
/* bench/kernels writes this from the rows of bench/data/kernels-*.csv: of N launches with this bound
 * on a GPU of this generation, half were predicted within WITHIN per cent. */
"""


def groups():
    found = {}
    for case in CASES.values():
        for row in table_rows.read(case)[0] if case.as_measured else ():
            key = (row["kind"], row["resource"] or "", case.generation)
            found.setdefault(key, []).append(abs(100 * (row["predicted_us"] / row["us"] - 1)))
    return found


def text():
    lines = [f'KNOWN ("{kind}", "{resource}", "{generation}", {len(sizes)}, '
             f"{math.ceil(scores.median(sizes))})"
             for (kind, resource, generation), sizes in sorted(groups().items())
             if len(sizes) >= LEAST]
    return HEAD + "\n".join([*lines, ""])


def write():
    with open(FILE, "w", encoding="ascii") as out:
        out.write(text())


def differences():
    with open(FILE, encoding="ascii") as there:
        return [] if there.read() == text() else [os.path.basename(FILE)]
