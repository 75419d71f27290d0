# Written by warpipe, for gnuplot 5.4.
reset
set encoding utf8
set terminal svg size 900,540 dynamic noenhanced background 'white' font 'sans-serif,14'
set output 'bars.svg'
set title 'volkov-mix on gtx980 (NVIDIA GeForce GTX 980), program order, ideal memory'."\n".'64 blocks of 32 threads' noenhanced
set border 3 lw 1.2
set tics nomirror
set grid noxtics ytics back lt 1 lc rgb '#dddddd' lw 0.7
set xrange [-0.6:1.6]
set ylabel 'time (cycles)'
set yrange [0:13484.226]
set xtics nomirror ('rr' 0, 'gto' 1)
set boxwidth 0.6
unset key
set label '11237' at 0,11236.855 center offset 0,0.6 front
set label '11237'."\n".'1.000 x' at 1,11236.855 center offset 0,1.6 front
$data1 << EOD
0 11236.855
1 11236.855
EOD
plot $data1 using 1:2 notitle with boxes fs solid 0.55 border lc rgb '#000000' fc rgb '#0072b2'
set output
