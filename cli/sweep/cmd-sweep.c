/* SPDX-License-Identifier: MIT */
/* warpipe sweep: many runs, one row of a table for each. */
#include "cli/commands.h"
#include "cli/common/cli-ops.h"
#include "cli/common/cli-plot.h"
#include "cli/common/cli-ranges.h"
#include "cli/common/cli-seeds.h"
#include "cli/common/cli-signals.h"
#include "cli/sweep/plot-sweep.h"
#include "cli/sweep/sweep-options.h"
#include "run/base/output.h"
#include "run/base/ranges.h"
#include "run/base/sample.h"
#include "run/sweep/sweep-endings.h"
#include "run/sweep/sweep-execute.h"
#include "run/sweep/sweep-imports.h"
#include "run/sweep/sweep-row.h"
#include "run/sweep/sweep-run.h"
#include "run/sweep/sweep-warnings.h"

#include <string.h>

#define COMMAND (&wp_command_sweep)

/* ---- The sweep ---- */

static gboolean
add_setting (WpSweep *sweep, const gchar *setting, WpExit *status)
{
  g_autoptr (GError) error = NULL;
  const gchar *equals = strchr (setting, '=');
  g_autofree gchar *name = g_strndup (setting, (gsize)(equals - setting));
  g_autofree gchar *option = g_strdup_printf ("set %s", name);
  GArray *ranges = wp_cli_parse_ranges (COMMAND, option, equals + 1, 0, G_MAXINT64);

  *status = WP_EXIT_USAGE;
  if (ranges == NULL)
    return FALSE;
  if (wp_sweep_set (sweep, name, ranges, &error))
    return TRUE;
  *status = wp_cli_fail (error);
  return FALSE;
}

