#!/bin/sh
# SPDX-License-Identifier: MIT
# Rounds of an inner loop whose branches differ do so in each round of an outer one that is like it.
cat >k.ptx <<'END'
.version 7.0
.target sm_80
.address_size 64
.visible .entry k()
{
  .reg .pred %p<5>;
  .reg .b32 %r<3>;
  .reg .f32 %f<4>;
  mov.u32 %r1, 0;
OUTER:
  setp.ne.s32 %p1, %r1, 0;
  @%p1 bra INNER;
  add.f32 %f1, %f1, %f1;
INNER:
  mov.u32 %r2, 0;
ROUND:
  setp.gt.s32 %p2, %r2, 1;
  @%p2 bra LATE;
  mul.f32 %f2, %f2, %f2;
  bra NEXT;
LATE:
  sqrt.rn.f32 %f3, %f3;
NEXT:
  add.s32 %r2, %r2, 1;
  setp.lt.s32 %p3, %r2, 4;
  @%p3 bra ROUND;
  add.s32 %r1, %r1, 1;
  setp.lt.s32 %p4, %r1, 3;
  @%p4 bra OUTER;
  ret;
}
END
"$WARPIPE" run k.ptx --gpu a100-80 --threads 32 --blocks 1 --issues issues >out 2>err ||
  { echo "the run failed:"; cat err; exit 1; }
for op in mul.f32 sqrt.f32; do
  n=$(grep -c "$op" issues)
  test "$n" -eq 6 || echo "$n $op; 2 in each of 3 rounds are 6"
done
exit 0
