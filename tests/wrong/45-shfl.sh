#!/bin/sh
# SPDX-License-Identifier: MIT
# A shuffle has a rate and a latency of its own: 32 lanes a cycle for the SM, and no conflicts.
cat >k.xml <<'K'
<kernel name="k" ops="nearest"><launch blocks="1" threads="1024"/>
<program><repeat count="100"><i op="shfl.sync.bfly.b32"/></repeat></program></kernel>
K
for gpu in k40m p100 v100 titanrtx a100-40 a40 rtx4090 h100-sxm; do
  "$WARPIPE" run k.xml --gpu $gpu --format json >out 2>err || { cat err; exit 1; }
  if grep 'shfl' err; then exit 1; fi
  cycles=$(sed -n 's/.*"cycles": *\([0-9]*\).*/\1/p' out | head -n 1)
  if test "$cycles" -lt 3200 || test "$cycles" -gt 3700; then echo "$gpu takes $cycles cycles"; exit 1; fi
done
