#!/bin/sh
# SPDX-License-Identifier: MIT
# A GPU like another with twice the SMs has the same memory, shared by all of them.
echo '<gpu like="h100-sxm" name="twice"><device sms="264"/></gpu>' >twice.xml
for gpu in h100-sxm twice.xml; do
  "$WARPIPE" run vector-add --gpu $gpu --sms 1 --blocks 400 --format json >out 2>err \
    || { echo "the run failed:"; cat err; exit 1; }
  tr ',{' '\n\n' <out | awk -F: '/"gbytes_per_s"/ && $2 + 0 > most { most = $2 + 0 }
    END { print most }' >>rates
done
awk 'NR == 1 { one = $1 } $1 > 3352 || $1 > 1.1 * one { print "moves", $1, "GB/s"; exit 1 }' rates
