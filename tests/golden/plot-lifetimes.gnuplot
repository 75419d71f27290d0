# Written by warpipe, for gnuplot 5.4.
reset
set encoding utf8
set terminal svg size 900,540 dynamic noenhanced background 'white' font 'sans-serif,14'
set output 'lifetimes.svg'
set title 'vector-add on gtx680 (NVIDIA GeForce GTX 680), policy rr, program order, ideal memory'."\n".'24 blocks of 32 threads' noenhanced
set border 3 lw 1.2
set tics nomirror
set grid xtics ytics back lt 1 lc rgb '#dddddd' lw 0.7
set xlabel 'lifetime (cycles)'
set xrange [346.726457:363.168909]
set ylabel 'warps that live no longer (%)'
set yrange [0:102]
set key outside right top vertical maxcols 1 Left reverse samplen 3 spacing 1.15 noenhanced
$data1 << EOD
347.473842 0
347.473842 100
EOD
$data2 << EOD
347.473842 0
347.473842 33.3333333
354.947683 66.6666667
362.421525 100
EOD
plot $data1 using 1:2 notitle with steps lc rgb '#0072b2' dt 1 lw 1.7, \
  $data2 using 1:2 notitle with steps lc rgb '#d55e00' dt (12,5) lw 1.7, \
  keyentry with lines lc rgb '#0072b2' dt 1 lw 1.7 title 'occupancy=1', \
  keyentry with lines lc rgb '#d55e00' dt (12,5) lw 1.7 title 'occupancy=2'
set output
