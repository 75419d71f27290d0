#!/bin/sh
# SPDX-License-Identifier: MIT
# The engine in the playground's page, in a browser, against the command line (playground.py): cycles, stalls, pipelines, issues and
# lives of shipped kernels and of random cases are the same to the last digit, as are the bounds; what each warp waited for adds up;
# machines that are wrong are refused and spoil nothing. The module imports nothing, the page is small and asks for nothing.
set -u
test -z "${SAN_CFLAGS-}" || { echo "the page is that of any other build"; exit 77; }
page=$abs_builddir/playground/warpipe.html
test -f "$page" || { echo "configured without the playground"; exit 77; }
. "$abs_srcdir/tests/headless.sh"

cp "$page" playground.html || exit 99
test "$(wc -c <playground.html)" -lt 1500000 || { echo "the page has 1.5 MB or more"; exit 1; }
HOME=$dir timeout 400 "$python" -B "$abs_srcdir/tests/playground.py" "$abs_builddir"
