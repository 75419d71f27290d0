#!/bin/sh
# SPDX-License-Identifier: MIT
# Two multiplications of matrices that live from the load/store unit are within 10% of what was measured on a GPU, and
# their warps wait most for its queue (bench/caches.py --quick). A wrong description does not pass.
command -v python3 >/dev/null || { echo "python3 is missing"; exit 77; }
# Sanitizers have nothing to see here that other tests do not show them.
test -z "${SAN_CFLAGS-}" || { echo "left to builds without sanitizers"; exit 77; }
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
trap 'exit 99' HUP INT TERM

python3 -B "$abs_srcdir/bench/caches.py" --quick || exit 1

# Nothing shared by all instructions on memory: shared memory has a pipeline of its own.
mkdir "$dir/doc" && cp -R "$abs_srcdir/bench" "$abs_srcdir/configs" "$abs_srcdir/idg" "$dir" &&
  cp "$abs_srcdir"/doc/*.md "$dir/doc" && chmod -R u+w "$dir" || exit 99
sed -i 's|</gpu>|<pipeline name="own" queue="unbounded"/><op name="ld.shared" pipeline="own"/></gpu>|' "$dir/configs/rtx3080ti.xml"
WARPIPE_DATA_DIR=$dir python3 -B "$dir/bench/caches.py" --quick >"$dir/out" 2>&1
test $? = 1 && grep -q '^gemm-tiled: -[0-9.]*%, waits' "$dir/out" ||
  { echo "a wrong description passes:"; cat "$dir/out"; exit 1; }

abs_builddir=$dir python3 -B "$abs_srcdir/bench/caches.py" >"$dir/out" 2>"$dir/err" </dev/null && { echo "no failure"; exit 1; }
test "$(wc -l <"$dir/err")" = 1 && grep -q ': warpipe is not built there; ' "$dir/err" ||
  { echo "caches.py without warpipe:"; cat "$dir/err"; exit 1; }