/* The launch that the lists begin with, so that an import need not assume one. */
static WpRunOptions
get_launch (const WpSweepOptions *options)
{
  WpRunOptions launch = WP_RUN_OPTIONS_INIT;
  const struct
  {
    WpAxis axis;
    gint64 *value;
    guint64 *sizes; /* or NULL */
  } given[] = {
    { WP_AXIS_BLOCKS, &launch.blocks, launch.grid_dim },
    { WP_AXIS_THREADS, &launch.threads, launch.block_dim },
    { WP_AXIS_REGISTERS, &launch.registers, NULL },
    { WP_AXIS_SHARED_MEMORY, &launch.shared_memory, NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (given); i++)
    if (options->ranges[given[i].axis] != NULL)
      {
        const WpRange *first = &g_array_index (options->ranges[given[i].axis], WpRange, 0);

        *given[i].value = (gint64)first->first;
        if (given[i].sizes != NULL)
          memcpy (given[i].sizes, first->sizes, sizeof first->sizes);
      }
  return launch;
}

/* The values of each parameter, of WpSweepSetting; NULL: an error has been printed. */
static GArray *
list_settings (const WpSweepOptions *options)
{
  g_autoptr (GArray) settings = wp_sweep_settings_new ();

  for (guint i = 0; options->settings != NULL && options->settings[i] != NULL; i++)
    {
      const gchar *equals = strchr (options->settings[i], '=');
      g_autofree gchar *name
          = g_strndup (options->settings[i], (gsize)(equals - options->settings[i]));
      g_autofree gchar *option = g_strdup_printf ("set %s", name);
      GArray *ranges = wp_cli_parse_ranges (COMMAND, option, equals + 1, 0, G_MAXINT64);

      if (ranges == NULL)
        return NULL;
      wp_sweep_settings_add (settings, name, ranges);
    }
  return g_steal_pointer (&settings);
}

/* The sweep asked for; or NULL: an error has been printed, STATUS is what to exit with. */
static WpSweep *
make_sweep (WpSweepOptions *options, WpExit *status)
{
  g_autoptr (GError) error = NULL;
  WpRunOptions launch = get_launch (options);
  WpProgress progress;
  WpImportOptions import = wp_import_options_make_loud (&options->import, &progress);
  g_autoptr (GArray) settings = list_settings (options);
  g_autoptr (WpSweep) sweep = NULL;

  *status = WP_EXIT_USAGE;
  import.threads = (guint)options->max_cores;
  if (settings == NULL)
    return NULL;
  sweep = wp_sweep_new (options->kernels, &import, &launch, options->gpus, settings, &error);
  if (sweep == NULL)
    {
      *status = wp_cli_fail (error);
      return NULL;
    }
  for (guint i = WP_AXIS_GPU + 1; i < WP_N_AXES; i++) /* those before are there */
    sweep->axes[i] = g_steal_pointer (&options->ranges[i]);
  for (guint i = 0; i < options->policies->len; i++)
    g_ptr_array_add (sweep->policies, g_ptr_array_index (options->policies, i));
  sweep->no_limits = options->no_limits;
  sweep->strict = options->strict;
  sweep->normalize = options->normalize != NULL;
  for (guint i = 0; options->settings != NULL && options->settings[i] != NULL; i++)
    if (!add_setting (sweep, options->settings[i], status))
      return NULL;
  if (!wp_sweep_execute (sweep, &import, &launch, &error)
      || !wp_sweep_import_launches (sweep, &import, &launch, &error))
    {
      *status = wp_cli_fail (error);
      return NULL;
    }
  if (wp_sweep_finish (sweep))
    return g_steal_pointer (&sweep);
  *status = wp_cli_usage (COMMAND, "the lists make too many rows; at most %" G_GUINT64_FORMAT,
                          WP_SWEEP_MAX_ROWS);
  return NULL;
}

/* Prints on standard error what the table itself does not show. */
static void
print_notes (const WpSweepOptions *options, const WpSweep *sweep, const WpSweepRun *run,
             gboolean done, guint64 before, guint64 now)
{
  if (run->interrupted == 0 && before == sweep->n_rows)
    wp_cli_complain ("%s is complete: nothing was left to do (%" G_GUINT64_FORMAT " rows)",
                     options->resume, before);
  if (run->refused > 0)
    wp_cli_complain ("warning: %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
                     " rows have no figures: column error says why",
                     run->refused, now - before);
  if ((run->interrupted != 0 || !done) && options->resume != NULL)
    wp_cli_complain ("%s has %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
                     " rows; the same command goes on with it",
                     options->resume, now, sweep->n_rows);
}

/* Who sees the rows as they take their places. */
typedef struct
{
  WpSweepWarnings *warnings;
  WpSweepPlot *plot; /* or NULL */
} Watch;

static void
take_row (gpointer data, guint64 row, const gchar *line)
{
  const Watch *watch = data;

  wp_sweep_warnings_take (watch->warnings, line);
  if (watch->plot != NULL)
    wp_sweep_plot_take (watch->plot, row, line);
}

static void
complain (gpointer data, const gchar *text)
{
  (void)data;
  wp_cli_complain ("warning: %s", text);
}

static gboolean
fill (const WpSweepOptions *options, const WpSweep *sweep, WpSweepPlot *plot, WpSweepRun *run,
      GError **error)
{
  g_autofree gchar *header = wp_sweep_get_header (sweep);
  g_autoptr (WpSweepEndings) endings = wp_sweep_endings_new (sweep, header);
  Watch watch = { wp_sweep_warnings_new (header), plot };
  const WpSweepTable table = { .header = header,
                               .digest = sweep->digest,
                               .n_rows = sweep->n_rows,
                               .watch = take_row,
                               .data = &watch,
                               .complete = wp_sweep_endings_complete,
                               .complete_data = endings };
  const gchar *output = options->output != NULL ? options->output : "-";
  g_autoptr (WpSweepFile) file = options->resume != NULL
                                     ? wp_sweep_file_resume (options->resume, &table, error)
                                     : wp_sweep_file_new (output, &table, error);
  guint64 before;
  gboolean done;

  if (file == NULL)
    {
      wp_sweep_warnings_free (watch.warnings);
      return FALSE;
    }
  before = wp_sweep_file_count (file);
  done = wp_sweep_run (run, sweep, file, error)
         && (run->interrupted != 0 || wp_sweep_file_finish (file, error));
  if (done || run->ranks != NULL)
    print_notes (options, sweep, run, done, before, wp_sweep_file_count (file));
  if (done)
    wp_sweep_warnings_tell (watch.warnings, complain, NULL);
  wp_sweep_warnings_free (watch.warnings);
  return done;
}

/* What to draw of SWEEP, in PLOT; NULL where nothing is wanted. False: an error has been printed.
 */
static gboolean
plan_plot (const WpSweepOptions *options, const WpSweep *sweep, WpSweepPlot **plot)
{
  const WpSweepPlotWish wish = { options->plot.kind, (guint)options->plot_share, options->plot_x };
  g_autoptr (GError) error = NULL;

  if (wp_plot_is_wanted (&options->plot))
    *plot = wp_sweep_plot_new (sweep, &wish, &error);
  if (error != NULL)
    wp_cli_usage (COMMAND, "%s", error->message);
  else if (options->share != NULL
           && (*plot == NULL || wp_sweep_plot_get_kind (*plot) != WP_SWEEP_PLOT_NEEDED))
    wp_cli_usage (COMMAND, "--share goes with a plot of kind needed");
  else if (options->plot_x != NULL && *plot == NULL)
    wp_cli_usage (COMMAND, "--plot-x goes with --plot or --gnuplot");
  else
    return TRUE;
  return FALSE;
}

static gboolean
draw (WpSweepOptions *options, WpSweepPlot *plot, WpSweepRun *run, GError **error)
{
  g_autoptr (WpPlot) figure = NULL;

  if (plot == NULL || run->interrupted != 0)
    return TRUE;
  figure = wp_sweep_plot_make (plot, run->progress, run->max_issues, &run->interrupted, error);
  if (figure == NULL)
    return run->interrupted != 0;
  return wp_plot_write (&options->plot, figure, run->progress, &run->interrupted, error);
}

/* Whether some of its runs draw random numbers. */
static gboolean
is_random (const WpSweep *sweep)
{
  const GArray *memory = sweep->axes[WP_AXIS_MEMORY];

  for (guint i = 0; i < sweep->kernels->len; i++)
    if (idg_kernel_has_mixes (
            ((const WpSweepKernel *)g_ptr_array_index (sweep->kernels, i))->kernel))
      return TRUE;
  for (guint i = 0; memory != NULL && i < memory->len; i++)
    if (g_array_index (memory, WpRange, i).first != 0)
      return TRUE;
  return FALSE;
}

/* Writes the table, then what is drawn of it. */
static gboolean
produce (WpSweepOptions *options, const WpSweep *sweep, WpSweepPlot *plot, WpSweepRun *run,
         GError **error)
{
  const guint64 n_seeds = wp_sweep_count (sweep->axes[WP_AXIS_SEED]);

  if (n_seeds > 1 && !is_random (sweep))
    wp_cli_warn_alike (n_seeds);
  return wp_plot_open (&options->plot, error) && fill (options, sweep, plot, run, error)
         && draw (options, plot, run, error);
}

/* Reads the command line into OPTIONS, and makes the sweep, and its plot (or NULL). NULL: help or
 * an error has been printed, STATUS is what to exit with. */
static WpSweep *
prepare (WpSweepOptions *options, gchar **argv, WpSweepPlot **plot, WpExit *status)
{
  g_autoptr (WpSweep) sweep = NULL;

  wp_import_options_remember (&options->import);
  if (!wp_sweep_options_parse (options, COMMAND, argv, status))
    return NULL;
  *status = WP_EXIT_USAGE;
  sweep = wp_sweep_options_check (options, status) ? make_sweep (options, status) : NULL;
  if (sweep == NULL || plan_plot (options, sweep, plot))
    return g_steal_pointer (&sweep);
  *status = WP_EXIT_USAGE;
  return NULL;
}

/* Warns of ops of KERNEL that GPUs lack, once for each GPU. */
static gboolean
check_ops (const WpSweep *sweep, const WpSweepKernel *kernel, gboolean strict, GError **error)
{
  for (guint i = 0; i < sweep->gpus->len; i++)
    {
      g_autoptr (IdgKernel) own
          = kernel->is_executed ? wp_sweep_parse_kernel (sweep, kernel, i) : NULL;

      if (!wp_cli_check_ops (own != NULL ? own : kernel->kernel, g_ptr_array_index (sweep->gpus, i),
                             strict, error))
        return FALSE;
    }
  return TRUE;
}

/* The same for the process that prints for all: it also warns of ops that GPUs lack. */
static WpSweep *
prepare_to_lead (WpSweepOptions *options, gchar **argv, WpSweepPlot **plot, WpExit *status)
{
  g_autoptr (WpSweep) sweep = prepare (options, argv, plot, status);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; sweep != NULL && i < sweep->kernels->len; i++)
    if (!check_ops (sweep, g_ptr_array_index (sweep->kernels, i), options->strict, &error))
      {
        *status = wp_cli_fail (error);
        return NULL;
      }
  return g_steal_pointer (&sweep);
}

