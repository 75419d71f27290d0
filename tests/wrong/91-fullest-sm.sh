#!/bin/sh
# SPDX-License-Identifier: MIT
# The SMs with the most blocks decide the time: what is in use all the time on them is the bound, and the imbalance is told.
# fma BLOCKS: a load, since SMs that share memory are simulated together, and chains of fma.f32.
fma ()
{
  echo "<kernel name='fma'><launch blocks='$1' threads='256'/><program><i op='ld.global.u32'/><repeat count='500'>
<i id='a' op='fma.f32' after='a'/><i id='b' op='fma.f32' after='b'/></repeat></program></kernel>" >fma.xml
}

fma 256
"$WARPIPE" run fma.xml --gpu a100-80 --format json >out 2>err || { cat err; exit 1; }
grep -q '"kind": "throughput"' out || { echo "3 blocks on some SMs, 2 on others, not throughput:"; grep -A4 '"verdict"' out; }
grep -q 'most blocks (3; 256 blocks on 108 SMs are 2.37 on average).*up to 21% less time' out ||
  { echo "the imbalance is not told:"; grep -A4 '"verdict"' out; }
"$WARPIPE" explain fma.xml --gpu a100-80 >out 2>err || { cat err; exit 1; }
tr -s '\n ' '  ' <out | grep -q 'As it is, pipeline compute is in use [0-9]*% of the time on the SMs with the most blocks' ||
  { echo "explain takes the mean:"; sed -n '/^What to fix/,/^$/p' out; }

fma 324
"$WARPIPE" run fma.xml --gpu a100-80 --format json >out 2>err || { cat err; exit 1; }
grep -q '"kind": "throughput"' out || { echo "3 blocks on all SMs, not throughput:"; grep -A4 '"verdict"' out; }
grep -q 'most blocks' out && { echo "an imbalance that is none:"; grep -A4 '"verdict"' out; }

# Three on each, of which two are resident: those of SM 0 end a little earlier, and it takes two of the last four.
fma="<repeat count='500'><i id='a' op='fma.f32' after='a'/><i id='b' op='fma.f32' after='b'/></repeat>"
echo "<kernel name='fma'><launch blocks='324' threads='1024'/><program blocks='0 4'>$fma<i op='mov.u32'/></program>
<program blocks='1-3 5-323'>$fma<i op='rsqrt.approx.f32'/></program></kernel>" >fma.xml
"$WARPIPE" run fma.xml --gpu a100-80 --sms 4 --format json >out 2>err || { cat err; exit 1; }
grep -q '"kind": "throughput"' out || { echo "the last wave on some SMs, not throughput:"; grep -A4 '"verdict"' out; }
grep -q 'most blocks (4; 324 blocks on 108 SMs are 3 on average).*first SMs to end theirs take what is left' out ||
  { echo "who takes the last wave is not told:"; grep -A4 '"verdict"' out; }
exit 0
