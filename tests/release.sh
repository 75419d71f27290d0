#!/bin/sh
# SPDX-License-Identifier: MIT
# What says which version this is says the same: configure, NEWS, CITATION.cff, codemeta.json, and the program; and
# what says when it was released.
test -z "${SAN_CFLAGS-}" || { echo "the source tree is the same in any other build"; exit 77; }
. "$abs_srcdir/tests/scratch.sh"
failed=0
version=$(sed -n 's/^AC_INIT(\[warpipe\], \[\([^]]*\)\].*/\1/p' "$abs_srcdir/configure.ac")
check () { test "$2" = "$version" || { echo "$1 says \"$2\", configure.ac $version"; failed=1; }; }

check NEWS "$(sed -n 's/^\([0-9][0-9.]*\)\( .*\)*$/\1/p' "$abs_srcdir/NEWS" | head -n 1)"
check CITATION.cff "$(sed -n 's/^version: //p' "$abs_srcdir/CITATION.cff")"
check codemeta.json "$(sed -n 's/^  "version": "\(.*\)",$/\1/p' "$abs_srcdir/codemeta.json")"
for page in warpipe-gpu.5 warpipe-kernel.5; do
  check $page "$(sed -n "s/^\.TH .*\"warpipe \([0-9.]*\)\".*/\1/p" "$abs_srcdir/doc/man/$page")"
done
check "warpipe --version" "$(warpipe --version | sed -n 's/^warpipe //p' | head -n 1)"
python3 -c 'import json, sys; json.load(open(sys.argv[1]))' "$abs_srcdir/codemeta.json" || failed=1
date=$(sed -n 's/^[0-9][0-9.]* (\([0-9-]*\))$/\1/p' "$abs_srcdir/NEWS" | head -n 1)
check_date () { test "$2" = "$date" || { echo "$1 says \"$2\", NEWS $date"; failed=1; }; }

check_date CITATION.cff "$(sed -n 's/^date-released: //p' "$abs_srcdir/CITATION.cff")"
check_date codemeta.json "$(sed -n 's/^  "dateModified": "\(.*\)",$/\1/p' "$abs_srcdir/codemeta.json")"
exit $failed
