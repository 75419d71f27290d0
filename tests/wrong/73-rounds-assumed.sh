#!/bin/sh
# SPDX-License-Identifier: MIT
# No verdict on one round of a loop that nobody counted, by run, bounds, explain or compare.
kernel=$srcdir/tests/cuda/sgemm-16.sm_80.ptx
"$WARPIPE" run "$kernel" --gpu a100-40 --format json >out 2>err || { echo "the run failed:"; cat err; exit 1; }
grep -q '"name": "trips-assumed"' out || { echo "no warning:"; sed -n '/"verdict"/,$p' out; }
grep -q '"kind": "none"' out || { echo "a verdict all the same:"; grep -A3 '"verdict"' out; }
for command in bounds explain "compare --policy rr,gto"; do
  "$WARPIPE" ${command%% *} "$kernel" ${command#"${command%% *}"} --gpu a100-40 >out 2>err ||
    { echo "$command failed:"; cat err; }
  grep -q 'No verdict: .*trips-assumed' out || { echo "$command judges:"; cat out; }
done
"$WARPIPE" run "$kernel" --gpu a100-40 --trip sgemm-16.cu:14=64 --format json >out 2>err
grep -q 'trips-assumed' out && { echo "a loop that is told of is still assumed:"; cat out; }

# It goes with the kernel that import makes.
"$WARPIPE" import "$kernel" -o kept.xml 2>err || { echo "import failed:"; cat err; exit 1; }
"$WARPIPE" run ./kept.xml --gpu a100-40 >out 2>err
grep -q 'No verdict: .*trips-assumed' out || { echo "the kept kernel gets a verdict:"; cat out; }
exit 0
