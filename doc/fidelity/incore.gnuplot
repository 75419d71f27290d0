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
1 4.29234
2 2.32469
3 2.36214
4 2.38828
5 2.44808
6 2.482
7 2.49135
8 2.51547
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
1 2.14633
2 1.16281
3 1.18187
4 1.19523
5 1.22554
6 1.24292
7 1.24798
8 1.26047
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
1 1.08129
2 1.06637
3 1.062
4 1.06611
5 1.08727
6 1.10527
7 1.11599
8 1.13016
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
1 1.01629
2 1.03206
3 1.04865
4 1.06371
5 1.08482
6 1.10168
7 1.11301
8 1.12751
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
