# One simulation, batches, sweeps, comparisons, explanations: what a command does, without its words.
# librun is part of libwarpipe and of the program.
noinst_LTLIBRARIES += librun.la
librun_la_SOURCES = \
	%reldir%/base/assumptions.c \
	%reldir%/base/assumptions.h \
	%reldir%/base/check-ops.c \
	%reldir%/base/check-ops.h \
	%reldir%/base/csv.c \
	%reldir%/base/csv.h \
	%reldir%/base/data.c \
	%reldir%/base/data.h \
	%reldir%/base/dims.c \
	%reldir%/base/dims.h \
	%reldir%/base/execute.c \
	%reldir%/base/execute.h \
	%reldir%/base/foreign.c \
	%reldir%/base/foreign.h \
	%reldir%/base/gpu-names.c \
	%reldir%/base/gpu-names.h \
	%reldir%/base/import-options.c \
	%reldir%/base/import-options.h \
	%reldir%/base/kernel-names.c \
	%reldir%/base/kernel-names.h \
	%reldir%/base/lists.c \
	%reldir%/base/lists.h \
	%reldir%/base/load.c \
	%reldir%/base/load.h \
	%reldir%/base/note.h \
	%reldir%/base/output.c \
	%reldir%/base/output.h \
	%reldir%/base/compiler-options.c \
	%reldir%/base/compiler-options.h \
	%reldir%/base/policy-file.c \
	%reldir%/base/policy-file.h \
	%reldir%/base/issue-order-text.c \
	%reldir%/base/issue-order.c \
	%reldir%/base/issue-order.h \
	%reldir%/base/policy-script.c \
	%reldir%/base/policy-script.h \
	%reldir%/base/printable.c \
	%reldir%/base/printable.h \
	%reldir%/base/memory-limit.c \
	%reldir%/base/memory-limit.h \
	%reldir%/base/progress.c \
	%reldir%/base/progress.h \
	%reldir%/base/ranges.c \
	%reldir%/base/ranges.h \
	%reldir%/base/sample.c \
	%reldir%/base/sample.h \
	%reldir%/base/stream.c \
	%reldir%/base/stream.h \
	%reldir%/base/worker-pool.c \
	%reldir%/base/worker-pool.h \
	%reldir%/compare/compare-columns.c \
	%reldir%/compare/compare-private.h \
	%reldir%/compare/compare-runs.c \
	%reldir%/compare/compare.h \
	%reldir%/compare/comparison-csv.c \
	%reldir%/compare/comparison-csv.h \
	%reldir%/compare/divergence.c \
	%reldir%/compare/divergence.h \
	%reldir%/compare/metrics-mean.c \
	%reldir%/compare/metrics.c \
	%reldir%/compare/metrics.h \
	%reldir%/compare/variations.c \
	%reldir%/compare/variations.h \
	%reldir%/models/model-points.c \
	%reldir%/models/model-table-private.h \
	%reldir%/models/model-table.c \
	%reldir%/models/model-table.h \
	%reldir%/simulate/batch.c \
	%reldir%/simulate/batch.h \
	%reldir%/simulate/bounds-report.c \
	%reldir%/simulate/bounds-report.h \
	%reldir%/simulate/by-line.c \
	%reldir%/simulate/by-line.h \
	%reldir%/simulate/driver.c \
	%reldir%/simulate/driver.h \
	%reldir%/simulate/block-work.c \
	%reldir%/simulate/block-work.h \
	%reldir%/simulate/estimate-mean.c \
	%reldir%/simulate/estimate-mean.h \
	%reldir%/simulate/estimate.c \
	%reldir%/simulate/estimate.h \
	%reldir%/simulate/find-bounds.c \
	%reldir%/simulate/find-bounds.h \
	%reldir%/simulate/costly.c \
	%reldir%/simulate/costly.h \
	%reldir%/simulate/greedy.c \
	%reldir%/simulate/greedy.h \
	%reldir%/simulate/hotspots.c \
	%reldir%/simulate/hotspots.h \
	%reldir%/simulate/report.c \
	%reldir%/simulate/report.h \
	%reldir%/simulate/line-stalls.c \
	%reldir%/simulate/line-stalls.h \
	%reldir%/simulate/report-taken.c \
	%reldir%/simulate/resident.c \
	%reldir%/simulate/resident.h \
	%reldir%/simulate/simulation.c \
	%reldir%/simulate/source-line.c \
	%reldir%/simulate/source-line.h \
	%reldir%/simulate/source-place.c \
	%reldir%/simulate/stuck.c \
	%reldir%/simulate/stuck.h \
	%reldir%/simulate/simulation.h \
	%reldir%/simulate/verdict.c \
	%reldir%/simulate/verdict.h \
	%reldir%/simulate/warnings-blocks.c \
	%reldir%/simulate/warnings-find.h \
	%reldir%/simulate/warnings-run.c \
	%reldir%/simulate/warnings-setting.c \
	%reldir%/simulate/warnings.c \
	%reldir%/simulate/warnings.h \
	%reldir%/sweep/sweep-digest.c \
	%reldir%/sweep/sweep-digest.h \
	%reldir%/sweep/sweep-endings.c \
	%reldir%/sweep/sweep-endings.h \
	%reldir%/sweep/sweep-execute.c \
	%reldir%/sweep/sweep-execute.h \
	%reldir%/sweep/sweep-gpu-sets.c \
	%reldir%/sweep/sweep-gpu-sets.h \
	%reldir%/sweep/sweep-imports.c \
	%reldir%/sweep/sweep-imports.h \
	%reldir%/sweep/sweep-line.c \
	%reldir%/sweep/sweep-line.h \
	%reldir%/sweep/sweep-points.c \
	%reldir%/sweep/sweep-points.h \
	%reldir%/sweep/sweep-row.c \
	%reldir%/sweep/sweep-row.h \
	%reldir%/sweep/sweep-spread.c \
	%reldir%/sweep/sweep-spread.h \
	%reldir%/sweep/sweep-threads.c \
	%reldir%/sweep/sweep-threads.h \
	%reldir%/sweep/sweep-warnings.c \
	%reldir%/sweep/sweep-warnings.h \
	%reldir%/sweep/sweep-worker.c \
	%reldir%/sweep/sweep-worker.h \
	%reldir%/sweep/sweep.c \
	%reldir%/sweep/sweep.h
