#!/bin/sh
# SPDX-License-Identifier: MIT
# presets.sh WARPIPE <presets.list >presets.json: the machines that the page offers, as a list of {name, title, command, machine}. "<" is
# written so that nothing ends the element in which the list stands.
set -euf
warpipe=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
before=[
while IFS='|' read -r name title arguments; do
  case $name in '' | '#'*) continue;; esac
  # Words without blanks of their own.
  "$warpipe" run $arguments --machine "$dir/machine" >/dev/null
  printf '%s{"name": "%s", "title": "%s", "command": "warpipe run %s", "machine": ' "$before" "$name" "$title" "$arguments"
  sed 's/^ *//; s/</\\u003c/g' "$dir/machine" | tr -d '\n'
  printf '}'
  before=',
'
done
printf ']\n'
