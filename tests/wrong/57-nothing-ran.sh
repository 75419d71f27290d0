#!/bin/sh
# SPDX-License-Identifier: MIT
# No verdict on a listing's kernel whose arithmetic never ran, nor on one that the import could not model.
cat >skipped.xml <<'END'
<kernel name="skipped" ops="nearest"><launch blocks="64" threads="256"/>
  <program><i id="a" op="ld.global"/><repeat count="0"><i op="fma.f32" after="a"/></repeat><i op="st.global" after="a"/></program></kernel>
END
"$WARPIPE" run skipped.xml --gpu gtx980 --format json >out 2>err || { echo "run:"; cat err; exit 1; }
grep -q '"name": "no-arithmetic"' out || { echo "no warning:"; grep -A3 '"warnings"' out; exit 1; }
grep -q '"kind": "none"' out || { echo "a verdict all the same"; exit 1; }
sed 's/count="0"/count="1"/; s/<program>/<warning name="lower-bound" text="waits through mbarrier are not modelled"\/>&/' skipped.xml >bound.xml
"$WARPIPE" run bound.xml --gpu gtx980 >out 2>err || { echo "run:"; cat err; exit 1; }
grep -q '^  time .*(a lower bound)' out || { echo "not a lower bound:"; cat out; exit 1; }
grep -q 'lower-bound: waits through mbarrier' out || { echo "no warning:"; cat out; exit 1; }
grep -q '^  No verdict: lower-bound' out || { echo "a verdict all the same:"; cat out; exit 1; }
