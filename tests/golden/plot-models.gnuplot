# Written by warpipe, for gnuplot 5.4.
reset
set encoding utf8
set terminal svg size 900,540 dynamic noenhanced background 'white' font 'sans-serif,14'
set output 'models.svg'
set title 'volkov-mix on gtx980'."\n".'alpha=32, rounds=20, policy rr, no limits' noenhanced
set border 3 lw 1.2
set tics nomirror
set grid xtics ytics back lt 1 lc rgb '#dddddd' lw 0.7
set xlabel 'warps resident on an SM'
set xrange [0:66.8]
set ylabel 'instructions a cycle and SM (IPC)'
set yrange [0:4.29120363]
set key outside right top vertical maxcols 1 Left reverse samplen 3 spacing 1.15 noenhanced
$data1 << EOD
8 0.46214442
16 0.92428884
24 1.38643326
32 1.84857768
40 2.3107221
48 2.6862
56 2.6862
64 2.6862
EOD
$data2 << EOD
8 0.717391304
16 1.43478261
24 2.15217391
32 2.6862
40 2.6862
48 2.6862
56 2.6862
64 2.6862
EOD
$data3 << EOD
8 2.85100711
16 2.85100711
24 2.85100711
32 2.85100711
40 2.85100711
48 2.85100711
56 2.85100711
64 2.85100711
EOD
$data4 << EOD
8 0.462285033
16 0.924371214
24 1.38625867
32 1.84794754
40 2.30756574
48 2.63998826
56 2.67482536
64 2.68200227
EOD
plot $data1 using 1:2 notitle with linespoints lc rgb '#0072b2' dt 1 lw 1.7 pt 6 ps 0.9 pi 1, \
  $data2 using 1:2 notitle with linespoints lc rgb '#d55e00' dt (12,5) lw 1.7 pt 1 ps 0.75 pi 1, \
  $data3 using 1:2 notitle with linespoints lc rgb '#009e73' dt (3,4) lw 1.7 pt 4 ps 0.85 pi 1, \
  $data4 using 1:2 notitle with points lc rgb '#000000' lw 1.5 pt 7 ps 0.35, \
  keyentry with points lc rgb '#000000' lw 1.5 pt 7 ps 0.35 title 'simulation', \
  keyentry with linespoints lc rgb '#0072b2' dt 1 lw 1.7 pt 6 ps 0.9 title 'volkov', \
  keyentry with linespoints lc rgb '#d55e00' dt (12,5) lw 1.7 pt 1 ps 0.75 title 'lemeire', \
  keyentry with linespoints lc rgb '#009e73' dt (3,4) lw 1.7 pt 4 ps 0.85 title 'roofline'
set output
