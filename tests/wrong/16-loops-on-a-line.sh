#!/bin/sh
# SPDX-License-Identifier: MIT
# A line of the source with several loops, or branches, names none of them: the error lists them.
file=$srcdir/tests/cuda/loops.sm_80.ptx
"$WARPIPE" import "$file" --entry two_loops --trip loops.cu:76=5 >k.xml 2>err && { echo "accepted"; exit 1; }
grep -q '2 loops are on that line.*L__BB4_3.*L__BB4_7' err || { echo "it does not list the loops:"; cat err; exit 1; }
"$WARPIPE" import "$file" --entry two_loops --branch loops.cu:76=taken >k.xml 2>err && { echo "accepted"; exit 1; }
grep -q '2 branches are on that line.*439.*460' err || { echo "it does not list the branches:"; cat err; exit 1; }
"$WARPIPE" import "$file" --entry two_loops --trip L__BB4_33=5 >k.xml 2>err && { echo "accepted"; exit 1; }
grep -q 'did you mean L__BB4_3' err || { echo "it does not say what was meant:"; cat err; exit 1; }
exit 0
