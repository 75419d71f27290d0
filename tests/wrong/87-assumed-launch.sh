#!/bin/sh
# SPDX-License-Identifier: MIT
# A launch that nobody said has no verdict, whether the listing is run or a kernel made of it.
cp "$srcdir"/tests/cuda/transpose-padded.sm_80.ptx k.ptx
"$WARPIPE" run k.ptx --gpu a100-40 >out 2>err || { echo "the run failed:"; cat err; exit 1; }
grep -q '^  No verdict: .*launch-assumed' out || { echo "a verdict on 1024 blocks that nobody asked for:"; cat out; }
"$WARPIPE" import k.ptx -o k.xml 2>err || { echo "the import failed:"; cat err; exit 1; }
"$WARPIPE" run k.xml --gpu a100-40 --blocks 1024 >out 2>err
grep -q '^  No verdict: .*launch-assumed' out || { echo "a verdict on threads that nobody said:"; cat out; }

# What is said is not assumed.
"$WARPIPE" run k.xml --gpu a100-40 --blocks 16384 --threads 256 >out 2>err || { echo "the run failed:"; cat err; exit 1; }
grep -q 'launch-assumed' out && { echo "it is said:"; cat out; }
"$WARPIPE" run k.ptx --gpu a100-40 --grid 128x128 --threads 32x8 >out 2>err || { echo "the run failed:"; cat err; exit 1; }
grep -q 'launch-assumed' out && { echo "it is said, with sizes:"; cat out; }
exit 0
