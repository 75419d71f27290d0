# SPDX-License-Identifier: MIT
"""Plots of doc/fidelity.md as gnuplot scripts that hold their data, in the style of the program's
own (plots/)."""
import collections

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")

# style: what gnuplot calls `with`, without the colour. points: (x, y), None where the line breaks
# off.
Series = collections.namedtuple("Series", "title style colour points")
Panel = collections.namedtuple("Panel", "title x y series top")

MEASURED = "points pt 6 ps 0.55 lw 1.3"
SIMULATED = "lines lw 2"
BASIC = "lines dt 2 lw 1.2"
CONTENTION = "lines dt 3 lw 1.7"


def number(value):
    return f"{value:.6g}"


def script(name, panels, columns, size, key="bottom right", legend=0, xtics=None):
    """One picture of PANELS, with the legend in one of them."""
    rows = -(-len(panels) // columns)
    lines = ["# Written by bench/validate.py, for gnuplot 5.4.", "reset", "set encoding utf8",
             f"set terminal svg size {size[0]},{size[1]} dynamic noenhanced background 'white' font 'sans-serif,12'",
             f"set output '{name}.svg'", "set border 3 lw 1.2", "set tics nomirror",
             "set grid xtics ytics back lt 1 lc rgb '#dddddd' lw 0.7",
             f"set key {key} Left reverse samplen 2.5 spacing 1.1 noenhanced"]
    plots = []
    for i, panel in enumerate(panels):
        words = []
        for j, series in enumerate(panel.series):
            data = f"$data{i}_{j}"
            lines += [f"{data} << EOD", *[f"{number(point[0])} {number(point[1])}" if point else ""
                                          for point in series.points],
                      "EOD"]
            title = f"title '{series.title}'" if series.title and i == legend else "notitle"
            words.append(f"{data} using 1:2 {title} with {series.style} lc rgb '{series.colour}'")
        plots += [f"set title '{panel.title}' noenhanced", f"set xlabel '{panel.x}'",
                  f"set ylabel '{panel.y}'",
                  f"set yrange [0:{number(panel.top)}]" if panel.top else "set yrange [0:*]",
                  "plot " + ", \\\n  ".join(words)]
    if xtics:
        lines.append(f"set xtics {xtics}")
    return "\n".join([*lines, f"set multiplot layout {rows},{columns}", *plots, "unset multiplot",
                      "set output", ""])
