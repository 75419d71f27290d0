#!/bin/sh
# SPDX-License-Identifier: MIT
# What people and crashes do to a table that a sweep is to go on with (resume.py).
set -u
. "$abs_srcdir/tests/scratch.sh"
command -v python3 >/dev/null || { echo "python3 is missing"; exit 77; }

echo '<gpu like="gtx980" name="draws"><pipeline name="memory" channels="9" channel-issue="26.4"/>
<op name="ld.global" transactions="4"><spread at="0 50 100" add="0 8 200"/></op></gpu>' >draws.xml
python3 -B "$abs_srcdir/tests/resume.py" draws.xml || failed=1
exit $failed
