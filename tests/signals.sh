#!/bin/sh
# SPDX-License-Identifier: MIT
# Signals, limits and what is waited for (signals.py): a run that is ended cleans up, at once.
set -u
. "$abs_srcdir/tests/scratch.sh"
command -v python3 >/dev/null || { echo "python3 is missing"; exit 77; }
test -r /proc/self/status || { echo "this system has no /proc"; exit 77; }

python3 -B "$abs_srcdir/tests/signals.py" "$abs_srcdir/tests" || failed=1
exit $failed
