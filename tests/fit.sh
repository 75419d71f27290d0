#!/bin/sh
# SPDX-License-Identifier: MIT
# Contended memory on Volkov's GPUs still gives what he measured (doc/fidelity.md), at a few loads and by short runs, and
# the shipped spreads are those of the rule. A wrong description does not pass. `make fit` is the whole of it.
command -v python3 >/dev/null || { echo "python3 is missing"; exit 77; }
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
trap 'exit 99' HUP INT TERM

python3 -B "$abs_srcdir/bench/fit.py" --quick || exit 1

cp -R "$abs_srcdir/bench" "$abs_srcdir/configs" "$abs_srcdir/idg" "$dir" && chmod -R u+w "$dir" || exit 99
sed -i 's/channel-issue="28.9"/channel-issue="30"/; s/add="-44 /add="-45 /' "$dir/configs/gtx980.xml"
WARPIPE_DATA_DIR=$dir python3 -B "$dir/bench/fit.py" --quick gtx980 >"$dir/out" 2>&1
test $? = 1 && grep -q "MISSED$" "$dir/out" && grep -q "^ld.global: the rule has another spread" "$dir/out" ||
  { echo "a wrong description passes:"; cat "$dir/out"; exit 1; }

# Programs that run warpipe say in a line that it is missing.
for program in fit growth speed sweep traces; do
  abs_builddir=$dir python3 -B "$abs_srcdir/bench/$program.py" >"$dir/out" 2>"$dir/err" </dev/null && { echo "$program.py: no failure"; exit 1; }
  test "$(wc -l <"$dir/err")" = 1 && grep -q ': warpipe is not built there; ' "$dir/err" ||
    { echo "$program.py without warpipe:"; cat "$dir/err"; exit 1; }
done
