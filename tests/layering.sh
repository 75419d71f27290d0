#!/bin/sh
# SPDX-License-Identifier: MIT
# The direction of the arrows: cli -> traces, models -> sim -> idg, cli -> plots, playground -> sim, never back; libxml2 stays in its few files,
# and the engine is plain C11 (engine-alone.sh compiles it without the others in reach).
cd "$abs_srcdir" || exit 99
failed=0

# forbid WHAT PATTERN FILE...: none of the files that exist includes it. A folder that is not there yet is fine.
forbid ()
{
  what=$1
  pattern=$2
  shift 2
  for file; do
    test -f "$file" || continue
    if grep -nHE "^[[:space:]]*#[[:space:]]*include[[:space:]]*[<\"]$pattern" "$file"; then
      echo "  ^ $what"
      failed=1
    fi
  done
}

forbid "idg/ sees no other folder" '(sim|traces|models|plots|cli|tests)/' idg/*.[ch]
forbid "sim/ sees idg/ only" '(traces|models|plots|cli|tests)/' sim/*.[ch]
forbid "traces/ sees sim/ and idg/ only" '(models|plots|cli|tests)/' traces/*.[ch]
forbid "models/ sees the plain data of sim/, not the engine" \
  '(traces/|plots/|cli/|tests/|sim/wp-(sm|pipeline|policy|device|unroll|flow|heap|draw))' models/*.[ch]
forbid "plots/ sees no other folder" '(idg|sim|traces|models|cli|tests)/' plots/*.[ch]
forbid "cli/ sees no test" 'tests/' cli/*.[ch]
forbid "playground/ sees the engine only, and no GLib" '(traces/|models/|plots/|cli/|tests/|sim/wp-(gpu|capability|idealise|occupancy|resolve)|glib)' \
  playground/*.[ch]
forbid "includes name the folder: \"sim/gpu/wp-gpu.h\"" '(idg|wp)-[a-z0-9-]*\.h"' \
  idg/*.[ch] sim/*.[ch] traces/*.[ch] models/*.[ch] plots/*.[ch] cli/*.[ch] tests/*.[ch]

# libxml2: where files are read, nowhere else.
for file in idg/*.[ch] sim/*.[ch] traces/*.[ch] models/*.[ch] plots/*.[ch] cli/*.[ch]; do
  case $file in
    */*-xml.[ch]) ;;
    *) forbid "only *-xml.c see libxml2" 'libxml/' "$file";;
  esac
done

# libarchive: where traces are unpacked.
for file in idg/*.[ch] sim/*.[ch] traces/*.[ch] models/*.[ch] plots/*.[ch] cli/*.[ch]; do
  test "$file" = idg/import/accel/idg-accel-lines.c || forbid "only idg-accel-lines.c sees libarchive" 'archive' "$file"
done

# cairo: where pictures are drawn.
for file in idg/*.[ch] sim/*.[ch] traces/*.[ch] models/*.[ch] plots/*.[ch] cli/*.[ch]; do
  case $file in
    */*-cairo.c) ;;
    *) forbid "only *-cairo.c sees cairo" 'cairo' "$file";;
  esac
done

# The engine. Its folder names are written in the lists of the local.mk files.
for file in $engine_sources $engine_headers; do
  forbid "the engine is plain C11" '(glib|gio|gobject|gmodule|libxml|cairo|json-glib|config\.h)' "$file"
  forbid "the engine neither reads nor writes" '(unistd|fcntl|sys/|errno|time|signal|locale)' "$file"
done

# Installed headers include no private one.
for file in $public_headers; do
  for included in $(sed -n 's,^#include "\([a-z]*/[^"]*\)".*,\1,p' "$file"); do
    case " $public_headers " in
      *" $included "*) ;;
      *) echo "$file: includes $included, which is not installed"; failed=1;;
    esac
  done
done
exit $failed
