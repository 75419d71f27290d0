# The program. All but main() is a convenience library, so that tests can call it.
bin_PROGRAMS += warpipe
noinst_LTLIBRARIES += libcli.la

libcli_la_SOURCES = \
	%reldir%/commands.c \
	%reldir%/commands.h \
	%reldir%/common/cli-files.c \
	%reldir%/common/cli-gpu.c \
	%reldir%/common/cli-files.h \
	%reldir%/common/cli-import.c \
	%reldir%/common/cli-import.h \
	%reldir%/common/cli-json.c \
	%reldir%/common/cli-json.h \
	%reldir%/common/cli-launch.c \
	%reldir%/common/cli-launch.h \
	%reldir%/common/cli-memory.c \
	%reldir%/common/cli-memory.h \
	%reldir%/common/cli-ops.c \
	%reldir%/common/cli-ops.h \
	%reldir%/common/cli-options.c \
	%reldir%/common/cli-options.h \
	%reldir%/common/cli-plot.c \
	%reldir%/common/cli-plot.h \
	%reldir%/common/cli-progress.c \
	%reldir%/common/cli-progress.h \
	%reldir%/common/cli-ranges.c \
	%reldir%/common/cli-ranges.h \
	%reldir%/common/cli-seeds.c \
	%reldir%/common/cli-seeds.h \
	%reldir%/common/cli-signals.c \
	%reldir%/common/cli-signals.h \
	%reldir%/common/cli-table.c \
	%reldir%/common/cli-table.h \
	%reldir%/common/cli-text.c \
	%reldir%/common/cli-text.h \
	%reldir%/common/cli-command.h \
	%reldir%/common/cli-unknown.c \
	%reldir%/common/cli-unknown.h \
	%reldir%/common/cli.c \
	%reldir%/common/cli.h \
	%reldir%/bounds/cmd-bounds.c \
	%reldir%/coalesce/cmd-coalesce.c \
	%reldir%/compare/cmd-compare.c \
	%reldir%/compare/cmd-diff.c \
	%reldir%/explain/cmd-explain.c \
	%reldir%/headroom/cmd-headroom.c \
	%reldir%/tune/cmd-tune.c \
	%reldir%/import/cmd-import.c \
	%reldir%/list/cmd-list.c \
	%reldir%/list/list-ops.c \
	%reldir%/list/list-ops.h \
	%reldir%/models/cmd-models.c \
	%reldir%/occupancy/cmd-occupancy.c \
	%reldir%/run/cmd-run.c \
	%reldir%/show/cmd-show.c \
	%reldir%/sweep/cmd-sweep.c \
	%reldir%/validate/cmd-validate.c \
	%reldir%/validate/on-gpu-code.c \
	%reldir%/validate/on-gpu-code.h \
	%reldir%/validate/on-gpu.c \
	%reldir%/validate/on-gpu.h \
	%reldir%/coalesce/coalesce-text.c \
	%reldir%/coalesce/coalesce.c \
	%reldir%/coalesce/coalesce.h \
	%reldir%/run/machine-json.c \
	%reldir%/run/machine-json.h \
	%reldir%/run/run-options.c \
	%reldir%/run/run-options.h \
	%reldir%/run/run-outputs.c \
	%reldir%/run/run-outputs.h \
	%reldir%/occupancy/occupancy-advice.c \
	%reldir%/occupancy/occupancy-json.c \
	%reldir%/occupancy/occupancy-print.h \
	%reldir%/occupancy/occupancy-text.c \
	%reldir%/page/page-graph.c \
	%reldir%/page/page-sources.c \
	%reldir%/page/page-sources.h \
	%reldir%/page/page.c \
	%reldir%/page/page.h \
	%reldir%/compare/compare-heading.c \
	%reldir%/compare/compare-heading.h \
	%reldir%/compare/compare-lists.c \
	%reldir%/compare/compare-options.c \
	%reldir%/compare/compare-options.h \
	%reldir%/compare/compare-view.c \
	%reldir%/compare/compare-view.h \
	%reldir%/compare/comparison-csv.c \
	%reldir%/compare/comparison-divergence.c \
	%reldir%/compare/comparison-json.c \
	%reldir%/compare/comparison-print.h \
	%reldir%/compare/comparison-rows.c \
	%reldir%/compare/comparison-rows.h \
	%reldir%/compare/comparison-sum.c \
	%reldir%/compare/comparison-text.c \
	%reldir%/compare/comparison-verdict.c \
	%reldir%/compare/plot-compare.c \
	%reldir%/compare/plot-compare.h \
	%reldir%/models/plot-models.c \
	%reldir%/models/plot-models.h \
	%reldir%/sweep/plot-sweep-axes.c \
	%reldir%/sweep/plot-sweep-bars.c \
	%reldir%/sweep/plot-sweep-bounds.c \
	%reldir%/sweep/plot-sweep-lines.c \
	%reldir%/sweep/plot-sweep-needed.c \
	%reldir%/sweep/plot-sweep-private.h \
	%reldir%/probe/cmd-probe.c \
	%reldir%/probe/probe-devices.c \
	%reldir%/probe/probe-devices.h \
	%reldir%/sweep/plot-sweep-words.c \
	%reldir%/sweep/plot-sweep.c \
	%reldir%/sweep/plot-sweep.h \
	%reldir%/report/report-bounds-text.c \
	%reldir%/report/decimals.c \
	%reldir%/report/decimals.h \
	%reldir%/report/report-bounds-curve.c \
	%reldir%/report/report-bounds-json.c \
	%reldir%/report/report-bounds-path.c \
	%reldir%/report/report-bounds-private.h \
	%reldir%/report/report-bounds-sheet.c \
	%reldir%/report/report-bounds-words.c \
	%reldir%/report/report-bounds.h \
	%reldir%/explain/report-explain-text.c \
	%reldir%/explain/report-explain.c \
	%reldir%/explain/report-explain.h \
	%reldir%/headroom/report-headroom-json.c \
	%reldir%/headroom/report-headroom-text.c \
	%reldir%/headroom/report-headroom.h \
	%reldir%/tune/report-tune-text.c \
	%reldir%/tune/report-tune.c \
	%reldir%/tune/report-tune.h \
	%reldir%/report/report-lines-json.c \
	%reldir%/report/report-lines-text.c \
	%reldir%/report/report-lines.h \
	%reldir%/report/report-models-text.c \
	%reldir%/report/report-models.c \
	%reldir%/report/report-models.h \
	%reldir%/report/report-run-json.c \
	%reldir%/report/report-run-text.c \
	%reldir%/report/report-run.h \
	%reldir%/report/report-warnings.c \
	%reldir%/report/report-warnings.h \
	%reldir%/show/show-text.c \
	%reldir%/show/show.c \
	%reldir%/show/show.h \
	%reldir%/sweep/sweep-options.c \
	%reldir%/sweep/sweep-options.h
