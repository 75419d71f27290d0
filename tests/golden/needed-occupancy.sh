# SPDX-License-Identifier: MIT
# needed-occupancy.sh KERNEL: for each of Volkov's five GPUs, the warps that a kernel needs for the best throughput.
# First as section 3.10 of Volkov 2016 estimates them, latency x throughput; then as simulated, the least for 90% of
# it. Both with per cent of full occupancy; last the best, warps in 1000 cycles. Blocks of one warp, twenty
# generations, each block replaced at once.
set -eu
kernel=$1

while read -r gpu sms full; do
  echo "<gpu like=\"$gpu\" name=\"$gpu-0\"><launch latency=\"0\"/></gpu>" >"$gpu-0.xml"
  n=1
  while test "$n" -le "$full"; do
    warpipe run "$kernel" --gpu "$gpu-0.xml" --no-limits --threads 32 --occupancy "$n" --blocks $((20 * n * sms)) \
      --format json
    n=$((n + 1))
  done |
  awk -F'[:,]' -v gpu="$gpu" -v full="$full" '
    /"warp_throughput"/ { attained[++n] = $2; if ($2 + 0 > best) best = $2 }
    END {
      for (k = 1; attained[k] < 0.9 * best; k++);
      estimate = best / attained[1]
      printf "%s %.1f %d%% %d %d%% %.3g\n", gpu, estimate, 100 * estimate / full + 0.5,
        k, 100 * k / full + 0.5, 1e3 * best
    }'
done <<END
8800gtx 16 24
gtx280 30 32
gtx480 15 48
gtx680 8 64
gtx980 16 64
END
