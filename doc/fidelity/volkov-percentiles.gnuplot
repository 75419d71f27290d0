# Written by bench/validate.py, for gnuplot 5.4.
reset
set encoding utf8
set terminal svg size 720,460 dynamic noenhanced background 'white' font 'sans-serif,12'
set output 'volkov-percentiles.svg'
set border 3 lw 1.2
set tics nomirror
set grid xtics ytics back lt 1 lc rgb '#dddddd' lw 0.7
set key top left maxrows 6 Left reverse samplen 2.5 spacing 1.1 noenhanced
$data0_0 << EOD
3.8 292
30 292
58 292
82 296
107 300
129 308
144 340
EOD
$data0_1 << EOD
3.82584 280.325
29.8396 281.113
57.365 283.743
81.8958 288.683
107.24 303.302
128.537 323.377
144.134 351.992
EOD
$data0_2 << EOD
3.8 296
30 296
58 300
82 304
107 316
129 352
144 416
EOD
$data0_3 << EOD
3.82584 285.364
29.8396 288.317
57.365 298.267
81.8958 313.866
107.24 330.569
128.537 361.125
144.134 411.546
EOD
$data0_4 << EOD
3.8 300
30 304
58 308
82 316
107 344
129 400
144 488
EOD
$data0_5 << EOD
3.82584 290.703
29.8396 304.077
57.365 318.631
81.8958 330.686
107.24 356.028
128.537 398.599
144.134 470.207
EOD
$data0_6 << EOD
3.8 304
30 312
58 324
82 344
107 388
129 468
144 572
EOD
$data0_7 << EOD
3.82584 316.631
29.8396 323.061
57.365 335.255
81.8958 354.882
107.24 389.234
128.537 448.425
144.134 544.506
EOD
$data0_8 << EOD
3.8 324
30 344
58 372
82 416
107 476
129 584
144 708
EOD
$data0_9 << EOD
3.82584 339.272
29.8396 351.438
57.365 372.592
81.8958 403.112
107.24 456.326
128.537 546.805
144.134 683.135
EOD
set multiplot layout 1,1
set title 'single loads, gtx680 (table 6.6)' noenhanced
set xlabel 'GB/s'
set ylabel 'latency, cycles'
set yrange [0:*]
plot $data0_0 using 1:2 title 'percentile 5, measured' with points pt 6 ps 0.55 lw 1.3 lc rgb '#0072b2', \
  $data0_1 using 1:2 title 'simulated' with lines lw 2 lc rgb '#0072b2', \
  $data0_2 using 1:2 title 'percentile 25, measured' with points pt 6 ps 0.55 lw 1.3 lc rgb '#d55e00', \
  $data0_3 using 1:2 title 'simulated' with lines lw 2 lc rgb '#d55e00', \
  $data0_4 using 1:2 title 'percentile 50, measured' with points pt 6 ps 0.55 lw 1.3 lc rgb '#009e73', \
  $data0_5 using 1:2 title 'simulated' with lines lw 2 lc rgb '#009e73', \
  $data0_6 using 1:2 title 'percentile 75, measured' with points pt 6 ps 0.55 lw 1.3 lc rgb '#cc79a7', \
  $data0_7 using 1:2 title 'simulated' with lines lw 2 lc rgb '#cc79a7', \
  $data0_8 using 1:2 title 'percentile 95, measured' with points pt 6 ps 0.55 lw 1.3 lc rgb '#e69f00', \
  $data0_9 using 1:2 title 'simulated' with lines lw 2 lc rgb '#e69f00'
unset multiplot
set output
