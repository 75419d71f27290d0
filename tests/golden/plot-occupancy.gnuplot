# Written by warpipe, for gnuplot 5.4.
reset
set encoding utf8
set terminal svg size 900,540 dynamic noenhanced background 'white' font 'sans-serif,14'
set output 'occupancy.svg'
set title 'vector-add on gtx680 (NVIDIA GeForce GTX 680), policy rr, program order, ideal memory'."\n".'24 blocks of 32 threads' noenhanced
set border 3 lw 1.2
set tics nomirror
set grid xtics ytics back lt 1 lc rgb '#dddddd' lw 0.7
set xlabel 'time (cycles)'
set xrange [0:1516.6426]
set ylabel 'warps resident on an SM'
set yrange [0:2.2]
set key outside right top vertical maxcols 1 Left reverse samplen 3 spacing 1.15 noenhanced
$data1 << EOD
0 1
347.473842 0
548.473842 1
895.947683 0
1096.94768 1
1444.42152 0
EOD
$data2 << EOD
0 2
354.947683 1
362.421525 0
555.947683 1
903.421525 0
EOD
plot $data1 using 1:2 notitle with steps lc rgb '#0072b2' dt 1 lw 1.7, \
  $data2 using 1:2 notitle with steps lc rgb '#d55e00' dt (12,5) lw 1.7, \
  keyentry with lines lc rgb '#0072b2' dt 1 lw 1.7 title 'occupancy=1', \
  keyentry with lines lc rgb '#d55e00' dt (12,5) lw 1.7 title 'occupancy=2'
set output
