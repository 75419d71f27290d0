#!/bin/sh
# SPDX-License-Identifier: MIT
# `make analyze`: the sources as gcc -fanalyzer and clang-tidy see them; fails where either finds anything. No test, as it
# takes some minutes of four processors. TOOLS: gcc, tidy, or both; SOURCES (make's ONLY, as SOURCES is Automake's own): some
# files in place of all.
#
# Of clang-tidy's checks bugprone-* and cert-* are made, but for those that see nothing here but what is meant:
#   bugprone-easily-swappable-parameters     most functions with two numbers
#   bugprone-narrowing-conversions           every guint64 that becomes a gdouble
#   bugprone-sizeof-expression               every g_clear_pointer()
#   bugprone-reserved-identifier, cert-dcl37-c, cert-dcl51-cpp   _GNU_SOURCE and the like
#   bugprone-implicit-widening-of-multiplication-result          2 * lane as an index: UBSan sees ints that overflow
#   bugprone-macro-parentheses               rows of tables, whose arguments are types and names
#   bugprone-branch-clone, bugprone-integer-division             two cases that do the same, a quotient that is whole
#   bugprone-signed-char-misuse, cert-str34-c                    small enumerations that are kept in a gint8
#   cert-err33-c, cert-err34-c               printf(), and atoi() of digits that were looked at before
#   cert-flp30-c                             loops over steps of an axis
# Of those of gcc 12 the ones that follow pointers through loops are left out: it takes every list for an empty one, every
# array for one that nobody filled, and does not know what g_malloc() and cleanup attributes do. ASan, UBSan and valgrind
# look for these at run time.
set -u
cd "${abs_srcdir:?}" || exit 99
tools=${TOOLS:-gcc tidy}
sources=${SOURCES:-$(find idg sim exec traces models plots run cli -name '*.c' ! -name '*-mpi.c' ! -name '*-none.c' | sort)}
jobs=$(nproc 2>/dev/null || echo 2)
found=$(mktemp) || exit 99
trap 'rm -f "$found"' EXIT
trap 'exit 99' HUP INT TERM
checks="-*,bugprone-*,cert-*"
for check in bugprone-easily-swappable-parameters bugprone-narrowing-conversions bugprone-sizeof-expression \
  bugprone-reserved-identifier cert-dcl37-c cert-dcl51-cpp bugprone-implicit-widening-of-multiplication-result \
  bugprone-macro-parentheses bugprone-branch-clone bugprone-integer-division bugprone-signed-char-misuse cert-str34-c \
  cert-err33-c cert-err34-c cert-flp30-c; do
  checks="$checks,-$check"
done
checked="-Wno-analyzer-malloc-leak -Wno-analyzer-null-dereference -Wno-analyzer-null-argument"
checked="$checked -Wno-analyzer-possible-null-dereference -Wno-analyzer-possible-null-argument"
checked="$checked -Wno-analyzer-use-of-uninitialized-value"

for tool in $tools; do
  case $tool in
    gcc) program=gcc; run="gcc -fanalyzer $checked -O1 -c -o /dev/null" ;;
    tidy) program=clang-tidy; run="clang-tidy --quiet --checks=$checks" ;;
    *) echo "analyze: TOOLS are gcc and tidy, not $tool"; exit 2 ;;
  esac
  command -v $program >/dev/null || { echo "analyze: $program is not installed"; exit 3; }
  for one in $sources; do echo "$one"; done |
    TOOL=$tool RUN=$run xargs -P "$jobs" -n 1 sh -c '
      flags="$ANALYZE_FLAGS -DG_LOG_DOMAIN=\"warpipe\" -DWARPIPE_PKGDATADIR=\"\" -DWARPIPE_PKGLIBDIR=\"\""
      case $TOOL in
        gcc) $RUN $flags "$0" 2>&1 ;;
        *) $RUN "$0" -- $flags 2>/dev/null ;;
      esac' >>"$found"
done
grep -E '(warning|error):' "$found" | sort -u
n=$(grep -cE '(warning|error):' "$found")
echo "analyze: $n findings in $(echo "$sources" | wc -w) files"
test "$n" = 0
