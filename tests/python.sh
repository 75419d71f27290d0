#!/bin/sh
# SPDX-License-Identifier: MIT
# The module of Python from the build folder: its unit tests, the examples of doc/python.md, and the
# tutorials, cell by cell.
set -eu
test -e "$abs_builddir/python/.libs/_core.so" || { echo "the module is not built: --with-python"; exit 77; }
test -z "${SAN_CFLAGS-}" || { echo "Python is not built with sanitizers"; exit 77; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 99' HUP INT TERM
mkdir "$dir/warpipe"
cp "$abs_srcdir"/python/warpipe/*.py "$abs_builddir/python/.libs/_core.so" "$dir/warpipe"
LD_LIBRARY_PATH=$abs_builddir/.libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
PYTHONPATH=$dir
PATH=$abs_builddir/.libs:$PATH
export LD_LIBRARY_PATH PYTHONPATH PATH
unset MALLOC_PERTURB_
cd "$dir"
"$PYTHON" -B -W error::ResourceWarning "$abs_srcdir/tests/python.py" -q
"$PYTHON" -B "$abs_srcdir/tests/notebook.py" "$abs_srcdir"/doc/python.md "$abs_srcdir"/python/tutorials/*.ipynb
