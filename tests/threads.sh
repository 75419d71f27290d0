#!/bin/sh
# SPDX-License-Identifier: MIT
# Data races among threads: of the worker pool that runs a whole GPU, of batches of runs, of sweeps, of what executes
# machine code. Only with --enable-thread-sanitizer (./selftest has such a build); what comes out must also be what one
# thread makes of it.
set -u
case ${SAN_CFLAGS-} in *=thread*) ;; *) echo "needs --enable-thread-sanitizer"; exit 77 ;; esac
program=$abs_builddir/.libs/warpipe # what libtool's script would begin
test -x "$program" || program=$abs_builddir/warpipe # of static libraries
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
trap 'exit 99' HUP INT TERM
$CC -std=gnu11 -O1 -shared -fPIC $(pkg-config --cflags glib-2.0) -o "$dir/threads.so" "$abs_srcdir/tests/threads.c" -ldl ||
  exit 1
fixtures=$abs_srcdir/tests/cuda/execute/fixtures
cp "$abs_srcdir"/tests/cuda/sgemm-16.sm_80.cubin "$fixtures"/cluster.sm_90.cubin "$dir" &&
  cd "$dir" || exit 99
# It cannot place its memory beside addresses that are random in more bits than it knows.
fixed=
setarch -R true 2>/dev/null && fixed="setarch -R"
failed=0

options="exitcode=66 ignore_noninstrumented_modules=1"

warpipe ()
{
  LD_LIBRARY_PATH=$abs_builddir/.libs LD_PRELOAD=$dir/threads.so MALLOC_PERTURB_= TSAN_OPTIONS=$options \
    $fixed "$program" "$@"
}

# several WORDS...: with four threads and with one
several ()
{
  for n in 4 1; do
    warpipe "$@" --cores $n >out 2>err || {
      echo "warpipe $* --cores $n: status $?"
      head -n 60 err
      failed=$((failed + 1))
      return
    }
    grep -v '"cores"\|cores of this' out >out.$n
  done
  cmp out.1 out.4 || { echo "warpipe $*: other bytes"; failed=$((failed + 1)); }
}

warpipe --version >/dev/null 2>err || { echo "cannot run here: $(cat err)"; exit 77; }
# That it sees races: those that there are without mutexes.
(
  LD_LIBRARY_PATH=$abs_builddir/.libs TSAN_OPTIONS=$options $fixed "$program" \
    sweep vector-add --gpu gtx980,v100 --occupancy 8,16,32 --blocks 16 --cores 4 >/dev/null 2>err
  test $? = 66 && grep -q 'WARNING: ThreadSanitizer: data race' err
) || { echo "no race is found where mutexes are not seen: $(head -n 20 err)"; exit 1; }

several run vector-add --gpu gtx980 --sms all --blocks 4000 --no-skip --format json
several run vector-add --gpu v100 --sms all --blocks 4000 --no-skip --format json --memory contended
several run stream-ilp4 --gpu gtx680 --sms all --blocks 64 --policy gto --format json
several run vector-add --gpu gtx980 --sms all --blocks 500 --lifetimes l.csv --issues i.csv --format json
several run sgemm-16.sm_80.cubin --gpu a100-80 --format json --launch \
  'sgemm_16<<<dim3(8, 8), dim3(16, 16)>>>(A, B, C, 128)'
several run cluster.sm_90.cubin --gpu h100-sxm --format json --launch 'cluster_store<<<2000, 64>>>(IN, OUT)'
several run cluster.sm_90.cubin --gpu h100-sxm --format json --launch 'cluster_ring<<<200, 96, 8320>>>(
  tensor_map(IN, s32, {32, 96}, {32, 8}), tensor_map(MORE, s32, {32, 96}, {32, 8}), OUT, 12)'
several compare vector-add --gpu gtx980 --policy rr,gto,oldest --blocks 32 --format json
several sweep vector-add --gpu gtx980,v100 --occupancy 8,16,32 --blocks 16
several explain vector-add --gpu gtx980 --blocks 16 --format json
several models vector-add --gpu gtx980 --blocks 16 --format json
several tune sgemm-16.sm_80.cubin --gpu a100-80 --set b=8,16 --format json --launch \
  'sgemm_16<<<2, dim3($b, 16)>>>(A, B, C, 64)'
test $failed = 0
