# SPDX-License-Identifier: MIT
# needed-black-scholes.sh FILE: for gtx680 and gtx980 the least number of warps that attains 90% of the best throughput, the
# best throughput x the latency of a warp alone, and the best, in warps in 1000 cycles. Blocks of one warp, ten
# generations of 64.
set -eu
for gpu in gtx680:8 gtx980:16; do
  warpipe sweep "$1" --branch all=not --gpu "${gpu%:*}" --no-limits --threads 32 --occupancy 1-64 \
    --blocks $((640 * ${gpu#*:})) 2>lacking |
    awk -F, -v gpu="${gpu%:*}" '
      NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
      { attained[$column["occupancy"]] = $column["warp_throughput"]
        if ($column["warp_throughput"] > best) best = $column["warp_throughput"] }
      END {
        for (n = 1; attained[n] < 0.9 * best; n++);
        printf "%s %d %.1f %.3g\n", gpu, n, best / attained[1], 1e3 * best
      }'
done
