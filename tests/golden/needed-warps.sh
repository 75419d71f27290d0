# SPDX-License-Identifier: MIT
# needed-warps.sh COLUMN: for each of the five GPUs, the least number of warps per scheduler with which a chain of
# dependent instructions (chain-COLUMN.xml) attains 99% of the peak of table 6.1, beside the figure of table 6.3.
# Blocks of one warp, four generations of 300 instructions, each block replaced at once; n is a whole number of
# warps per SM, and the search ends at twice the published figure.
set -eu
column=$1

grep -v '^#' "$golden/volkov-needed-warps.csv" |
awk -F, -v column="$column" '
  NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
  { print $1, $2, $3, $at[column "_ops"], $at[column] }' |
while read -r gpu sms schedulers ops published; do
  echo "<gpu like=\"$gpu\" name=\"$gpu-0\"><launch latency=\"0\"/></gpu>" >"$gpu-0.xml"
  most=$(echo "$published $schedulers" | awk '{ print 2 * $1 * $2 }')
  n=1
  while test "$n" -le "$most"; do
    warpipe run "$golden/chain-$column.xml" --gpu "$gpu-0.xml" --no-limits --occupancy "$n" \
      --blocks $((4 * n * sms)) --format json >run.json
    # The first "ipc" is that of the SM.
    if awk -F'[:,]' -v ops="$ops" -v schedulers="$schedulers" '
      /"ipc"/ { attained = ($2 >= 0.99 * ops * schedulers / 32); exit }
      END { exit !attained }' run.json
    then break; fi
    n=$((n + 1))
  done
  echo "$gpu $n $schedulers $published" | awk -v most="$most" '{
    needed = $2 > most ? "more than " most / $3 : $2 / $3
    verdict = $2 / $3 == $4 ? "exactly" : $2 / $3 < $4 ? "fewer" : "MORE"
    print $1 ": " needed ", published " $4 ": " verdict
  }'
done
