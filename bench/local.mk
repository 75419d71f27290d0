# `make bench` runs each of these from the build directory; a new benchmark is a line here. `make bench BENCH_QUICK=1`
# runs less of each. PYTHON3=/usr/bin/python3 where the first python3 in PATH is not Debian's and has no SimPy.
PYTHON3 = python3
bench_programs = \
	%reldir%/speed.py \
	%reldir%/drawn.py \
	%reldir%/growth.py \
	%reldir%/sweep.py \
	%reldir%/traces.py \
	%reldir%/others.py
EXTRA_DIST += $(bench_programs) \
	%reldir%/baseline.json \
	%reldir%/baseline.py \
	%reldir%/contended.py \
	%reldir%/data/volkov-not-fitted.csv \
	%reldir%/data/volkov-table-6.4.csv \
	%reldir%/data/volkov-table-6.6.csv \
	%reldir%/fit.py \
	%reldir%/measure.py \
	%reldir%/mix-gpu.xml \
	%reldir%/rule.py \
	%reldir%/simpy-mix.py

bench_run = BENCH_QUICK='$(BENCH_QUICK)' abs_builddir='$(abs_builddir)' WARPIPE_DATA_DIR='$(abs_top_srcdir)' \
	CC='$(CC)' BUILD_CFLAGS='$(CPPFLAGS) $(CFLAGS)' SAN_CFLAGS='$(SAN_CFLAGS)' $(PYTHON3) -B

.PHONY: bench baseline fit
bench: all
	@set -e; for program in $(bench_programs); do $(bench_run) "$(srcdir)/$$program"; done

# What tests/baseline.sh compares with: rewritten when a change of cost is meant.
baseline: all
	@$(bench_run) "$(srcdir)/%reldir%/baseline.py" --write

# Contended memory against what was measured (doc/fidelity.md). make fit FIT=--search finds its figures anew.
fit: all
	@$(bench_run) "$(srcdir)/%reldir%/fit.py" $(FIT)
