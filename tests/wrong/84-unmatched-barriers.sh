#!/bin/sh
# SPDX-License-Identifier: MIT
# No verdict where some warps wait more often at a named barrier than others come there: a GPU would hang.
cat >pair.ptx <<'PTX'
.version 7.0
.target sm_80
.address_size 64
.visible .entry pair(.param .u64 p, .param .u32 n)
.maxntid 256, 1, 1
{
  .reg .pred %p<9>;
  .reg .b32 %r<9>;
  .reg .b64 %rd<9>;
  ld.param.u64 %rd1, [p];
  ld.param.u32 %r1, [n];
  mov.u32 %r2, %tid.x;
  mov.u32 %r3, 0;
  setp.lt.u32 %p1, %r2, 128;
  @%p1 bra PRODUCE;
  bar.arrive 2, 256;
CONSUME:
  bar.sync 1, 256;
  bar.arrive 2, 256;
  add.s32 %r3, %r3, 1;
  setp.lt.u32 %p2, %r3, %r1;
  @%p2 bra CONSUME;
  ret;
PRODUCE:
  bar.sync 2, 256;
  ld.global.u32 %r4, [%rd1];
  bar.arrive 1, 256;
  add.s32 %r3, %r3, 1;
  setp.lt.u32 %p3, %r3, %r1;
  @%p3 bra PRODUCE;
  ret;
}
PTX
set -- pair.ptx --gpu a100-40 --blocks 216
"$WARPIPE" run "$@" --trip CONSUME=8 --trip PRODUCE=8 --format json >out 2>err ||
  { echo "the run failed:"; cat err; exit 1; }
grep -q 'barriers-unmatched' out && { echo "a warning of rounds that agree:"; sed -n '/"verdict"/,$p' out; }
for trips in 'CONSUME=9 PRODUCE=8' 'CONSUME=2 PRODUCE=8'; do
  for command in run bounds; do
    # shellcheck disable=SC2086
    "$WARPIPE" $command "$@" $(printf -- ' --trip %s' $trips) --format json >out 2>err ||
      { echo "the run failed:"; cat err; exit 1; }
    grep -q '"name": "barriers-unmatched"' out || echo "$command, $trips: no warning"
  done
done
exit 0
