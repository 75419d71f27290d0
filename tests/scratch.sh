# SPDX-License-Identifier: MIT
# What shell tests that run the program begin with (source it): the program is first on PATH, the
# working folder is a new one that is removed, and complain says what is wrong and continues. A test
# ends with: exit $failed
. "$abs_srcdir/tests/path.sh"
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
trap 'exit 99' HUP INT TERM
cd "$dir" || exit 99
failed=0
complain () { echo "$*"; failed=1; }
