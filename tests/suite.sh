#!/bin/sh
# SPDX-License-Identifier: MIT
# The kernels for studies of scheduling: each is bounded as its file says, and all of them are one sweep, with its
# speed-ups, its plot and what goes on with it.
set -eu
test -z "${SAN_CFLAGS-}" || { echo "figures are those of any other build"; exit 77; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 99' HUP INT TERM
cd "$dir"
folder=$abs_srcdir/idg/kernels/suite

fail () { echo "$*"; exit 1; }

for file in "$folder"/*.xml; do
  name=suite/$(basename "$file" .xml)
  said=$(sed -n 's/^  Bounded on \([a-z0-9-]*\) by: \([a-z]* [a-z0-9]*\)$/\1 \2/p' "$file")
  test -n "$said" || fail "$name does not say what bounds it"
  "$abs_builddir/warpipe" run "$name" --gpu "${said%% *}" --format json 2>/dev/null >report.json || fail "$name fails"
  found=$(sed -n '/^  "verdict": {/,/^  }/s/^    "\(kind\|resource\)": "\(.*\)",*$/\2/p' report.json | tr '\n' ' ')
  test "$found" = "${said#* } " || fail "$name is bounded by $found, and says ${said#* }"
  echo "$name" >>names
done
test "$(wc -l <names)" = 24 || fail "there are $(wc -l <names) kernels, not 24"
"$abs_builddir/warpipe" list suite | sed -n 's,^\(suite/[^ ]*\) .*,\1,p' | diff names - || fail "list suite has others"

# A few of them, all policies: rows by kernel, and speed-ups that are those of the times.
some='suite/hash suite/phases suite/uneven'
"$abs_builddir/warpipe" sweep $some --gpu a100-80,rtx3090 --policy rr,gto --normalize rr --output table.csv \
  --plot bars.csv
python3 - <<'PYTHON' || fail "the table or the plot is wrong"
import csv
import math
rows = list(csv.DictReader(open("table.csv")))
assert [row["kernel"] for row in rows] == [name for name in "suite/hash suite/phases suite/uneven".split() for _ in range(4)]
gains = {"a100-80": [], "rtx3090": []}
for base, row in zip(rows[::2], rows[1::2]):
    assert (base["policy"], row["policy"], base["gpu"]) == ("rr", "gto", row["gpu"])
    assert float(base["speed_up"]) == 1
    gain = float(base["time_us"]) / float(row["time_us"])
    assert abs(float(row["speed_up"]) - gain) < 1e-9 * gain
    gains[row["gpu"]].append(gain)
drawn = {(row["series"], row["x"]): float(row["faster than rr (%)"]) for row in csv.DictReader(open("bars.csv"))
         if row["style"] == "bars"}
for gpu, values in gains.items():
    mean = 100 * (math.prod(values) ** (1 / len(values)) - 1)
    assert abs(drawn[f"{gpu}, gto", "geo. mean"] - mean) < 1e-6, (drawn, mean)
    assert abs(drawn[f"{gpu}, gto", "phases"] - 100 * (values[1] - 1)) < 1e-6
PYTHON

# Cut off in the middle of a row, it goes on to the same bytes; one core makes them, too.
head -c 3000 table.csv >again.csv
"$abs_builddir/warpipe" sweep $some --gpu a100-80,rtx3090 --policy rr,gto --normalize rr --cores 1 --resume again.csv
cmp table.csv again.csv
# With several seeds, too, whose columns come after it.
random='volkov-mix workload --gpu gtx980 --blocks 64 --sms 1 --memory contended --seed 1-3 --policy rr,gto --normalize rr'
"$abs_builddir/warpipe" sweep $random >whole.csv
head -n 6 whole.csv >part.csv
"$abs_builddir/warpipe" sweep $random --resume part.csv
cmp whole.csv part.csv
# A folder is its files, by name.
mkdir kernels && cp "$abs_srcdir/idg/kernels/workload.xml" "$abs_srcdir/idg/kernels/stream.xml" kernels && : >kernels/.hidden
test "$("$abs_builddir/warpipe" sweep kernels --gpu gtx980 --blocks 16 | cut -d, -f2 | tr '\n' ' ')" = \
  "kernel kernels/stream.xml kernels/workload.xml "
# The table of doc/policies.md is what its command draws.
if $CC -O1 -shared -fPIC "-I$abs_srcdir/include" "$abs_srcdir/doc/policies/random.c" -o random.so 2>/dev/null; then
  "$abs_builddir/warpipe" sweep suite --gpu a100-80,rtx3090,h100-sxm --normalize rr -o all.csv --plot means.csv \
    --policy rr,gto,oldest,two-level,./random.so --policy-set seed=1,2 2>/dev/null
  awk -F, '$2 == "bars" { row[$1] = row[$1] sprintf (" | %.2f", $4) } !($1 in seen) { seen[$1]; order[++n] = $1 }
    END { for (i = 1; i <= n; i++) if (order[i] in row) print "| `" order[i] "`" row[order[i]] " |" }' means.csv >rows
  test "$(wc -l <rows)" = 5 || fail "the plot has other rows"
  grep -F -x -c -f rows "$abs_srcdir/doc/policies.md" | grep -q -x 5 || { cat rows; fail "doc/policies.md has another table"; }
fi
