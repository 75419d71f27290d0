#!/bin/sh
# SPDX-License-Identifier: MIT
# A --trip, --branch or --context that takes no effect is an error that says why.
file=$srcdir/tests/cuda/loops.sm_80.ptx
refuses ()
{
  says=$1
  shift
  "$WARPIPE" import "$file" --blocks 64 --threads 256 "$@" >k.xml 2>err &&
    { echo "accepted: $*"; exit 1; }
  grep -q -e "$says" err || { echo "$*: it does not say \"$says\":"; cat err; exit 1; }
}
refuses 'neither the code nor another --trip counts' --entry tree --trip all=5
refuses 'no warp reaches that loop' --entry search --trip L__BB3_2=5 --branch 373=taken
refuses 'no warp gets there' --entry search --branch 387=taken --branch 373=taken
refuses 'no warp gets there' --entry search --branch 373=taken --context 385=random
cat >one.ptx <<'END'
.version 7.0
.target sm_80
.address_size 64
.visible .entry k () {
  .reg .pred p; .reg .u32 r;
  mov.u32 r, %ntid.x;
  setp.lt.u32 p, r, 2;
  @p bra E;
  membar.gl;
E:
  ret;
}
END
file=one.ptx
refuses 'constants and the launch decide the branch on line 8: it is not taken' --branch E=taken
refuses 'another --branch nor the code decides' --branch all=both
exit 0
