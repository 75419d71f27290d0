#!/bin/sh
# SPDX-License-Identifier: MIT
# A matrix instruction, of PTX or of SASS, runs with figures of its own or not at all, never as fma.
printf 'MOV R1, 0x3;\nHMMA.16816.F32 R8, R4, R12, R8;\nLDSM.16.M88.4 R4, [R2];\nEXIT;\n' >k.sass
cat >k.ptx <<END
.version 7.0
.target sm_80
.address_size 64
.visible .entry k ()
{
  .reg .b32 %r<9>; .reg .f32 %f<9>;
  mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1,%f2,%f3,%f4}, {%r1,%r2,%r3,%r4}, {%r5,%r6}, {%f1,%f2,%f3,%f4};
  ret;
}
END
for file in k.sass k.ptx; do
  "$WARPIPE" import $file --blocks 8 --threads 32 -o k.xml 2>/dev/null || { echo "$file is not imported"; exit 1; }
  grep -q 'op="mma.sync.m16n8k16.f32.f16.f16.f32"' k.xml || { echo "$file: the name has no shape and types"; exit 1; }
  "$WARPIPE" run k.xml --gpu gtx980 >out 2>err && { echo "$file runs on gtx980, which has no matrix unit:"; cat err; exit 1; }
  grep -q 'mma.sync.m16n8k16' err || { echo "$file: the message does not name it:"; cat err; exit 1; }
  "$WARPIPE" run k.xml --gpu a100-40 >out 2>err || { echo "$file does not run on a100-40:"; cat err; exit 1; }
  grep 'mma.sync' err | grep -q 'runs* as' && { echo "$file runs as another on a100-40:"; cat err; exit 1; }
done
exit 0