static WpExit
run_alone (gchar **argv, guint64 max_issues)
{
  g_auto (WpSweepOptions) options = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (WpSweep) sweep = NULL;
  g_autoptr (WpSweepPlot) plot = NULL;
  WpSignals signals;
  WpSweepRun run = { .max_issues = max_issues, .progress = &signals.progress };
  WpExit status;
  gboolean done;

  sweep = prepare_to_lead (&options, argv, &plot, &status);
  if (sweep == NULL)
    return status;
  run.max_cores = (guint)options.max_cores;
  wp_signals_hold (&signals);
  done = produce (&options, sweep, plot, &run, &error);
  return wp_signals_release (&signals, done, run.interrupted, error);
}

/* ---- As one of several ranks ---- */

#define GO_ON (-1) /* shared in place of an exit status */

/* Rank 0 prints what is wrong with the command line, once for all ranks, and writes the table. */
static WpSweepEnd
lead (gchar **argv, WpSweepRun *run, const WpSignals *signals)
{
  g_auto (WpSweepOptions) options = { 0 };
  g_autoptr (GError) error = NULL;
  WpSweepEnd end = { 0, TRUE };
  WpExit status;
  g_autoptr (WpSweepPlot) plot = NULL;
  g_autoptr (WpSweep) sweep = prepare_to_lead (&options, argv, &plot, &status);
  gboolean done;

  wp_ranks_share (run->ranks, sweep != NULL ? GO_ON : (gint)status);
  if (sweep == NULL)
    return (WpSweepEnd){ (gint)status, TRUE };
  if (!wp_ranks_agree (run->ranks, sweep->digest, &error))
    return (WpSweepEnd){ (gint)wp_cli_fail (error), TRUE };
  run->max_cores = options.cores != NULL ? (guint)options.max_cores : 1;
  done = produce (&options, sweep, plot, run, &error);
  end.orderly = done && run->interrupted == 0;
  end.status = (gint)wp_signals_release (signals, done, run->interrupted, error);
  wp_sweep_end_help (run, end);
  return end;
}

