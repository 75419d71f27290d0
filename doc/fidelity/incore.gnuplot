# Written by bench/validate.py, for gnuplot 5.4.
reset
set encoding utf8
set terminal svg size 720,460 dynamic noenhanced background 'white' font 'sans-serif,12'
set output 'incore.svg'
set border 3 lw 1.2
set tics nomirror
set grid xtics ytics back lt 1 lc rgb '#dddddd' lw 0.7
set key top right maxrows 5 Left reverse samplen 2.5 spacing 1.1 noenhanced
$data0_0 << EOD
1 8.67
2 4.63
3 4.57
4 4.66
5 4.63
6 4.72
7 4.79
8 4.97
EOD
$data0_1 << EOD
1 8.58437
2 4.64875
3 4.72333
4 4.77531
5 4.8945
6 4.962
7 4.98048
8 5.02844
EOD
$data0_2 << EOD
1 4.29
2 2.32
3 2.29
4 2.33
5 2.32
6 2.36
7 2.39
8 2.48
EOD
$data0_3 << EOD
1 4.29227
2 2.32445
3 2.36175
4 2.38773
5 2.44733
6 2.48108
7 2.49032
8 2.5143
EOD
$data0_4 << EOD
1 2.14
2 1.16
3 1.14
4 1.17
5 1.16
6 1.18
7 1.2
8 1.24
EOD
$data0_5 << EOD
1 2.14621
2 1.1623
3 1.18095
4 1.19395
5 1.22375
6 1.24063
7 1.24524
8 1.25723
EOD
$data0_6 << EOD
1 1.08
2 1.05
3 1.05
4 1.08
5 1.08
6 1.1
7 1.12
8 1.14
EOD
$data0_7 << EOD
1 1.07922
2 1.07398
3 1.08357
4 1.09809
5 1.12146
6 1.13042
7 1.14024
8 1.15385
EOD
$data0_8 << EOD
1 1.03
2 1.04
3 1.04
4 1.08
5 1.07
6 1.1
7 1.1
8 1.14
EOD
$data0_9 << EOD
1 1.01649
2 1.03229
3 1.04878
4 1.06384
5 1.08493
6 1.10182
7 1.113
8 1.12705
EOD
set multiplot layout 1,1
set title 'multiply-adds in double precision, one SM of a V100' noenhanced
set xlabel 'chains in a warp'
set ylabel 'cycles an operation'
set yrange [0:*]
plot $data0_0 using 1:2 title '1 warp, measured' with points pt 6 ps 0.55 lw 1.3 lc rgb '#0072b2', \
  $data0_1 using 1:2 title 'simulated' with lines lw 2 lc rgb '#0072b2', \
  $data0_2 using 1:2 title '2 warps, measured' with points pt 6 ps 0.55 lw 1.3 lc rgb '#d55e00', \
  $data0_3 using 1:2 title 'simulated' with lines lw 2 lc rgb '#d55e00', \
  $data0_4 using 1:2 title '4 warps, measured' with points pt 6 ps 0.55 lw 1.3 lc rgb '#009e73', \
  $data0_5 using 1:2 title 'simulated' with lines lw 2 lc rgb '#009e73', \
  $data0_6 using 1:2 title '8 warps, measured' with points pt 6 ps 0.55 lw 1.3 lc rgb '#cc79a7', \
  $data0_7 using 1:2 title 'simulated' with lines lw 2 lc rgb '#cc79a7', \
  $data0_8 using 1:2 title '32 warps, measured' with points pt 6 ps 0.55 lw 1.3 lc rgb '#e69f00', \
  $data0_9 using 1:2 title 'simulated' with lines lw 2 lc rgb '#e69f00'
unset multiplot
set output