librun_la_CPPFLAGS = $(AM_CPPFLAGS) -DWARPIPE_PKGDATADIR='"$(pkgdatadir)"' \
	-DWARPIPE_PKGLIBDIR='"$(pkglibdir)"'

# What only the program has: what needs json-glib or MPI, and what the library does not offer.
noinst_LTLIBRARIES += libcommands.la
libcommands_la_SOURCES = \
	%reldir%/advice.c \
	%reldir%/advice.h \
	%reldir%/compare/json-strict.c \
	%reldir%/compare/json-strict.h \
	%reldir%/explain.c \
	%reldir%/headroom/headroom.c \
	%reldir%/headroom/headroom.h \
	%reldir%/headroom/mutate.c \
	%reldir%/headroom/mutate.h \
	%reldir%/explain.h \
	%reldir%/occupancy.c \
	%reldir%/occupancy.h \
	%reldir%/simulate/machine-bytes.c \
	%reldir%/simulate/machine-bytes.h \
	%reldir%/sweep/sweep-disk.c \
	%reldir%/sweep/sweep-disk.h \
	%reldir%/sweep/sweep-file.c \
	%reldir%/sweep/sweep-file.h \
	%reldir%/sweep/sweep-help.c \
	%reldir%/sweep/sweep-message.c \
	%reldir%/sweep/sweep-message.h \
	%reldir%/sweep/sweep-ranks.c \
	%reldir%/sweep/sweep-ranks.h \
	%reldir%/sweep/sweep-run.c \
	%reldir%/sweep/sweep-run.h \
	%reldir%/tune/known-errors.def \
	%reldir%/tune/known.c \
	%reldir%/tune/known.h \
	%reldir%/tune/tune.c \
	%reldir%/tune/tune.h
if WITH_JSON
libcommands_la_SOURCES += %reldir%/compare/json-glib.def %reldir%/compare/metrics-json.c
else
libcommands_la_SOURCES += %reldir%/compare/metrics-none.c
endif
if WITH_MPI
libcommands_la_SOURCES += %reldir%/sweep/sweep-ranks-mpi.c
else
libcommands_la_SOURCES += %reldir%/sweep/sweep-ranks-none.c
endif
libcommands_la_LIBADD = librun.la $(JSON_LIBS) $(MPI_LIBS)
libcommands_la_CPPFLAGS = $(AM_CPPFLAGS) $(JSON_CFLAGS) $(MPI_CFLAGS)

# libwarpipe: what warpipe.h declares, over all of the above. The low-level headers of sim/ are its, too.
lib_LTLIBRARIES += libwarpipe.la
libwarpipe_la_SOURCES = \
	%reldir%/api/bounds.c \
	%reldir%/api/compare.c \
	%reldir%/api/models.c \
	%reldir%/api/options.c \
	%reldir%/api/options.h \
	%reldir%/api/policies.c \
	%reldir%/api/recorder.c \
	%reldir%/api/recorder.h \
	%reldir%/api/simulate.c \
	%reldir%/api/sweep.c \
	%reldir%/api/table.c \
	%reldir%/api/table.h
libwarpipe_la_LIBADD = librun.la libtables.la libmodels.la libexec.la libsim.la libidg-xml.la libidg.la $(DEPS_LIBS)
libwarpipe_la_LDFLAGS = $(AM_LDFLAGS) -no-undefined -version-info 1:0:1
EXTRA_DIST += %reldir%/libwarpipe.symbols
