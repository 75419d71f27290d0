#!/bin/sh
# SPDX-License-Identifier: MIT
# The playground in a browser, as a learner uses it (playground-lessons.py): the five lessons from
# question to answer, their links, keys, the pointer, reduced motion; the teaching kernel's cycles
# are the command line's; a machine file is opened; the curve keeps up with a slider; it fits on a
# phone; the page writes nothing to the console and makes no requests.
set -u
test -z "${SAN_CFLAGS-}" || { echo "the page is that of any other build"; exit 77; }
page=$abs_builddir/playground/warpipe.html
test -f "$page" || { echo "configured without the playground"; exit 77; }
. "$abs_srcdir/tests/headless.sh"

cp "$page" playground.html || exit 99
HOME=$dir timeout 170 "$python" -B "$abs_srcdir/tests/playground-lessons.py"
