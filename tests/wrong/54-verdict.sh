#!/bin/sh
# SPDX-License-Identifier: MIT
# Scripts get the verdict as a word and the name of a pipeline, and need not read its sentence.
# verdict WANTED ARGUMENT...: kind and resource of the run's verdict
verdict ()
{
  wanted=$1; shift
  "$WARPIPE" run "$@" --format json >out 2>err || { echo "run $*:"; cat err; exit 1; }
  got=$(sed -n '/"verdict": {/,/}/s/.*"\(kind\|resource\)": "\(.*\)".*/\2/p' out | paste -s -d ' ' -)
  test "$got" = "$wanted" || { echo "run $*: $got, not $wanted"; exit 1; }
}
verdict 'latency memory' volkov-mix --gpu gtx980 --occupancy 8
verdict 'throughput memory' volkov-mix --gpu gtx980 --set alpha=0
verdict 'throughput compute' volkov-mix --gpu gtx980 --set alpha=400
cat >barrier.xml <<'END'
<kernel name="barrier"><launch blocks="1" threads="64"/>
  <program warps="0"><repeat count="100"><i id="a" op="add.f32" after="a"/></repeat><barrier after="a"/></program>
  <program warps="1"><barrier/></program></kernel>
END
verdict 'latency compute' barrier.xml --gpu gtx980
sed 's/threads="64"/threads="128"/; s/warps="1"/warps="1-3"/; s,<barrier/>,<barrier/><i op="add.f32"/>,' barrier.xml >barriers.xml
verdict 'barrier ' barriers.xml --gpu gtx980
cat >empty.xml <<'END'
<kernel name="empty"><launch blocks="1" threads="32"/><program><repeat count="0"><i op="add.f32"/></repeat></program></kernel>
END
verdict 'empty ' empty.xml --gpu gtx980
