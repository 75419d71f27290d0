#!/bin/sh
# SPDX-License-Identifier: MIT
# permute-loads.sh ADDRESSES...: "GPU  PER CENT" of full occupancy that a permutation needs on each
# of Volkov's five GPUs, whose accesses to b have the context that `warpipe coalesce ADDRESSES...`
# says.
context=$(warpipe coalesce "$@" | sed -n 's/^  context  *\([^ :]*\).*/\1/p')
attribute=
test "$context" = none || attribute="context=\"$context\""
sed "s/context=\"random\"/$attribute/" "$srcdir/idg/kernels/permute-random.xml" >permute.xml
for gpu in 8800gtx gtx280 gtx480 gtx680 gtx980; do
  warps=$(sed -n 's/.*<limits warps="\([0-9]*\)".*/\1/p' "$srcdir/configs/$gpu.xml")
  warpipe bounds permute.xml --gpu $gpu --format json |
    awk -F '[:,]' -v gpu=$gpu -v warps="$warps" '/"needed_occupancy"/ { printf "%s %.1f\n", gpu, 100 * $2 / warps }'
done
