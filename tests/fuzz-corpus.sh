#!/bin/sh
# SPDX-License-Identifier: MIT
# Replays the kept corpus, and the shipped files, through the fuzz targets: what was found once stays found.
set -eu
export G_DEBUG=gc-friendly,fatal-criticals # what a function refuses to do is a fault, too
corpus=$abs_srcdir/tests/fuzz/corpus
run () { "$abs_builddir/tests/$@"; }
run fuzz-accel "$corpus"/accel/* "$abs_srcdir"/tests/accel/kernel-1.traceg
run fuzz-capability "$corpus"/capability/* "$abs_srcdir"/configs/*.csv
run fuzz-decode "$corpus"/decode/*
run fuzz-data "$corpus"/data/*
run fuzz-execute "$corpus"/execute/*
run fuzz-gpu "$corpus"/gpu/* "$abs_srcdir"/configs/*.xml
run fuzz-cubin "$corpus"/cubin/* "$abs_srcdir"/tests/cuda/cubin/*.cubin "$abs_srcdir"/tests/cuda/cubin/*.fatbin
run fuzz-launch "$corpus"/launch/*
run fuzz-hints "$corpus"/hints/*
run fuzz-kernel "$corpus"/kernel/* "$abs_srcdir"/idg/kernels/*.xml
run fuzz-policy "$corpus"/policy/*
run fuzz-ptx "$corpus"/ptx/* "$abs_srcdir"/tests/cuda/*.ptx
run fuzz-sass "$corpus"/sass/* "$abs_srcdir"/tests/sass/*.sass
run fuzz-files "$corpus"/files/*
run fuzz-report "$corpus"/report/* >/dev/null
run fuzz-resume "$corpus"/resume/* >/dev/null
run fuzz-command-line "$corpus"/command-line/* >/dev/null
