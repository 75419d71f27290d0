#!/bin/sh
# SPDX-License-Identifier: MIT
# Times of a kernel that waits for warp groups or in a cluster are a lower bound, and get no verdict.
status=0

# check NAME INSTRUCTIONS
check ()
{
  {
    printf '.version 8.0\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n'
    printf '.reg .f32 %%f<4>; .reg .b64 %%rd<4>;\nld.param.u64 %%rd1, [p]; ld.param.u64 %%rd2, [p];\n'
    printf '%s\nst.global.f32 [%%rd1], %%f0;\nret;\n}\n' "$2"
  } >"$1.ptx"
  "$WARPIPE" run "./$1.ptx" --gpu h100-sxm --blocks 1024 --threads 128 --format json >out 2>err ||
    { echo "$1: the run failed:"; cat err; status=1; }
  grep -q '"name": "lower-bound"' out || { echo "$1: no lower bound"; status=1; }
  grep -q '"kind": "none"' out || { echo "$1: a verdict:"; grep -A3 '"verdict"' out; status=1; }
}

check wgmma 'wgmma.fence.sync.aligned;
wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {%f0, %f1}, %rd1, %rd2, 1, 1, 1, 0, 0;
wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;'
check cluster 'barrier.cluster.arrive; barrier.cluster.wait;'
exit $status
