# SPDX-License-Identifier: MIT
# What shell tests begin with that run the program (source it): it is found first, the working folder
# is a new one that goes away, and complain says what is wrong and goes on. End with: exit $failed
. "$abs_srcdir/tests/path.sh"
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
trap 'exit 99' HUP INT TERM
cd "$dir" || exit 99
failed=0
complain () { echo "$*"; failed=1; }
