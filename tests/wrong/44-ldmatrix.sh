#!/bin/sh
# SPDX-License-Identifier: MIT
# ldmatrix keeps shared memory for as many times 128 bytes as it moves, and no other op stands for it.
for n in 1 2 4; do
  echo "<kernel name=\"k\" ops=\"nearest\"><launch blocks=\"1\" threads=\"1024\"/><program><repeat count=\"100\"><i op=\"ldmatrix.sync.m8n8.x$n.shared.b16\"/></repeat></program></kernel>" >k.xml
  "$WARPIPE" run k.xml --gpu a100-40 --format json >out 2>err || { cat err; exit 1; }
  test ! -s err || { cat err; exit 1; }
  cycles=$(sed -n 's/.*"cycles": *\([0-9]*\).*/\1/p' out | head -n 1)
  # 32 warps of 100: 3200 instructions of $n wavefronts.
  if test "$cycles" -lt $((3200 * n)) || test "$cycles" -gt $((3200 * n + 400)); then
    echo "x$n takes $cycles cycles"
    exit 1
  fi
done
