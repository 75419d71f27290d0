# SPDX-License-Identifier: MIT
# ends.awk -v name=NAME -v full=WARPS -v few=WARPS: of the occupancy traces of two launches, one after another, the same
# work by blocks that stay and by many that come and go: a line with when half of the first launch's warps have ended for
# good (per cent of its time), the share of the time with fewer than `few` warps, the mean of the second's warps and its
# share with few, and how much faster it is.
BEGIN { FS = "," }
$0 == "sm,time,blocks,warps" {
  run++
  then = ""
  next
}
NF == 4 && $1 == "0" {
  if (then != "") {
    sum[run] += warps * ($2 - then)
    if (warps < few) short[run] += $2 - then
  }
  then = end[run] = $2
  warps = $4
  if (warps > full / 2) half[run] = ""
  else if (half[run] == "") half[run] = $2
}
END {
  printf "%-10s%14.0f%%%11.1f%%%16.1f%11.1f%%%10.1f%%\n", name, 100 * half[1] / end[1], 100 * short[1] / end[1],
         sum[2] / end[2], 100 * short[2] / end[2], 100 * (end[1] / end[2] - 1)
}
