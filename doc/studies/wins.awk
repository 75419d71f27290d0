# SPDX-License-Identifier: MIT
# Reads the table of a sweep that varies policies, and prints how often each is faster than all others, by how much at most,
# and in which launch. Rows of a launch follow one another, as policies vary fastest.
function launch_ends(   i, least, next_best, most, alone)
{
  if (n == 0)
    return
  launches++
  least = next_best = most = 0
  for (i = 1; i <= n; i++)
    if (least == 0 || cycles[i] < least)
      least = cycles[i]
  for (i = 1; i <= n; i++) {
    if (cycles[i] == least)
      alone = alone ? -1 : i
    else if (next_best == 0 || cycles[i] < next_best)
      next_best = cycles[i]
    if (cycles[i] > most)
      most = cycles[i]
  }
  spread = most / least - 1
  within1 += spread < 0.01
  within5 += spread < 0.05
  for (i = 1; i <= n; i++)
    as_fast[i] += cycles[i] == least
  if (alone > 0) {
    wins[alone]++
    if (next_best / least - 1 > best[alone]) {
      best[alone] = next_best / least - 1
      where[alone] = launch
    }
  }
  n = 0
}
BEGIN { FS = "," }
NR == 1 {
  for (i = 1; i <= NF; i++) {
    column[$i] = i
    if (sub(/^set_/, "", $i))
      parameter[i] = $i
  }
  n_columns = NF
  next
}
$column["policy"] == policy[1] { launch_ends() }
{
  launch = ""
  for (i = 1; i <= n_columns; i++)
    if (i in parameter)
      launch = launch parameter[i] "=" $i " "
  launch = launch "threads=" $column["launch_threads"]
  policy[++n] = $column["policy"]
  cycles[n] = $column["cycles"]
  if (n > policies)
    policies = n
}
END {
  launch_ends()
  printf "%d launches; all policies within 1%% in %d of them, within 5%% in %d\n\n", launches, within1, within5
  print "           as good as  better than  than the next"
  print "policy     any other   all others   at most, %      there"
  for (i = 1; i <= policies; i++)
    printf "%-10s %9d %12d %14.1f  %s\n", policy[i], as_fast[i], wins[i], 100 * best[i], where[i]
}
