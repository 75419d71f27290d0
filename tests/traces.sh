#!/bin/sh
# SPDX-License-Identifier: MIT
# Traces for viewers, read by other programs: chrome.py and konata.py know the formats from their
# descriptions, and the run from its tables. Whole runs and windows; queues, dual issue, barriers,
# dataflow order, contended memory, several SMs, clocks without an exact decimal; random kernels and
# GPUs.
set -u
command -v python3 >/dev/null || { echo "python3 is missing"; exit 77; }
tests=$abs_srcdir/tests
. "$abs_srcdir/tests/scratch.sh"
# Nobody gets by with what has been freed: the cache keeps it as it is.
GLIBC_TUNABLES=glibc.malloc.perturb=85:glibc.malloc.tcache_count=0
export GLIBC_TUNABLES

# check MHZ FROM TO RUN...: FROM and TO in cycles, TO - for the end.
check ()
{
  mhz=$1 from=$2 to=$3
  shift 3
  window="--from $from"
  test "$to" = - || window="$window --to $to"
  warpipe run "$@" --issues issues.csv --occupancy-trace occupancy.csv --lifetimes lifetimes.csv --format json \
    >report.json 2>out || { complain "$*: $(cat out)"; return; }
  # shellcheck disable=SC2086 # two words or four
  warpipe run "$@" --chrome trace.json $window --arrows >out 2>&1 || { complain "$*: $(cat out)"; return; }
  python3 -B "$tests/chrome.py" trace.json 1 "$from" "$to" issues.csv occupancy.csv lifetimes.csv report.json \
    || complain "--chrome: $* $window"
  if test "$mhz" != 1000; then
    # shellcheck disable=SC2086 # likewise
    warpipe run "$@" --chrome time.json $window --arrows --trace-clock ns >out 2>&1 \
      || { complain "$*: $(cat out)"; return; }
    python3 -B "$tests/chrome.py" time.json "$mhz" "$from" "$to" issues.csv occupancy.csv lifetimes.csv report.json \
      || complain "--chrome --trace-clock ns: $* $window"
  fi
  # shellcheck disable=SC2086 # likewise
  warpipe run "$@" --konata log.txt $window >out 2>&1 || { complain "$*: $(cat out)"; return; }
  # An exporter gets no events after its window; a table that is always complete keeps all exporters
  # observing to the end.
  warpipe run "$@" --chrome told.json $window --arrows --lifetimes told >out 2>&1 && cmp told.json trace.json \
    || complain "--chrome, told all: $* $window"
  warpipe run "$@" --konata told.txt $window --lifetimes told >out 2>&1 && cmp told.txt log.txt \
    || complain "--konata, told all: $* $window"
  warpipe run "$@" --timeline $window --lifetimes told 2>&1 | sed '/ policy /,$d' >told.out
  warpipe run "$@" --timeline $window 2>&1 | sed '/ policy /,$d' | cmp - told.out \
    || complain "--timeline, told all: $* $window"
  python3 -B "$tests/konata.py" log.txt "$from" "$to" issues.csv || complain "--konata: $* $window"
}

# Sanitizers look at memory, and see it in fewer.
counts="1 4 8" trace_cases=8
test -z "${SAN_CFLAGS-}" || counts=4 trace_cases=3

check 1124 0 - vector-add --gpu gtx680 --occupancy 8 --blocks 64
for kernel in 3-computations computation-memory two-series balanced communication-bound computation-bound no-barrier \
  barrier; do
  for n in $counts; do
    check 1000 0 - "lemeire-$kernel" --gpu simple --blocks "$n" --threads $((32 * n))
  done
done
check 1000 10.5 77 lemeire-barrier --gpu simple
check 1000 40 41 lemeire-barrier --gpu simple
check 1266 100 1500.25 vector-add --gpu gtx980 --blocks 64 --sms 2
check 1266 0 - volkov-mix --gpu gtx980 --set rounds=2 --blocks 40 --memory contended --policy gto
check 1000 0 - lemeire-two-series --gpu simple --order dataflow --blocks 9
check 1000 30 90 lemeire-barrier --gpu simple --order dataflow
# Clocks as slow and as fast as they may be: microseconds beyond 64 bits, and ticks far below one.
echo '<gpu like="simple" name="slow"><device clock-mhz="1/999999999999999999"/></gpu>' >slow.xml
check 1/999999999999999999 0 - lemeire-barrier --gpu slow.xml --blocks 2
echo '<gpu like="gtx680" name="fast"><device clock-mhz="999999999999999999/7"/><pipeline name="memory" share="sm"/></gpu>' >fast.xml
check 999999999999999999/7 0 - vector-add --gpu fast.xml --blocks 2

# Random cases: those that run.
random=$abs_builddir/tests/check-random
for seed in $(seq 1 "${WARPIPE_TRACE_CASES-$trace_cases}"); do
  test -x "$random" || break
  "$random" --seed "$seed" --dump case >out 2>&1 || { complain "seed $seed: $(cat out)"; continue; }
  mhz=$(sed -n 's/.*clock-mhz="\([^"]*\)".*/\1/p' case/gpu.xml)
  # shellcheck disable=SC2046 # options
  set -- case/kernel.xml --gpu case/gpu.xml $(cat case/arguments)
  warpipe run "$@" >out 2>&1 || continue
  check "$mhz" 0 - "$@"
  check "$mhz" $((seed % 7)) $((9 + seed)) "$@"
done
exit $failed
