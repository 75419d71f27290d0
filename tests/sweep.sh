#!/bin/sh
# SPDX-License-Identifier: MIT
# A sweep: its metrics are those of the runs, one by one (sweep.py); its bytes do not depend on the
# number of cores, nor on how often it was killed and resumed; files that it must not resume it
# refuses, and leaves unchanged; Ctrl-C ends it and keeps finished rows.
set -u
. "$abs_srcdir/tests/scratch.sh"

# ---- Figures ----

if command -v python3 >/dev/null; then
  warpipe sweep volkov-mix --gpu gtx480,gtx980 --occupancy 1,8,47 --set alpha=1,32 --policy rr,gto >table.csv
  python3 -B "$abs_srcdir/tests/sweep.py" <table.csv || complain "the sweep and its runs differ"
  # Both orders and memories, GPUs with other pipelines, settings that change nothing, and what is refused.
  warpipe sweep vector-add --gpu gtx480,simple --occupancy 8 --threads 96,2048 --policy rr,two-level --sms 1,2 \
    --order dataflow,program --memory ideal,contended --active-set 2,8 --blocks 60 --registers 20 --no-limits \
    >table.csv 2>errors || complain "exit status $? where runs are refused"
  grep -q '^warpipe: warning: [0-9]* of 128 rows have no figures' errors || complain "no warning: $(cat errors)"
  python3 -B "$abs_srcdir/tests/sweep.py" --no-limits <table.csv || complain "the sweep and its runs differ"
else
  echo "python3 is missing: figures were not compared"
fi

# ---- The same bytes ----

# 240 rows that cannot be skipped through, the first of which take longest: others wait for them.
echo '<gpu like="gtx980" name="draws"><pipeline name="memory" channels="9" channel-issue="26.4"/>
<op name="ld.global" transactions="4"><spread at="0 50 100" add="0 8 200"/></op></gpu>' >draws.xml
sweep="warpipe sweep volkov-mix --gpu ./draws.xml --memory contended --blocks 512 --set rounds=300,1,2,3,4-9/5"
sweep="$sweep --set alpha=1,4 --occupancy 4-40/4 --policy rr,gto --no-limits"
began=$(date +%s%N)
$sweep --cores 1 >expected.csv || complain "exit status $?"
took=$(($(date +%s%N) - began))
test "$(wc -l <expected.csv)" = 241 || complain "$(wc -l <expected.csv) lines, expected 241"
for cores in 2 3; do
  $sweep --cores $cores | cmp - expected.csv || complain "$cores cores: another table"
done
$sweep -o out.csv || complain "--output: exit status $?"
cmp out.csv expected.csv || complain "--output: another table"

# ---- Killed and resumed ----

# Kills it ten times, at varying moments; a row may be incomplete, too. Where it finished before
# that, it starts again, so that each of the ten was killed.
kills=0
round=0
while test $kills -lt 10 && test $round -lt 100; do
  round=$((round + 1))
  ! cmp -s resumed.csv expected.csv || rm resumed.csv
  moment=$(awk -v seed="$$$round" -v took="$took" 'BEGIN { srand (seed); print 0.01 + 0.15 * rand () * took / 1e9 }')
  timeout --foreground -s KILL "$moment" $sweep --cores 2 --resume resumed.csv >out 2>errors
  status=$?
  test $status != 137 || kills=$((kills + 1))
  # 124: it had ended by itself when the signal came, which timeout cannot tell from a failure.
  test $status = 0 || test $status = 124 || test $status = 137 || complain "killed after $moment s: status $status, $(cat errors)"
  test ! -e resumed.csv || head -c "$(wc -c <resumed.csv)" expected.csv | cmp - resumed.csv ||
    complain "killed after $moment s: what is there is not how the table begins"
done
test $kills = 10 || complain "it was killed $kills times only"
$sweep --resume resumed.csv 2>errors || complain "--resume: exit status $?: $(cat errors)"
cmp resumed.csv expected.csv || complain "--resume: another table"
test ! -e resumed.csv.ahead || complain "--resume: resumed.csv.ahead was left behind"
$sweep --resume resumed.csv 2>errors || complain "a finished one: exit status $?"
grep -q '^warpipe: resumed.csv is complete: nothing was left to do (240 rows)$' errors ||
  complain "a finished one: $(cat errors)"
cmp resumed.csv expected.csv || complain "a finished one was changed"

# What is there counts: rows that were done are not run again. One that was changed is refused.
head -n 11 expected.csv >kept.csv
$sweep --resume kept.csv 2>errors || complain "ten rows: exit status $?"
cmp kept.csv expected.csv || complain "ten rows: another table"
sed -e '3s/,volkov-mix,/,as-it-was,/' -e 11q expected.csv >kept.csv
$sweep --resume kept.csv 2>errors
test $? = 1 || complain "a row that was changed: exit status is not 1"
grep -q '^warpipe: kept.csv:3: this row has been changed' errors || complain "a row that was changed: $(cat errors)"

# Cut off in a row, in the header, before the first byte; zeros where data did not reach the disk.
for bytes in 0 100 5000 20001; do
  head -c $bytes expected.csv >torn.csv
  $sweep --resume torn.csv || complain "torn after $bytes bytes: exit status $?"
  cmp torn.csv expected.csv || complain "torn after $bytes bytes: another table"
