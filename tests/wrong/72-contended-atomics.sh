#!/bin/sh
# SPDX-License-Identifier: MIT
# Nothing is concluded over atomics of which nobody says how many lanes meet; what is said of a line counts.
kernel=$srcdir/tests/cuda/byte-histogram.sm_90.ptx
set -- --gpu h100-sxm --blocks 4096 --threads 256 --registers 16 --trip byte-histogram.cu:11=16
"$WARPIPE" run "$kernel" "$@" --format json >out 2>err || { echo "the run failed:"; cat err; exit 1; }
grep -q '"name": "atomics-assumed"' out || { echo "no warning:"; sed -n '/"verdict"/,$p' out; }
grep -q '"kind": "none"' out || { echo "a verdict all the same:"; grep -A3 '"verdict"' out; }
"$WARPIPE" run "$kernel" "$@" --strict >out 2>err && { echo "--strict accepts it"; exit 1; }

# Four lanes of a warp meet at each: 16 cycles of shared memory for 10 of DRAM.
for line in 15 16 17 18; do set -- "$@" --context byte-histogram.cu:$line=conflict-4; done
"$WARPIPE" run "$kernel" "$@" --format json >out 2>err || { echo "the run with contexts failed:"; cat err; exit 1; }
grep -A3 '"verdict"' out | tr -d '\n' | grep -q '"kind": "throughput", *"resource": "lsu"' ||
  { echo "with conflicts shared memory is the limit:"; grep -A3 '"verdict"' out; }
