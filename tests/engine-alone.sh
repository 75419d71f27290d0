#!/bin/sh
# SPDX-License-Identifier: MIT
# The engine can be embedded anywhere: its files alone compile as strict C11 without GLib's headers in reach, link
# with nothing but the C library, run a machine filled by hand, keep no mutable data of their own and call no input or output.
set -eu
test -z "${SAN_CFLAGS-}" || { echo "skipped: it compiles the engine by itself, and any other build does, too"; exit 77; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 99' HUP INT TERM

# Position-dependent, so that tables of pointers stay in the read-only section, where nm can tell them apart.
# Not optimised, as nothing of it is timed.
flags="-std=c11 -pedantic -Wall -Wextra -Werror -O0 -fno-pic -I$abs_srcdir"
objects=
for source in $engine_sources; do
  case $source in *.h) continue;; esac
  object=$dir/$(basename "$source" .c).o
  # PKG_CONFIG_PATH and the like cannot bring GLib in: its headers are in no default folder.
  $CC $flags -c "$abs_srcdir/$source" -o "$object"
  objects="$objects $object"
done

if $NM $objects | grep -E '^[0-9a-f]+ [bBdDcC] '; then
  echo "file-scope mutable data in the engine (above)"
  exit 1
fi
if $NM -u $objects | grep -E '^ +U (f?(open|close|read|write|puts|putc|printf|scanf)|stdout|stderr|getenv|time|exit|signal)$'; then
  echo "the engine calls input, output or the environment (above)"
  exit 1
fi

$CC $flags -no-pie "$abs_srcdir/tests/engine-alone.c" $objects -o "$dir/engine-alone"
"$dir/engine-alone"
