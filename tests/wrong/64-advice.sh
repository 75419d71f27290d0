#!/bin/sh
# SPDX-License-Identifier: MIT
# Advice for a kernel that keeps the load/store unit busy with shared memory is about its accesses to shared memory.
# explain CONTEXT: the verdict, as one line, on a kernel of accesses to shared memory.
explain ()
{
  cat >k.xml <<KERNEL
<kernel name="k">
  <launch blocks="1024" threads="256"/>
  <program>
    <repeat count="100">
      <i id="a" op="ld.shared" $1/>
      <i id="c" op="ld.shared" $1 after="c"/>
      <i id="b" op="fma.f32" after="a b c"/>
    </repeat>
  </program>
</kernel>
KERNEL
  "$WARPIPE" explain k.xml --gpu a100-80 >all || exit 1
  sed -n '/^What to fix first/,/^$/p' all | tr '\n' ' ' | tr -s ' ' >verdict
  echo >>verdict
}

# expect PATTERN WHAT: the verdict says it.
expect ()
{
  grep -q -e "$1" verdict || { echo "$2:"; cat verdict; exit 1; }
}

explain ''
expect 'Pipeline lsu is in use \(9[0-9]\|100\)% of the time' "the pipeline is not named"
expect 'ld.shared (100%; k.xml:5 and 1 more)' "the instruction is not named"
expect 'ld.shared.v4.*register tiling' "not what to change"
explain 'context="conflict-8"'
expect 'ld.shared conflict-8 (100%; k.xml:5 and 1 more)' "the instruction is not named"
expect 'bank conflicts: pad' "not what to change"
