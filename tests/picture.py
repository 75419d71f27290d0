# SPDX-License-Identifier: MIT
"""Checks a picture (SVG) against the tables of the same run, and prints what is in it.

    picture.py PICTURE.svg ISSUES.csv LIFETIMES.csv SMS PIPELINE:COLOUR...

Written from what a reader sees, not from the drawing's code: the time axis is the lowest dark line that goes up to the right
margin, its numbers are not looked at; rows are the heights at which shapes stand. Each instruction of the window
must be a shape of its pipeline's colour in its pipeline's row and in its warp's row, at its place in time; each block
must begin at a dark line. The tables are of the whole run. Prints the kinds of shapes with how many there are.
"""
import collections
import csv
import re
import sys
import xml.etree.ElementTree as tree
from fractions import Fraction

SVG = "{http://www.w3.org/2000/svg}"
ROUNDING = 1 / 128  # points: places in SVG are rounded to 1/256
RIGHT = 936.0


def fail(text):
    sys.exit(f"{sys.argv[1]}: {text}")


def rows(path):
    with open(path, encoding="ascii") as table:
        return list(csv.DictReader(table))


def get_colour(style, what):
    found = re.search(what + r":rgb\(([0-9.]+)%,\s*([0-9.]+)%,\s*([0-9.]+)%\)", style)
    return found and "".join(f"{round(float(part) * 2.55):02x}" for part in found.groups())


def read(path):
    """The title, the description, boxes and lines as (colour, x0, y0, x1, y1)."""
    root = tree.parse(path).getroot()
    boxes, lines = [], []
    for shape in root.iter(SVG + "path"):
        style = shape.get("style", "")
        fill, stroke = get_colour(style, "fill"), get_colour(style, "stroke")
        for part in re.findall(r"M[^M]*", shape.get("d")):
            points = [float(number) for number in re.findall(r"-?[0-9.]+", part)]
            if "C" in part or len(points) < 4 or not (fill or stroke):
                continue  # a curve, or a move only
            xs, ys = points[0::2], points[1::2]
            (boxes if fill else lines).append((fill or stroke, min(xs), min(ys), max(xs), max(ys)))
    return root.findtext(SVG + "title"), root.findtext(SVG + "desc"), boxes, lines


def main():
    title, description, boxes, lines = read(sys.argv[1])
    issues, lifetimes, n_sms = rows(sys.argv[2]), rows(sys.argv[3]), int(sys.argv[4])
    colours = dict(argument.split(":") for argument in sys.argv[5:])
    window = re.search(r"cycles (\S+) to (\S+) of (\S+?)(;.*)?$", description)
    start, end = (Fraction(window.group(i)) for i in (1, 2))
    axis = max((line for line in lines if abs(line[3] - RIGHT) < ROUNDING and line[2] == line[4]
                and line[0] == "16191c"), key=lambda line: line[2])
    left, bottom, scale = axis[1], axis[2], (RIGHT - axis[1]) / float(end - start)

    def place(time):
        return left + float(Fraction(time) - start) * scale

    def is_shown(sm, time):
        return int(sm) < n_sms and start <= Fraction(time) < end

    # Rows with shapes of a pipeline's colour: those of warps are lower than those of pipelines, which come last on an SM.
    for pipeline, colour in colours.items():
        heights = collections.defaultdict(list)
        for box in boxes:
            if box[0] == colour and box[4] <= bottom + ROUNDING and box[4] - box[2] > 3.5:
                heights[round(box[2], 2), round(box[4], 2)].append(box[1])
        expected = [issue for issue in issues if issue["pipeline"] == pipeline and is_shown(issue["sm"], issue["start"])]
        # Each has a place in two rows, the warp's and the pipeline's. One that began before the
        # window is cut.
        places = sorted(2 * [place(issue["start"]) for issue in expected])
        drawn = sorted(x for its in heights.values() for x in its)
        inside = [x for x in drawn if x > left + 1]
        wanted = [x for x in places if x > left + 1]
        if len(inside) != len(wanted) or any(abs(a - b) > ROUNDING for a, b in zip(inside, wanted)):
            fail(f"{pipeline}: {len(inside)} shapes for {len(wanted)} in both rows, or not where they belong")
        if len(drawn) - len(inside) < len(places) - len(wanted):
            fail(f"{pipeline}: what begins with the window is not all there")
        slots = {(issue["sm"], issue["block"], issue["warp"]) for issue in expected}
        print(f"{pipeline}: {len(expected)} instructions of {len(slots)} warps in {len(heights)} rows")
    edges = [line[1] for line in lines if line[1] == line[3] and line[0] == "16191c" and line[4] <= bottom]
    for warp in lifetimes:
        if is_shown(warp["sm"], warp["start"]) and not any(abs(x - place(warp["start"])) < ROUNDING for x in edges):
            fail(f"no edge at the launch of block {warp['block']}")
    kinds = collections.Counter(box[0] for box in boxes if box[4] <= bottom + ROUNDING)
    print(title, description, sep="\n")
    print(*(f"{colour}: {count}" for colour, count in sorted(kinds.items())), sep="\n")


main()
