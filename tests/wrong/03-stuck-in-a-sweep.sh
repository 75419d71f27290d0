#!/bin/sh
# SPDX-License-Identifier: MIT
# A row of a sweep that stops before its end has an error and no figures; the other rows have theirs.
cat >k.xml <<'K'
<kernel name="k"><parameter name="n" value="2"/><launch blocks="4" threads="128"/>
<program><i id="x" op="add.f32"/><barrier name="a" warps="{n}" after="x"/></program></kernel>
K
"$WARPIPE" sweep k.xml --gpu gtx980 --set n=2-4 >out 2>err || { cat err; exit 1; }
grep -q '^2,.*"k.xml: with policy rr the run stops at cycle [0-9]*, before its end: .* waits at the barrier ""a"" (line 2)",,,,,' out ||
  { echo "the row of 3 warps:"; sed -n 3p out; exit 1; }
for row in 1 3; do
  grep -q "^$row,[^\"]*,program,ideal,1,,[0-9]" out || { echo "row $row has no figures"; cat out; exit 1; }
done
