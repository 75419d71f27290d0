#!/bin/sh
# SPDX-License-Identifier: MIT
# The engine has not become dearer: machine instructions of a dozen short runs, by callgrind, are within 5% of what
# bench/baseline.json keeps. It pins no time, and nothing under other compilers or flags than the baseline's.
command -v python3 >/dev/null || { echo "skipped: python3 is not installed"; exit 77; }
exec python3 -B "$abs_srcdir/bench/baseline.py"
