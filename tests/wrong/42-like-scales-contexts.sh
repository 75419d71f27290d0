#!/bin/sh
# SPDX-License-Identifier: MIT
# A latency that is scaled takes those of its contexts, and of ops like it, with it.
cat >far.xml <<'G'
<gpu like="h100-sxm" name="far"><op name="ld.global" scale="2"/></gpu>
G
"$WARPIPE" validate far.xml >out 2>&1 || { echo "scale is refused:"; cat out; exit 1; }
# A load and what waits for it: the time of each is its latency and a little.
for op in ld.global ld.global.v4; do
  for context in '' ' context="random"' ' context="stride-2"' ' context="sectors-4"'; do
    echo "<kernel name=\"k\"><launch blocks=\"1\" threads=\"32\"/><program><i id=\"a\" op=\"$op\"$context/><i op=\"exit\" after=\"a\"/></program></kernel>" >k.xml
    "$WARPIPE" run k.xml --gpu far.xml --format json >out 2>err || { cat err; exit 1; }
    sed -n 's/.*"cycles": *\([0-9.]*\).*/\1/p' out | head -n 1 >>cycles
  done
done
awk '$1 < 1400 { print "a context of", NR, "completes after", $1, "cycles, not 1400"; exit 1 }' cycles || exit 1
test "$(wc -l <cycles)" -eq 8 || { echo "no times"; exit 1; }
