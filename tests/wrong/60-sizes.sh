#!/bin/sh
# SPDX-License-Identifier: MIT
# Blocks and grids may be written as CUDA has them, and what is nearly so is refused.
for command in run bounds explain; do
  "$WARPIPE" $command vector-add --gpu a100-80 --threads 256 --blocks 64 --format json >count ||
    exit 1
  "$WARPIPE" $command vector-add --gpu a100-80 --threads 16x16 --grid 8x8 --format json >sizes ||
    { echo "$command takes no sizes"; exit 1; }
  diff count sizes || { echo "$command: 16x16 is not 256, or 8x8 not 64"; exit 1; }
done
for sizes in 16,16 '16*16' 16x0 32x64 'dim3(16,16)'; do
  "$WARPIPE" run vector-add --gpu a100-80 --threads "$sizes" >out 2>&1 &&
    { echo "$sizes was taken"; exit 1; }
done

# A sweep over sizes runs, in each row, what run does: the loops of an import depend on the block.
ptx=$srcdir/tests/cuda/reduction.sm_80.ptx
"$WARPIPE" sweep "$ptx" --gpu a100-80 --sms 1 --blocks 1024 --threads 64,16x16 2>/dev/null >table || exit 1
for threads in 64 16x16; do
  "$WARPIPE" run "$ptx" --gpu a100-80 --sms 1 --blocks 1024 --threads $threads --format json 2>/dev/null |
    sed -n 's/^  "instructions": \([0-9]*\),*$/\1/p'
done >runs
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "instructions") at = i; next } { print $at }' \
  table >rows
cmp -s runs rows || { echo "sweep and run differ:"; paste runs rows; exit 1; }
