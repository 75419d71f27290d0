#!/bin/sh
# SPDX-License-Identifier: MIT
# On GPUs from Volta on, an access in the context that an executed kernel names, access-W-A-B (W
# wavefronts, A sectors that L1 lacks, B sectors that L2 lacks), costs what the named contexts do:
# alone, and where many wait for one another; and moves as many bytes.
set -u
. "$abs_srcdir/tests/scratch.sh"

# cost OP CONTEXT BLOCKS: cycles of so many blocks, and the bytes a nanosecond that go to memory.
cost ()
{
  context=${2:+context=\"$2\"}
  cat >k.xml <<XML
<kernel name="k"><launch blocks="$3" threads="256"/>
<program><i id="a" op="$1" $context/><i op="exit" after="a"/></program></kernel>
XML
  warpipe run k.xml --gpu "$gpu" --format json >out || exit 99
  sed -n 's/^  "cycles_drained": \([0-9.]*\),*$/\1/p; s/^  "cycles": \([0-9.]*\),*$/\1/p' out | tail -n 1 | tr '\n' ' '
  sed -n '/"name": "memory"/,/}/s/.*"gbytes_per_s": \([0-9.e+-]*\).*/and \1 GB\/s/p' out
}

# same OP NAMED EXECUTED
same ()
{
  for blocks in 1 20000; do
    named=$(cost "$1" "$2" $blocks)
    executed=$(cost "$1" "$3" $blocks)
    test -n "$named" && test "$named" = "$executed" ||
      complain "$gpu: $blocks blocks of $1 take $named cycles in context '$2', $executed in $3"
  done
}

# Under sanitizers one of them: the others differ by figures alone.
gpus='v100 v100-pcie titanrtx a100-40 a40 rtx4090 l40 h100-sxm h100-pcie gh200 rtx5090 b200'
test -z "${SAN_CFLAGS-}" || gpus=b200
for gpu in $gpus; do
  same ld.global "" access-1-4-4
  same ld.global l1 access-1-0-0
  same ld.global l2 access-1-4-0
  same st.global "" access-1-4-4
  same st.global l2 access-1-4-0
done
same ld.global random access-8-32-32
same ld.global sectors-4 access-1-4-4

# An access that waits for what another has asked for has the latency of that level, and moves
# nothing: 33, 203 and 549 cycles on the a100-40.
gpu=a100-40
waits ()
{
  cost ld.global "$1" 1 | sed 's/ .*//'
}
c0=$(waits access-1-0-0) c1=$(waits access-1-0-0-1) c2=$(waits access-1-0-0-2)
awk -v a="$c0" -v b="$c1" -v c="$c2" 'BEGIN { exit !(b - a == 170 && c - b == 346) }' ||
  complain "access-1-0-0, -1 and -2 take $c0, $c1, $c2 cycles, not 170 and 346 apart"
cost ld.global access-1-0-0-2 20000 | grep -q 'and 0 GB/s' || complain "access-1-0-0-2 moves bytes"

# Where every access hits in L2, one that waits for memory waits for L2.
cost ld.global access-1-0-0-1 20000 >one
cost ld.global access-1-0-0-2 20000 >two
hit=$(warpipe explain k.xml --gpu "$gpu" --format json |
  sed -n '/"l2-hits"/,/}/s/.*"cycles_drained": \([0-9.]*\).*/\1/p' | head -n 1)
test "$hit" = "$(sed 's/ .*//' one)" ||
  complain "with every access a hit in L2, access-1-0-0-2 takes $hit cycles, not $(cat one)"
sed 's/access-1-0-0-2/access-1-0-0-3/' k.xml >three.xml
warpipe run three.xml --gpu "$gpu" >out 2>err &&
  complain "access-1-0-0-3 is taken, as if it named a pipeline"
grep -q 'has no context "access-1-0-0-3"' err || complain "of access-1-0-0-3 is said: $(cat err)"

# With contended memory, too: the latency of a hit does not spread as memory's does.
for context in access-1-0-0 access-1-4-0 access-1-4-4 access-1-0-0-1 access-1-0-0-2; do
  for gpu in v100 rtx2080ti a100-40 a40 rtx4090 h100-sxm b200; do
    sed "s/access-1-0-0-2/$context/" k.xml >c.xml
    warpipe run c.xml --gpu $gpu --memory contended >out 2>err ||
      complain "$gpu, contended memory, $context: $(cat err)"
  done
done
exit $failed
