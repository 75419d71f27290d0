#!/bin/sh
# SPDX-License-Identifier: MIT
# Advice on addresses goes by the bytes that an access moves: four wavefronts are no conflict of 16 bytes a thread or of
# four matrices, an access that was executed may be scattered, and instructions that differ only in their mixes of
# contexts are named once, by their line of the source.
# explain INSTRUCTION...: the verdict, as one line, on a kernel of such instructions.
explain ()
{
  {
    echo '<kernel name="k"><launch blocks="1024" threads="256"/><program><repeat count="100">'
    printf '%s\n' "$@"
    echo '</repeat></program></kernel>'
  } >k.xml
  "$WARPIPE" explain k.xml --gpu a100-80 >all || exit 1
  sed -n '/^What to fix first/,/^$/p' all | tr '\n' ' ' | tr -s ' ' >verdict
  echo >>verdict
}

# expect PATTERN WHAT, refuse PATTERN WHAT: the verdict says it, and does not.
expect ()
{
  grep -q -e "$1" verdict || { echo "$2:"; cat verdict; exit 1; }
}
refuse ()
{
  if grep -q -e "$1" verdict; then echo "$2:"; cat verdict; exit 1; fi
}

explain '<i op="ld.shared.v4.u32" context="conflict-4"/>'
expect 'Pipeline lsu is in use' "the pipeline is not named"
refuse 'bank conflicts' "16 bytes a thread take four wavefronts"
explain '<i op="ld.shared.v4.u32" context="conflict-8"/>'
expect 'bank conflicts: pad' "conflicts of two ways"
explain '<i op="ldmatrix.sync.m8n8.x4.shared.b16" context="conflict-4"/>'
refuse 'bank conflicts' "four matrices take four wavefronts"
explain '<i op="ldmatrix.sync.m8n8.x4.shared.b16" context="conflict-32"/>'
expect 'bank conflicts: pad' "conflicts of eight ways"
explain '<i op="ld.shared.u32" context="conflict-1*999 conflict-2*1"/>'
refuse 'bank conflicts' "hardly any has one"

explain '<i op="ld.global.u32" context="access-1-4-4*3 access-1-5-4*1" text="k.cu:7: LDG R1, [R2.64]"/>'
refuse 'Coalesce' "one sector too much, for an address that is not aligned"
explain '<i op="ld.global.u32" context="access-8-32-32*2 access-8-31-31*1" text="k.cu:7: LDG R1, [R2.64]"/>' \
  '<i op="ld.global.u32" context="access-8-32-32*1 access-8-32-30*1" text="k.cu:7: LDG R3, [R4.64]"/>'
expect 'Coalesce it' "each lane has a sector of its own"
expect 'ld.global.u32 (100%; k.cu:7 and 1 more)' "they are two instructions on one line of the source"