done
{ head -n 50 expected.csv; head -c 3000 /dev/zero; echo; } >torn.csv
$sweep --resume torn.csv || complain "zeros at the end: exit status $?"
cmp torn.csv expected.csv || complain "zeros at the end: another table"

# Rows that wait for an earlier one are kept in another file; incomplete or repeated ones do no
# harm. What else may be done to these files is in resume.sh.
{ sed -n '60,100p' expected.csv; sed -n '12,20p' expected.csv; sed -n 200p expected.csv | head -c 50; } >ahead.csv.ahead
head -n 30 expected.csv >ahead.csv
$sweep --resume ahead.csv || complain "rows ahead: exit status $?"
cmp ahead.csv expected.csv || complain "rows ahead: another table"
test ! -e ahead.csv.ahead || complain "rows ahead were left behind"

# They get there while the first row of many takes its time.
slow="warpipe sweep volkov-mix --gpu ./draws.xml --memory contended --no-limits --blocks 64 --set rounds=9000000,1-40"
timeout --foreground -s KILL 3 $slow --cores 2 --resume slow.csv
test "$(wc -l <slow.csv)" = 1 || complain "a row that takes hours was done in seconds"
grep -c . slow.csv.ahead >/dev/null || complain "rows that waited were lost"

# ---- Refused ----

# refused TITLE MESSAGE FILE COMMAND...: it is, with exit status 1, and FILE stays as it is.
refused ()
{
  title=$1 message=$2 file=$3
  shift 3
  cp "$file" before
  "$@" >out 2>errors
  test $? = 1 || complain "$title: exit status is not 1"
  grep -q "$message" errors || complain "$title: $(cat errors)"
  cmp "$file" before || complain "$title: the file was changed"
  test ! -s out || complain "$title: rows were printed"
}

refused "another seed" "^warpipe: resumed.csv:2: this file was not made by this sweep" resumed.csv \
  $sweep --seed 2 --resume resumed.csv
refused "another policy" "^warpipe: resumed.csv:2: this file was not made by this sweep" resumed.csv \
  $sweep --policy rr,oldest --resume resumed.csv
refused "another kernel" "^warpipe: resumed.csv:1: this file was not made by this sweep" resumed.csv \
  warpipe sweep vector-add --gpu gtx980 --resume resumed.csv
sed -i 's/26.4/26.5/' draws.xml
refused "another GPU of that name" "^warpipe: resumed.csv:2: this file was not made by this sweep" resumed.csv \
  $sweep --resume resumed.csv
sed -i 's/26.5/26.4/' draws.xml
echo "a letter" >letter.txt
refused "what is no table" "^warpipe: letter.txt:1: this file was not made by this sweep" letter.txt $sweep --resume letter.txt
sed '3{h;d};4G' expected.csv >moved.csv
refused "rows in another order" "^warpipe: moved.csv:3: a row that is out of order" moved.csv $sweep --resume moved.csv
cp expected.csv short.csv
cp letter.txt short.csv.ahead
refused "a file where waiting rows go" "^warpipe: short.csv.ahead: rows of this sweep" short.csv.ahead $sweep --resume short.csv
# Lists with the same values are equal.
rm short.csv.ahead
$sweep --occupancy 4,8,12-40/4 --resume short.csv 2>errors || complain "another spelling: exit status $?: $(cat errors)"

# ---- Ctrl-C ----

timeout --foreground --preserve-status -k 20 -s INT 2 $slow --resume slow.csv 2>errors
status=$?
test "$status" = 130 || complain "Ctrl-C: exit status $status, expected 130"
grep -q '^warpipe: slow.csv has [1-9][0-9]* of 41 rows; the same command goes on with it$' errors || complain "Ctrl-C: $(cat errors)"
echo "written before" >kept.csv
timeout --foreground --preserve-status -k 20 -s INT 1 $slow -o kept.csv 2>errors
status=$?
test "$status" = 130 || complain "Ctrl-C, --output: exit status $status, expected 130"
test ! -s errors || complain "Ctrl-C, --output: $(cat errors)"
test "$(cat kept.csv)" = "written before" || complain "Ctrl-C, --output: the file was touched"
test -z "$(find . -name '.warpipe*')" || complain "Ctrl-C, --output: a file was left behind"

# Two at a time would tear it.
timeout --foreground -k 20 -s INT 3 $slow --resume slow.csv 2>errors &
sleep 1
warpipe_says=$($slow --resume slow.csv 2>&1)
test "$warpipe_says" = "warpipe: slow.csv: another warpipe is writing this file" || complain "two at a time: $warpipe_says"
wait

# A reader that goes away, and a disk that is full.
$sweep 2>errors | head -n 3 >out
test ! -s errors || complain "a reader that goes away: $(cat errors)"
head -n 3 expected.csv | cmp - out || complain "the first rows are not the first"
if test -c /dev/full; then
  $sweep >/dev/full 2>errors
  status=$?
  test "$status" = 3 || complain "a full disk: exit status $status, expected 3"
  grep -q '^warpipe: cannot write standard output: No space left' errors || complain "a full disk: $(cat errors)"
fi
exit $failed
