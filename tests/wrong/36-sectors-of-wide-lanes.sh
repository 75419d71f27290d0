#!/bin/sh
# SPDX-License-Identifier: MIT
# Four sectors are what an op's own figures are for with 4 bytes a lane alone: of 16 bytes they are sectors-4.
"$WARPIPE" coalesce --addresses 0,16,32,48,64,80,96,112 --bytes 16 >out 2>err || { cat err; exit 1; }
grep -q 'context *sectors-4' out || { echo "eight lanes of 16 bytes:"; cat out; }
"$WARPIPE" coalesce --stride 1 --bytes 4 --format json >out 2>err || { cat err; exit 1; }
grep -q '"context": null' out || { echo "a row of 128 bytes:"; cat out; }
# Such an access costs its four sectors, not the sixteen of all lanes.
for context in '' ' context="sectors-4"' ' context="sectors-16"'; do
  echo "<kernel name='k'><launch blocks='640' threads='256'/><program>
<i op='ld.global.v4.f32'$context/></program></kernel>" >k.xml
  "$WARPIPE" run k.xml --gpu v100 --format json 2>err | sed -n 's/^  "cycles": \([0-9.]*\),*$/\1/p' >>cycles
done
awk '{ t[NR] = $1 } END { if (t[2] > 0.6 * t[1] || t[3] < 0.9 * t[1]) print "cycles without context, with 4 and 16 sectors:", t[1], t[2], t[3] }' cycles
