#!/bin/sh
# SPDX-License-Identifier: MIT
# warpipe headroom: the order that it writes takes the same time again under --policy, and under sweep and compare; the report is the
# same on one core and on three, and for the same seed; without a better order nothing is written, and that is said; a row of
# doc/headroom.md is what the command says of its kernel.
set -u
. "$abs_srcdir/tests/scratch.sh"
export WARPIPE_DATA_DIR="$abs_srcdir"
failed=0
complain () { echo "$*"; failed=1; }

set -- suite/triad --gpu a100-80 --tries 48 --format json
warpipe headroom "$@" --schedule best.order --cores 1 >one.json 2>err || complain "headroom fails: $(cat err)"
warpipe headroom "$@" --cores 3 >three.json || complain "headroom fails on three cores"
cmp -s one.json three.json || complain "three cores come to another report"
warpipe headroom "$@" --search-seed 2 >other.json || complain "headroom fails with another seed"
found=$(python3 -c "import json; d = json.load(open('one.json')); print(d['best']['cycles'], d['best']['policy'], d['floor'] is not None)")
case $found in *" None True") ;; *) complain "the best found is $found";; esac
test -s best.order || complain "no order was written"
again=$(warpipe run suite/triad --gpu a100-80 --policy ./best.order --format json |
  python3 -c "import json, sys; print(json.load(sys.stdin)['cycles'])")
test "$again" = "${found%% *}" || complain "the order takes $again cycles again, and not ${found%% *}"
cycles=$(warpipe sweep suite/triad --gpu a100-80 --policy rr,best.order --cores 1 | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++)
  if ($i == "cycles") c = i } NR == 3 { print $c }')
test "$cycles" = "${found%% *}" || complain "sweep has $cycles cycles for the order"
python3 -c "
import json
d = json.load(open('one.json'))
assert all(p['cycles'] >= d['best']['cycles'] >= d['floor']['cycles'] for p in d['policies']), d
assert d['best']['schedule'] == open('best.order').read()
assert d['tries'] == 48 and len(d['policies']) == 6
" || complain "the report is at odds with itself"

# One warp has no choice.
warpipe headroom lemeire-balanced --gpu simple --blocks 1 --tries 16 --schedule none.order >out 2>err || complain "one warp: $(cat err)"
grep -q 'none.order is not written: no order that was tried is faster than rr' err || complain "it does not say that nothing is written: $(cat err)"
test ! -e none.order || complain "an order that is no better is written"
grep -q 'rr takes as long as any issue order must: no policy can be faster' out || complain "one warp: $(cat out)"

# What doc/headroom.md says.
for kernel in triad; do
  test -z "${SAN_CFLAGS-}" || break
  said=$(grep "^| \`$kernel\` " "$abs_srcdir/doc/headroom.md")
  warpipe headroom suite/$kernel --gpu a100-80 --format json >report.json || complain "$kernel fails"
  is=$(python3 -B "$abs_srcdir/bench/headroom.py" --row report.json)
  test "$said" = "$is" || complain "doc/headroom.md says $said, and it is $is"
done
exit $failed
