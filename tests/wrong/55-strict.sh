#!/bin/sh
# SPDX-License-Identifier: MIT
# With --strict a warning is an error: status 1, a line for each, no report, and no file.
cat >twice.xml <<'END'
<gpu name="twice" like="gtx980"><op name="ld.global" issue="5"/></gpu>
END
"$WARPIPE" run vector-add --gpu twice.xml --occupancy 44 --blocks 2000 --strict --lifetimes l.csv --html p.html --machine m.json >out 2>err
status=$?
test $status -eq 1 || echo "status $status"
test ! -s out || { echo "a report:"; cat out; }
for file in l.csv p.html m.json; do test ! -e $file || echo "$file was left"; done
test "$(ls | wc -l)" -eq 3 || ls
for name in memory-above-pins occupancy-not-reached; do
  grep -q "^warpipe: $name: .*without --strict" err || { echo "no line for $name:"; cat err; }
done
test "$(wc -l <err)" -ge 2 || { echo "not a line each:"; cat err; }
for command in explain bounds "compare --policy rr,gto" models; do
  "$WARPIPE" $command vector-add --gpu twice.xml --strict >out 2>err && { echo "$command --strict succeeds"; exit 1; }
  test ! -s out || { echo "$command --strict prints"; exit 1; }
done
"$WARPIPE" run volkov-mix --gpu gtx980 --strict >out 2>err || { echo "no warning, and yet an error:"; cat err; exit 1; }
test -s out || echo "no report"
