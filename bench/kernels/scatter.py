# SPDX-License-Identifier: MIT
"""Predicted against measured times of all rows, a point each, as SVG that is written by rule."""
import math
import os

import rows as table_rows
from cases import CASES

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, os.pardir, "doc",
                      "fidelity")
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#666666")
SIDE, LEFT, TOP, LEGEND = 480, 70, 40, 190


class Axes:
    """Both logarithmic, over the same range, so that what is right is on the diagonal."""

    def __init__(self, rows):
        times = [row[name] for row in rows for name in ("us", "predicted_us")]
        self.low, self.high = math.log(min(times) * 0.9), math.log(max(times) * 1.1)

    def x(self, time):
        return LEFT + SIDE * (math.log(time) - self.low) / (self.high - self.low)

    def y(self, time):
        return TOP + LEFT + SIDE - self.x(time)

    def ticks(self):
        for power in range(1, 7):
            for digit in (1, 2, 5):
                time = digit * 10 ** power
                if self.low <= math.log(time) <= self.high:
                    yield time

    def line(self, factor, style):
        low, high = math.exp(self.low), math.exp(self.high)
        begin, end = (low, high / factor) if factor >= 1 else (low / factor, high)
        return (f'<line x1="{self.x(begin):.1f}" y1="{self.y(begin * factor):.1f}" '
                f'x2="{self.x(end):.1f}" y2="{self.y(end * factor):.1f}" {style}/>')


def words(x, y, text, more=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" {more}>{text}</text>'


def frame(axes, title):
    yield (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + SIDE + LEGEND} '
           f'{TOP + SIDE + 60}" font-family="sans-serif" font-size="12">')
    yield '<rect width="100%" height="100%" fill="white"/>'
    yield words(LEFT, 24, title, 'font-size="14" font-weight="bold"')
    for time in axes.ticks():
        x, y = axes.x(time), axes.y(time)
        yield (f'<path d="M{x:.1f} {TOP}V{TOP + SIDE}M{LEFT} {y:.1f}H{LEFT + SIDE}" '
               'stroke="#dddddd"/>')
        yield words(x, TOP + SIDE + 18, f"{time:,}", 'text-anchor="middle"')
        yield words(LEFT - 8, y + 4, f"{time:,}", 'text-anchor="end"')
    yield words(LEFT + SIDE / 2, TOP + SIDE + 42, "measured, µs", 'text-anchor="middle"')
    yield words(16, TOP + SIDE / 2, "predicted, µs",
                f'text-anchor="middle" transform="rotate(-90 16 {TOP + SIDE / 2:g})"')
    yield axes.line(1, 'stroke="#333333"')
    for factor in (0.75, 1.25):
        yield axes.line(factor, 'stroke="#999999" stroke-dasharray="4 4"')


def points(axes, rows):
    bounds = sorted({table_rows.verdict(row) for row in rows},
                    key=lambda bound: (-sum(table_rows.verdict(row) == bound for row in rows), bound))
    for i, bound in enumerate(bounds):
        colour = COLOURS[min(i, len(COLOURS) - 1)]
        part = [row for row in rows if table_rows.verdict(row) == bound]
        yield f'<g fill="{colour}" fill-opacity="0.65">'
        yield from (f'<circle cx="{axes.x(row["us"]):.1f}" cy="{axes.y(row["predicted_us"]):.1f}" '
                    'r="2.6"/>' for row in part)
        x, y = LEFT + SIDE + 16, TOP + 12 + 20 * i
        yield f'<circle cx="{x}" cy="{y - 4}" r="4"/></g>'
        yield words(x + 10, y, f"{bound} ({len(part)})")
    yield words(LEFT + SIDE + 16, TOP + 24 + 20 * len(bounds), "dashed: 25% off", 'fill="#666666"')


def draw(case, rows):
    axes = Axes(rows)
    title = f"{case.title}, {case.gpu}: {len(rows)} configurations"
    return "\n".join([*frame(axes, title), *points(axes, rows), "</svg>", ""])


def pictures():
    """(file, text) of each case that has rows."""
    for case in CASES.values():
        rows, _ = table_rows.read(case)
        if rows and case.as_measured:
            yield os.path.join(FOLDER, f"kernels-{case.name}.svg"), draw(case, rows)


def write():
    for path, text in pictures():
        with open(path, "w", encoding="utf-8") as out:
            out.write(text)


def differences():
    for path, text in pictures():
        try:
            with open(path, encoding="utf-8") as there:
                same = there.read() == text
        except FileNotFoundError:
            same = False
        if not same:
            yield os.path.basename(path)
