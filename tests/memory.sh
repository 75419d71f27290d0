#!/bin/sh
# SPDX-License-Identifier: MIT
# Memory is proportional to what is resident, not to the grid: 10^6 blocks of 256 threads on one SM
# run in less than 50 MB, all of it (libraries too), and so they do with tables, which stream, and
# with windows of traces; 200,000 instructions do in whole traces. The kernel has one instruction
# for each warp, so that blocks are replaced as fast as possible.
set -u
test -z "${SAN_CFLAGS-}" || { echo "sanitizers need more memory than that"; exit 77; }
. "$abs_srcdir/tests/path.sh"
. "$abs_srcdir/tests/built-with.sh"
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
trap 'exit 99' HUP INT TERM

cat >"$dir/one.xml" <<END
<kernel name="one">
  <launch blocks="1000000" threads="256"/>
  <program><i op="compute"/></program>
</kernel>
END
peak ()
{
  # The largest resident size, in kilobytes, as the system counts it for the program that ends.
  awk '/^VmHWM/ { print $2 }' "/proc/$1/status" 2>/dev/null
}
check ()
{
  warpipe run "$dir/one.xml" --gpu simple --no-skip --format json --blocks "$blocks" "$@" >"$dir/out" &
  pid=$!
  most=0
  while kill -0 $pid 2>/dev/null; do
    # libtool's wrapper replaces itself by the program: the same process.
    now=$(peak $pid)
    test -z "$now" || test "$now" -le "$most" || most=$now
    sleep 0.05
  done
  wait $pid || { echo "failed"; exit 1; }
  grep -q "\"blocks\": $blocks," "$dir/out" || { echo "not all blocks ran"; exit 1; }
  echo "$most kB with: ${*:-no table}"
  test "$most" -gt 1000 && test "$most" -lt 50000 || { echo "expected less than 50000"; exit 1; }
}
# A run that skips takes no memory either, but ends too quickly to be measured: its address space is
# limited, libraries included.
( ulimit -v 150000 && warpipe run "$dir/one.xml" --gpu simple --blocks 1000000000 --format json >"$dir/out" ) \
  || { echo "10^9 blocks do not run in 150 MB of addresses"; exit 1; }
grep -q '"blocks": 1000000000,' "$dir/out" || { echo "not all of 10^9 blocks ran"; exit 1; }
blocks=1000000
check
check --occupancy-trace "$dir/occupancy.csv"
check --chrome "$dir/trace" --from 1000000 --to 1010000
check --konata "$dir/trace" --from 1000000 --to 1010000
if with cairo; then
  check --svg "$dir/picture.png" --from 1000 --to 1000000
  check --svg "$dir/picture.svg" --from 1000
fi
check --timeline --from 1000 --to 2000000
blocks=25000
check --chrome "$dir/trace" --arrows
check --konata "$dir/trace"
