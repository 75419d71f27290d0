# Written by warpipe, for gnuplot 5.4.
reset
set encoding utf8
set terminal svg size 900,540 dynamic noenhanced background 'white' font 'sans-serif,14'
set output '4-loads.svg'
set title 'stream on sm-gtx980'."\n".'rounds=320, policy rr, contended memory, no limits' noenhanced
set border 3 lw 1.2
set tics nomirror
set grid xtics ytics back lt 1 lc rgb '#dddddd' lw 0.7
set xlabel 'blocks of the launch'
set xrange [-1.1:67.1]
set ylabel 'instructions a cycle and SM (IPC)'
set yrange [0:0.0889987965]
set key outside right top vertical maxcols 1 Left reverse samplen 3 spacing 1.15 noenhanced
$data1 << EOD
2 0.00543478261
4 0.0108695652
6 0.0163043478
8 0.0217391304
10 0.027173913
12 0.0326086957
14 0.0380434783
16 0.0434782609
18 0.0489130435
20 0.0543478261
22 0.0597826087
24 0.0652173913
26 0.0706521739
28 0.0760869565
30 0.0814
32 0.0814
34 0.0814
36 0.0814
38 0.0814
40 0.0814
42 0.0814
44 0.0814
46 0.0814
48 0.0814
50 0.0814
52 0.0814
54 0.0814
56 0.0814
58 0.0814
60 0.0814
62 0.0814
64 0.0814
EOD
$data2 << EOD
2 0.00541203482
4 0.0107368955
6 0.0160285243
8 0.0212280719
10 0.0261217248
12 0.0311414846
14 0.0358894991
16 0.0405592655
18 0.0449669792
20 0.0490906715
22 0.0530843853
24 0.0562242044
26 0.0592556107
28 0.0627721785
30 0.0651513833
32 0.0674595666
34 0.0690014697
36 0.0707305484
38 0.0725454677
40 0.0738949124
42 0.0749304883
44 0.0756066499
46 0.0766560694
48 0.0772515347
50 0.0773300654
52 0.0782158308
54 0.0785872638
56 0.0787527775
58 0.0789425021
60 0.0791950802
62 0.0793319816
64 0.0803131453
EOD
plot $data1 using 1:2 notitle with lines lc rgb '#000000' dt 1 lw 1.7, \
  $data2 using 1:2 notitle with points lc rgb '#0072b2' lw 1.5 pt 6 ps 0.9, \
  keyentry with points lc rgb '#0072b2' lw 1.5 pt 6 ps 0.9 title 'simulated', \
  keyentry with lines lc rgb '#000000' dt 1 lw 1.7 title 'bounds'
set output
