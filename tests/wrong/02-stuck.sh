#!/bin/sh
# SPDX-License-Identifier: MIT
# A run whose warps wait at barriers for ever is an error that names them, and gives no figures.
cat >k.xml <<'K'
<kernel name="k"><launch blocks="4" threads="64"/>
<program warps="0"><barrier name="a"/>
<barrier name="b"/></program>
<program warps="1"><barrier name="b"/><barrier name="a"/></program></kernel>
K
for command in "run" "run --order dataflow" "run --format json" "compare --policy rr,gto" "explain" "bounds" "models"; do
  "$WARPIPE" $command k.xml --gpu gtx980 >out 2>err
  test $? -eq 1 || { echo "$command: no error"; exit 1; }
  grep -q 'k.xml: .*warp 0 of block 0 in slot 0 of SM 0, waits at the barrier "a" (line 2); others wait at the barrier "b"' err ||
    { echo "$command does not name them:"; cat err; exit 1; }
  test ! -s out || { echo "$command prints figures:"; cat out; exit 1; }
done
"$WARPIPE" run k.xml --gpu gtx980 2>&1 | grep -q ' 2 warps never end' || { echo "not all warps are counted"; exit 1; }
