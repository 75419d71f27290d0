#!/bin/sh
# SPDX-License-Identifier: MIT
# Where outputs go: links are followed as the kernel follows them, nothing is replaced that was not
# named, and a program that is killed leaves nothing.
set -u
. "$abs_srcdir/tests/path.sh"
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
trap 'exit 99' HUP TERM
cd "$dir" || exit 99
failed=0
complain () { echo "$*"; failed=1; }
run () { warpipe run vector-add --gpu gtx980 --blocks 4 "$@" >out 2>err; }

# s/.. is where s leads to, d, and not the folder that s is in.
mkdir -p d/e other
ln -s d/e s
echo "written before" >a.csv
run --lifetimes s/../a.csv || complain "s/../a.csv: $(cat err)"
test -s d/a.csv || complain "s/../a.csv is not in d"
test "$(cat a.csv)" = "written before" || complain "s/../a.csv has replaced a.csv"

# A link to a file, one of several steps, and one to a file that is not there yet.
ln -s ../d/b.csv other/b.csv
ln -s other/b.csv b.csv
for round in 1 2; do
  run --lifetimes b.csv || complain "round $round: $(cat err)"
  cmp -s d/a.csv d/b.csv || complain "round $round: b.csv does not go to d/b.csv"
  if ! test -L b.csv || ! test -L other/b.csv; then complain "round $round: a link was replaced"; fi
  rm d/b.csv
  test $round = 2 || echo "written before" >d/b.csv
done

# A link that leads to itself is an error, and stays.
ln -s two one
ln -s one two
run --lifetimes one
status=$?
test $status = 3 || complain "a looping link: exit status $status, expected 3"
grep -q 'cannot write one: Too many levels of symbolic links' err || complain "a looping link: $(cat err)"
if ! test -L one || ! test -L two; then complain "a looping link was replaced"; fi

# Rights stay.
chmod 640 a.csv
run --lifetimes a.csv || complain "a.csv: $(cat err)"
test "$(stat -c %a a.csv)" = 640 || complain "rights of a.csv: $(stat -c %a a.csv)"
cmp -s d/a.csv a.csv || complain "a.csv was not written"
# Those of a new file are what the mask leaves.
(umask 027; run --lifetimes masked.csv) || complain "masked.csv: $(cat err)"
test "$(stat -c %a masked.csv)" = 640 || complain "rights of masked.csv: $(stat -c %a masked.csv)"

# Two names of one file.
ln d/a.csv hard.csv
for pair in 'a.csv ./a.csv' 'd/e/../new.csv s/../new.csv' 'd/a.csv hard.csv' 'other/b.csv b.csv'; do
  run --lifetimes "${pair% *}" --issues "${pair#* }"
  status=$?
  test $status = 2 || complain "$pair: exit status $status, expected 2"
  grep -q 'both go to' err || complain "$pair: $(cat err)"
done
cmp -s d/a.csv a.csv || complain "an output that was refused was written"

# What is killed while it writes leaves nothing, where the file system has files without a name.
list () { find . ! -name out ! -name err | sort; }
before=$(list)
warpipe run vector-add --gpu gtx680 --blocks 9000000000000000 --issues new.csv >out 2>err &
pid=$!
is_being_written () { find -L "/proc/$pid/fd" -type f -size +100k 2>/dev/null | grep -q .; }
while kill -0 $pid 2>/dev/null && ! is_being_written; do sleep 0.02; done
fds=$(ls -l /proc/$pid/fd 2>/dev/null)
kill -KILL $pid
wait $pid 2>/dev/null
if echo "$fds" | grep -q '(deleted)'; then
  test "$(list)" = "$before" || complain "left behind: $(list)"
else
  echo "this file system has no files without a name: not tried"
fi

# The folder that is open is the one that counts, wherever it has gone meanwhile.
mkdir moving
mkfifo late
warpipe run vector-add --gpu gtx980 --blocks 4 --lifetimes moving/a.csv --issues late >out 2>err &
pid=$!
has_opened () { find "/proc/$pid/fd" -lname '*/moving' 2>/dev/null | grep -q .; }
while kill -0 $pid 2>/dev/null && ! has_opened; do sleep 0.02; done
mv moving moved
mkdir moving
echo "of someone else" >moving/a.csv
timeout 60 cat late >/dev/null # nobody opens it where the run has failed
wait $pid || complain "a folder that was moved: $(cat err)"
cmp -s moved/a.csv d/a.csv || complain "the table is not in the folder that was open"
test "$(cat moving/a.csv)" = "of someone else" || complain "a table went into another folder of that name"

# A file is on the disk before it gets its name, and the name after it.
case ${SAN_CFLAGS-}$(uname -s) in
Linux)
  ${CC-cc} -std=gnu11 -Wall -Wextra -O1 -shared -fPIC -o order.so "$abs_srcdir/tests/order.c" -ldl || complain "order.c"
  # order EXPECTED...: of the calls of a run that writes one table, file.csv.
  order ()
  {
    rm -f order
    test -x "$abs_builddir/.libs/warpipe" || return
    LD_LIBRARY_PATH=$abs_builddir/.libs ORDER=$PWD/order LD_PRELOAD=$PWD/order.so \
      "$abs_builddir/.libs/warpipe" run vector-add --gpu gtx980 --blocks 4 --lifetimes file.csv >out 2>err ||
      complain "order of calls: $(cat err)"
    printf '%s\n' "$@" | cmp -s - order || complain "order of calls: $(tr '\n' ',' <order), expected: $*"
  }
  if echo "$fds" | grep -q '(deleted)'; then
    order "sync file" link "sync folder"
    order "sync file" link rename "sync folder"
  fi ;;
*) echo "the order of calls was not looked at" ;;
esac
exit $failed
