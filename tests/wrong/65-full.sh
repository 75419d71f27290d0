#!/bin/sh
# SPDX-License-Identifier: MIT
# Nobody is told to have more warps where an SM holds no more.
more='[Mm]ore warps at a time\|have more warps\|[Ll]et more warps'
for command in run bounds explain; do
  "$WARPIPE" $command kothapalli-histogram --gpu a100-80 >out || exit 1
  tr '\n' ' ' <out | tr -s ' ' >line
  grep -q '64 warps\|(64)\|the 64' line || { echo "$command: not all 64 are resident"; cat out; exit 1; }
  grep -q "$more" line && { echo "$command advises more warps than 64:"; cat out; exit 1; }
done
"$WARPIPE" run volkov-mix --gpu gtx980 --threads 256 --registers 128 >out || exit 1
tr '\n' ' ' <out | tr -s ' ' | grep -q 'fewer registers a thread than 128' ||
  { echo "not what would let more in:"; cat out; exit 1; }
