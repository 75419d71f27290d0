#!/bin/sh
# SPDX-License-Identifier: MIT
# cp.async.wait_group n waits for what it names: all copies but those of the last n groups.

# run NAME WAIT: the cycles of a loop that copies a tile ahead, and waits by WAIT before it uses one.
run ()
{
  cat >"$1.ptx" <<END
.version 7.0
.target sm_80
.address_size 64
.visible .entry k (.param .u64 k_param_0)
{
  .reg .pred %p<3>; .reg .b32 %r<9>; .reg .f32 %f<9>; .reg .b64 %rd<9>;
  .shared .align 16 .b8 tile[8192];
  ld.param.u64 %rd1, [k_param_0];
  mov.u32 %r1, tile;
  mov.u32 %r2, 0;
  cp.async.cg.shared.global [%r1], [%rd1], 16;
  cp.async.commit_group;
L:
  cp.async.cg.shared.global [%r1], [%rd1], 16;
  cp.async.commit_group;
  $2
  ld.shared.f32 %f1, [%r1];
  fma.rn.f32 %f2, %f1, %f1, %f2;
  fma.rn.f32 %f2, %f1, %f2, %f2;
  add.u32 %r2, %r2, 1;
  setp.lt.u32 %p1, %r2, 50;
  @%p1 bra L;
  st.global.f32 [%rd1], %f2;
  ret;
}
END
  "$WARPIPE" run "$1.ptx" --gpu a100-40 --blocks 1 --threads 32 --format json 2>err >out || {
    echo "$1 failed:"
    cat err
    exit 1
  }
  sed -n 's/^ *"cycles": \([0-9]*\).*/\1/p' out
}

none=$(run none '') || { echo "$none"; exit 1; }
ahead=$(run ahead 'cp.async.wait_group 1;') || { echo "$ahead"; exit 1; }
all=$(run all 'cp.async.wait_group 0;') || { echo "$all"; exit 1; }
# One round takes a latency where all is waited for, about half of one where a group is ahead.
test "$none" -lt "$ahead" || { echo "a wait takes no time: $none cycles without it, $ahead with it"; exit 1; }
test $((ahead * 3 / 2)) -lt "$all" || { echo "a group ahead saves nothing: $ahead cycles, $all without"; exit 1; }
