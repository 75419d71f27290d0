#!/bin/sh
# SPDX-License-Identifier: MIT
# A copy by 16 bytes a thread takes four times as long as one by 4, less what memory turns less often, and never moves more than the pins do; fewer bytes take less.
# copy TYPE GPU: "cycles GB/s" of a copy of so many elements, over the time until all stores are done.
copy ()
{
  cat >copy.xml <<XML
<kernel name="copy"><launch blocks="16000" threads="256" registers="16"/>
<program><i id="a" op="ld.global.$1"/><i op="st.global.$1" after="a"/></program></kernel>
XML
  "$WARPIPE" run copy.xml --gpu "$2" --format json >out 2>err || { cat err; exit 1; }
  test ! -s err || { echo "$1 on $2 is not accounted for:"; cat err; exit 1; }
  sed -n 's/^  "cycles\(_drained\)\{0,1\}": \([0-9.]*\),*$/\2/p' out | sort -n | tail -n 1
}

# check GPU SMS CLOCK PINS: rates in GB/s over the whole device, as the SM that is simulated has its share.
check ()
{
  one=$(copy f32 "$1")
  for type in v4.f32 v2.f32 f64 u16 u8; do
    case $type in v4.f32) bytes=16;; v2.f32 | f64) bytes=8;; u16) bytes=2;; *) bytes=1;; esac
    cycles=$(copy $type "$1") || { echo "$cycles"; exit 1; }
    echo "$cycles $one $bytes" | awk -v gpu="$1" -v type=$type -v sms="$2" -v mhz="$3" -v pins="$4" '{
      gbs = 16000 * 256 * 2 * $3 / sms * mhz / 1000 * sms / $1
      if (gbs > 1.001 * pins) printf "%s on %s: %.0f GB/s, above the %s of the pins\n", type, gpu, gbs, pins
      ratio = $1 / $2 / ($3 / 4)
      if ($3 > 4 && (ratio < 0.75 || ratio > 1.25)) printf "%s on %s: %.2f times what its bytes take\n", type, gpu, ratio
      if ($3 < 4 && (ratio < 0.93 || $1 > 0.75 * $2)) printf "%s on %s: %s cycles; 4 bytes %s\n", type, gpu, $1, $2
    }'
  done
}

check v100 80 1246 897
check gtx980 16 1266 224
check a100-80 108 1410 2039
