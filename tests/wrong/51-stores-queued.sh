#!/bin/sh
# SPDX-License-Identifier: MIT
# Stores that are queued when the last warp ends are not counted as done: rates go by the time until they are.
cat >stores.xml <<'END'
<kernel name="stores"><launch blocks="512" threads="256"/>
  <program><repeat count="8"><i op="st.global"/></repeat></program></kernel>
END
"$WARPIPE" run stores.xml --gpu gtx980 --format json >out 2>err || { echo "run:"; cat err; exit 1; }
grep -q '"name": "stores-queued"' out || { echo "no warning:"; cat out; exit 1; }
# 32 blocks of 8 warps of 8 stores, 10000/814 cycles each, from 0 on.
grep -q '"cycles_drained": 25159.705160' out || grep -q '"cycles_drained": 25159.70516,' out ||
  { echo "not 2048 x 10000/814 cycles:"; grep cycles out; exit 1; }
awk -F'[:,]' '/"gbytes_per_s"/ && $2 + 0 > 224 { print "above the pins of 224 GB/s:" $2 } /"utilization"/ && $2 + 0 > 1 { print "in use for more than all the time:" $2 }' out
"$WARPIPE" run stores.xml --gpu gtx980 >out 2>err
grep -q 'time  *25159.70516 cycles.*until the last store is done' out || { echo "not the headline:"; cat out; exit 1; }
# One rate in the text: 32 blocks of 8 warps of 8 stores in that time, which is the bound of 0.0814 a cycle.
grep -q 'issue  *0.0814 instructions a cycle' out && grep -q 'memory  *2048  *100.0%  *0.0814 ' out || { echo "not that rate:"; cat out; exit 1; }
"$WARPIPE" sweep stores.xml --gpu gtx980 >out 2>err
head -1 out | grep -q ',cycles_drained,time_drained_us,warnings,' || { echo "no columns of sweep:"; head -1 out; exit 1; }
sed -n 2p out | grep -q ',25159.70516,[0-9.]*,stores-queued,' || { echo "not in the row:"; cat out; exit 1; }
exit 0
