#!/bin/sh
# SPDX-License-Identifier: MIT
# Each benchmark says with --help what it is for, wherever it is begun, and does nothing else; none ends in a traceback.
command -v python3 >/dev/null || { echo "python3 is missing"; exit 77; }
test -z "${SAN_CFLAGS-}" || { echo "left to builds without sanitizers"; exit 77; }
. "$abs_srcdir/tests/scratch.sh"

unset abs_builddir
for script in "$abs_srcdir"/bench/*.py "$abs_srcdir"/bench/kernels/main.py "$abs_srcdir"/bench/kernels/said.py; do
  case ${script##*/} in
    contended.py | figures.py | listing.py | measure.py | places.py | rivals.py) continue;; # what the others share
  esac
  for option in --help -h; do
    timeout 30 python3 -B "$script" $option >out 2>err </dev/null || complain "$script $option: exit status $?: $(tail -n 1 err)"
    test -s out && test ! -s err || complain "$script $option says nothing of itself: $(cat err)"
  done
done
test -z "$(find . -type f ! -name out ! -name err)" || complain "files are written: $(ls)"
exit $failed
