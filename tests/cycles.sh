#!/bin/sh
# SPDX-License-Identifier: MIT
# No cycle among the source files of the libraries and the program, neither by what they include nor
# by the symbols that their objects link: each file can be understood, and tested, after those that
# it uses. cycles.py measures both.
test -z "${SAN_CFLAGS-}" || { echo "the source tree is the same in any other build"; exit 77; }
command -v python3 >/dev/null || { echo "python3 is missing"; exit 77; }
exec python3 -B "$abs_srcdir/tests/cycles.py" "$@"
