#!/bin/sh
# SPDX-License-Identifier: MIT
# A dependence on the load of the round before is no dependence on that of this round.
for after in load load:2; do
  cat >k.xml <<K
<kernel name="k"><launch blocks="1" threads="32"/><program><repeat count="100">
<i id="load" op="ld.global"/><i id="use" op="fma.f32" after="$after use"/></repeat></program></kernel>
K
  "$WARPIPE" run k.xml --gpu gtx980 --format json >out 2>err || { echo "after=\"$after\":"; cat err; exit 1; }
  sed -n 's/.*"cycles": *\([0-9]*\).*/\1/p' out | head -n 1 >>cycles
done
# 99 times 369 cycles, 368, and 6 of the last use; or half as many of the former.
test "$(paste -s -d ' ' cycles)" = '36905 18461' ||
  { echo "cycles $(paste -s -d ' ' cycles), not 36905 and 18461"; exit 1; }
