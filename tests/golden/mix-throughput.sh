# SPDX-License-Identifier: MIT
# mix-throughput.sh GPU: volkov-mix against the formula of Volkov 2016, table 4.2, for alpha 1, 8, 32, 128 and 512:
# memory throughput of n warps = min (n / (mem_lat + alpha alu_lat), mem_thru, alu_thru / alpha,
# issue_thru / (alpha + 1)). The knee is the n at which the first term equals the least of the others. Prints per
# cent of the formula at half the knee, at it, a quarter above and at twice the knee (rounded down to whole warps
# below the knee, up above), and OUT beside what breaks the law: over 100.1 anywhere, under 98 at half and twice.
#
# Blocks of one warp, replaced at once, 40 generations of at least 129 instructions: the last blocks of a run end in
# an SM that is no longer full, for longer where schedulers have unequal numbers of warps, as they have at most n.
# With four generations of 2052 instructions GTX 980 and GTX 680 come to 95.9% for alpha 512 at twice the knee (54
# and 77 warps on four schedulers). The thesis makes 100 generations (section 5.9), and looks at whole numbers of
# warps per scheduler only (section 5.8).
set -eu
gpu=$1
generations=40
instructions=129

echo "<gpu like=\"$gpu\" name=\"$gpu-0\"><launch latency=\"0\"/></gpu>" >"$gpu-0.xml"
awk -F, -v gpu="$gpu" '
  function least (a, b) { return a < b ? a : b }
  $1 == gpu {
    for (k = split ("1 8 32 128 512", alphas, " "); k > 0; k--) {
      alpha = alphas[k]
      latency = $3 + alpha * $5
      peak = least ($4, least ($6 / alpha, $7 / (alpha + 1)))
      knee = latency * peak
      for (f = split ("0.5 1 1.25 2", factors, " "); f > 0; f--) {
        x = factors[f] * knee
        n = int (x) + (factors[f] >= 1 && x > int (x))
        print alpha, knee, factors[f], n, least (n / latency, peak), $2
      }
    }
  }' "$golden/volkov-model-parameters.csv" | sort -n -k1 -k3 |
while read -r alpha knee factor n formula sms; do
  rounds=$(((instructions + alpha) / (alpha + 1)))
  warpipe run volkov-mix --set alpha="$alpha" --set rounds="$rounds" --gpu "$gpu-0.xml" --no-limits \
    --occupancy "$n" --blocks $((generations * n * sms)) --format json |
  awk -F'[:,]' -v alpha="$alpha" -v knee="$knee" -v factor="$factor" -v n="$n" -v formula="$formula" '
    /"cycles"/ { cycles = $2 }
    /"name": "memory"/ { memory = 1 }
    /"instructions"/ && memory { loads = $2; memory = 0 }
    END {
      percent = 100 * loads / cycles / formula
      out = (percent > 100.1 || ((factor == 0.5 || factor == 2) && percent < 98))
      printf "alpha %d, knee %.2f, %d warps: %.1f%%%s\n", alpha, knee, n, percent, (out ? " OUT" : "")
    }'
done
