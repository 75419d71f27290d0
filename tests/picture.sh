#!/bin/sh
# SPDX-License-Identifier: MIT
# Pictures, read by another program: picture.py finds the instructions of the tables in the SVG's
# shapes, at their exact places; the other formats are what their names say; the same run gives the
# same bytes; the size is bounded.
set -u
command -v python3 >/dev/null || { echo "python3 is missing"; exit 77; }
tests=$abs_srcdir/tests
. "$abs_srcdir/tests/scratch.sh"
. "$abs_srcdir/tests/built-with.sh"
with cairo || { echo "built without cairo"; exit 77; }

# check SMS WINDOW RUN...: of the window, in words.
check ()
{
  sms=$1 window=$2
  shift 2
  warpipe run "$@" --issues issues.csv --lifetimes lifetimes.csv >out 2>&1 || { complain "$*: $(cat out)"; return; }
  # shellcheck disable=SC2086 # words
  warpipe run "$@" --svg run.svg $window >out 2>&1 || { complain "$*: $(cat out)"; return; }
  if command -v xmllint >/dev/null; then xmllint --noout run.svg || complain "$*: not XML"; fi
  # shellcheck disable=SC2086 # likewise
  python3 -B "$tests/picture.py" run.svg issues.csv lifetimes.csv "$sms" $colours >summary 2>&1 \
    || complain "$* $window: $(cat summary)"
}
# summary LINE...: what the last picture has, by kind.
summary () { printf '%s\n' "$@" | cmp -s - summary || complain "expected: $*
but: $(cat summary)"; }

# 12 computations of 1 cycle and 4 memory accesses of 4, each in its warp's row, its pipeline's, and as the strip of what is
# in execution: green and orange. Then tints of both, waited for; grid; the ground of a block; the pipeline waited for.
colours="compute:009e73 memory:e69f00"
check 1 "" lemeire-computation-memory --gpu simple --threads 128
summary "compute: 12 instructions of 4 warps in 5 rows" "memory: 4 instructions of 4 warps in 5 rows" \
  "lemeire-computation-memory on simple" "policy rr, cycles 0 to 44 of 44" \
  "009e73: 28" "94d6c4: 4" "b9c0c7: 3" "e69f00: 12" "eed6de: 6" "f1f4f6: 5" "f5d794: 4"
for n in 1 4 8; do
  check 1 "" lemeire-barrier --gpu simple --blocks 1 --threads $((32 * n))
  check 1 "" lemeire-3-computations --gpu simple --threads $((32 * n)) --order dataflow
  check 1 "" lemeire-balanced --gpu simple --occupancy "$n"
done
check 1 "" vector-add --gpu gtx680 --occupancy 8
grep -q 'A picture has room for only this much' summary || complain "nothing says that the end is missing"
check 1 "" vector-add --gpu gtx680 --occupancy 8 --blocks 3
check 1 "--from 100.5 --to 900" vector-add --gpu gtx680 --occupancy 8
check 1 "--from 30 --to 31.5" lemeire-barrier --gpu simple
check 2 "--to 700" vector-add --gpu gtx980 --sms 2 --blocks 40 --occupancy 16
check 1 "--to 1000" volkov-mix --gpu gtx980 --memory contended --policy gto --occupancy 8

# However low rows are, each pipeline has its name: pieces of text left of the axis stand at as many heights as there are pipelines, and
# half as many as there are warps, and no two are closer than letters are high.
warpipe run vector-add --gpu a100-80 --sms 1 --to 2000 --svg names.svg >out 2>&1 || complain "names: $(cat out)"
python3 - <<'END' >out 2>&1 || complain "not each pipeline has its name: $(cat out)"
import re, sys
text = open("names.svg", encoding="utf-8").read()
x = lambda use: float(re.search(r'\sx="([0-9.]+)"', use).group(1))
y = lambda use: float(re.search(r'\sy="([0-9.]+)"', use).group(1))
heights = sorted({y(use) for use in re.findall(r"<use [^>]*>", text) if 23 < x(use) < 60})
rows = [a for a in heights if 80 < a]
gaps = [b - a for a, b in zip(rows, rows[1:])]
pipelines = sum(1 for i in range(len(gaps)) if abs(gaps[i] - 9) < 0.1) + 1
sys.exit(f"{pipelines} names, {rows}" if pipelines != 11 else 0)
END

# The page has the same colours: of pipelines, and of what warps wait for.
python3 - "$abs_srcdir/traces" <<'END' >out 2>&1 || complain "the page has other colours: $(cat out)"
import re, sys
page = open(sys.argv[1] + "/html/base.js").read()
picture = open(sys.argv[1] + "/draw/wp-picture-draw.c").read()
theirs = re.findall("#(\\w{6})", re.search(r"otherColours = \[(.*?)\]", page, re.S).group(1))
ours = re.findall("0x(\\w{6})", re.search(r"others\[\]\s*= \{(.*?)\}", picture, re.S).group(1))
if theirs != ours:
    sys.exit(f"pipelines: {theirs}, and {ours}")
for name, macro in (("pipeline", "FOR_PIPELINE"), ("not_selected", "FOR_SCHEDULER"), ("ilp", "BETWEEN")):
    its = re.search(r'name: "%s".*?#(\w{6})' % name, page).group(1)
    if f"{macro} 0x{its}\n" not in picture or its in ours:
        sys.exit(f"{name}: {its}")
END

# Nothing to see: a sheet that says so.
warpipe run lemeire-barrier --gpu simple --from 1000000 --svg none.svg >out 2>&1 || complain "nothing: $(cat out)"
grep -q 'nothing from cycle 1000000 on: the run ends at' none.svg || complain "nothing, and no word"

# More SMs than there is room for: the first is shown, and that is said; the report is that of all. Where even one has too many, nothing is
# written, and what was there stays.
set -- vector-add --gpu a100-80 --sms 4 --blocks 4096 --to 1000
warpipe run "$@" --svg first.svg >out 2>err || complain "four SMs: $(cat err)"
grep -q 'first.svg: a picture has no room for all 4 SMs, and shows SM 0; --sm N shows another' err || complain "nothing says what is shown: $(cat err)"
warpipe run "$@" --sm 0 --svg zero.svg >zero 2>err && test ! -s err || complain "the first of four: $(cat err)"
cmp -s first.svg zero.svg || complain "the first SM is drawn in another way where it is not chosen"
cmp -s out zero || complain "the report is another where the first SM is not chosen: $(cat out)"
sed 's|<limits .*|<limits warps="512" blocks="512" threads="16384"/>|' "$abs_srcdir/configs/simple.xml" >many.xml
echo before >kept.svg
if warpipe run lemeire-balanced --gpu ./many.xml --occupancy 400 --blocks 800 --svg kept.svg >out 2>err; then
  complain "400 warps have room"
fi
grep -q 'a picture has room for 256 rows' err || complain "400 warps: $(cat err)"
test "$(cat kept.svg)" = before || complain "a picture that is refused replaces the one before"

# Formats, and the same bytes again.
for suffix in svg pdf PNG; do
  for n in 1 2; do
    warpipe run vector-add --gpu gtx680 --svg "$n.$suffix" >out 2>&1 || complain "$suffix: $(cat out)"
  done
  cmp "1.$suffix" "2.$suffix" || complain "$suffix: other bytes the second time"
done
test "$(head -c 5 1.pdf)" = %PDF- && grep -aq '^%%EOF' 1.pdf || complain "no PDF"
test "$(head -c 8 1.PNG | od -An -tx1 | tr -d ' \n')" = 89504e470d0a1a0a || complain "no PNG"
warpipe run vector-add --gpu gtx680 --svg - 2>/dev/null | sed '/<\/svg>/q' | cmp - 1.svg || complain "- is not SVG"
warpipe run vector-add --gpu gtx680 --svg plain >out 2>&1 && cmp plain 1.svg || complain "no suffix is not SVG"

# Names are words, whatever they have in them.
sed 's/name="[^"]*"/name="a\&lt;b\&gt; \&amp;"/' "$abs_srcdir/idg/kernels/vector-add.xml" >named.xml
if warpipe run named.xml --gpu gtx680 --svg named.svg >out 2>&1; then
  python3 -c 'import xml.etree.ElementTree as t; print(t.parse("named.svg").getroot()[0].text)' >title
  echo 'a<b> & on gtx680' | cmp - title || complain "a name with signs: $(cat title)"
fi

# Where cairo is loaded when it is needed and cannot be: only pictures need it.
if test -e "$abs_builddir/config.h" && grep -q 'define CAIRO_SONAME "' "$abs_builddir/config.h"; then
  mkdir -p broken && echo nothing >broken/libcairo.so.2
  with_broken () { LD_LIBRARY_PATH="$PWD/broken${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" "$@"; }
  with_broken warpipe run vector-add --gpu gtx680 --svg broken.svg >out 2>err
  test $? = 3 && grep -q 'cannot load libcairo.so.2' err && ! test -e broken.svg || complain "a broken cairo: $(cat err)"
  with_broken warpipe run vector-add --gpu gtx680 --timeline >out 2>err || complain "a timeline needs no cairo: $(cat err)"
fi

# As much as there is room for, of a run without end.
warpipe run vector-add --gpu gtx680 --blocks 100000 --to 100000000 --svg most.svg >out 2>&1 || complain "$(cat out)"
grep -q 'A picture has room for only this much' most.svg || complain "10^5 blocks, and all of them"
test "$(wc -c <most.svg)" -lt 40000000 || complain "a picture of $(wc -c <most.svg) bytes"
exit $failed
