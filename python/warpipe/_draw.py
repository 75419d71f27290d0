# SPDX-License-Identifier: MIT
"""The timeline of a notebook: a row for each of the first warps of SM 0, and a bar from each issue to its result, in the
colour of its pipeline."""
from __future__ import annotations

from html import escape
from typing import Any

WIDTH, ROW, LEFT, TOP = 900, 14, 60, 30
MAX_WARPS, MAX_BARS = 32, 4000
# Okabe and Ito's colours, which the colour-blind tell apart.
COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#999999", "#f0e442"]


def ticks_of(span: float) -> float:
    """A round step that divides SPAN into four to ten."""
    step = 10.0 ** (len(str(int(max(span, 1)))) - 1)
    for factor in (1, 0.5, 0.2, 0.1):
        if span / (step * factor) >= 4:
            return step * factor
    return step / 10


def timeline(issues: Any, ticks_per_cycle: int) -> str:
    """ISSUES, a table of the issues of a run, as SVG."""
    sms, blocks, warps = issues["sm"], issues["block"], issues["warp"]
    starts, ends, pipelines, ops = issues["time"], issues["complete"], issues["pipeline"], issues["op"]
    places: dict[tuple[int, int], int] = {}
    bars = []
    for i in range(len(starts)):
        if sms[i] != sms[0]:
            continue
        key = (blocks[i], warps[i])
        if key not in places and len(places) == MAX_WARPS:
            continue
        bars.append((places.setdefault(key, len(places)), starts[i], ends[i], pipelines[i], ops[i]))
        if len(bars) == MAX_BARS:
            break
    begin = min(bar[1] for bar in bars)
    span = max(max(bar[2] for bar in bars) - begin, 1)
    names = list(dict.fromkeys(bar[3] for bar in bars))
    colours = {name: "#000000" if name == "" else COLOURS[i % len(COLOURS)] for i, name in enumerate(names)}

    def x(ticks: int) -> float:
        return LEFT + (WIDTH - LEFT - 10) * (ticks - begin) / span

    bottom = TOP + ROW * len(places)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {bottom + 36}" width="{WIDTH}" height="{bottom + 36}" '
             f'font-family="sans-serif" font-size="11" role="img"><title>Warps over time</title>'
             f'<rect width="{WIDTH}" height="{bottom + 36}" fill="#ffffff"/>']
    for i, name in enumerate(names):
        at = LEFT + 110 * i
        parts.append(f'<rect x="{at}" y="6" width="10" height="10" fill="{colours[name]}"/>'
                     f'<text x="{at + 14}" y="15">{escape(name or "barrier")}</text>')
    for (block, warp), place in places.items():
        parts.append(f'<text x="{LEFT - 6}" y="{TOP + ROW * place + 10}" text-anchor="end">{block}.{warp}</text>')
    for place, start, end, pipeline, op in bars:
        width = max(x(max(end, start)) - x(start), 0.6)
        cycles = f"{start / ticks_per_cycle:g} to {end / ticks_per_cycle:g}"
        parts.append(f'<rect x="{x(start):.2f}" y="{TOP + ROW * place + 2}" width="{width:.2f}" height="{ROW - 4}" '
                     f'fill="{colours[pipeline]}" fill-opacity="0.75"><title>{escape(op)}: cycles {cycles}</title></rect>')
    step = ticks_of(span / ticks_per_cycle)
    first = -(-begin // (step * ticks_per_cycle)) * step or 0.0  # and not -0
    while first * ticks_per_cycle <= begin + span:
        at = x(first * ticks_per_cycle)
        parts.append(f'<line x1="{at:.2f}" x2="{at:.2f}" y1="{TOP}" y2="{bottom + 4}" stroke="#888888" stroke-width="0.5"/>'
                     f'<text x="{at:.2f}" y="{bottom + 16}" text-anchor="middle">{first:g}</text>')
        first += step
    parts.append(f'<text x="{LEFT - 6}" y="{TOP - 4}" text-anchor="end">warp</text>'
                 f'<text x="{WIDTH - 4}" y="{bottom + 30}" text-anchor="end">cycles</text></svg>')
    return "".join(parts)
