#!/bin/sh
# SPDX-License-Identifier: MIT
# Rounds of a line of the source are those of the source, however the compiler unrolled the loop.
count ()
{
  "$WARPIPE" import "$srcdir/tests/cuda/$1" --entry "$2" --blocks 64 --threads 128 --trip "$3" --branch all=not \
    -o k.xml 2>err || { echo "$1 $2 --trip $3 is refused:"; cat err; exit 1; }
  awk -v op="$4" 'BEGIN { n = 1 } /<repeat count=/ { split($0, a, "\""); n = a[2] } /<\/repeat>/ { n = 1 }
                  index($0, op) { sum += n } END { print sum + 0 }' k.xml
}
for rounds in 1 3 16 103; do
  for target in 80 120; do
    n=$(count loops.sm_$target.ptx column_sums loops.cu:11=$rounds ld.global)
    test "$n" = $rounds || { echo "sm_$target: $n loads in $rounds rounds"; exit 1; }
    n=$(count loops.sm_$target.ptx sparse_rows loops.cu:45=$rounds fma.f32)
    test "$n" = $rounds || { echo "sm_$target: $n fma in $rounds rounds"; exit 1; }
  done
done
grep -q ': unrolled by 16: 103 rounds of the source are 6 of it and 7 of its remainder' err ||
  { echo "it does not say how the rounds were divided:"; cat err; exit 1; }
exit 0
