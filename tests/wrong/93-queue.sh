#!/bin/sh
# SPDX-License-Identifier: MIT
# Warps that wait for results because they queue for a unit are not told to hide its latency.
queue='waiting for one another'

# look: reads the verdict, on one line.
look () { sed -n '/^What limits it/,/^$/p' out | tr -s '\n ' ' ' >verdict; }

# Double precision on a GPU of games: 48 warps come to two units together, which are idle meanwhile.
for policy in rr gto; do
  "$WARPIPE" run "$srcdir/tests/cuda/cubin/rows.sm_86.cubin" --gpu rtx3080 --policy $policy \
    --launch 'limited<<<2040, 512>>>(A, B, 3, 1044480)' >out 2>err || { echo "$policy failed:"; cat err; }
  look
  grep -q "waiting for results of fp64.*$queue.*Less use of fp64 by each warp would help most" verdict ||
    { echo "$policy: not what limits it:"; cat verdict; }
  grep -q 'more independent instructions' verdict && { echo "$policy: advice that does not help:"; cat verdict; }
  found=$(grep -c -e '--policy gto' verdict)
  test "$found" = "$(test $policy = rr; echo $((!$?)))" || { echo "$policy: what another policy gains:"; cat verdict; }
done

# Too few warps to hide a latency: nobody queues.
"$WARPIPE" run volkov-mix --gpu gtx980 --occupancy 4 >out 2>err || { echo "volkov-mix failed:"; cat err; }
look
grep -q 'Latency-bound' verdict || { echo "volkov-mix is not bound by latency:"; cat verdict; }
grep -q "$queue" verdict && { echo "nobody queues:"; cat verdict; }
exit 0
