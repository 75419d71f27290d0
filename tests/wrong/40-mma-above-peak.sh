#!/bin/sh
# SPDX-License-Identifier: MIT
# Matrix instructions run at the rate of the matrix units, and not above the chip's peak.
cp "$srcdir/tests/wrong/40-mma-above-peak.ptx" mma.ptx
"$WARPIPE" import mma.ptx --blocks 1728 --threads 128 -o mma.xml 2>notes \
  || { echo "the import failed:"; cat notes; exit 1; }
"$WARPIPE" run mma.xml --gpu a100-40 --sms 1 --format json >out 2>err \
  || { echo "the run failed:"; cat err; exit 1; }
# 1728 x 4 warps do 1000 times 16 x 8 x 16 multiply-adds; the peak is 312 TFLOPS, of which a loop
# that does nothing else attains most.
sed -n 's/.*"time_us": *\([0-9.]*\).*/\1/p' out | awk '
  { tflops = 1728 * 4 * 1000 * 4096 / $1 / 1e6 }
  tflops > 312 || tflops < 250 { print "attains", tflops, "TFLOPS"; exit 1 }'
