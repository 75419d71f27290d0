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

for gpu in v100 v100-pcie titanrtx a100-40 a40 rtx4090 l40 h100-sxm h100-pcie gh200; do
  same ld.global "" access-1-4-4
  same ld.global l1 access-1-0-0
  same ld.global l2 access-1-4-0
  same st.global "" access-1-4-4
  same st.global l2 access-1-4-0
done
same ld.global random access-8-32-32
same ld.global sectors-4 access-1-4-4
exit $failed
