# SPDX-License-Identifier: MIT
"""What a limit of power would explain of the GEMMs' error. None of it is in a description: of its
figures two come from times of this kernel alone.

A card draws IDLE + DRAM x bytes a second of memory + what its SMs and L2 draw. Where that is more
than LIMIT at the rated clock, the clock falls to a share x of it, at which the rates of events fall
with x and the energy of each in SMs and L2 with the square of the voltage, taken to be x^2."""
import csv
import math
import os

import scores

LIMIT = 250  # W, an A100-PCIE-40GB, as its maker states
ROOFLINE = os.path.join(os.path.dirname(__file__), "..", "data", "gpu-roofline-a100-40.csv")
SECTOR = 32  # bytes


def solve(matrix, right):
    """The x of MATRIX x = RIGHT, by elimination."""
    rows = [list(row) + [value] for row, value in zip(matrix, right)]
    for i, pivot in enumerate(rows):
        pivot[:] = [value / pivot[i] for value in pivot]
        for other in rows:
            if other is not pivot:
                other[:] = [a - other[i] * b for a, b in zip(other, pivot)]
    return [row[-1] for row in rows]


def of_streams():
    """Watts with nothing to do, J for each byte of memory, J for a single-precision operation: by
    least squares from multiply-adds on streams, whose power others measured at one clock."""
    with open(ROOFLINE, encoding="utf-8") as file:
        found = list(csv.DictReader(line for line in file if not line.startswith("#")))
    terms = [(1, 1e9 * float(row["gbs"]), 1e9 * float(row["gflops"])) for row in found]
    watts = [float(row["watts"]) for row in found]
    normal = [[sum(term[i] * term[j] for term in terms) for j in range(3)] for i in range(3)]
    return solve(normal, [sum(t[i] * w for t, w in zip(terms, watts)) for i in range(3)])


def sectors(row, level):
    return row[f"predicted_{level}_read_sectors"] + row[f"predicted_{level}_write_sectors"]


class Card:
    """INSTRUCTION, SECTOR_OF_L2: J for each instruction of a warp and each sector of L2."""

    def __init__(self, instruction, sector_of_l2):
        self.instruction, self.sector_of_l2 = instruction, sector_of_l2
        self.idle, self.byte, _ = of_streams()

    def share_of_clock(self, row):
        seconds = row["predicted_us"] / 1e6
        memory = self.byte * SECTOR * sectors(row, "dram") / seconds
        chip = (self.instruction * row["predicted_warp_instructions"] +
                self.sector_of_l2 * sectors(row, "l2")) / seconds
        low, high = 0.0, 1.0
        if self.idle + memory + chip <= LIMIT:
            return 1.0
        for _ in range(40):
            middle = (low + high) / 2
            if self.idle + memory * middle + chip * middle ** 3 > LIMIT:
                high = middle
            else:
                low = middle
        return low

    def slowed(self, rows):
        return [row | {"predicted_us": row["predicted_us"] / self.share_of_clock(row)}
                for row in rows]


def misfit(card, rows):
    return scores.mean(abs(math.log(row["predicted_us"] / row["us"])) for row in card.slowed(rows))


def fit(rows, free):
    """The card whose first FREE figures of two have the least mean error over ROWS: steps of a
    factor, each half of the last where none helps."""
    figures, factor = [1e-9, 1e-9 if free > 1 else 0.0], 2.0
    least = misfit(Card(*figures), rows)
    while factor > 1.01:
        better = False
        for i in range(free):
            for times in (factor, 1 / factor):
                tried = figures[:i] + [figures[i] * times] + figures[i + 1:]
                error = misfit(Card(*tried), rows)
                if error < least:
                    figures, least, better = tried, error, True
        factor = factor if better else math.sqrt(factor)
    return Card(*figures)
