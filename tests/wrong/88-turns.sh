#!/bin/sh
# SPDX-License-Identifier: MIT
# Where loads and stores take turns, memory has no room for more: that is its throughput, not latency; and it still moves
# two thirds of what the pins do, as a controller collects stores.
cat >saxpy.xml <<END
<kernel name="saxpy">
  <launch blocks="864" threads="256" registers="16"/>
  <program>
    <repeat count="64">
      <i id="x" op="ld.global"/><i id="y" op="ld.global"/>
      <i id="s" op="fma.f32" after="x y"/><i op="st.global" after="s"/>
    </repeat>
  </program>
</kernel>
END
status=0
for gpu in v100:897 a100-40:1555 a40:696 h100-sxm:3352; do
  name=${gpu%:*}
  "$WARPIPE" run saxpy.xml --gpu "$name" --format json >out || { echo "$name: the run failed"; exit 1; }
  grep -q '"kind": "throughput"' out && grep -q '"resource": "memory"' out ||
    { echo "$name: $(grep -A3 '"verdict"' out | tr -s ' \n' ' ')"; status=1; }
  gbs=$(sed -n '/"name": "memory"/,/}/s/.*"gbytes_per_s": \([0-9.]*\).*/\1/p' out)
  awk -v gbs="$gbs" -v pins="${gpu#*:}" 'BEGIN { exit gbs >= pins * 2 / 3 && gbs <= pins ? 0 : 1 }' ||
    { echo "$name: $gbs GB/s of ${gpu#*:}"; status=1; }
done
exit $status
