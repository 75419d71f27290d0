# Written by warpipe, for gnuplot 5.4.
reset
set encoding utf8
set terminal svg size 900,540 dynamic noenhanced background 'white' font 'sans-serif,14'
set output '4-adds.svg'
set title 'adds on sm-gtx980'."\n".'rounds=1000, policy rr, no limits' noenhanced
set border 3 lw 1.2
set tics nomirror
set grid xtics ytics back lt 1 lc rgb '#dddddd' lw 0.7
set xlabel 'blocks of the launch'
set xrange [-1.35:50.35]
set ylabel 'instructions a cycle and SM (IPC)'
set yrange [0:4.38333333]
set key outside right top vertical maxcols 1 Left reverse samplen 3 spacing 1.15 noenhanced
$data1 << EOD
1 0.166666667
2 0.333333333
3 0.5
4 0.666666667
5 0.833333333
6 1
7 1.16666667
8 1.33333333
9 1.5
10 1.66666667
11 1.83333333
12 2
13 2.16666667
14 2.33333333
15 2.5
16 2.66666667
17 2.83333333
18 3
19 3.16666667
20 3.33333333
21 3.5
22 3.66666667
23 3.83333333
24 4
25 4
26 4
27 4
28 4
29 4
30 4
31 4
32 4
33 4
34 4
35 4
36 4
37 4
38 4
39 4
40 4
41 4
42 4
43 4
44 4
45 4
46 4
47 4
48 4
EOD
$data2 << EOD
1 0.166666667
2 0.333333333
3 0.5
4 0.666666667
5 0.833194468
6 0.999833361
7 1.16647225
8 1.33311115
9 1.49950017
10 1.6661113
11 1.83272243
12 1.99933356
13 2.16558387
14 2.33216725
15 2.49875062
16 2.665334
17 2.8314457
18 2.99800133
19 3.16455696
20 3.33111259
21 3.49708576
22 3.66361366
23 3.83014155
24 3.99666944
25 3.56887937
26 3.71163455
27 3.85438972
28 3.9971449
29 3.62273579
30 3.74765771
31 3.87257964
32 3.99750156
33 3.66463076
34 3.77568018
35 3.88672959
36 3.99777901
37 3.69815092
38 3.79810095
39 3.89805097
40 3.998001
41 3.72557928
42 3.81644707
43 3.90731486
44 3.99818264
45 3.74843815
46 3.83173678
47 3.9150354
48 3.99833403
EOD
plot $data1 using 1:2 notitle with lines lc rgb '#000000' dt 1 lw 1.7, \
  $data2 using 1:2 notitle with points lc rgb '#0072b2' lw 1.5 pt 6 ps 0.9, \
  keyentry with points lc rgb '#0072b2' lw 1.5 pt 6 ps 0.9 title 'simulated', \
  keyentry with lines lc rgb '#000000' dt 1 lw 1.7 title 'bounds'
set output
