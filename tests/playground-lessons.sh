#!/bin/sh
# SPDX-License-Identifier: MIT
# The playground in a browser, as somebody who learns with it (playground-lessons.py): the five lessons from question to answer, their
# links, keys, the pointer, reduced motion; the teaching kernel's cycles are the command line's; a machine file is opened; the curve
# keeps up with a slider; it fits on a phone; the page says nothing to the console and asks for nothing.
set -u
test -z "${SAN_CFLAGS-}" || { echo "the page is that of any other build"; exit 77; }
page=$abs_builddir/playground/warpipe.html
test -f "$page" || { echo "configured without the playground"; exit 77; }
PATH=$abs_builddir:$PATH
python=
for candidate in python3 /usr/bin/python3; do
  if "$candidate" -c 'import selenium' 2>/dev/null; then python=$candidate; break; fi
done
test -n "$python" || { echo "python3-selenium is missing"; exit 77; }
command -v chromedriver >/dev/null || { echo "chromium-driver is missing"; exit 77; }
command -v chromium >/dev/null || { echo "chromium is missing"; exit 77; }
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
trap 'exit 99' HUP INT TERM
cd "$dir" || exit 99

cp "$page" playground.html || exit 99
HOME=$dir timeout 170 "$python" -B "$abs_srcdir/tests/playground-lessons.py"
