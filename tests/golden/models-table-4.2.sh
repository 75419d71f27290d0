# SPDX-License-Identifier: MIT
# models-table-4.2.sh: Volkov's basic model by the command against Volkov 2016, table 4.2, with the figures of table
# 4.1: memory throughput at n warps = min (n / (mem_lat + alpha alu_lat), mem_thru, alu_thru / alpha,
# issue_thru / (alpha + 1)). Launch latency 0, as there. A line for each GPU and alpha, at 1, 8 and all warps: the model
# in per cent of the formula, and OUT where they differ by more than 0.1%.
set -eu
while read -r gpu all; do
  echo "<gpu like=\"$gpu\" name=\"$gpu-0\"><launch latency=\"0\"/></gpu>" >"$gpu-0.xml"
  for alpha in 1 32 512; do
    warpipe models volkov-mix --gpu "$gpu-0.xml" --no-limits --model volkov --set alpha=$alpha --set rounds=20 \
      --occupancy "1,8,$all" --format csv |
    awk -F, -v gpu="$gpu" -v alpha=$alpha '
      function least (a, b) { return a < b ? a : b }
      FILENAME != "-" { if ($1 == gpu) { mem_lat = $3; mem_thru = $4; alu_lat = $5; alu_thru = $6; issue_thru = $7 } next }
      $1 + 0 > 0 {
        formula = least (least ($1 / (mem_lat + alpha * alu_lat), mem_thru), least (alu_thru / alpha, issue_thru / (alpha + 1)))
        percent = 100 * 20 * $3 / formula
        line = line sprintf (" %d: %.1f%%", $1, percent) (percent > 100.1 || percent < 99.9 ? " OUT" : "")
      }
      END { printf "%s, alpha %d:%s\n", gpu, alpha, line }' "$golden/volkov-model-parameters.csv" -
  done
done <<END
8800gtx 24
gtx280 32
gtx480 48
gtx680 64
gtx980 64
END
