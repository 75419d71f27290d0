#!/bin/sh
# SPDX-License-Identifier: MIT
# warpipe probe on devices of this machine. A CUDA driver is stood in for by one that simulates the PTX that it is given
# (stand-in-cuda.c): what comes back is the GPU, and a driver that fails anywhere is an error that names the call. OpenCL
# is whatever device there is, which a processor is, too, where PoCL is installed.
set -u
test -e "$abs_builddir/.libs/libwarpipe.so" || { echo "there is no shared library to link with"; exit 77; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 99' HUP INT TERM
failed=0
complain () { echo "probe-devices: $*"; failed=1; }

mkdir "$dir/cuda" "$dir/none" "$dir/tmp"
$CC -std=gnu11 -Wall -Wextra -Werror -O1 -shared -fPIC $SAN_CFLAGS "-I$abs_srcdir/include" "-I$abs_srcdir" \
  $(pkg-config --cflags glib-2.0) "$abs_srcdir/tests/stand-in-cuda.c" -o "$dir/cuda/libcuda.so.1" \
  "-L$abs_builddir/.libs" -lwarpipe -lidg $(pkg-config --libs glib-2.0) || exit 1
cd "$dir" || exit 1
LD_LIBRARY_PATH=$abs_builddir/.libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
WARPIPE_STAND_IN=v100
POCL_CACHE_DIR=$dir/pocl
XDG_CACHE_HOME=$dir/pocl
TMPDIR=$dir/tmp
export LD_LIBRARY_PATH WARPIPE_STAND_IN POCL_CACHE_DIR XDG_CACHE_HOME TMPDIR
mkdir "$dir/pocl"

# with_cuda COMMAND...: with the stand-in, and without OpenCL.
with_cuda () { LD_LIBRARY_PATH=$dir/cuda:$LD_LIBRARY_PATH OCL_ICD_VENDORS=$dir/none "$@"; }

# No device at all: one line that says why, and what to do.
for option in --list ''; do
  OCL_ICD_VENDORS=$dir/none "$abs_builddir/warpipe" probe $option >out 2>err
  test $? != 0 && test ! -s out && test "$(wc -l <err)" = 1 && grep -q 'libcuda.so.1' err && grep -q -- '--on' err ||
    complain "no device, '$option': $(cat out err)"
done

# The stand-in is found, by itself and by its name, and gives back what it is made from.
with_cuda "$abs_builddir/warpipe" probe --list >out 2>err
grep -q '^cuda:0 .*stand-in for v100 (compute capability 7.0), 80 SMs, 1246 MHz$' out || complain "list: $(cat out err)"
with_cuda "$abs_builddir/warpipe" probe --quick --ops add.f32 -o mine.xml 2>err || complain "probe: $(cat err)"
"$abs_builddir/warpipe" validate mine.xml >/dev/null || complain "what was measured is not valid"
grep -q '<gpu name="cuda-0-probed" title="stand-in for v100">' mine.xml || complain "name: $(sed -n 1,12p mine.xml)"
grep -q '<device .* cc="7.0"/>' mine.xml || complain "code would be compiled for another GPU: $(grep '<device' mine.xml)"

# Figures, which are those of any other build than one with sanitizers.
compare_figures ()
{
  with_cuda "$abs_builddir/warpipe" probe --on cuda:0 --ops add.f32,add --compare --against v100 2>&1 |
    sed 's/  */ /g' >rows
  for row in 'device.sms 80 80 exact' 'scheduler.count 4 4 exact' 'scheduler.interval 1 1 exact' 'limits.warps 64 64 exact' \
    'limits.shared-memory-allocation 256 256 exact' 'barrier.latency 0 0 exact' 'op.add.f32 issue 2 2 exact' \
    'op.add.f32 completion 4 4 exact' 'op.add issue 2 2 exact' 'op.add completion 4 4 exact'; do
    grep -qx "$row" rows || complain "no row '$row' in: $(cat rows)"
  done

  # What a launch is to read from memory has left L2 (the stand-in refuses it else), and takes what memory does.
  with_cuda "$abs_builddir/warpipe" probe --on cuda:0 --quick --ops add.f32,ld.global --compare --against v100 >rows 2>err &&
    sed 's/  */ /g' rows | grep -qx 'op.ld.global completion [0-9]* [0-9]* \(exact\|within 1%\)' ||
    complain "memory: $(cat err rows)"
}
test -n "$SAN_CFLAGS" || compare_figures

# A driver that fails in any call.
for call in cuInit cuDeviceGetCount cuDeviceGet cuDevicePrimaryCtxRetain cuCtxSetCurrent cuModuleLoadDataEx \
  cuModuleGetFunction cuMemAlloc_v2 cuMemsetD8_v2 cuFuncSetAttribute cuLaunchKernel cuCtxSynchronize cuMemcpyDtoH_v2 \
  cuMemcpyHtoD_v2; do
  WARPIPE_STAND_IN_FAILS=$call with_cuda "$abs_builddir/warpipe" probe --on cuda:0 --ops add.f32,ld.global -o no.xml >out 2>err
  status=$?
  test "$status" -ge 1 && test "$status" -le 3 && test ! -s out && test ! -e no.xml && test "$(wc -l <err)" = 1 ||
    complain "$call fails: status $status, $(cat out err)"
done
# An output that cannot be is said before anything is measured.
WARPIPE_STAND_IN_FAILS=cuLaunchKernel with_cuda "$abs_builddir/warpipe" probe --on cuda:0 -o nowhere/mine.xml >out 2>err
test $? = 3 && grep -q 'nowhere/mine.xml: No such file' err || complain "an output that cannot be: $(cat err)"
test -z "$(ls "$dir/tmp")" || complain "files are left: $(ls "$dir/tmp")"

# A launch predicted and measured: the stand-in takes a quarter of a millisecond for each but the first.
code=$abs_srcdir/tests/cuda/execute/fixtures/transpose.sm_80.cubin
launch='transpose_tiled<<<dim3(4,4), dim3(32,8)>>>(in, out, 128, 128)'
with_cuda "$abs_builddir/warpipe" validate --on-gpu "$code" --gpu a100-80 --launch "$launch" --data in=f32:iota@16384 \
  --runs 3 >out 2>err
us=$("$abs_builddir/warpipe" run "$code" --gpu a100-80 --launch "$launch" --data in=f32:iota@16384 --format json 2>/dev/null |
  sed -n 's/^ *"time_drained_us": \([0-9.]*\),$/\1/p')
grep -qFx "launch      $launch" out && grep -q "^predicted   $(printf %.2f "$us") us on a100-80$" out &&
  grep -q '^measured    250.00 us on stand-in for v100 (3 runs: median 250.00, most 250.00)$' out &&
  grep -q '^ratio       0\.[0-9]* (the prediction is [0-9.]*% too short)$' out || complain "on-gpu, $us: $(cat out err)"
for call in cuInit cuModuleLoadDataEx cuModuleGetFunction cuMemAlloc_v2 cuMemcpyHtoD_v2 cuLaunchKernel cuEventCreate \
  cuEventRecord cuEventElapsedTime cuCtxSynchronize; do
  WARPIPE_STAND_IN_FAILS=$call with_cuda "$abs_builddir/warpipe" validate --on-gpu "$code" --gpu a100-80 \
    --launch "$launch" --data in=f32:iota@16384 >out 2>err
  status=$?
  test "$status" = 1 && test ! -s out && test "$(grep -c CUDA_ERROR err)" = 1 || complain "on-gpu, $call: $status, $(cat out err)"
done

WARPIPE_STAND_IN_FAILS=cuModuleLoadDataEx with_cuda "$abs_builddir/warpipe" validate --on-gpu "$code" --gpu a100-80 \
  --launch "$launch" --data in=f32:iota@16384 2>&1 | grep -q 'expected machine code for its compute capability, 7\.0' ||
  complain "code for another GPU is not said to be"

# A cooperative launch, of which there is none.
with_cuda "$abs_builddir/warpipe" validate --on-gpu "$abs_srcdir/tests/cuda/cubin/cooperative.sm_80.cubin" --gpu a100-80 \
  --launch 'all_wait<<<2, 32>>>(A)' >out 2>err
test $? = 1 && test ! -s out && grep -q 'makes no cooperative launches' err || complain "on-gpu, a cooperative grid: $(cat out err)"

# Options that do not go together.
for options in '--list --on gtx980' '--compare --on cuda:0' '--against v100' '--on cuda:0 --gpu-set sms=3' '--ops add.f3'; do
  "$abs_builddir/warpipe" probe $options >out 2>err
  test $? = 2 && test ! -s out || complain "$options: $(cat out err)"
done

# OpenCL, if there is any (sanitizers would find leaks of other people's): a description comes out, and names the device.
if test -z "$SAN_CFLAGS" && "$abs_builddir/warpipe" probe --list 2>/dev/null | grep -q '^opencl:0 '; then
  "$abs_builddir/warpipe" probe --on opencl:0 --ops fma --quick -o cl.xml 2>err || complain "OpenCL: $(cat err)"
  "$abs_builddir/warpipe" validate cl.xml >/dev/null || complain "what OpenCL measured is not valid"
  grep -q 'OpenCL' cl.xml && grep -q '<op name="fma"' cl.xml || complain "OpenCL: $(cat cl.xml)"
  "$abs_builddir/warpipe" probe --on opencl:99 >out 2>err
  test $? != 0 && grep -q 'probe --list' err || complain "opencl:99: $(cat out err)"
else
  echo "no OpenCL device: its half is not tested"
fi
exit $failed
