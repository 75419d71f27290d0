#!/bin/sh
# SPDX-License-Identifier: MIT
# No verdict on loads of constants, of which the assembler makes operands; nor a warning where they decide nothing.
write () {
  cat <<'PTX'
.version 7.0
.target sm_90
.address_size 64
.const .align 4 .b8 c[4096];
.visible .entry k(.param .u64 p, .param .u32 n)
{
  .reg .pred %p<9>;
  .reg .b32 %r<9>;
  .reg .f32 %f<9>;
  .reg .b64 %rd<9>;
  ld.param.u64 %rd1, [p];
  ld.param.u32 %r1, [n];
  mov.u32 %r4, 0;
LOOP:
PTX
  for i in 0 1 2 3 4 5 6 7; do
    echo "  ld.const.f32 %f1, [c+$((4 * i))];"
    for k in $(seq "$1"); do echo '  fma.rn.f32 %f2, %f1, %f1, %f2;'; done
  done
  cat <<'PTX'
  add.s32 %r4, %r4, 1;
  setp.lt.u32 %p1, %r4, %r1;
  @%p1 bra LOOP;
  st.global.f32 [%rd1], %f2;
  ret;
}
PTX
}
set -- --gpu h100-sxm --blocks 2112 --threads 256 --trip LOOP=64 --format json
write 1 >many.ptx
"$WARPIPE" run many.ptx "$@" >out 2>err || { echo "the run failed:"; cat err; exit 1; }
grep -q '"name": "constants-as-loads"' out || { echo "no warning:"; sed -n '/"verdict"/,$p' out; }
grep -q '"kind": "none"' out || { echo "a verdict all the same:"; grep -A3 '"verdict"' out; }
write 12 >few.ptx
"$WARPIPE" run few.ptx "$@" >out 2>err || { echo "the run failed:"; cat err; exit 1; }
grep -q 'constants-as-loads' out && { echo "a warning where arithmetic decides:"; sed -n '/"verdict"/,$p' out; }
exit 0
