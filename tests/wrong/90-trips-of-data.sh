#!/bin/sh
# SPDX-License-Identifier: MIT
# Where data that nobody gave decide how often a loop of an executed kernel runs, there is no verdict.
# Nor where they decide much of what is executed. With them there is one.
cubin=$srcdir/tests/cuda/execute/fixtures/notes.sm_80.cubin

# has WARNING FILE WHAT
has ()
{
  grep -q "^  $1: .*depends on in, which nobody gave" "$2" || { echo "$3: no $1:"; cat "$2"; }
  grep -q "No verdict: $1" "$2" || { echo "$3: there is a verdict:"; cat "$2"; }
}

trips='unknown_trips<<<4096,64>>>(in,out,262144)'
for command in run explain 'compare --policy rr,gto'; do
  "$WARPIPE" $command "$cubin" --gpu a100-80 --launch "$trips" >out 2>err || { echo "$command failed:"; cat err; }
  has trips-assumed out "$command"
done
"$WARPIPE" run "$cubin" --gpu a100-80 --launch "$trips" --format json >out 2>err
grep -q '"name": "trips-assumed"' out || echo "no warning in JSON"
grep -q '"kind": "none"' out || echo "a verdict in JSON"
"$WARPIPE" tune "$cubin" --gpu a100-80 --launch 'unknown_trips<<<262144/$b,$b>>>(in,out,262144)' \
  --set b=64,128 >out 2>err || { echo "tune failed:"; cat err; }
grep -q 'trips-assumed' out || { echo "tune says nothing of it:"; cat out; }
"$WARPIPE" models "$cubin" --gpu a100-80 --launch "$trips" >out 2>err || { echo "models failed:"; cat err; }
grep -q 'trips-assumed' err || { echo "models says nothing of it:"; cat err; }
"$WARPIPE" run "$cubin" --gpu a100-80 --launch "$trips" --strict >out 2>err && echo "--strict takes it"

"$WARPIPE" run "$cubin" --gpu a100-80 --launch 'unknown_branch<<<4096,64>>>(in,out,262144)' >out 2>err
has branches-assumed out 'a branch'

for data in in=s32:random:1:5:9 in=zeros; do
  "$WARPIPE" run "$cubin" --gpu a100-80 --launch "$trips" --data "$data" >out 2>err || { echo "with $data it fails:"; cat err; }
  grep -q 'assumed\|No verdict' out && { echo "no verdict with $data:"; cat out; }
done
"$WARPIPE" run "$cubin" --gpu a100-80 --launch "$trips" --branch all=not >out 2>err || { echo "--branch fails:"; cat err; }
grep -q 'assumed' out && { echo "--branch said what is to be assumed:"; cat out; }
exit 0
