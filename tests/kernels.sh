#!/bin/sh
# SPDX-License-Identifier: MIT
# The statistics of bench/kernels on lists whose results are known, and its page: tables and pictures of
# doc/fidelity-kernels.md are those that the rows of bench/data make. A page that says otherwise does not pass.
command -v python3 >/dev/null || { echo "python3 is missing"; exit 77; }
# Sanitizers have nothing to see here.
test -z "${SAN_CFLAGS-}" || { echo "left to builds without sanitizers"; exit 77; }
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
trap 'exit 99' HUP INT TERM

python3 -B "$abs_srcdir/bench/kernels/known.py" || exit 1
python3 -B "$abs_srcdir/bench/kernels/main.py" --check || exit 1

mkdir -p "$dir/doc" "$dir/run/tune" && cp -R "$abs_srcdir/bench" "$dir" && cp "$abs_srcdir/run/tune/known-errors.def" "$dir/run/tune" &&
  cp -R "$abs_srcdir"/doc/fidelity* "$dir/doc" &&
  chmod -R u+w "$dir" || exit 99
rows=$dir/bench/data/kernels-convolution-rtx2080ti.csv
sed -i '3s/,\(fitted\|held-out\),[0-9.]*,/,\1,99999,/' "$rows"
cmp -s "$rows" "$abs_srcdir/bench/data/kernels-convolution-rtx2080ti.csv" && { echo "no row was changed"; exit 99; }
python3 -B "$dir/bench/kernels/main.py" --check >"$dir/out" 2>&1
test $? = 1 && grep -q 'results, convolution: the rows say otherwise' "$dir/out" ||
  { echo "a row that is not on the page passes:"; cat "$dir/out"; exit 1; }

# What tune says of its first choice is what the rows make of its bound and generation: --check compared the table.
"$abs_builddir/warpipe" tune "$abs_srcdir/tests/cuda/execute/fixtures/copy.sm_80.cubin" --gpu a100-80 --format json \
  --launch 'saxpy<<<$n/$b, $b>>>($n, 2.5f, X, Y)' --set n=1048576 --set b=64,256 2>/dev/null |
  python3 -B "$abs_srcdir/bench/kernels/said.py" "$abs_srcdir/run/tune/known-errors.def" Ampere || exit 1

# What is missing is said in a line.
python3 -B "$dir/bench/kernels/main.py" --measured "$dir/nowhere" >"$dir/out" 2>"$dir/err" && { echo "no failure"; exit 1; }
test "$(wc -l <"$dir/err")" = 1 && grep -q '/nowhere: no measurements there' "$dir/err" ||
  { echo "without measurements:"; cat "$dir/err"; exit 1; }
