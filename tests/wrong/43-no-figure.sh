#!/bin/sh
# SPDX-License-Identifier: MIT
# What a GPU has no figure for, and no other kind of op stands for, is an error with op and GPU.
for pair in "gtx980 mma.sync.m16n8k16.f32.f16.f16.f32" "v100 ldmatrix.sync.m8n8.x4.shared.b16" \
  "v100 atom.shared.add.u32" "gtx480 shfl.sync.bfly.b32" "a100-40 match.any.sync.b32" \
  "v100 cp.async.cg.shared.global.b128"; do
  gpu=${pair% *}
  op=${pair#* }
  echo "<kernel name=\"k\" ops=\"nearest\"><launch blocks=\"1\" threads=\"32\"/><program><i op=\"$op\"/></program></kernel>" >k.xml
  if "$WARPIPE" run k.xml --gpu "$gpu" >out 2>err; then echo "$op runs on $gpu:"; cat err; exit 1; fi
  grep -q "$op" err && grep -q "$gpu has no figure" err || { cat err; exit 1; }
  test ! -s out || { echo "$op on $gpu left output"; exit 1; }
done
