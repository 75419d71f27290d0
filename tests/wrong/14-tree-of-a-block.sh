#!/bin/sh
# SPDX-License-Identifier: MIT
# The threads of a block count the rounds of a tree over them, and say which warps work in each.
"$WARPIPE" import "$srcdir/tests/cuda/loops.sm_80.ptx" --entry tree --blocks 64 --threads 256 -o k.xml 2>err ||
  { cat err; exit 1; }
test ! -s err || { echo "it had to assume something:"; cat err; exit 1; }
counts=$(grep -o 'warps="[^"]*"\|repeat count="[^"]*"' k.xml | tr '\n' ' ')
wanted='warps="0" repeat count="3" repeat count="5" warps="1" repeat count="2" repeat count="6" '
case $counts in
  "$wanted"*) ;;
  *) echo "warps and rounds: $counts"; exit 1;;
esac
"$WARPIPE" run k.xml --gpu a100-40 --threads 128 >out 2>err && { echo "other threads are accepted"; exit 1; }
grep -q 'decided for 256 threads per block' err || { echo "it does not say what it was decided for:"; cat err; exit 1; }
exit 0
