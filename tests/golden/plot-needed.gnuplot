# Written by warpipe, for gnuplot 5.4.
reset
set encoding utf8
set terminal svg size 900,540 dynamic noenhanced background 'white' font 'sans-serif,14'
set output 'needed.svg'
set title 'volkov-mix on gtx480'."\n".'rounds=100, policy rr, no limits' noenhanced
set border 3 lw 1.2
set tics nomirror
set grid xtics ytics back lt 1 lc rgb '#dddddd' lw 0.7
set xlabel 'alpha (adds for each load)'
set xrange [0.4:80]
set logscale x 2
set xtics add ('0' 0.5)
set ylabel 'warps on an SM for 98% of the throughput bound'
set yrange [0:50.235]
set key outside right top vertical maxcols 1 Left reverse samplen 3 spacing 1.15 noenhanced
$data1 << EOD
0.44 30.863475
0.565 30.863475

1 31.941675
2 33.019875
3 34.098075
4 35.176275
5 36.254475
6 37.332675
7 38.410875
8 39.489075
9 40.567275
10 41.645475
11 42.723675
12 43.801875
13 44.880075
15 47.036475
16 47.25
17 45.625
19 42.8625
21 40.6022727
23 38.71875
25 37.125
27 35.7589286
29 34.575
32 33.0681818
35 31.8125
38 30.75
41 29.8392857
45 28.8097826
49 27.945
54 27.0409091
59 26.2875
64 25.65
EOD
$data2 << EOD
0.5 48

4 48
64 48
EOD
plot $data1 using 1:2 notitle with lines lc rgb '#000000' dt 1 lw 1.7, \
  $data2 using 1:2 notitle with points lc rgb '#0072b2' lw 1.5 pt 6 ps 0.9, \
  keyentry with points lc rgb '#0072b2' lw 1.5 pt 6 ps 0.9 title 'simulated', \
  keyentry with lines lc rgb '#000000' dt 1 lw 1.7 title 'bounds'
set output
