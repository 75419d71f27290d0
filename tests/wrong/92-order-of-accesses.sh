#!/bin/sh
# SPDX-License-Identifier: MIT
# Where L1 loses what its warps come back for, hits depend on the order in which they come, which nobody knows.
cubin=$srcdir/tests/cuda/cubin/rows.sm_86.cubin

# run LAUNCH [OPTION...]
run ()
{
  launch=$1
  shift
  "$WARPIPE" run "$cubin" --gpu rtx3080 --launch "$launch" "$@" >out 2>err || { echo "$launch failed:"; cat err; }
}

# Each lane walks its own row: 48 warps use 32 lines each, 192 KiB, and L1 has 128.
lost='rows<<<204, 512>>>(A, B, C, 104448, 32)'
run "$lost"
grep -q '^  l1-order: [4-9][0-9]% of the sectors that L1 lacks had been there' out || { echo "$lost: no l1-order:"; cat out; }
grep -q 'No verdict: l1-order' out || { echo "$lost: there is a verdict:"; cat out; }
run "$lost" --format json
grep -q '"name": "l1-order"' out || echo "$lost: no warning in JSON"
grep -q '"kind": "none"' out || echo "$lost: a verdict in JSON"
"$WARPIPE" run "$cubin" --gpu rtx3080 --launch "$lost" --strict >out 2>err && echo "--strict takes it"
"$WARPIPE" import "$cubin" --gpu rtx3080 --launch "$lost" -o k.xml 2>err || { echo "import failed:"; cat err; }
"$WARPIPE" run k.xml --gpu rtx3080 >out 2>err
grep -q 'No verdict: l1-order' out || { echo "the kernel that was kept has a verdict:"; cat out; }

# 16 warps have room; lanes that walk columns, next to one another, use a line for all.
for launch in 'rows<<<68, 512>>>(A, B, C, 34816, 32)' 'columns<<<204, 512>>>(A, B, C, 104448, 32)'; do
  run "$launch"
  grep -q 'l1-order\|No verdict' out && { echo "$launch: no verdict:"; cat out; }
done
exit 0
