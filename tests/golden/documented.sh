#!/bin/sh
# SPDX-License-Identifier: MIT
# documented.sh PAGE: each block of PAGE that begins with "$ COMMAND" is what the command prints, or some lines of it on end.
# Prints "N blocks", and before that what differs.
set -eu
awk '
  function check() {
    command | getline all
    n++
    if (index ("\n" all, "\n" block) == 0) printf "not what is printed by: %s\n%s", shown, block
    close (command)
  }
  /^```/ { if (inside && shown != "") { RS = "\001"; check (); RS = "\n" } inside = !inside; shown = block = ""; next }
  inside && /^\$ / { shown = substr ($0, 3); command = "COLUMNS=100 " shown; next }
  inside && shown != "" { block = block $0 "\n" }
  END { print n + 0, "blocks" }' "$1"
