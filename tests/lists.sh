#!/bin/sh
# SPDX-License-Identifier: MIT
# Every file of a kind that is built, installed or run is listed in its folder's local.mk: a
# forgotten one is neither distributed nor tested. tests/bad, tests/cuda, tests/wrong and
# tests/fuzz/corpus are distributed whole; the scripts of tests/wrong have numbers of their own.
test -z "${SAN_CFLAGS-}" || { echo "the source tree is the same in any other build"; exit 77; }
cd "$abs_srcdir" || exit 99
failed=0

# listed FOLDER FIND-EXPRESSION...: what find prints below FOLDER is in its local.mk.
listed ()
{
  folder=$1
  shift
  test -d "$folder" || return 0
  for file in $(find "$folder" "$@" | sort); do
    grep -qE "%reldir%/${file#*/}( |\$)" "$folder/local.mk" || { echo "$file is not in $folder/local.mk"; failed=1; }
  done
}

for folder in include idg sim exec traces models plots run cli configs bench doc playground python; do
  listed "$folder" -type f ! -name local.mk ! -path '*/.*' ! -name '*.o' ! -name '*.lo'
done
listed tests -path 'tests/golden/*' -type f ! -name '*.log' ! -name '*.trs'
listed tests -maxdepth 1 -type f \( -name '*.[ch]' -o -name '*.sh' -o -name '*.tap' -o -name '*.md' -o -name '*.py' \
  -o -name '*.xml' \)
for script in $(find tests/wrong -name '*.sh'); do
  case $script in tests/wrong/[0-9][0-9]-?*.sh) ;; *) echo "$script is not called NN-NAME.sh"; failed=1;; esac
done
twice=$(cd tests/wrong && ls | sed -n 's/^\([0-9][0-9]\)-.*\.sh$/\1/p' | uniq -d)
test -z "$twice" || { echo "tests/wrong has several scripts with the number" $twice; failed=1; }
# Automake knows a test by its name without .sh, .tap or .test: of two it would run one, twice.
twice=$(find tests -maxdepth 2 -type f \( -name '*.sh' -o -name '*.tap' -o -name '*.test' \) |
  sed 's/\.[a-z]*$//' | sort | uniq -d)
test -z "$twice" || { echo "scripts that differ only in what follows the dot:" $twice; failed=1; }
exit $failed
