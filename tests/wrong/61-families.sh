#!/bin/sh
# SPDX-License-Identifier: MIT
# A family of GPUs is no GPU, one of a family is said to be the one taken, and no other is.
"$WARPIPE" run vector-add --gpu H200 >out 2>err || { echo "H200:"; cat err; exit 1; }
grep -q 'taken to be h200' err || { echo "nobody said which one H200 is:"; cat err; exit 1; }
"$WARPIPE" run vector-add --gpu a100 >out 2>err && { echo "a100 is one of two"; exit 1; }
grep -q 'a100-40 (NVIDIA.*a100-80 (NVIDIA' err || { echo "not which:"; cat err; exit 1; }
for gpu in l20 'GTX 980 Ti' a10 h20; do
  "$WARPIPE" run vector-add --gpu "$gpu" >out 2>&1 && { echo "$gpu was taken"; cat out; exit 1; }
done
exit 0
