#!/bin/sh
# SPDX-License-Identifier: MIT
# Every C file is as clang-format writes it. `make format` fixes them.
test -z "${SAN_CFLAGS-}" || { echo "the source tree is the same in any other build"; exit 77; }
cd "$abs_srcdir" || exit 99
command -v clang-format >/dev/null || { echo "clang-format is not installed"; exit 77; }
# Versions disagree about details; the style is pinned to that of Debian 12.
clang-format --version | grep -q ' version 14\.' || { echo "clang-format is not version 14"; exit 77; }
files=$(find idg sim exec traces models plots run include cli playground python tests bench doc -name '*.[ch]' -not -path 'tests/cuda/*' 2>/dev/null | sort)
clang-format --dry-run -Werror --ferror-limit=20 $files || exit 1
# It leaves comments as they are: their lines end at column 100, too.
if LC_ALL=C.UTF-8 grep -nE '^.{101,}' $files; then
  echo "lines of more than 100 columns (above)"
  exit 1
fi
