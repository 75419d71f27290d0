# SPDX-License-Identifier: MIT
# latencies.sh CSV OPS: every figure of a table of latencies, on the GPU of its row or column.
#
# An op's latency is the time between the issues of two instances of it, the second dependent on the first. One warp
# runs such a pair for each op, the pairs one after another, so that nothing else waits. OPS has `label|op ...`
# lines: the ops that stand for a row (Arafa) or a column (Volkov); `op@context`; `op>consumer` where the second is
# of another op. Prints how many pairs were as published for each GPU, and each that was not.
set -eu
csv=$1
ops=$2
grep -v '^#' "$csv" >table.csv

# GPU, label, figure. A first column named gpu has a GPU a row; else they are the columns, `_o0` for code without
# optimization. A figure that is left out for that (global memory) is the one of optimized code; NA is not there.
awk -F, '
  NR == 1 { by_row = $1 == "gpu"; for (i = 2; i <= NF; i++) head[i] = $i; next }
  by_row { for (i = 2; i <= NF; i++) print $1 "|" head[i] "|" $i; next }
  {
    for (i = 2; i <= NF; i++) {
      gpu = head[i]
      figure = $i
      if (sub (/_o3$/, "", gpu)) optimized[gpu] = $i
      if (sub (/_o0$/, "", gpu)) { if (figure == "") figure = optimized[gpu]; gpu = gpu "-o0" }
      if (figure != "NA") print gpu "|" $1 "|" figure
    }
  }' table.csv >figures

# GPU, figure, producer, its context, consumer. A label without an op is a mistake of OPS.
awk -F'|' '
  NR == FNR { if ($1 !~ /^#/ && $2 != "") ops[$1] = $2; next }
  !($2 in ops) { print "no op for " $2; exit 1 }
  {
    n = split (ops[$2], list, " ")
    for (k = 1; k <= n; k++) {
      consumer = pair = list[k]
      if (!sub (/.*>/, "", consumer)) consumer = pair
      sub (/>.*/, "", pair)
      print $1, $3, pair, consumer
    }
  }' "$ops" figures >pairs

for gpu in $(cut -d '|' -f 1 figures | uniq | awk '!seen[$0]++'); do
  awk -v gpu="$gpu" '
    function instruction (id, word, after,   part) {
      split (word, part, "@")
      printf "<i id=\"%s\" op=\"%s\"%s%s/>\n", id, part[1], part[2] == "" ? "" : " context=\"" part[2] "\"",
        after == "" ? "" : " after=\"" after "\""
    }
    BEGIN { print "<kernel name=\"pairs\"><launch blocks=\"1\" threads=\"32\"/><program>" }
    $1 == gpu {
      instruction ("p" NR, $3, last)
      last = "c" NR
      instruction (last, $4, "p" NR)
    }
    END { print "</program></kernel>" }' pairs >pairs.xml
  warpipe run pairs.xml --gpu "$gpu" --sms 1 --issues issues.csv >report
  awk -v gpu="$gpu" '
    BEGIN { n = 0 }
    NR == FNR { if ($1 == gpu) { wanted[n] = $2; what[n++] = $3 " before " $4 } next }
    FNR > 1 {
      split ($0, column, ",")
      if (FNR % 2 == 1) {
        k = (FNR - 3) / 2
        if (sprintf ("%.6g", column[1] - issued) == wanted[k]) good++
        else print gpu ": " what[k] ": " column[1] - issued ", published " wanted[k]
        done++
      }
      issued = column[1]
    }
    END { printf "%s: %d of %d\n", gpu, good, done == n ? n : -1 }' pairs issues.csv
done
