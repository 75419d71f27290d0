# SPDX-License-Identifier: MIT
# From an --issues table of adds and loads with whole times: how many of each are in execution (time <= t < complete)
# in the cycles t of [from, to), and how many adds issue in a cycle.
BEGIN { FS = "," }
NR > 1 && ($7 ~ /^add/ || $7 ~ /^ld/) {
  kind = $7 ~ /^add/ ? "adds" : "loads"
  for (t = $1 > from ? $1 : from; t < $10 && t < to; t++) count[kind, t]++
  if (kind == "adds" && $1 >= from && $1 < to) issued++
}
function line (kind,   t, n, least, most, sum)
{
  least = 1e9
  for (t = from; t < to; t++)
    {
      n = count[kind, t] + 0
      if (n < least) least = n
      if (n > most) most = n
      sum += n
    }
  return sprintf ("%s %.2f (%d-%d)", kind, sum / (to - from), least, most)
}
END { printf "%s, %s, %.3f adds a cycle\n", line("adds"), line("loads"), issued / (to - from) }
