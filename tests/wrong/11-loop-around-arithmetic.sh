#!/bin/sh
# SPDX-License-Identifier: MIT
# A loop that is named runs, with what is in it, whatever guards are around it.
"$WARPIPE" import "$srcdir/tests/cuda/loops.sm_80.ptx" --entry two_loops --trip L__BB4_7=25 \
  --branch all=not -o k.xml 2>err || { echo "it is refused:"; cat err; exit 1; }
grep -q 'repeat count="25"' k.xml || { echo "the loop that is named is not there"; exit 1; }
grep -q 'op="mul.f32"' k.xml || { echo "its multiplication is not there"; exit 1; }
exit 0
