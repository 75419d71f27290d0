#!/bin/sh
# SPDX-License-Identifier: MIT
# What is assumed of a branch that the compiler copied is one note for all copies, and one --branch
# by its line decides all. Different branches on a line are an error that names each once.
cat >k.ptx <<END
.version 8.0
.target sm_80
.address_size 64
.visible .entry k (.param .u64 k_param_0)
{
  .reg .pred %p<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>;
  ld.param.u64 %rd1, [k_param_0];
  .loc 1 3 1
  ld.global.u32 %r1, [%rd1];
  .loc 1 5 7
  setp.le.s32 %p1, %r1, 1;
  @%p1 bra A;
  .loc 1 6 9
  st.global.u32 [%rd1], %r1;
A:
  .loc 1 5 7
  setp.le.s32 %p2, %r1, 2;
  @%p2 bra B;
  .loc 1 6 9
  st.global.u32 [%rd1], %r1;
B:
  .loc 1 5 7
  setp.le.s32 %p3, %r1, 3;
  @%p3 bra C;
  .loc 1 6 9
  st.global.u32 [%rd1], %r1;
C:
  .loc 1 8 7
  setp.le.s32 %p4, %r1, 4;
  @%p4 bra D;
  st.global.u32 [%rd1], %r1;
D:
  .loc 1 8 30
  setp.le.s32 %p5, %r1, 5;
  @%p5 bra E;
  st.global.u32 [%rd1], %r1;
E:
  ret;
}
.file 1 "k.cu"
END
run () { "$WARPIPE" import k.ptx --blocks 8 --threads 128 -o k.xml "$@" 2>err; }
run || { echo "the import failed:"; cat err; exit 1; }
[ "$(grep -c 'k.cu:5' err)" = 1 ] || { echo "not one note for line 5:"; cat err; exit 1; }
grep -q 'k.cu:5: a branch in 3 copies: assumed not taken, so that nothing is skipped; --branch k.cu:5=taken' err ||
  { echo "the note is another one:"; cat err; exit 1; }
run --branch k.cu:5=taken || { echo "it does not decide copies:"; cat err; exit 1; }
grep -q 'k.cu:5' err && { echo "there is still a note:"; cat err; exit 1; }
[ "$(grep -c 'st.global' k.xml)" = 2 ] || { echo "it does not decide all copies"; exit 1; }
run --branch k.cu:8=taken && { echo "one hint decides two branches of the source"; exit 1; }
grep -q '2 branches are on that line.*(to D), .*(to E)' err || { echo "it does not list them:"; cat err; }

# Copies of a loop are one note and one --trip, too.
cat >k.ptx <<END
.version 8.0
.target sm_80
.address_size 64
.visible .entry k (.param .u64 k_param_0)
{
  .reg .pred %p<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>;
  ld.param.u64 %rd1, [k_param_0];
  .loc 1 3 1
  ld.global.u32 %r1, [%rd1];
A:
  .loc 1 5 7
  sub.u32 %r1, %r1, 1;
  setp.ne.s32 %p1, %r1, 0;
  @%p1 bra A;
  bar.sync 0;
  ld.global.u32 %r2, [%rd1];
B:
  sub.u32 %r2, %r2, 1;
  setp.ne.s32 %p2, %r2, 0;
  @%p2 bra B;
  ret;
}
.file 1 "k.cu"
END
run || { echo "the import of loops failed:"; cat err; exit 1; }
grep -q 'k.cu:5: a loop in 2 copies: assumed to run once; --trip k.cu:5=N' err ||
  { echo "the note of the loops is another one:"; cat err; exit 1; }
run --trip k.cu:5=7 || { echo "it does not count copies:"; cat err; exit 1; }
[ "$(grep -c 'repeat count="7"' k.xml)" = 2 ] || { echo "it does not count all copies"; exit 1; }
exit 0
