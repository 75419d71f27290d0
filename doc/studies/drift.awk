# SPDX-License-Identifier: MIT
# drift.awk [-v places=16] LIFETIMES.csv OCCUPANCY.csv: how far the blocks of SM 0 are in step, of a run whose grid fills
# it several times over. A line for every ten generations: warps resident (the 5th percentile, mean and 95th percentile
# of the time) and the autocorrelation of block starts,
#
#   r = (<n(t) n(t + L)> / <n>^2 - 1) / (B - 1).
#
# A generation L is the mean time from a block's start to the next one's in its place: (the last start of all - the first)
# x places / (starts - places), so that the launch latency is in it. It is cut into B = 8 slices; n is how many blocks
# start in a slice; <> are means over the slices of ten generations. r is 1 where all blocks of a generation start in one
# slice, each generation again; 0 where when one starts says nothing of when others do.
BEGIN {
  FS = ","
  B = 8
  W = 10
  if (!places) places = 16
}
FNR == 1 { file++; next }
$1 != 0 { next }
file == 1 { # sm,block,warp,slot,scheduler,start,end,...
  if (!($2 in start)) {
    start[$2] = $6
    n_blocks++
    if ($6 > last) last = $6
  }
  next
}
{ # sm,time,blocks,warps
  if (!L) begin()
  if (then != "") spend(then, $2, warps)
  then = $2
  warps = $4
}
function begin(block) {
  L = last * places / (n_blocks - places)
  for (block in start) starts[int(start[block] * B / L)]++
}
# WARPS were resident from FROM to TO.
function spend(from, to, warps,    window, until) {
  while (from < to) {
    window = int(from / (W * L))
    until = (window + 1) * W * L
    if (until <= from) until = to
    if (until > to) until = to
    time[window, warps] += until - from
    if (warps > most) most = warps
    from = until
  }
}
function percentile(window, percent,    sum, k) {
  for (k = 0; k <= most; k++) {
    sum += time[window, k]
    if (sum >= W * L * percent / 100) return k
  }
}
function mean(window,    sum, k) {
  for (k = 0; k <= most; k++) sum += k * time[window, k]
  return sum / (W * L)
}
function autocorrelation(window,    k, n, m, pairs) {
  for (k = window * W * B; k < (window + 1) * W * B; k++) m += starts[k]
  m /= W * B
  for (k = window * W * B; k < (window + 1) * W * B - B; k++) {
    pairs += starts[k] * starts[k + B]
    n++
  }
  return (pairs / n / (m * m) - 1) / (B - 1)
}
END {
  print "              warps resident       autocorrelation"
  print "generations    5%   mean   95%     of block starts"
  for (window = 0; (window + 1) * W * L <= last; window++)
    printf "%4d to %3d   %4d  %5.1f  %4d               %5.2f\n", window * W + 1, (window + 1) * W,
           percentile(window, 5), mean(window), percentile(window, 95), autocorrelation(window)
}
