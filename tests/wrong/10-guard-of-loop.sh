#!/bin/sh
# SPDX-License-Identifier: MIT
# A loop is entered, also where nvcc guards it by a branch to it, and --branch all does not skip it.
column=$srcdir/tests/cuda/loops.sm_80.ptx
for options in '--trip all=100 --branch all=not' '--trip all=100 --branch all=taken' '--trip all=100'; do
  "$WARPIPE" import "$column" --entry column_sums --blocks 64 --threads 128 $options -o k.xml 2>err ||
    { echo "$options is refused:"; cat err; exit 1; }
  "$WARPIPE" run k.xml --gpu a100-40 --format json >out 2>err || { echo "the run failed:"; cat err; exit 1; }
  loads=$(awk '/<repeat count=/ { split($0, a, "\""); n = a[2] } /<\/repeat>/ { n = 1 } /op="ld.global/ { sum += n }
               BEGIN { n = 1 } END { print sum + 0 }' k.xml)
  test "$loads" -eq 100 || { echo "$options: $loads loads of the 100 rounds"; exit 1; }
done
exit 0
