#!/bin/sh
# SPDX-License-Identifier: MIT
# Ctrl-C ends a run with the report of the part that was run, marked as such, and exit status 130;
# the unfinished table is removed, and an earlier one is unchanged. The same where an event takes
# long, with a million resident warps. A signal that the caller ignores (nohup) is ignored. The runs
# would take hours: tables are written in full, and --no-skip simulates in full.
set -u
. "$abs_srcdir/tests/path.sh"
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
trap 'exit 99' HUP TERM
cd "$dir" || exit 99
failed=0
complain () { echo "$*"; failed=1; }

echo "written before" >kept.csv
# A shell without job control starts background jobs with SIGINT ignored: let timeout send it.
timeout --foreground --preserve-status -s INT 1 warpipe run vector-add --gpu gtx980 --blocks 9000000000000000 \
  --lifetimes kept.csv --issues new.csv --html new.html --format json >out 2>err
status=$?
test "$status" = 130 || complain "exit status $status, expected 130"
grep -q '"complete": false' out || complain "the report does not say that it is of a part"
grep -q '"cycles": [1-9]' out || complain "the report has no cycles"
test ! -s err || { complain "standard error is not empty:"; cat err; }
test "$(cat kept.csv)" = "written before" || complain "kept.csv was touched"
test "$(echo *)" = "err kept.csv out" || complain "files were left behind: $(echo *)"

# What a table has kept until the run's end is not written to its end.
warpipe run vector-add --gpu gtx680 --blocks 100000 --konata late.log >out 2>err &
pid=$!
# Until it is written, the log has no name.
is_being_written () { find -L "/proc/$1/fd" -type f -size +1000k 2>/dev/null | grep -q .; }
while kill -0 $pid 2>/dev/null && ! is_being_written $pid; do sleep 0.02; done
kill -TERM $pid 2>/dev/null
wait $pid
status=$?
test "$status" = 143 || complain "a log that is being written: exit status $status, expected 143"
test ! -s err || { complain "a log that is being written: standard error is not empty:"; cat err; }
test "$(ls -A)" = "$(printf '%s\n' err kept.csv out)" || complain "files were left behind: $(ls -A)"

timeout --foreground --preserve-status -k 20 -s INT 2 warpipe run volkov-mix --gpu gtx980 --no-limits \
  --blocks 16777216 --threads 32 --set rounds=1000 --policy gto --format json >out 2>err
status=$?
test "$status" = 130 || complain "a million warps: exit status $status, expected 130"

timeout --foreground --preserve-status -k 20 -s INT 1 warpipe bounds "$abs_srcdir/tests/drift.xml" \
  --gpu "$abs_srcdir/tests/drift-gpu.xml" >out 2>err
status=$?
test "$status" = 130 || complain "bounds: exit status $status, expected 130"
test ! -s out || complain "bounds: half a report was printed"
test ! -s err || { complain "bounds: standard error is not empty:"; cat err; }

# Of many runs side by side nothing is reported.
echo '<gpu like="gtx980" name="gtx980-c"><pipeline name="memory" channels="9" channel-issue="26.4"/><op name="ld.global" transactions="4"/></gpu>' >gtx980-c.xml
timeout --foreground --preserve-status -k 20 -s INT 1 warpipe models volkov-mix --gpu gtx980-c.xml --no-limits \
  --set rounds=1000000 --memory contended >out 2>err
status=$?
test "$status" = 130 || complain "models: exit status $status, expected 130"
test ! -s out || { complain "models: standard output is not empty:"; cat out; }
test ! -s err || { complain "models: standard error is not empty:"; cat err; }

for policies in "--policy rr,gto" "--policy oldest,block --occupancy 4"; do
  # shellcheck disable=SC2086
  timeout --foreground --preserve-status -k 20 -s INT 1 warpipe compare volkov-mix --gpu gtx980-c.xml --no-limits \
    --set rounds=1000000 --memory contended $policies >out 2>err
  status=$?
  test "$status" = 130 || complain "compare: exit status $status, expected 130"
  test ! -s out || { complain "compare: standard output is not empty:"; cat out; }
  test ! -s err || { complain "compare: standard error is not empty:"; cat err; }
done
timeout --foreground --preserve-status -k 20 -s INT 1 warpipe explain volkov-mix --gpu gtx980-c.xml \
  --set rounds=1000000 --memory contended >out 2>err
status=$?
test "$status" = 130 || complain "explain: exit status $status, expected 130"
test ! -s out || { complain "explain: standard output is not empty:"; cat out; }
test ! -s err || { complain "explain: standard error is not empty:"; cat err; }

( trap '' HUP; exec warpipe run vector-add --gpu gtx980 --blocks 9000000000000000 --no-skip >out 2>err ) &
pid=$!
sleep 1
kill -HUP $pid
sleep 1
kill -0 $pid 2>/dev/null || complain "SIGHUP ended a run that was to ignore it"
kill -TERM $pid
wait $pid
status=$?
test "$status" = 143 || complain "SIGTERM: exit status $status, expected 143"
exit $failed
