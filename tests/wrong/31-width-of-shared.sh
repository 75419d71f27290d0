#!/bin/sh
# SPDX-License-Identifier: MIT
# Shared memory delivers 128 bytes at a time: 16 bytes a thread take four times as long, 1 byte no less than 4.
# Where the load/store unit takes no instruction in less than two cycles, 4 and 8 bytes take these, 16 four.
# use TYPE GPU: cycles for which a thousand loads keep shared memory.
use ()
{
  cat >shared.xml <<XML
<kernel name="shared"><launch blocks="64" threads="1024"/>
<program><repeat count="100"><i op="ld.shared.$1"/></repeat></program></kernel>
XML
  "$WARPIPE" run shared.xml --gpu "$2" --format json >out 2>err || { cat err; exit 1; }
  test ! -s err || { echo "$1 on $2 is not accounted for:"; cat err; exit 1; }
  sed -n 's/^  "cycles": \([0-9.]*\),*$/\1/p' out
}

for gpu in gtx980 v100 a100-80 h100-sxm rtx4090; do
  one=$(use u32 $gpu)
  for type in v4.f32 f64 u8; do
    case $gpu,$type in rtx4090,v4.f32) times=2;; *,v4.f32) times=4;; rtx4090,f64) times=1;; *,f64) times=2;; *) times=1;; esac
    cycles=$(use $type $gpu) || { echo "$cycles"; exit 1; }
    echo "$cycles $one $times" | awk -v what="ld.shared.$type on $gpu" \
      '{ if ($1 < 0.97 * $2 * $3 || $1 > 1.03 * $2 * $3) print what ": " $1 " cycles; 4 bytes take " $2 }'
  done
done
