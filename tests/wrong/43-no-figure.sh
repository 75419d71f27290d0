#!/bin/sh
# SPDX-License-Identifier: MIT
# What a GPU has no figure for gets none: matrix units are an error; an atomic is a lower bound, and is said so.
kernel ()
{
  echo "<kernel name=\"k\" ops=\"$1\"><launch blocks=\"1\" threads=\"32\"/><program><repeat count=\"$2\"><i op=\"mov\"/></repeat><i op=\"$3\"/></program></kernel>" >k.xml
}

# refused GPU OP OPTION...: it says op, GPU, and what to write.
refused ()
{
  gpu=$1
  op=$2
  shift 2
  if "$WARPIPE" run k.xml --gpu "$gpu" "$@" >out 2>err; then echo "$op runs on $gpu:"; cat err; exit 1; fi
  grep -q "$op" err && grep -q "no figure" err && grep -q "<gpu like=\"$gpu\"> with <op name=\"$op\"" err \
    || { cat err; exit 1; }
  test ! -s out || { echo "$op on $gpu left output"; exit 1; }
}

for pair in "gtx980 mma.sync.m16n8k16.f32.f16.f16.f32" "v100 ldmatrix.sync.m8n8.x4.shared.b16" \
  "gtx480 shfl.sync.bfly.b32" "v100 cp.async.cg.shared.global.b128"; do
  kernel nearest 400 "${pair#* }"
  refused "${pair% *}" "${pair#* }"
done
for pair in "gtx980 atom.shared.add.u32" "gtx980 red.global.add.f32" "a100-40 match.any.sync.b32" \
  "v100 redux.sync.add.s32"; do
  gpu=${pair% *}
  op=${pair#* }
  kernel exact 400 "$op"
  refused "$gpu" "$op"
  kernel nearest 400 "$op"
  refused "$gpu" "$op" --strict
  # One of 401: a verdict on the rest, and a warning. One of 11: no verdict.
  "$WARPIPE" run k.xml --gpu "$gpu" --format json >out 2>err || { cat err; exit 1; }
  grep -q '"name": "no-figure"' out && grep -q "1 instruction $op (0.2% of those executed) has no figure on $gpu" out \
    && grep -q 'lower bound' out || { echo "$op on $gpu is not warned of:"; cat out; exit 1; }
  if grep -q '"kind": "none"' out; then echo "no verdict on the other 400 instructions:"; cat out; exit 1; fi
  kernel nearest 10 "$op"
  "$WARPIPE" run k.xml --gpu "$gpu" >out 2>err || { cat err; exit 1; }
  grep -q 'No verdict: no-figure' out || { echo "a verdict over $op on $gpu:"; cat out; exit 1; }
  for command in explain bounds models sweep "compare --policy rr,gto"; do
    "$WARPIPE" $command k.xml --gpu "$gpu" >out 2>err || { cat err; exit 1; }
    grep -q no-figure out err || { echo "$command says nothing of $op on $gpu:"; cat out err; exit 1; }
  done
done
# Where there is a figure, nothing is said.
kernel nearest 400 atom.shared.add.u32
"$WARPIPE" run k.xml --gpu a100-40 --format json >out 2>err || { cat err; exit 1; }
if grep no-figure out err; then exit 1; fi
