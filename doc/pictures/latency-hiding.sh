#!/bin/sh
# SPDX-License-Identifier: MIT
# Draws latency-hiding.svg, the picture of the README, from what warpipe says: three dependent computations on
# Lemeire's teaching machine, with 1, 2 and 4 warps. Usage: latency-hiding.sh >latency-hiding.svg
# Needs warpipe in the PATH.
set -eu

for warps in 1 2 4; do
  echo "panel,$warps"
  warpipe run lemeire-3-computations --gpu simple --blocks 1 --threads $((warps * 32)) --issues - |
    awk -F, '$1 ~ /^[0-9]/ && NF >= 10'
done | awk -F, '
function text(x, y, size, anchor, colour, s)
{
  printf "<text x=\"%d\" y=\"%d\" font-size=\"%d\" text-anchor=\"%s\" fill=\"%s\">%s</text>\n", x, y, size, anchor, colour, s
}
function box(x, y, w, h, colour)
{
  printf "<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" rx=\"2\" fill=\"%s\"/>\n", x, y, w, h, colour
}
BEGIN {
  cell = 34; row = 26; left = 130; columns = 16; top = 52
  print "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 900 392\" width=\"900\" height=\"392\" font-family=\"sans-serif\">"
  print "<title>More warps hide latency: three dependent computations with 1, 2 and 4 warps</title>"
  print "<rect width=\"900\" height=\"392\" fill=\"#ffffff\"/>"
  text(16, 26, 17, "start", "#222222", "Latency hiding: each warp runs three computations, each waiting 4 cycles for the one before")
  y = top
}
function finish_panel()
{
  if (!warps) return
  for (c = 0; c <= columns; c++)
    printf "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"#cccccc\" stroke-width=\"0.6\"/>\n", left + c * cell, y, left + c * cell, y + warps * row + 18
  for (w = 0; w < warps; w++) text(left - 10, y + w * row + 18, 13, "end", "#222222", "warp " w)
  text(left - 10, y + warps * row + 14, 12, "end", "#666666", "pipeline")
  for (i = 0; i < n; i++) {
    box(left + start[i] * cell + 1, y + warp[i] * row + 4, (complete[i] - start[i]) * cell - 2, row - 8, "#9fd3b5")
    box(left + start[i] * cell + 1, y + warp[i] * row + 4, cell - 2, row - 8, "#17744a")
    text(left + start[i] * cell + cell / 2, y + warp[i] * row + 18, 12, "middle", "#ffffff", "i" (idx[i] + 1))
    box(left + start[i] * cell + 1, y + warps * row + 5, cell - 2, 9, "#17744a")
    if (complete[i] > end) end = complete[i]
  }
  text(left + columns * cell + 12, y + 18, 14, "start", "#222222", sprintf("%d cycles", end))
  text(left + columns * cell + 12, y + 36, 12, "start", "#666666", sprintf("%d instructions:", n))
  text(left + columns * cell + 12, y + 52, 12, "start", "#666666", sprintf("%.2f a cycle", n / end))
  y += warps * row + 44
}
$1 == "panel" { finish_panel(); warps = $2; n = 0; end = 0; next }
{ warp[n] = $5; idx[n] = $6; start[n] = $9; complete[n] = $10; n++ }
END {
  finish_panel()
  box(left, y - 4, 14, 12, "#17744a"); text(left + 20, y + 7, 13, "start", "#222222", "issue latency, 1 cycle: the pipeline takes the next")
  box(left + 360, y - 4, 14, 12, "#9fd3b5"); text(left + 380, y + 7, 13, "start", "#222222", "completion latency, 4 cycles: till a dependent may go")
  print "</svg>"
}'
