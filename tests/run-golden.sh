#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs the commands of one .test file and compares what they print, in TAP. The format: golden/README.md.
# UPDATE_GOLDEN=1 rewrites the expected output instead (never a status, nor a `like`): review the diff.
set -u

case_file=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
golden=$(dirname "$case_file")
srcdir=$abs_srcdir
. "$abs_srcdir/tests/path.sh"
export srcdir golden
. "$abs_srcdir/tests/built-with.sh"

top=$(mktemp -d) || exit 99
trap 'rm -rf "$top"' EXIT
trap 'exit 99' HUP INT TERM
work=$top/work # the commands' own, empty at first
spec=$top/spec # the keys of the command being collected
mkdir "$work" || exit 99
: >"$spec"
: >"$top/rewritten"
n=0

update () { test "${UPDATE_GOLDEN-}" = 1; }
has () { grep -q "^$1:" "$spec"; }
get () { sed -n "s/^$1: \{0,1\}//p" "$spec"; }

# Says why the case fails, and shows the file with the details.
complain ()
{
  ok=no
  echo "# $1"
  test $# -lt 2 || sed 's/^/#   /' "$2"
}

# same WANTED GOT WHAT: the files are equal, or are made equal.
same ()
{
  if update; then cmp -s "$1" "$2" || cp "$2" "$1"; return; fi
  diff -u "$1" "$2" >"$top/diff" 2>&1 || complain "$3 is not what was expected:" "$top/diff"
}

check_text () # KEY GOT WHAT: inline lines
{
  update && return
  get "$1" >"$top/wanted"
  diff -u "$top/wanted" "$2" >"$top/diff" || complain "$3 is not what was expected:" "$top/diff"
}

check_patterns () # KEY GOT WHAT: each pattern matches some line
{
  get "$1" >"$top/patterns"
  while IFS= read -r pattern; do
    grep -Eq -e "$pattern" "$2" || complain "no line of $3 matches $pattern" "$2"
  done <"$top/patterns"
}

check_stdout ()
{
  if has expect; then same "$golden/$(get expect)" "$top/out" "standard output"; fi
  if has output; then check_text output "$top/out" "standard output"; fi
  check_patterns like "$top/out" "standard output"
  get unlike >"$top/patterns"
  while IFS= read -r pattern; do
    ! grep -Eq -e "$pattern" "$top/out" || complain "a line of standard output matches $pattern" "$top/out"
  done <"$top/patterns"
}

# Standard error is empty unless the case says otherwise.
check_stderr ()
{
  if has errors-file; then same "$golden/$(get errors-file)" "$top/err" "standard error"
  elif has errors-like; then check_patterns errors-like "$top/err" "standard error"
  else check_text errors "$top/err" "standard error"
  fi
}

check_files ()
{
  get file >"$top/files"
  while read -r written wanted; do
    if test -f "$work/$written"; then same "$golden/$wanted" "$work/$written" "$written"
    else complain "the command did not write $written"
    fi
  done <"$top/files"
}

# Copies the case's lines, its inline output replaced by what was printed.
rewrite ()
{
  awk -v out="$top/out" -v err="$top/err" '
    function copy (key, file,   line) {
      if (done[key]++) return
      while ((getline line < file) > 0) print key ":" (line == "" ? "" : " " line)
    }
    /^output:/ { copy ("output", out); next }
    /^errors:/ { copy ("errors", err); next }
    { print }' "$spec" >>"$top/rewritten"
}

finish_case ()
{
  if ! has command; then # comments before the first command
    cat "$spec" >>"$top/rewritten"
    : >"$spec"
    return
  fi
  n=$((n + 1))
  ok=yes
  title=$(get title)
  command=$(get command)
  if has sanitizers && test -n "${SAN_CFLAGS-}" && ! update; then
    echo "ok $n - ${title:-$command} # SKIP many runs, whose figures are those of any other build"
    : >"$spec"
    return
  fi
  ( cd "$work" && exec timeout 120 sh -c "$command" ) >"$top/out" 2>"$top/err" </dev/null
  status=$?
  want=$(get status)
  test "$status" = "${want:-0}" || complain "exit status $status, expected ${want:-0}; standard error:" "$top/err"
  check_stdout
  check_stderr
  check_files
  if update; then rewrite; fi
  if test "$ok" = yes; then echo "ok $n - ${title:-$command}"
  elif lacks "$top/err"; then echo "ok $n - ${title:-$command} # SKIP built without $library"
  else echo "# command: $command"; echo "not ok $n - ${title:-$command}"
  fi
  : >"$spec"
}

seen=no
lines=0
while IFS= read -r line || test -n "$line"; do
  lines=$((lines + 1))
  case $line in
    '#'*|'') ;;
    title:*|command:*)
      # A title opens the case of the command that follows it.
      if test "$seen" = yes || { has title && test "${line#title}" != "$line"; }; then finish_case; fi
      case $line in command:*) seen=yes;; *) seen=no;; esac;;
    status:*|expect:*|output:*|like:*|unlike:*|errors:*|errors-file:*|errors-like:*|file:*|'sanitizers: no') ;;
    *) echo "Bail out! $1:$lines: expected a comment or a key of golden/README.md, got: $line"; exit 99;;
  esac
  printf '%s\n' "$line" >>"$spec"
done <"$case_file"
finish_case
echo "1..$n"
if update; then
  cmp -s "$case_file" "$top/rewritten" || cp "$top/rewritten" "$case_file"
fi
