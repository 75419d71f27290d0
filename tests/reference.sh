#!/bin/sh
# SPDX-License-Identifier: MIT
# The reference of the library: Doxygen finds every function of warpipe.h documented, with all of its
# parameters, what it returns and an example, and no link that leads nowhere. An undocumented function is found,
# too. tests/library.sh runs the examples.
test -z "${SAN_CFLAGS-}" || { echo "the source tree is the same in any other build"; exit 77; }
set -eu
command -v doxygen >/dev/null || { echo "no doxygen"; exit 77; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 99' HUP INT TERM
WARPIPE_VERSION=test WARPIPE_SOURCE=$abs_srcdir WARPIPE_REFERENCE=$dir/html
export WARPIPE_VERSION WARPIPE_SOURCE WARPIPE_REFERENCE

mkdir "$dir/html"
doxygen "$abs_srcdir/doc/Doxyfile"
for function in $(grep -oE '\bwp_[a-z_]+ \(' "$abs_srcdir/include/warpipe/warpipe.h" | tr -d ' (' | sort -u); do
  grep -qs ">$function<" "$dir"/html/*_8h.html || { echo "the reference lacks $function"; exit 1; }
  # A page of examples is the source with links.
  grep -qs ">$function</a>" "$dir"/html/*-example.html || { echo "no example has $function"; exit 1; }
done

# It would notice: the same header with a function that nobody has documented.
mkdir -p "$dir/include/warpipe" "$dir/sim/gpu" "$dir/idg/kernel" "$dir/doc" "$dir/html2"
cp "$abs_srcdir/sim/gpu/wp-types.h" "$dir/sim/gpu"
cp "$abs_srcdir/idg/kernel/idg-types.h" "$dir/idg/kernel"
cp -r "$abs_srcdir/doc/library.md" "$abs_srcdir/doc/examples" "$dir/doc"
sed 's/^G_END_DECLS/WP_API int wp_secret (int n);\n&/' "$abs_srcdir/include/warpipe/warpipe.h" >"$dir/include/warpipe/warpipe.h"
WARPIPE_SOURCE=$dir WARPIPE_REFERENCE=$dir/html2
if doxygen "$abs_srcdir/doc/Doxyfile" 2>"$dir/errors"; then
  echo "an undocumented function is not noticed"
  exit 1
fi
grep -q wp_secret "$dir/errors"
