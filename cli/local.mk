# The program. All but main() is a convenience library, so that tests can call it.
bin_PROGRAMS += warpipe
noinst_LTLIBRARIES += libcli.la

libcli_la_SOURCES = \
	%reldir%/batch.c \
	%reldir%/batch.h \
	%reldir%/cli-bounds.c \
	%reldir%/cli-bounds.h \
	%reldir%/cli-csv.c \
	%reldir%/cli-csv.h \
	%reldir%/cli-data.c \
	%reldir%/cli-import.c \
	%reldir%/cli-import.h \
	%reldir%/cli-json.c \
	%reldir%/cli-json.h \
	%reldir%/cli-launch.c \
	%reldir%/cli-launch.h \
	%reldir%/cli-ops.c \
	%reldir%/cli-ops.h \
	%reldir%/cli-options.c \
	%reldir%/cli-options.h \
	%reldir%/cli-output.c \
	%reldir%/cli-output.h \
	%reldir%/cli-pace.c \
	%reldir%/cli-pace.h \
	%reldir%/cli-plot.c \
	%reldir%/cli-plot.h \
	%reldir%/cli-ranges.c \
	%reldir%/cli-ranges.h \
	%reldir%/cli-sample.c \
	%reldir%/cli-sample.h \
	%reldir%/cli-text.c \
	%reldir%/cli-text.h \
	%reldir%/cli.c \
	%reldir%/cli.h \
	%reldir%/cmd-bounds.c \
	%reldir%/cmd-coalesce.c \
	%reldir%/cmd-compare.c \
	%reldir%/cmd-diff.c \
	%reldir%/cmd-explain.c \
	%reldir%/cmd-import.c \
	%reldir%/cmd-list.c \
	%reldir%/cmd-models.c \
	%reldir%/cmd-occupancy.c \
	%reldir%/cmd-run.c \
	%reldir%/cmd-show.c \
	%reldir%/cmd-sweep.c \
	%reldir%/cmd-validate.c \
	%reldir%/coalesce-text.c \
	%reldir%/coalesce.c \
	%reldir%/coalesce.h \
	%reldir%/commands.h \
	%reldir%/compare-columns.c \
	%reldir%/compare-runs.c \
	%reldir%/compare-words.c \
	%reldir%/compare.h \
	%reldir%/driver.c \
	%reldir%/driver.h \
	%reldir%/figures-json.c \
	%reldir%/figures-mean.c \
	%reldir%/figures.c \
	%reldir%/figures.h \
	%reldir%/explain.c \
	%reldir%/explain.h \
	%reldir%/machine-json.c \
	%reldir%/machine-json.h \
	%reldir%/model-table.c \
	%reldir%/model-table.h \
	%reldir%/occupancy-text.c \
	%reldir%/occupancy.c \
	%reldir%/occupancy.h \
	%reldir%/page-graph.c \
	%reldir%/page.c \
	%reldir%/page.h \
	%reldir%/parting.c \
	%reldir%/parting.h \
	%reldir%/plot-compare.c \
	%reldir%/plot-compare.h \
	%reldir%/plot-models.c \
	%reldir%/plot-models.h \
	%reldir%/plot-sweep-axes.c \
	%reldir%/plot-sweep-bounds.c \
	%reldir%/plot-sweep-lines.c \
	%reldir%/plot-sweep-needed.c \
	%reldir%/plot-sweep-private.h \
	%reldir%/plot-sweep-words.c \
	%reldir%/plot-sweep.c \
	%reldir%/plot-sweep.h \
	%reldir%/report-bounds-text.c \
	%reldir%/report-bounds.c \
	%reldir%/report-bounds.h \
	%reldir%/report-compare-text.c \
	%reldir%/report-compare.c \
	%reldir%/report-explain-text.c \
	%reldir%/report-explain.c \
	%reldir%/report-explain.h \
	%reldir%/report-models-text.c \
	%reldir%/report-models.c \
	%reldir%/report-models.h \
	%reldir%/report-text.c \
	%reldir%/report.c \
	%reldir%/report.h \
	%reldir%/show-text.c \
	%reldir%/show.c \
	%reldir%/show.h \
	%reldir%/simulate.c \
	%reldir%/simulate.h \
	%reldir%/sweep-file.c \
	%reldir%/sweep-file.h \
	%reldir%/sweep-help.c \
	%reldir%/sweep-mark.c \
	%reldir%/sweep-message.c \
	%reldir%/sweep-message.h \
	%reldir%/sweep-options.c \
	%reldir%/sweep-options.h \
	%reldir%/sweep-ranks.c \
	%reldir%/sweep-ranks.h \
	%reldir%/sweep-row.c \
	%reldir%/sweep-run.c \
	%reldir%/sweep-run.h \
	%reldir%/sweep-spread.c \
	%reldir%/sweep-spread.h \
	%reldir%/sweep.c \
	%reldir%/sweep-threads.c \
	%reldir%/sweep-threads.h \
	%reldir%/sweep.h \
	%reldir%/team.c \
	%reldir%/team.h \
	%reldir%/variations.c \
	%reldir%/variations.h
if WITH_MPI
libcli_la_SOURCES += %reldir%/sweep-ranks-mpi.c
else
libcli_la_SOURCES += %reldir%/sweep-ranks-none.c
endif
libcli_la_LIBADD = $(JSON_LIBS) $(MPI_LIBS)
libcli_la_CPPFLAGS = $(AM_CPPFLAGS) $(JSON_CFLAGS) $(MPI_CFLAGS) -DWARPIPE_PKGDATADIR='"$(pkgdatadir)"'

warpipe_SOURCES = %reldir%/main.c
warpipe_LDADD = libcli.la libtraces.la libmodels.la libplots.la libidg-xml.la libwarpipe.la libidg.la $(DEPS_LIBS)
