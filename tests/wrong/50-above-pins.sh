#!/bin/sh
# SPDX-License-Identifier: MIT
# Nothing is concluded from a run on a GPU whose memory would move more than its pins carry.
cat >twice.xml <<'END'
<gpu name="twice" like="gtx980"><op name="ld.global" issue="5"/></gpu>
END
"$WARPIPE" run vector-add --gpu twice.xml --blocks 2048 --format json >out 2>err || { echo "run:"; cat err; exit 1; }
grep -q '"name": "memory-above-pins"' out || { echo "no warning of the description:"; cat out; exit 1; }
grep -q '"name": "above-pins"' out || { echo "no warning of the rate:"; cat out; exit 1; }
grep -q '"kind": "none"' out || { echo "a verdict all the same:"; grep -A3 '"verdict"' out; exit 1; }
"$WARPIPE" run vector-add --gpu twice.xml >out 2>err
grep -q '^  No verdict: ' out || { echo "a verdict in the text:"; cat out; exit 1; }
grep -q 'bound: ' out && { echo "a verdict in the text:"; cat out; exit 1; }
"$WARPIPE" explain vector-add --gpu twice.xml >out 2>err
grep -q '^  No verdict: ' out || { echo "explain advises all the same:"; cat out; exit 1; }
"$WARPIPE" explain vector-add --gpu twice.xml --format json 2>err | grep -q '"first": null' || { echo "explain names a first thing"; exit 1; }
"$WARPIPE" bounds vector-add --gpu twice.xml >out 2>err
grep -q '^  No verdict: ' out || { echo "bounds judges all the same:"; cat out; exit 1; }
"$WARPIPE" compare vector-add --gpu gtx980,twice.xml >out 2>err
grep -q '^  No verdict: ' out || { echo "compare judges all the same:"; cat out; exit 1; }
# Where a kernel has no access to memory it is no matter.
"$WARPIPE" run ilp-latencies --gpu twice.xml >out 2>err
grep -q 'No verdict' out && { echo "no verdict on arithmetic alone:"; cat out; exit 1; }
exit 0
