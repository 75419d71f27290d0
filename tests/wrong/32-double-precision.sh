#!/bin/sh
# SPDX-License-Identifier: MIT
# Double precision runs at its published rate, or the run says that it does not.
cat >fma.xml <<'XML'
<kernel name="fma"><launch blocks="128" threads="512"/>
<program><repeat count="100"><i op="fma.f64"/></repeat></program></kernel>
XML
# Of compute capability 5.2, 3.0 and 8.6: 4, 8 and 2 operations a cycle for an SM.
for case in "gtx980 16 4" "gtx680 8 8" "a40 84 2"; do
  set -- $case
  "$WARPIPE" run fma.xml --gpu $1 --format json >out 2>err || { cat err; exit 1; }
  test ! -s err || { echo "fma.f64 is not on $1:"; cat err; exit 1; }
  sed -n 's/^  "cycles": \([0-9.]*\),*$/\1/p' out |
    awk -v gpu=$1 -v rate=$3 -v blocks=$(((128 + $2 - 1) / $2)) \
      '{ got = 512 * blocks * 100 / $1; if (got > 1.01 * rate || got < 0.8 * rate) print gpu ": " got " operations a cycle, not " rate }'
done

# The first GPU has no such unit: that is said, refused by --strict, and no verdict is given over it.
"$WARPIPE" run fma.xml --gpu 8800gtx >out 2>err || { cat err; exit 1; }
grep -q '"fma.f64" on 8800gtx has no figures for its type' err || { echo "fma.f64 on 8800gtx is not told of:"; cat err; }
grep -q 'No verdict: approximated' out || { echo "there is a verdict over it:"; sed -n '/^What limits/,/^$/p' out; }
"$WARPIPE" run fma.xml --gpu 8800gtx --strict >out 2>err
test $? -eq 1 || echo "--strict runs fma.f64 on 8800gtx"
test ! -s out || echo "--strict prints something"
