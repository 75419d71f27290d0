#!/bin/sh
# SPDX-License-Identifier: MIT
# Ctrl-C ends a run with the report of the part done, marked as such, and exit status 130; the table that was being
# written is gone, and one that was there before is as it was. The run would take hours.
set -u
PATH=$abs_builddir:$PATH
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
trap 'exit 99' HUP TERM
cd "$dir" || exit 99
failed=0
complain () { echo "$*"; failed=1; }

echo "written before" >kept.csv
# A shell without job control starts background jobs with SIGINT ignored: let timeout send it.
timeout --foreground --preserve-status -s INT 2 warpipe run vector-add --gpu gtx980 --blocks 9000000000000000 \
  --lifetimes kept.csv --issues new.csv --format json >out 2>err
status=$?
test "$status" = 130 || complain "exit status $status, expected 130"
grep -q '"complete": false' out || complain "the report does not say that it is of a part"
grep -q '"cycles": [1-9]' out || complain "the report has no cycles"
test ! -s err || { complain "standard error is not empty:"; cat err; }
test "$(cat kept.csv)" = "written before" || complain "kept.csv was touched"
test "$(echo *)" = "err kept.csv out" || complain "files were left behind: $(echo *)"
exit $failed
