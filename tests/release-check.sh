#!/bin/sh
# SPDX-License-Identifier: MIT
# What a release has to pass beside ./selftest, by `make release-check`: distcheck; versions that agree, symbols of the
# libraries; NEWS with a date; a tarball that has all that git has but what is listed below, and whose bytes depend on
# neither the folder nor the time nor the umask; the playground's, likewise.
#
# usage: release-check.sh SRCDIR BUILDDIR VERSION MAKE
set -u
srcdir=$1
builddir=$2
version=$3
make=$4
jobs=$(nproc 2>/dev/null || echo 2)
dir=$(mktemp -d)
trap 'chmod -R u+w "$dir"; rm -rf "$dir"' EXIT
trap 'exit 99' HUP INT TERM
failed=0
complain () { echo "release-check: $*" >&2; failed=1; }
step () { echo "release-check: $*"; }

step "NEWS has the release's date"
grep -qE "^$version \([0-9]{4}-[0-9]{2}-[0-9]{2}\)$" "$srcdir/NEWS" ||
  complain "NEWS has no line \"$version (YEAR-MONTH-DAY)\""

step "the tree is what is committed"
if git -C "$srcdir" rev-parse --git-dir >/dev/null 2>&1; then
  test -z "$(git -C "$srcdir" status --porcelain)" || complain "there are changes that are not committed"
else
  complain "$srcdir is no git checkout"
fi

step "two tarballs from two folders, at two times, with two umasks"
for n in 1 2; do
  git clone -q "$srcdir" "$dir/clone-number-$n" && mkdir "$dir/build$n" || exit 1
  (
    if test $n = 1; then umask 022; else umask 077; fi
    chmod -R u+w "$dir/clone-number-$n"
    test $n = 1 || find "$dir/clone-number-$n" -name .git -prune -o -exec touch -d 2001-02-03 {} +
    cd "$dir/clone-number-$n" && autoreconf -fi >/dev/null 2>&1 && cd "$dir/build$n" &&
      "$dir/clone-number-$n/configure" --quiet >configure.log 2>&1 && $make -s dist >dist.log 2>&1
  ) || { complain "make dist fails: $(tail -n 5 "$dir/build$n"/*.log)"; exit 1; }
done
for suffix in gz xz; do
  cmp "$dir/build1/warpipe-$version.tar.$suffix" "$dir/build2/warpipe-$version.tar.$suffix" ||
    complain "tar.$suffix differs from build to build"
done

step "the tarball has what git has"
lacks=$(sh "$srcdir/tests/tarball-lacks.sh" "$srcdir" "$dir/build1/warpipe-$version.tar.xz") || complain "$lacks"

step "versions, symbols, make distcheck"
$make -C "$builddir" -s check TESTS='tests/release.sh tests/symbols.sh' >"$dir/check.log" 2>&1 ||
  complain "$(grep -E '^(FAIL|ERROR)' "$dir/check.log"), see $builddir/tests/*.log"
(cd "$dir/build1" && $make -s -j"$jobs" distcheck >distcheck.log 2>&1) ||
  complain "make distcheck: $(grep -E '^(FAIL|ERROR|make)' "$dir/build1/distcheck.log" | tail -n 5)"

step "the playground, twice"
if $make -C "$builddir" -s playground-dist >"$dir/playground.log" 2>&1; then
  cp "$builddir/warpipe-playground-$version.tar.gz" "$dir/first.tar.gz"
  touch "$builddir/playground/warpipe.html"
  $make -C "$builddir" -s playground-dist >"$dir/playground.log" 2>&1
  cmp "$dir/first.tar.gz" "$builddir/warpipe-playground-$version.tar.gz" || complain "the playground differs"
else
  complain "make playground-dist: $(tail -n 2 "$dir/playground.log")"
fi
test $failed = 0 && step "all is well"
exit $failed
