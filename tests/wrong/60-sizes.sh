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
exit 0
