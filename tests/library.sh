#!/bin/sh
# SPDX-License-Identifier: MIT
# The programs in doc/library.md print what the page says, and doc/examples/*.c compile and run, with nothing
# but warpipe.h. They are C and C++. UPDATE_GOLDEN=1 rewrites the page.
set -eu
test -e "$abs_builddir/.libs/libwarpipe.so" || { echo "there is no shared library to link with"; exit 77; }
command -v python3 >/dev/null || { echo "no python3"; exit 77; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 99' HUP INT TERM
page=$abs_srcdir/doc/library.md
flags="-Wall -Wextra -Werror -I$abs_srcdir/include -I$abs_srcdir $(pkg-config --cflags glib-2.0)"
libs="-L$abs_builddir/.libs -lwarpipe -lidg $(pkg-config --libs glib-2.0)"
LD_LIBRARY_PATH=$abs_builddir/.libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export LD_LIBRARY_PATH

# build FILE.c: makes FILE of it, and sees that C++ takes it.
build ()
{
  $CC -std=gnu11 $flags $SAN_CFLAGS "$1" -o "${1%.c}" $libs
  if command -v c++ >/dev/null; then c++ -x c++ $flags -fsyntax-only "$1"; fi
}

python3 -B "$abs_srcdir/tests/library.py" "$page" "$dir"
n=0
for program in "$dir"/[0-9]*.c; do
  build "$program"
  "${program%.c}" >"${program%.c}.out"
  test "${UPDATE_GOLDEN-}" = 1 || diff -u "${program%.c}.txt" "${program%.c}.out"
  n=$((n + 1))
done
test "$n" -ge 4 || { echo "only $n programs in $page"; exit 1; }
test "${UPDATE_GOLDEN-}" != 1 || python3 -B "$abs_srcdir/tests/library.py" "$page" "$dir" update

cp "$abs_srcdir"/doc/examples/*.c "$dir"
for program in "$abs_srcdir"/doc/examples/*.c; do
  name=$(basename "$program" .c)
  build "$dir/$name.c"
  "$dir/$name" gtx980 volkov-mix >"$dir/$name.txt"
  test "$(wc -l <"$dir/$name.txt")" -ge 4 || { echo "$name says too little"; exit 1; }
done
