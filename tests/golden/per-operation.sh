# SPDX-License-Identifier: MIT
# Reads lines GPU OP WARPS CHAIN MEASURED, and prints each with what the description gives: cycles an operation of one
# SM, of a block of WARPS warps. CHAIN: each operation waits for the one before it in its warp; no: none waits. OP may
# have a context behind a colon.
rounds=1000
while read -r gpu op warps chain measured; do
  context=
  case $op in *:*) context=" context=\"${op#*:}\"" ;; esac
  after=
  test "$chain" = no || after=' after="x"'
  cat >kernel.xml <<END
<kernel name="k">
  <launch blocks="1" threads="$((32 * warps))"/>
  <program>
    <repeat count="$rounds"><i id="x" op="${op%%:*}"$context$after/></repeat>
  </program>
</kernel>
END
  warpipe run kernel.xml --gpu "$gpu" --format json |
    awk -F '[:,]' -v of="$gpu $op, $warps warps" -v n=$((rounds * warps)) -v measured="$measured" '
      /"cycles":/ { printf "%s: %.2f measured, %.2f\n", of, measured, $2 / n }'
done
