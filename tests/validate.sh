#!/bin/sh
# SPDX-License-Identifier: MIT
# doc/fidelity.md says what the program gives, as far as that takes seconds, and newer GPUs have the memory that the rule
# gives them. A wrong description does not pass. `make validate` writes the page.
command -v python3 >/dev/null || { echo "python3 is missing"; exit 77; }
# Sanitizers have nothing to see here that other tests do not show them, and take minutes.
test -z "${SAN_CFLAGS-}" || { echo "left to builds without sanitizers"; exit 77; }
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
trap 'exit 99' HUP INT TERM

python3 -B "$abs_srcdir/bench/rule.py" && python3 -B "$abs_srcdir/bench/validate.py" --quick || exit 1

cp -R "$abs_srcdir/bench" "$abs_srcdir/configs" "$dir" && chmod -R u+w "$dir" || exit 99
sed -i 's/<launch latency="322"/<launch latency="321"/' "$dir/configs/a40.xml"
python3 -B "$dir/bench/rule.py" >"$dir/out" 2>&1
test $? = 1 && grep -q 'a40.xml: the rule has other figures' "$dir/out" ||
  { echo "a wrong description passes:"; cat "$dir/out"; exit 1; }

# Programs that run warpipe say in a line that it is missing.
for program in incore stream validate; do
  abs_builddir=$dir python3 -B "$abs_srcdir/bench/$program.py" >"$dir/out" 2>"$dir/err" </dev/null && { echo "$program.py: no failure"; exit 1; }
  test "$(wc -l <"$dir/err")" = 1 && grep -q ': warpipe is not built there; ' "$dir/err" ||
    { echo "$program.py without warpipe:"; cat "$dir/err"; exit 1; }
done
