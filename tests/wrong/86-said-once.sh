#!/bin/sh
# SPDX-License-Identifier: MIT
# Fences and what waits for wgmma are issue slots by rule, and what is not modelled is said by one
# warning, not by two.
cat >k.ptx <<END
.version 8.0
.target sm_90a
.address_size 64
.visible .entry k (.param .u64 k_param_0)
{
  .reg .b64 %rd<9>; .reg .f32 %f<9>;
  ld.param.u64 %rd1, [k_param_0];
  wgmma.fence.sync.aligned;
  wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1, %f2, %f3, %f4}, %rd2, %rd3, 1, 1, 1, 0, 0;
  wgmma.commit_group.sync.aligned;
  wgmma.wait_group.sync.aligned 0;
  fence.proxy.async;
  membar.cta;
  barrier.cluster.arrive.release.aligned;
  st.global.f32 [%rd1], %f1;
  ret;
}
END
"$WARPIPE" run k.ptx --gpu h100-sxm --blocks 1024 --threads 128 >out 2>err || { echo "the run failed:"; cat err; exit 1; }
grep -q '^  lower-bound:.*wgmma' out || { echo "it does not say what is not modelled:"; cat out; }
grep -q '^  approximated' out && { echo "it says it twice:"; grep approximated out; }
grep -E 'op "(wgmma.(fence|commit|wait)|fence|membar|barrier)' err
exit 0
