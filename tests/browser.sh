#!/bin/sh
# SPDX-License-Identifier: MIT
# Pages in a browser, headless (browser.py): they open from a file without errors or requests; they
# zoom and pan by pointer and keys; the times of the instruction under the pointer are shown, also
# where the zoom changes below it; instructions are found, rows pinned, lines of the source marked; no
# label crosses a line, no point is above its bound; each colour has one meaning; two policies share
# one axis; light and dark; narrow screens and taps; names from files stay text.
set -u
test -z "${SAN_CFLAGS-}" || { echo "pages are those of any other build, and page.sh makes some"; exit 77; }
. "$abs_srcdir/tests/headless.sh"

warpipe run vector-add --gpu gtx680 --occupancy 8 --blocks 8 --html vector-add.html >/dev/null || exit 99
warpipe run lemeire-barrier --gpu simple --threads 128 --blocks 4 --html barrier.html >/dev/null || exit 99
warpipe run vector-add --gpu gtx680 --blocks 40960 --html long.html >/dev/null || exit 99
warpipe compare volkov-mix-shared --gpu gtx980 --policy rr,gty --html compare.html >/dev/null || exit 99
warpipe run "$abs_srcdir/tests/golden/path.xml" --gpu "$abs_srcdir/tests/golden/path-gpu.xml" --occupancy 2 --html path.html >/dev/null || exit 99
cp "$abs_srcdir/tests/golden/by-line.xml" .
sed 's,^}$,} // <b></script>,' "$abs_srcdir/tests/golden/by-line.cu" >by-line.cu
warpipe run by-line.xml --gpu a100-80 --html lines.html >/dev/null || exit 99
warpipe run ilp-latencies-store --gpu gtx980 --html queued.html >/dev/null || exit 99
cat >warned.xml <<'END'
<kernel name="warned" ops="nearest"><launch blocks="64" threads="256"/><warning name="lower-bound" text="waits are &lt;b>not&lt;/b> modelled"/>
  <program><i id="a" op="ld.global"/><i op="fma.f32" context="far"/><i op="st.global" after="a"/><i op="st.global" after="a"/></program></kernel>
END
warpipe compare warned.xml --gpu gtx980 --policy rr,gto --occupancy 16,44 --html warned.html >/dev/null 2>&1 || exit 99
cat >names.xml <<'END'
<kernel name="&lt;/script>&lt;script>document.title='no'&lt;/script>" title="&lt;img src='x'>&lt;!--">
  <launch blocks="1" threads="32"/>
  <program><i op="compute" text="&lt;b>bold&lt;/b>"/></program>
</kernel>
END
warpipe run names.xml --gpu simple --html names.html >/dev/null || exit 99
cat >empty.xml <<'END'
<kernel name="empty"><launch blocks="2" threads="64"/><program><repeat count="0"><i op="compute"/></repeat></program></kernel>
END
warpipe run empty.xml --gpu simple --html empty.html >/dev/null || exit 99
HOME=$dir timeout 150 "$python" -B "$abs_srcdir/tests/browser.py"
