# SPDX-License-Identifier: MIT
# ipc.awk -v by=COLUMN SWEEP.csv: instructions a cycle by occupancy, a column for each value of COLUMN, at every fourth warp.
BEGIN { FS = "," }
NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
{
  warps = $column["occupancy"]
  series = $column[by]
  if (!(series in known)) { known[series] = 1; name[++n_series] = series }
  if (!(warps in there) && warps % 4 == 0) { there[warps] = 1; order[++n] = warps }
  ipc[series, warps] = $column["ipc"]
}
END {
  printf "warps"
  for (k = 1; k <= n_series; k++) printf "%12s", substr(by, 5) "=" name[k]
  print ""
  for (i = 1; i <= n; i++) {
    printf "%5d", order[i]
    for (k = 1; k <= n_series; k++) printf "%12.4f", ipc[name[k], order[i]]
    print ""
  }
}