libcli_la_LIBADD = libcommands.la libprobe.la $(JSON_LIBS) $(MPI_LIBS)
libcli_la_CPPFLAGS = $(AM_CPPFLAGS) $(JSON_CFLAGS) $(MPI_CFLAGS) -DWARPIPE_PKGDATADIR='"$(pkgdatadir)"'

warpipe_SOURCES = %reldir%/main.c
warpipe_LDADD = libcli.la libtraces.la libmodels.la libplots.la libexec.la libsim.la libidg-xml.la libidg.la $(DEPS_LIBS)

# Makes the manual pages and completions of doc/local.mk from the option tables.
noinst_PROGRAMS += %reldir%/pages/pages
%canon_reldir%_pages_pages_SOURCES = \
	%reldir%/pages/complete-bash.c \
	%reldir%/pages/complete-fish.c \
	%reldir%/pages/complete-zsh.c \
	%reldir%/pages/page-manual.c \
	%reldir%/pages/page-roff.c \
	%reldir%/pages/page-roff.h \
	%reldir%/pages/page-text.c \
	%reldir%/pages/page-text.h \
	%reldir%/pages/pages.c \
	%reldir%/pages/pages.h \
	%reldir%/pages/value.c
%canon_reldir%_pages_pages_LDADD = $(warpipe_LDADD)
