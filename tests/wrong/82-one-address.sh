#!/bin/sh
# SPDX-License-Identifier: MIT
# Lanes that all read one address of shared memory read it once, however wide it is; in doubt they do not.
write () {
  cat <<PTX
.version 7.0
.target sm_80
.address_size 64
.visible .entry tile(.param .u64 p, .param .u32 n)
{
  .reg .pred %p<9>;
  .reg .b32 %r<9>;
  .reg .f32 %f<9>;
  .reg .b64 %rd<9>;
  .shared .align 16 .b8 s[4096];
  ld.param.u64 %rd1, [p];
  ld.param.u32 %r1, [n];
  mov.u32 %r2, %tid.x;
  mov.u32 %r3, s;
  mov.u32 %r4, 0;
  setp.gt.u32 %p2, %r2, %r1;
  @%p2 bra END;
LOOP:
  shl.b32 %r5, %r4, 4;
  add.s32 %r6, %r3, %r5;
  ld.shared.v4.f32 {%f1, %f2, %f3, %f4}, [%r6];
  $1
  add.s32 %r4, %r4, 1;
  setp.lt.u32 %p1, %r4, $2;
  @%p1 bra LOOP;
  add.f32 %f5, %f5, %f1;
  st.global.f32 [%rd1], %f5;
END:
  ret;
}
PTX
}
look () {
  "$WARPIPE" import "$1" --blocks 64 --threads 128 --trip LOOP=16 --branch END=not -o - 2>err ||
    { echo "the import failed:"; cat err; }
}
write 'fma.rn.f32 %f5, %f1, %f2, %f5;' '%r1' >same.ptx
look same.ptx | grep 'ld.shared.v4' | grep -q 'context="conflict-1"' || echo "one address for all lanes is not seen"
# Lanes leave the loop at different times; a lane's number, or what it loads, is in the address.
write 'fma.rn.f32 %f5, %f1, %f2, %f5;' '%r2' >rounds.ptx
write 'add.s32 %r3, %r3, %r2;' '%r1' >lane.ptx
write 'ld.global.u32 %r3, [%rd1];' '%r1' >data.ptx
write 'shfl.sync.down.b32 %r3, %r3, 1, 31, -1;' '%r1' >shuffle.ptx
write '@%p2 add.s32 %r3, %r3, 16;' '%r1' >guard.ptx
for kernel in rounds lane data shuffle guard; do
  look $kernel.ptx | grep 'ld.shared.v4' | grep -q context && echo "$kernel.ptx: one address, which nothing says"
done
# What is said of it comes before.
"$WARPIPE" import same.ptx --blocks 64 --threads 128 --trip LOOP=16 --branch END=not --context 21=conflict-4 \
  -o - 2>err | grep -q 'ld.shared.v4.*conflict-4' || { echo "a context that is told is not kept:"; cat err; }
exit 0
