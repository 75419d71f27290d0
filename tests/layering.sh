#!/bin/sh
# SPDX-License-Identifier: MIT
# The direction of the arrows, by the includes of every file: cli -> run -> traces, models, exec,
# plots -> sim -> idg, never back; playground -> sim; playground/reader -> cli. Other people's libraries are included in few files,
# known by their names; the engine is plain C11 (engine-alone.sh compiles it without anything else
# in reach).
test -z "${SAN_CFLAGS-}" || { echo "the source tree is the same in any other build"; exit 77; }

# FOLDER: the folders that it may include besides itself. A row is for all folders below, too, that
# no earlier row names, and a folder that it lists is meant with all below it; a single header may
# be listed, too. The first row that fits counts. Rows go from the bottom up, and list only what
# comes before them, so that there is no way round. * in a path is one folder's name; * as the list
# is every folder.
table='
idg/kernel:
idg/xml:          idg/kernel
idg/import/base:  idg/kernel idg/xml
idg/import/ops:   idg/kernel
idg/import/flow:  idg/kernel idg/xml idg/import/base idg/import/ops
idg/import/ptx:   idg/kernel idg/xml idg/import/base idg/import/flow idg/import/ops
idg/import/sass:  idg/kernel idg/xml idg/import/base idg/import/flow idg/import/ops
idg/import/fold:  idg/kernel
idg/import/accel: idg/kernel idg/xml idg/import/base idg/import/flow idg/import/ops idg/import/fold
idg/import:       idg
sim/base:
sim/machine:      sim/base idg/kernel
sim/engine:       sim/base sim/machine idg/kernel include/warpipe/policy.h
sim/bounds:       sim/base sim/machine sim/engine idg/kernel
sim/gpu:          sim/base sim/machine idg/kernel idg/xml idg/import/ops
exec/cubin:       idg/kernel
exec/sass:
exec/trail:
exec/memory:      sim/gpu idg/kernel
exec/launch:      idg/kernel exec/cubin exec/memory
exec/machine:     idg/kernel exec/cubin exec/sass exec/trail exec/memory
exec/fold:        sim/gpu idg exec/cubin exec/sass exec/trail exec/memory exec/machine
exec:             sim/gpu idg exec
include:          idg/kernel/idg-types.h sim/gpu/wp-types.h
traces/table:     sim/base sim/machine sim/gpu idg/kernel
traces/*:         sim/base sim/machine sim/gpu idg/kernel traces/table
models:           sim/base sim/machine sim/gpu sim/bounds idg/kernel
plots:
probe/measure:
probe/simulated:  sim idg/kernel probe/measure
probe/code:       probe/measure
probe/cuda:       sim/gpu/wp-types.h traces/draw/wp-library.h probe/measure probe/code
probe/opencl:     sim/gpu/wp-types.h traces/draw/wp-library.h probe/measure probe/code
probe/describe:   sim/base sim/gpu probe/measure
probe/fit:        sim/gpu probe/measure probe/describe probe/simulated
run/base:         sim idg exec plots include/warpipe/policy.h
run/simulate:     sim idg exec traces models plots run/base
run/tune:         sim idg exec traces models plots run/base run/simulate run/compare
run/api:          sim idg traces/table models run/base run/simulate run/sweep run/compare run/models include
run/*:            sim idg exec traces models plots run/base run/simulate
run:              sim idg exec traces models plots run
python/policy:    include/warpipe/policy.h run/base/policy-script.h
cli/common:       sim idg exec traces models plots run
cli/report:       sim idg exec traces models plots run cli/common
cli/page:         sim idg exec traces models plots run cli/common cli/report
cli/probe:        idg/kernel sim/gpu probe run/base cli/common cli/commands.h
cli/validate:     sim idg exec run probe/cuda cli/common cli/commands.h
cli/*:            sim idg exec traces models plots run cli/common cli/report cli/page cli/commands.h
cli:              sim idg exec traces models plots run cli
python/core:      idg/kernel sim/gpu include python/policy
playground/reader/stand-in: idg/kernel idg/xml idg/import/base traces/table
playground/reader: sim idg run/base run/simulate cli/common cli/run playground/reader/stand-in
playground:       sim/base sim/machine sim/engine sim/bounds idg/kernel
tests:            *
'

# Other people's headers, by what their names begin with: the files that may include them.
libraries='
expat.h:    *-xml.c playground/reader/*
cairo:      *-cairo.c
zlib.h:     *-zlib.c
lzma.h:     *-lzma.c
json-glib/: *-json.c
mpi.h:      *-mpi.c
zstd.h:     *-zstd.c
check.h:    tests/*
Python.h:   python/*
'

# The engine, and of the headers that are not its own those that it may include. stdio is for
# snprintf(); that nothing reads or writes, engine-alone.sh sees from the symbols.
engine='sim/base/* sim/machine/* sim/engine/* sim/bounds/*
  idg/kernel/idg-program.* idg/kernel/idg-pool.* idg/kernel/idg-macros.h'
c_headers='assert float inttypes limits math stdarg stdbool stddef stdint stdio stdlib string'

export table libraries engine c_headers

cd "$abs_srcdir" || exit 99
failed=0

folders=$(for list in */local.mk; do echo "${list%/*}"; done)
include='^[[:space:]]*#[[:space:]]*include[[:space:]]*[<"]'
find $folders -name '*.[ch]' -exec grep -nE "$include" /dev/null {} + | sort |
  awk '
    function complain (what) { print what; failed = 1 }

    # The pattern as a regular expression; * stands for ANY.
    function regex (pattern, any)
    {
      gsub (/\./, "[.]", pattern)
      gsub (/\*/, any, pattern)
      return "^" pattern
    }

    # Reads lines NAME: WORD... into names and lists; returns how many there are.
    function read_rows (text, names, lists,    n, i, line, rows)
    {
      split (text, line, "\n")
      rows = 0
      for (i = 1; i in line; i++)
        if (n = index (line[i], ":"))
          {
            names[++rows] = substr (line[i], 1, n - 1)
            lists[rows] = substr (line[i], n + 1)
            sub (/^ +/, "", lists[rows])
          }
      return rows
    }

    # The row that a folder belongs to; sets own to the folder that the row means there.
    function find_row (folder,    i)
    {
      for (i = 1; i <= n_rows; i++)
        if (match (folder "/", regex (rows[i], "[^/]*") "/"))
          {
            own = substr (folder, 1, RLENGTH - 1)
            return i
          }
      return 0
    }

    function is_in (path, folder) { return index (path "/", folder "/") == 1 }

    function is_one_of (file, patterns,    i, n, one)
    {
      n = split (patterns, one, " ")
      for (i = 1; i <= n; i++)
        if (file ~ regex (one[i], ".*") "$")
          return 1
      return 0
    }

    function check_table (   i, j, k, n, folder)
    {
      for (i = 1; i <= n_rows; i++)
        {
          n = split (may_include[i], folder, " ")
          for (k = 1; k <= n; k++)
            for (j = i + 1; j <= n_rows && folder[k] != "*"; j++)
              if (is_in (rows[j], folder[k]))
                complain ("the table: " rows[i] " lists " folder[k] ", but comes before " rows[j])
        }
    }

    function check_own (where, file, included,    row, folder, its_own, n, i, allowed)
    {
      folder = file
      sub (/\/[^\/]*$/, "", folder)
      row = find_row (folder)
      its_own = own
      used[row] = 1
      if (!row)
        complain (where ": " folder " has no row in the table of tests/layering.sh")
      else if (included == "config.h")
        {
          if (is_one_of (file, ENVIRON["engine"]))
            complain (where ": the engine includes no config.h")
        }
      else if (included !~ /\//)
        {
          # A page, an example and a measurement may be compiled by hand, in their own folder, and the
          # module of Python is also built by its own tools.
          if (folder !~ /^(playground|doc|bench|python)/)
            complain (where ": \"" included "\" without its folder")
        }
      else if (may_include[row] != "*")
        {
          n = split (may_include[row], allowed, " ")
          for (i = 1; i <= n; i++)
            if (is_in (included, allowed[i]))
              return
          sub (/\/[^\/]*$/, "", included)
          if (find_row (included) != row || own != its_own)
            complain (where ": " rows[row] " does not see " included "/")
        }
    }

    function check_library (where, file, included,    i, name)
    {
      name = substr (included, 1, length (included) - 2)
      if (is_one_of (file, ENVIRON["engine"]) &&
          !index (" " ENVIRON["c_headers"] " ", " " name " "))
        complain (where ": the engine is plain C11, without input and output: no <" included ">")
      if (file ~ /^playground\// && file !~ /^playground\/reader\// && included ~ /^(glib|gio|gobject|gmodule)/)
        complain (where ": the playground has no GLib")
      for (i = 1; i <= n_libraries; i++)
        if (index (included, libraries[i]) == 1 && !is_one_of (file, may_be_in[i]))
          complain (where ": <" included "> is for" may_be_in[i])
    }

    BEGIN {
      n_rows = read_rows (ENVIRON["table"], rows, may_include)
      n_libraries = read_rows (ENVIRON["libraries"], libraries, may_be_in)
      check_table ()
    }
    {
      n_includes++
      file = $0
      sub (/:.*/, "", file)
      where = $0
      sub (/:[ \t]*#.*/, "", where)
      match ($0, /[<"][^>"]*[>"]/)
      included = substr ($0, RSTART + 1, RLENGTH - 2)
      if (substr ($0, RSTART, 1) == "\"" || find_row (included))
        check_own (where, file, included)
      else
        check_library (where, file, included)
    }
    END {
      for (i = 1; i <= n_rows; i++)
        if (!(i in used))
          complain ("the table: no file is in " rows[i])
      if (n_includes < 100)
        complain (n_includes + 0 " includes found")
      exit failed
    }' || failed=1

# The engine is compiled alone (engine-alone.sh), and all of it.
for file in $(find sim idg -name '*.c' | sort); do
  for pattern in $engine; do
    case $file in $pattern) ;; *) continue;; esac
    case " $engine_sources " in
      *" $file "*) ;;
      *) echo "$file: of the engine, but not among engine_sources"; failed=1;;
    esac
  done
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
