#!/bin/sh
# SPDX-License-Identifier: MIT
# What is assumed is said once: of the copies of an unrolled branch, and of an access in several programs.
{
  cat <<'PTX'
.version 7.0
.target sm_80
.address_size 64
.file 1 "sort.cu"
.visible .entry sort(.param .u64 p)
{
  .reg .pred %p<9>;
  .reg .b32 %r<9>;
  .reg .b64 %rd<9>;
  .loc 1 3 0
  ld.param.u64 %rd1, [p];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  .loc 1 4 0
  ld.global.u32 %r2, [%rd3];
PTX
  for i in 1 2 3 4 5; do
    printf '  .loc 1 5 0\n  ld.global.u32 %%r3, [%%rd3+%s];\n  setp.gt.u32 %%p1, %%r3, %%r2;\n' $((i * 128))
    printf '  @%%p1 bra L%s;\n  st.global.u32 [%%rd3+%s], %%r2;\nL%s:\n' $i $((i * 128)) $i
  done
  cat <<'PTX'
  .loc 1 6 0
  setp.gt.u32 %p2, %r1, 31;
  @%p2 bra LAST;
  st.global.u32 [%rd3], %r3;
LAST:
  ret;
}
PTX
} >sort.ptx
"$WARPIPE" run sort.ptx --gpu a100-40 --blocks 64 --threads 128 >out 2>err || { echo "the run failed:"; cat err; exit 1; }
test "$(grep -c 'sort.cu:5' err)" -eq 1 || { echo "not one note for five branches:"; cat err; }
grep -q 'sort.cu:5: a branch in 5 copies: assumed not taken' err || { echo "not for all:"; cat err; }
grep -q ': 12 accesses assumed coalesced' err || { echo "not 1 + 5 + 5 + 1 accesses:"; cat err; }

# What the note proposes is accepted.
for hint in sort.cu:5=taken all=both; do
  "$WARPIPE" run sort.ptx --gpu a100-40 --blocks 64 --threads 128 --branch $hint >out 2>err ||
    { echo "--branch $hint is refused:"; cat err; }
done
exit 0
