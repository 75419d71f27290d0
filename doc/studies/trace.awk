# SPDX-License-Identifier: MIT
# trace.awk -v plot=NAME -v cycles=CYCLES -v from="CYCLE CYCLE ..." OCCUPANCY.csv: a script for gnuplot that draws the
# warps resident on SM 0, in a panel for each of those stretches of time, as NAME.svg.
BEGIN {
  FS = ","
  n = split(from, begins, " ")
}
FNR == 1 || $1 != 0 { next }
{
  for (i = 1; i <= n; i++) {
    if ($2 <= begins[i]) warps[i] = $4
    else if ($2 < begins[i] + cycles) data[i] = data[i] $2 " " $4 "\n"
    if ($2 < begins[i] + cycles) final[i] = $4
  }
}
END {
  print "reset"
  print "set terminal svg size 900,640 dynamic noenhanced background 'white' font 'sans-serif,14'"
  print "set output '" plot ".svg'"
  print "set border 3 lw 1.2\nset tics nomirror\nset grid xtics ytics back lt 1 lc rgb '#dddddd' lw 0.7"
  print "set yrange [0:70]\nset ytics 16\nset ylabel 'warps'\nset lmargin 8\nset format x '%.0f'\nset multiplot layout " n ",1"
  for (i = 1; i <= n; i++) {
    end = begins[i] + cycles
    printf "$data%d << EOD\n%s %d\n%s%s %d\nEOD\n", i, begins[i], warps[i], data[i], end, final[i]
    if (i == n) print "set xlabel 'time (cycles)'"
    printf "set label 1 '%s' at graph 0.01,0.12\n", substr("ABCDEFGH", i, 1)
    printf "plot [%s:%s] $data%d using 1:2 notitle with steps lc rgb '#0072b2' lw 1.5\n", begins[i], end, i
  }
  print "unset multiplot\nset output"
}
