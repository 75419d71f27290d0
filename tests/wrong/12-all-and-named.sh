#!/bin/sh
# SPDX-License-Identifier: MIT
# What is named counts before what is said of all: a branch by its name, a loop of no rounds.
file=$srcdir/tests/cuda/loops.sm_80.ptx
has_loop ()
{
  "$WARPIPE" import "$file" --entry search --blocks 64 --threads 128 "$@" -o k.xml 2>err || { cat err; exit 1; }
  grep -q '<repeat' k.xml
}
has_loop --trip all=9 --branch all=not || { echo "--trip all=9 --branch all=not: no loop"; exit 1; }
has_loop --trip L__BB3_2=9 --branch all=taken || { echo "a loop is named, and --branch all skips it"; exit 1; }
has_loop --trip L__BB3_2=0 --branch all=not && { echo "L__BB3_2=0: the loop runs"; exit 1; }
"$WARPIPE" import "$file" --entry search --trip all=9 --branch 373=taken >k.xml 2>err &&
  { echo "--trip all=9 for a loop that a named branch skips is accepted"; exit 1; }
grep -q 'no loop is reached' err || { echo "it does not say that no loop is reached:"; cat err; exit 1; }
exit 0
