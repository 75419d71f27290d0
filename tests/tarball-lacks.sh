#!/bin/sh
# SPDX-License-Identifier: MIT
# What git has and a tarball lacks, for release-check.sh and ./selftest: status 1 if there is any.
#
# usage: tarball-lacks.sh SRCDIR TARBALL
set -u
git -C "$1" rev-parse --git-dir >/dev/null 2>&1 || { echo "$1 is no git checkout: nothing to compare with"; exit 0; }
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
trap 'exit 99' HUP INT TERM

# git's own files, and those with which Debian makes its packages of a tarball.
kept_back='(^|/)\.gitignore$|^\.containerignore$|^debian/'

tar -tf "$2" | sed 's,^[^/]*/,,; /\/$/d' | sort >"$dir/in-tarball" && test -s "$dir/in-tarball" || exit 99
git -C "$1" ls-files | grep -vE "$kept_back" | sort >"$dir/in-git"
comm -13 "$dir/in-tarball" "$dir/in-git" >"$dir/missing"
test ! -s "$dir/missing" || { echo "not in the tarball: $(tr '\n' ' ' <"$dir/missing")"; exit 1; }
