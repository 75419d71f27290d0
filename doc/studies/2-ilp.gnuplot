# Written by warpipe, for gnuplot 5.4.
reset
set encoding utf8
set terminal svg size 900,540 dynamic noenhanced background 'white' font 'sans-serif,14'
set output '2-ilp.svg'
set title 'chains on gtx980'."\n".'rounds=320, policy rr' noenhanced
set border 3 lw 1.2
set tics nomirror
set grid xtics ytics back lt 1 lc rgb '#dddddd' lw 0.7
set xlabel 'warps resident on an SM'
set xrange [0:65.92]
set ylabel 'instructions a cycle and SM (IPC)'
set yrange [0:0.08954]
set key outside right top vertical maxcols 1 Left reverse samplen 3 spacing 1.15 noenhanced title 'points: simulated'."\n".'lines: bounds' left
set label 'needs 30 warps' at 30.0124344,0.0814 left offset -0.5,0.9 point pt 7 ps 0.6 lc rgb '#0072b2' front
set label 'needs 15 warps' at 15.0062172,0.0814 left offset -0.5,0.9 point pt 7 ps 0.6 lc rgb '#d55e00' front
$data1 << EOD
0 0
30.0124344 0.0814
64 0.0814
EOD
$data2 << EOD
0 0
15.0062172 0.0814
64 0.0814
EOD
$data3 << EOD
2 0.00542385613
4 0.0108477162
6 0.0162636423
8 0.0216954416
10 0.0270928732
12 0.0325273003
14 0.0379115643
16 0.0433908669
18 0.0487197309
20 0.0541857348
22 0.0595608063
24 0.0649596131
26 0.070304552
28 0.0758229981
30 0.0809612142
32 0.0812625849
34 0.0812983143
36 0.0812632745
38 0.0813028782
40 0.081395696
42 0.0811232028
44 0.08118238
46 0.0811437477
48 0.0813984659
50 0.0813987297
52 0.0813792408
54 0.0813988539
56 0.0812614135
58 0.0812417985
60 0.0813988539
62 0.0811829484
64 0.0813988539
EOD
$data4 << EOD
2 0.010845454
4 0.0216909114
6 0.0325205031
8 0.0433817971
10 0.0541744109
12 0.0650408987
14 0.0758071819
16 0.0812467383
18 0.081163569
20 0.0813063814
22 0.0813184277
24 0.0813299497
26 0.0812712166
28 0.0813991588
30 0.0812712785
32 0.0813992823
34 0.0813993134
36 0.0813993444
38 0.0813993755
40 0.0813994065
42 0.0812714642
44 0.0813304737
46 0.0812910936
48 0.0813995307
50 0.0813995504
52 0.0813995504
54 0.0813995504
56 0.0813995504
58 0.0813898681
60 0.0813995504
62 0.0813305554
64 0.0813995504
EOD
plot $data1 using 1:2 notitle with lines lc rgb '#0072b2' dt 1 lw 1.7, \
  $data2 using 1:2 notitle with lines lc rgb '#d55e00' dt (12,5) lw 1.7, \
  $data3 using 1:2 notitle with points lc rgb '#0072b2' lw 1.5 pt 6 ps 0.9, \
  $data4 using 1:2 notitle with points lc rgb '#d55e00' lw 1.5 pt 1 ps 0.75, \
  keyentry with linespoints lc rgb '#0072b2' dt 1 lw 1.7 pt 6 ps 0.9 title 'second=0', \
  keyentry with linespoints lc rgb '#d55e00' dt (12,5) lw 1.7 pt 1 ps 0.75 title 'second=1'
set output
