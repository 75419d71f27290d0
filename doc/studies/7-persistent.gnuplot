# Written by warpipe, for gnuplot 5.4.
reset
set encoding utf8
set terminal svg size 900,540 dynamic noenhanced background 'white' font 'sans-serif,14'
set output '7-persistent.svg'
set title 'volkov-mix-shared on 8800gtx-waits (NVIDIA GeForce 8800 GTX), program order, ideal memory'."\n".'2 blocks of 320 threads' noenhanced
set border 3 lw 1.2
set tics nomirror
set grid xtics ytics back lt 1 lc rgb '#dddddd' lw 0.7
set xlabel 'time (cycles)'
set xrange [0:259016.8]
set ylabel 'warps resident on an SM'
set yrange [0:22]
set key outside right top vertical maxcols 1 Left reverse samplen 3 spacing 1.15 noenhanced
$data1 << EOD
0 20
213264.667 19
213270 18
213275.333 17
213280.667 16
213286 15
213291.333 14
213296.667 13
213302 12
213307.333 11
213312.667 10
213318 9
213323.333 8
213328.667 7
213334 6
213339.333 5
213344.667 4
213350 3
213355.333 2
213360.667 1
213366 0
EOD
$data2 << EOD
0 20
106651.333 19
106656.667 18
106662 17
106667.333 16
106672.667 15
106678 14
106683.333 13
106688.667 12
106694 11
106699.333 10
213318 9
213323.333 8
213328.667 7
213334 6
213339.333 5
213344.667 4
213350 3
213355.333 2
213360.667 1
213366 0
EOD
$data3 << EOD
0 20
85328.6667 19
85334 18
85339.3333 17
85344.6667 16
85350 15
85355.3333 14
85360.6667 13
85366 12
170662 11
170667.333 10
170672.667 9
170678 8
170683.333 7
170688.667 6
170694 5
170699.333 4
246666.667 3
246672 2
246677.333 1
246682.667 0
EOD
plot $data1 using 1:2 notitle with steps lc rgb '#0072b2' dt 1 lw 1.7, \
  $data2 using 1:2 notitle with steps lc rgb '#d55e00' dt (12,5) lw 1.7, \
  $data3 using 1:2 notitle with steps lc rgb '#009e73' dt (3,4) lw 1.7, \
  keyentry with lines lc rgb '#0072b2' dt 1 lw 1.7 title 'rr', \
  keyentry with lines lc rgb '#d55e00' dt (12,5) lw 1.7 title 'block', \
  keyentry with lines lc rgb '#009e73' dt (3,4) lw 1.7 title 'gto'
set output
