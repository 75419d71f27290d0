# `make bench` runs each of these from the build directory; a new benchmark is a line here.
bench_scripts = \
	%reldir%/speed.sh
EXTRA_DIST += $(bench_scripts)

.PHONY: bench
bench: all
	@set -e; for script in $(bench_scripts); do \
	  echo "== $$script"; \
	  abs_srcdir='$(abs_srcdir)' abs_builddir='$(abs_builddir)' WARPIPE_DATA_DIR='$(abs_top_srcdir)' \
	    $(SHELL) "$(srcdir)/$$script"; \
	done
