#!/bin/sh
# SPDX-License-Identifier: MIT
# The warning of atomics proposes a context that the atomic can have: global memory has no bank conflicts.
cat >hist.ptx <<'PTX'
.version 7.0
.target sm_80
.address_size 64
.visible .entry hist(.param .u64 p)
{
  .reg .b32 %r<9>;
  .reg .b64 %rd<9>;
  ld.param.u64 %rd1, [p];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  atom.global.add.u32 %r2, [%rd3], 1;
  ret;
}
PTX
set -- hist.ptx --gpu a100-40 --blocks 64 --threads 128
"$WARPIPE" run "$@" >out 2>err || { echo "the run failed:"; cat err; exit 1; }
grep -q 'atomics-assumed.*(sectors-8)' out || { echo "not what global memory has:"; cat out; }
grep -q 'conflict-' out && { echo "proposes what cannot be:"; cat out; }
"$WARPIPE" run "$@" --context 12=sectors-8 --strict >out 2>err || { echo "what it proposes is refused:"; cat err; }
exit 0
