# SPDX-License-Identifier: MIT
# needed.awk [-v share=98] ADDS.csv LOADS.csv: from the tables of two sweeps over the blocks of one warp that an SM has, the
# least number of warps with which each GPU has its busiest resource in use SHARE per cent of the time (adds: 99), and
# loads' divided by adds'.
function most(a, b) { return a > b ? a : b }
BEGIN { FS = ","; share = share ? share : 98 }
FNR == 1 { file++; for (i = 1; i <= NF; i++) column[$i] = i; next }
{
  gpu = $column["gpu"]
  sub(/^.*sm-/, "", gpu)
  sub(/\.xml$/, "", gpu)
  use = most($column["scheduler_utilization"],
             most($column["pipelines_compute_utilization"], $column["pipelines_memory_utilization"]))
  if (!(gpu in seen)) {
    seen[gpu] = 1
    order[++n] = gpu
  }
  if (100 * use >= (file == 1 ? 99 : share) && !((file, gpu) in needed))
    needed[file, gpu] = $column["warps"]
}
END {
  print "GPU       adds  loads  loads / adds"
  for (i = 1; i <= n; i++)
    printf "%-8s %5d %6d %13.2f\n", order[i], needed[1, order[i]], needed[2, order[i]],
      needed[2, order[i]] / needed[1, order[i]]
}
