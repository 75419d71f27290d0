#!/bin/sh
# SPDX-License-Identifier: MIT
# Times of a kernel that waits through mbarrier are a lower bound; the report says so and gives no verdict.
cat >k.ptx <<END
.version 8.0
.target sm_90
.address_size 64
.visible .entry k (.param .u64 k_param_0)
{
  .reg .pred %p<3>; .reg .b32 %r<9>; .reg .f32 %f<9>; .reg .b64 %rd<9>;
  .shared .align 16 .b8 tile[8192];
  ld.param.u64 %rd1, [k_param_0];
  mov.u32 %r1, tile;
  mbarrier.init.shared.b64 [%r1], 1;
  cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd1], 4096, [%r1];
L:
  mbarrier.try_wait.parity.shared.b64 %p1, [%r1], %r2;
  @!%p1 bra L;
  ld.shared.f32 %f1, [%r1];
  st.global.f32 [%rd1], %f1;
  ret;
}
END
"$WARPIPE" import k.ptx --blocks 8 --threads 128 --trip L=1 -o k.xml 2>err
grep -q 'lower-bound.*mbarrier.*k.ptx:13' err || { echo "import does not say it:"; cat err; exit 1; }
"$WARPIPE" run k.xml --gpu h100-sxm >out 2>/dev/null || { echo "the run failed"; exit 1; }
grep -q 'lower-bound: times are a lower bound.*mbarrier' out || { echo "the report does not say it:"; cat out; exit 1; }
grep -q 'No verdict: .*lower-bound' out || { echo "there is a verdict:"; cat out; exit 1; }
"$WARPIPE" run k.xml --gpu h100-sxm --format json 2>/dev/null | grep -q '"name": "lower-bound"' ||
  { echo "the JSON does not say it"; exit 1; }
"$WARPIPE" import k.ptx --blocks 8 --threads 128 --trip L=1 --strict -o strict.xml 2>/dev/null &&
  { echo "--strict takes it"; exit 1; }
test ! -e strict.xml || { echo "--strict wrote a file"; exit 1; }
