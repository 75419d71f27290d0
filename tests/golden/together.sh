#!/bin/sh
# SPDX-License-Identifier: MIT
# together.sh GPU OP...: cycles for which independent OPs, one of each, keep a scheduler with 8 warps, by what the GPU's
# description says. Prints "GPU OP...: CYCLES".
set -e
gpu=$1
shift
names="$*"
pattern=$(printf '<i op="%s"/>' "$@")
cat >mix.xml <<END
<kernel name="mix"><launch blocks="1" threads="1024" registers="16"/>
<program><repeat count="800">$pattern</repeat></program></kernel>
END
warpipe run mix.xml --gpu "$gpu" --sms 1 --format json |
  awk -v what="$gpu $names" -F '[:,]' '/^ *"cycles":/ { printf "%s: %.1f\n", what, $2 / (8 * 800) }'
