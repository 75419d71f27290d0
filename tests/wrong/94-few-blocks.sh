#!/bin/sh
# SPDX-License-Identifier: MIT
# SMs that share a part of memory have more than their part of few blocks: that times are too long by it is told.
# stream BLOCKS: nothing but loads.
stream ()
{
  echo "<kernel name='stream'><launch blocks='$1' threads='1024'/><program><repeat count='100'>
<i op='ld.global.u32'/><i op='ld.global.u32'/><i op='ld.global.u32'/><i op='ld.global.u32'/></repeat></program></kernel>" >stream.xml
  "$WARPIPE" run stream.xml --gpu a100-80 $2 --format json >out 2>err || { cat err; exit 1; }
}

stream 54
grep -q 'share-rounded' out && { echo "2 blocks of 4 SMs are half of 108:"; grep share-rounded out; }
grep -q '"kind": "throughput"' out || { echo "54 blocks, not throughput:"; grep -A4 '"verdict"' out; }
stream 56
tr -d '\n' <out | grep -q '"share-rounded".*45% more than their part of 56 blocks on 108 SMs' ||
  { echo "3 of 56 on 4 of 108 is not told:"; grep -A6 '"warnings"' out; }
grep -q '"kind": "none"' out || { echo "a verdict on times that are 45% too long:"; grep -A4 '"verdict"' out; }
stream 56 "--sms all"
grep -q 'share-rounded' out || { echo "that SMs 56 to 107 do nothing is not told:"; grep -A6 '"warnings"' out; }
stream 1080
grep -q 'share-rounded' out && { echo "40 blocks of 4 SMs are no more than their part:"; grep share-rounded out; }
exit 0
