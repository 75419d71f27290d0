# Written by warpipe, for gnuplot 5.4.
reset
set encoding utf8
set terminal svg size 900,540 dynamic noenhanced background 'white' font 'sans-serif,14'
set output '1-occupancy.svg'
set title 'stream on gtx980'."\n".'rounds=320, threads=64, blocks=65536, policy rr' noenhanced
set border 3 lw 1.2
set tics nomirror
set grid xtics ytics back lt 1 lc rgb '#dddddd' lw 0.7
set xlabel 'warps resident on an SM'
set xrange [0:65.92]
set ylabel 'instructions a cycle and SM (IPC)'
set yrange [0:0.08954]
set key outside right top vertical maxcols 1 Left reverse samplen 3 spacing 1.15 noenhanced
set label 'needs 30 warps' at 30.0124344,0.0814 left offset -0.5,0.9 point pt 7 ps 0.6 lc rgb '#000000' front
$data1 << EOD
0 0
30.0124344 0.0814
64 0.0814
EOD
$data2 << EOD
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
plot $data1 using 1:2 notitle with lines lc rgb '#000000' dt 1 lw 1.7, \
  $data2 using 1:2 notitle with points lc rgb '#0072b2' lw 1.5 pt 6 ps 0.9, \
  keyentry with points lc rgb '#0072b2' lw 1.5 pt 6 ps 0.9 title 'simulated', \
  keyentry with lines lc rgb '#000000' dt 1 lw 1.7 title 'bounds'
set output