/* The others print something only where their computer makes another sweep of the same command
 * line.
 */
static WpSweepEnd
follow (gchar **argv, WpSweepRun *run)
{
  g_auto (WpSweepOptions) options = { 0 };
  g_autoptr (WpSweep) sweep = NULL;
  g_autoptr (WpSweepPlot) plot = NULL; /* rank 0 draws it */
  gint shared = wp_ranks_share (run->ranks, GO_ON);
  WpSweepEnd end = { 0, FALSE };
  WpExit status;

  if (shared != GO_ON)
    return (WpSweepEnd){ shared, TRUE };
  sweep = prepare (&options, argv, &plot, &status);
  if (!wp_ranks_agree (run->ranks, sweep != NULL ? sweep->digest : "", NULL))
    return (WpSweepEnd){ WP_EXIT_INPUT, TRUE };
  run->max_cores = options.cores != NULL ? (guint)options.max_cores : 1;
  if (!wp_sweep_help (run, sweep, &end))
    end.status
        = run->interrupted != 0 ? (gint)wp_signals_get_status (run->interrupted) : WP_EXIT_MACHINE;
  return end;
}

static WpExit
run_as_rank (gchar **argv, guint64 max_issues)
{
  g_autoptr (GError) error = NULL;
  WpSignals signals;
  WpSweepRun run = { .max_issues = max_issues, .progress = &signals.progress };
  WpSweepEnd end;

  wp_signals_hold (&signals); /* in the threads of MPI, too */
  run.ranks = wp_ranks_join (&error);
  if (run.ranks == NULL)
    return wp_signals_release (&signals, error == NULL, 0, error);
  end = wp_ranks_get_own (run.ranks) == 0 ? lead (argv, &run, &signals) : follow (argv, &run);
  wp_ranks_leave (run.ranks, end.orderly);
  return (WpExit)end.status;
}

static WpExit
run_command (gchar **argv, guint64 max_issues)
{
  return wp_ranks_are_there () ? run_as_rank (argv, max_issues) : run_alone (argv, max_issues);
}

const WpCommand wp_command_sweep = {
  .name = "sweep",
  .arguments = "KERNEL... --gpu GPU,...",
  .summary = "Simulate all combinations of lists, a row each",
  .details = "Prints a table (CSV). Lists are as in --gpu gtx680,gtx980 --occupancy 4-64/4 --set "
             "alpha=1,8;\n"
             "rows come in the order of the columns, what the last one lists varies fastest.",
  .run = run_command,
};
