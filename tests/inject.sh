#!/bin/sh
# SPDX-License-Identifier: MIT
# Each kind of call of the C library fails once, at places spread over a dozen commands (inject.py).
# INJECT_POINTS: of each kind in each command (5; 0: all of them, which takes an hour).
set -u
test -z "${SAN_CFLAGS-}" || { echo "sanitizers have an allocator of their own"; exit 77; }
test -x "$abs_builddir/.libs/warpipe" || { echo "built without shared libraries"; exit 77; }
case $(uname -s) in Linux) ;; *) echo "calls are caught as glibc has them"; exit 77 ;; esac
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
trap 'exit 99' HUP INT TERM
$CC -std=gnu11 -Wall -Wextra -Werror -O1 -shared -fPIC -o "$dir/inject.so" "$abs_srcdir/tests/inject.c" -ldl || exit 1
$CC -std=c99 -O1 -shared -fPIC "-I$abs_srcdir/include" "$abs_srcdir/doc/policies/throttle.c" -o "$dir/policy.so" || exit 1
unset MALLOC_PERTURB_
LD_LIBRARY_PATH=$abs_builddir/.libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} \
  python3 "$abs_srcdir/tests/inject.py" "$abs_builddir/.libs/warpipe" "$dir/inject.so" "$dir/policy.so" "$abs_srcdir/tests" \
  "${INJECT_POINTS-5}"
