# Written by warpipe, for gnuplot 5.4.
reset
set encoding utf8
set terminal svg size 900,540 dynamic noenhanced background 'white' font 'sans-serif,14'
set output 'throughput.svg'
set title 'volkov-mix'."\n".'alpha=32, rounds=20, blocks=256, policy rr' noenhanced
set border 3 lw 1.2
set tics nomirror
set grid xtics ytics back lt 1 lc rgb '#dddddd' lw 0.7
set xlabel 'warps resident on an SM'
set xrange [0:52.6842168]
set ylabel 'instructions a cycle and SM (IPC)'
set yrange [0:3.09946585]
set key outside right top vertical maxcols 1 Left reverse samplen 3 spacing 1.15 noenhanced title 'points: simulated'."\n".'lines: bounds (estimates)' left
set label 'needs 46.5 warps' at 46.49975,2.6862 right offset 0.5,0.9 point pt 7 ps 0.6 lc rgb '#d55e00' front
$data1 << EOD
0 0
51.149725 2.81769623
EOD
$data2 << EOD
0 0
46.49975 2.6862
51.149725 2.6862
EOD
$data3 << EOD
8 0.442069281
16 0.883686982
EOD
$data4 << EOD
8 0.464973021
16 0.927595286
EOD
plot $data1 using 1:2 notitle with lines lc rgb '#0072b2' dt 1 lw 1.7, \
  $data2 using 1:2 notitle with lines lc rgb '#d55e00' dt (12,5) lw 1.7, \
  $data3 using 1:2 notitle with points lc rgb '#0072b2' lw 1.5 pt 6 ps 0.9, \
  $data4 using 1:2 notitle with points lc rgb '#d55e00' lw 1.5 pt 1 ps 0.75, \
  keyentry with linespoints lc rgb '#0072b2' dt 1 lw 1.7 pt 6 ps 0.9 title 'gtx680 (needs 72.6 warps)', \
  keyentry with linespoints lc rgb '#d55e00' dt (12,5) lw 1.7 pt 1 ps 0.75 title 'gtx980'
set output
