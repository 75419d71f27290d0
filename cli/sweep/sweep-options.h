/* SPDX-License-Identifier: MIT */
/* Private to warpipe sweep: its command line. */
#pragma once

#include "cli/common/cli-import.h"
#include "cli/common/cli-plot.h"
#include "run/sweep/sweep.h"

G_BEGIN_DECLS

/* The command line, as written and as read. */
typedef struct
{
  const WpCommand *command;
  gchar *lists[WP_N_AXES]; /* of the axes' options */
  gchar *grid;             /* --grid, or NULL: another way to say --blocks */
  gchar *output, *resume, *cores, *share, *normalize, *plot_x;
  gchar **gpu_sets, **settings, **policy_settings;
  WpImportOptions import;
  gboolean no_limits, strict;
  GStrv files, kernels; /* as written; one by one */
  GStrv gpus;
  GArray *ranges[WP_N_AXES]; /* or NULL */
  GPtrArray *policies;       /* of const WpPolicy; owns those of libraries */
  gint64 max_cores, plot_share;
  WpPlotOptions plot;
} WpSweepOptions;

void wp_sweep_options_clear (WpSweepOptions *options);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WpSweepOptions, wp_sweep_options_clear)

/* Takes OPTIONS, zeros before, of COMMAND out of ARGV, as they are written; as wp_cli_parse(). */
gboolean wp_sweep_options_parse (WpSweepOptions *options, const WpCommand *command, gchar **argv,
                                 WpExit *status);

/* Reads what was written: kernels' names, ranges, GPUs' names, policies, cores, the plot. False: an
 * error has been printed, STATUS is what to exit with. */
gboolean wp_sweep_options_check (WpSweepOptions *options, WpExit *status);

G_END_DECLS
