#!/bin/sh
# SPDX-License-Identifier: MIT
# bar.sync with a number and a count of threads holds only the warps that it is for, and bar.arrive none.
cat >k.ptx <<END
.version 7.0
.target sm_80
.address_size 64
.visible .entry k (.param .u64 k_param_0)
{
  .reg .pred %p<3>; .reg .b32 %r<9>; .reg .f32 %f<9>; .reg .b64 %rd<9>;
  ld.param.u64 %rd1, [k_param_0];
  @%p1 bra SLOW;
  bar.arrive 1, 128;
  bar.sync 2, 64;
  exit;
SLOW:
  ld.global.f32 %f1, [%rd1];
  add.f32 %f1, %f1, %f1;
  bar.sync 1, 128;
  ret;
}
END
"$WARPIPE" run k.ptx --gpu a100-40 --blocks 1 --threads 128 --branch SLOW=taken:0-1 --lifetimes - \
  --format json >out 2>err || { cat err; exit 1; }
# Warps 2 and 3 only arrive where 0 and 1 wait, and these wait for a load.
awk -F, '$3 ~ /^[0-9]+$/ && NF > 9 { if ($3 < 2) slow = $7; else if ($7 > fast) fast = $7 }
         END { if (!(fast > 0 && slow > 300 && fast < 150))
                 print "warps 2 and 3 end at " fast ", 0 and 1 at " slow }' out >wrong
test ! -s wrong || { cat wrong; exit 1; }
