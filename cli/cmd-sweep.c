/* SPDX-License-Identifier: MIT */
/* warpipe sweep: many runs, a row of a table each. */
#include "cli/cli-ops.h"
#include "cli/cli-output.h"
#include "cli/cli-plot.h"
#include "cli/cli-sample.h"
#include "cli/plot-sweep.h"
#include "cli/sweep-run.h"
#include "cli/sweep-spread.h"

#include <string.h>

#define COMMAND (&wp_command_sweep)

/* The command line, as written and as read. */
typedef struct
{
  gchar *lists[WP_N_AXES]; /* of the axes' options */
  gchar *output, *resume, *cores, *share;
  gchar **settings;
  WpImportOptions import;
  gboolean no_limits, strict;
  GStrv files;
  GStrv gpus;
  GArray *ranges[WP_N_AXES]; /* or NULL */
  GPtrArray *policies;       /* of const WpPolicy */
  gint64 max_cores, plot_share;
  WpPlotOptions plot;
} Options;

static void
options_clear (Options *options)
{
  for (guint i = 0; i < WP_N_AXES; i++)
    {
      g_free (options->lists[i]);
      g_clear_pointer (&options->ranges[i], g_array_unref);
    }
  g_free (options->output);
  g_free (options->resume);
  g_free (options->cores);
  g_free (options->share);
  wp_plot_options_clear (&options->plot);
  g_strfreev (options->settings);
  wp_import_options_clear (&options->import);
  g_strfreev (options->files);
  g_strfreev (options->gpus);
  g_clear_pointer (&options->policies, g_ptr_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, options_clear)

#define LIST_ENTRY(name, axis, text, argument)                                                     \
  {                                                                                                \
    name, 0, 0, G_OPTION_ARG_FILENAME, &options->lists[axis], text, argument                       \
  }

static gboolean
parse (Options *options, gchar **argv, WpExit *status)
{
  const GOptionEntry entries[] = {
    LIST_ENTRY ("gpu", WP_AXIS_GPU, "GPU descriptions: files, or names of shipped ones", "GPU,..."),
    { "set", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options->settings,
      "Give a kernel's parameter other values: 1,2,8-48", "NAME=LIST" },
    WP_IMPORT_ENTRIES (&options->import),
    LIST_ENTRY ("threads", WP_AXIS_THREADS, "Threads per block: 32-1024/32", "LIST"),
    LIST_ENTRY ("registers", WP_AXIS_REGISTERS, "Registers per thread", "LIST"),
    LIST_ENTRY ("shared-memory", WP_AXIS_SHARED_MEMORY, "Bytes of shared memory per block", "LIST"),
    LIST_ENTRY ("blocks", WP_AXIS_BLOCKS, "Blocks to launch", "LIST"),
    LIST_ENTRY ("sms", WP_AXIS_SMS, "SMs to simulate, or all; 1 when left out", "LIST"),
    LIST_ENTRY ("occupancy", WP_AXIS_OCCUPANCY,
                "Let no more than so many warps be resident on an SM", "LIST"),
    LIST_ENTRY ("policy", WP_AXIS_POLICY, "Warp scheduling policies; rr when left out",
                "POLICY,..."),
    LIST_ENTRY ("active-set", WP_AXIS_ACTIVE_SET, "Active warps of a scheduler, two-level only",
                "LIST"),
    LIST_ENTRY ("order", WP_AXIS_ORDER, "Program and dataflow order", "ORDER,..."),
    LIST_ENTRY ("memory", WP_AXIS_MEMORY, "Ideal and contended memory", "MEMORY,..."),
    LIST_ENTRY ("seed", WP_AXIS_SEED, "Seeds of contended memory's draws", "LIST"),
    { "no-limits", 0, 0, G_OPTION_ARG_NONE, &options->no_limits,
      "Let none of the GPUs' limits per SM bind", NULL },
    WP_STRICT_ENTRY (&options->strict),
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &options->output,
      "Write the table there; standard output when left out", "FILE" },
    { "resume", 0, 0, G_OPTION_ARG_FILENAME, &options->resume,
      "Write the table there, and go on with what it holds already", "FILE" },
    { "cores", 0, 0, G_OPTION_ARG_FILENAME, &options->cores,
      "Processor cores to use at most; all when left out, 1 a process under mpirun", "N" },
    WP_PLOT_ENTRIES (&options->plot, WP_SWEEP_PLOT_KINDS),
    { "share", 0, 0, G_OPTION_ARG_FILENAME, &options->share,
      "Per cent of the throughput bound that will do, for needed; 98 when left out", "N" },
    G_OPTION_ENTRY_NULL,
  };

  return wp_cli_parse (COMMAND, entries, argv, &options->files, status);
}

/* ---- Lists ---- */

static GArray *
new_axis (void)
{
  return g_array_new (FALSE, FALSE, sizeof (WpRange));
}

static void
add_value (GArray *axis, guint64 value)
{
  const WpRange range = { value, value, 1, FALSE };

  g_array_append_val (axis, range);
}

/* A list of two words, of which the second is 1. */
static gboolean
parse_choices (Options *options, WpAxis axis, const gchar *option, const gchar *first,
               const gchar *second)
{
  g_auto (GStrv) words = NULL;

  if (options->lists[axis] == NULL)
    return TRUE;
  words = wp_cli_parse_words (COMMAND, option, options->lists[axis]);
  if (words == NULL)
    return FALSE;
  options->ranges[axis] = new_axis ();
  for (guint i = 0; words[i] != NULL; i++)
    {
      gboolean is_second;

      if (!wp_cli_parse_choice (COMMAND, option, words[i], first, second, &is_second))
        return FALSE;
      add_value (options->ranges[axis], (guint64)is_second);
    }
  return TRUE;
}

static gboolean
parse_policies (Options *options)
{
  const gchar *list = options->lists[WP_AXIS_POLICY];
  g_auto (GStrv) words = wp_cli_parse_words (COMMAND, "policy", list != NULL ? list : "rr");

  options->policies = g_ptr_array_new ();
  options->ranges[WP_AXIS_POLICY] = new_axis ();
  for (guint i = 0; words != NULL && words[i] != NULL; i++)
    {
      const WpPolicy *policy = wp_cli_find_policy (COMMAND, words[i]);

      if (policy == NULL)
        return FALSE;
      g_ptr_array_add (options->policies, (gpointer)policy);
      add_value (options->ranges[WP_AXIS_POLICY], i);
    }
  return words != NULL;
}

/* "1,all,4-16": 0 is all. */
static gboolean
parse_sms (Options *options)
{
  const gchar *list = options->lists[WP_AXIS_SMS];
  g_auto (GStrv) items = list != NULL ? wp_cli_parse_words (COMMAND, "sms", list) : NULL;
  GArray *axis;

  if (list == NULL || items == NULL)
    return list == NULL;
  axis = options->ranges[WP_AXIS_SMS] = new_axis ();
  for (guint i = 0; items[i] != NULL; i++)
    {
      g_autoptr (GArray) more = NULL;

      if (strcmp (items[i], "all") == 0)
        {
          add_value (axis, 0);
          continue;
        }
      more = wp_cli_parse_ranges (COMMAND, "sms", items[i], 1, WP_MAX_SMS);
      if (more == NULL)
        return FALSE;
      g_array_append_vals (axis, more->data, more->len);
    }
  return TRUE;
}

static gboolean
parse_numbers (Options *options)
{
  const struct
  {
    WpAxis axis;
    const gchar *option;
    guint64 min, max;
  } numbers[] = {
    { WP_AXIS_THREADS, "threads", 1, IDG_MAX_THREADS },
    { WP_AXIS_REGISTERS, "registers", 0, IDG_MAX_REGISTERS },
    { WP_AXIS_SHARED_MEMORY, "shared-memory", 0, IDG_MAX_SHARED_MEMORY },
    { WP_AXIS_BLOCKS, "blocks", 1, IDG_MAX_BLOCKS },
    { WP_AXIS_OCCUPANCY, "occupancy", 1, WP_MAX_RESIDENT_WARPS },
    { WP_AXIS_ACTIVE_SET, "active-set", 1, WP_MAX_RESIDENT_WARPS },
    { WP_AXIS_SEED, "seed", 0, G_MAXUINT64 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      const gchar *list = options->lists[numbers[i].axis];

      if (list == NULL)
        continue;
      options->ranges[numbers[i].axis]
          = wp_cli_parse_ranges (COMMAND, numbers[i].option, list, numbers[i].min, numbers[i].max);
      if (options->ranges[numbers[i].axis] == NULL)
        return FALSE;
    }
  return TRUE;
}

/* Each is NAME=LIST, each name once. */
static gboolean
check_settings (const Options *options)
{
  for (guint i = 0; options->settings != NULL && options->settings[i] != NULL; i++)
    {
      const gchar *setting = options->settings[i];
      const gchar *equals = strchr (setting, '=');
      gsize length = equals != NULL ? (gsize)(equals - setting) + 1 : 0;

      if (length < 2)
        {
          wp_cli_usage (COMMAND, "--set \"%s\": expected NAME=LIST, such as alpha=1,2,8-48",
                        setting);
          return FALSE;
        }
      for (guint k = 0; k < i; k++)
        if (strncmp (setting, options->settings[k], length) == 0)
          {
            wp_cli_usage (COMMAND, "--set gives \"%.*s\" twice", (int)length - 1, setting);
            return FALSE;
          }
    }
  return TRUE;
}

static gboolean
check_output (const Options *options)
{
  const gchar *resume = options->resume;

  if (resume != NULL && options->output != NULL)
    {
      wp_cli_usage (COMMAND, "--resume and --output do not go together: --resume FILE is the "
                             "table, begun or gone on with");
      return FALSE;
    }
  if (resume != NULL && (*resume == '\0' || wp_output_is_standard (resume)))
    {
      wp_cli_usage (COMMAND, "--resume \"%s\": expected a file; what is printed cannot be resumed",
                    resume);
      return FALSE;
    }
  if (options->output != NULL && *options->output == '\0')
    {
      wp_cli_usage (COMMAND, "--output: expected a file, or - for standard output");
      return FALSE;
    }
  return TRUE;
}

static gboolean
parse_plot (Options *options)
{
  const gchar *const tables[] = { options->output, options->resume };

  options->plot_share = WP_SWEEP_PLOT_SHARE;
  return wp_cli_parse_plot (COMMAND, &options->plot, wp_sweep_plot_kinds, tables,
                            G_N_ELEMENTS (tables))
         && wp_cli_parse_count (COMMAND, "share", options->share, 1, 100, &options->plot_share);
}

static gboolean
check (Options *options)
{
  if (!wp_cli_check_kernel_and_gpu (COMMAND, options->files, options->lists[WP_AXIS_GPU]))
    return FALSE;
  options->gpus = wp_cli_parse_words (COMMAND, "gpu", options->lists[WP_AXIS_GPU]);
  return options->gpus != NULL && parse_numbers (options) && parse_sms (options)
         && parse_policies (options)
         && parse_choices (options, WP_AXIS_ORDER, "order", "program", "dataflow")
         && parse_choices (options, WP_AXIS_MEMORY, "memory", "ideal", "contended")
         && check_settings (options) && check_output (options) && parse_plot (options)
         && wp_cli_parse_cores (COMMAND, options->cores, &options->max_cores);
}

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

/* What the lists say of the launch, so that an import need not assume it. */
static WpRunOptions
get_launch (const Options *options)
{
  WpRunOptions launch = WP_RUN_OPTIONS_INIT;
  const struct
  {
    WpAxis axis;
    gint64 *value;
  } told[] = {
    { WP_AXIS_BLOCKS, &launch.blocks },
    { WP_AXIS_THREADS, &launch.threads },
    { WP_AXIS_REGISTERS, &launch.registers },
    { WP_AXIS_SHARED_MEMORY, &launch.shared_memory },
  };

  for (guint i = 0; i < G_N_ELEMENTS (told); i++)
    if (options->ranges[told[i].axis] != NULL)
      *told[i].value = (gint64)g_array_index (options->ranges[told[i].axis], WpRange, 0).first;
  return launch;
}

/* The sweep asked for, or NULL: all has been said, STATUS is what to exit with. */
static WpSweep *
make_sweep (Options *options, WpExit *status)
{
  g_autoptr (GError) error = NULL;
  WpRunOptions launch = get_launch (options);
  g_autoptr (WpSweep) sweep
      = wp_sweep_new (options->files[0], &options->import, &launch, options->gpus, &error);

  if (sweep == NULL)
    {
      *status = wp_cli_fail (error);
      return NULL;
    }
  for (guint i = WP_AXIS_GPU + 1; i < WP_N_AXES; i++)
    sweep->axes[i] = g_steal_pointer (&options->ranges[i]);
  for (guint i = 0; i < options->policies->len; i++)
    g_ptr_array_add (sweep->policies, g_ptr_array_index (options->policies, i));
  sweep->no_limits = options->no_limits;
  for (guint i = 0; options->settings != NULL && options->settings[i] != NULL; i++)
    if (!add_setting (sweep, options->settings[i], status))
      return NULL;
  if (wp_sweep_finish (sweep))
    return g_steal_pointer (&sweep);
  *status = wp_cli_usage (COMMAND, "the lists make too many rows; at most %" G_GUINT64_FORMAT,
                          WP_SWEEP_MAX_ROWS);
  return NULL;
}

/* Says what the table itself does not. */
static void
tell (const Options *options, const WpSweep *sweep, const WpSweepRun *run, gboolean done,
      guint64 before, guint64 now)
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

static gboolean
fill (const Options *options, const WpSweep *sweep, WpSweepPlot *plot, WpSweepRun *run,
      GError **error)
{
  g_autofree gchar *header = wp_sweep_get_header (sweep);
  g_autoptr (WpSweepSpread) spread = wp_sweep_spread_new (sweep);
  const WpSweepTable table = { .header = header,
                               .mark = sweep->mark,
                               .n_rows = sweep->n_rows,
                               .watch = plot != NULL ? wp_sweep_plot_take : NULL,
                               .data = plot,
                               .complete = spread != NULL ? wp_sweep_spread_complete : NULL,
                               .complete_data = spread };
  const gchar *output = options->output != NULL ? options->output : "-";
  g_autoptr (WpSweepFile) file = options->resume != NULL
                                     ? wp_sweep_file_resume (options->resume, &table, error)
                                     : wp_sweep_file_new (output, &table, error);
  guint64 before;
  gboolean done;

  if (file == NULL)
    return FALSE;
  before = wp_sweep_file_count (file);
  done = wp_sweep_run (run, sweep, file, error)
         && (run->interrupted != 0 || wp_sweep_file_finish (file, error));
  if (done || run->ranks != NULL)
    tell (options, sweep, run, done, before, wp_sweep_file_count (file));
  return done;
}

/* What to draw of SWEEP, in PLOT; NULL where nothing is wanted. False: all has been said. */
static gboolean
plan_plot (const Options *options, const WpSweep *sweep, WpSweepPlot **plot)
{
  g_autoptr (GError) error = NULL;

  if (wp_plot_is_wanted (&options->plot))
    *plot = wp_sweep_plot_new (sweep, options->plot.kind, (guint)options->plot_share, &error);
  if (error != NULL)
    wp_cli_usage (COMMAND, "%s", error->message);
  else if (options->share != NULL
           && (*plot == NULL || wp_sweep_plot_get_kind (*plot) != WP_SWEEP_PLOT_NEEDED))
    wp_cli_usage (COMMAND, "--share goes with a plot of kind needed");
  else
    return TRUE;
  return FALSE;
}

static gboolean
draw (Options *options, WpSweepPlot *plot, WpSweepRun *run, GError **error)
{
  g_autoptr (WpPlot) figure = NULL;

  if (plot == NULL || run->interrupted != 0)
    return TRUE;
  figure = wp_sweep_plot_make (plot, run->signals, run->max_issues, &run->interrupted, error);
  if (figure == NULL)
    return run->interrupted != 0;
  return wp_plot_write (&options->plot, figure, run->signals, &run->interrupted, error);
}

/* Whether some of its runs draw. */
static gboolean
is_contended (const WpSweep *sweep)
{
  const GArray *memory = sweep->axes[WP_AXIS_MEMORY];

  for (guint i = 0; memory != NULL && i < memory->len; i++)
    if (g_array_index (memory, WpRange, i).first != 0)
      return TRUE;
  return FALSE;
}

/* Writes the table, then what is drawn of it. */
static gboolean
produce (Options *options, const WpSweep *sweep, WpSweepPlot *plot, WpSweepRun *run, GError **error)
{
  const guint64 n_seeds = wp_sweep_count (sweep->axes[WP_AXIS_SEED]);

  if (n_seeds > 1 && !is_contended (sweep))
    wp_cli_warn_alike (n_seeds);
  return wp_plot_open (&options->plot, error) && fill (options, sweep, plot, run, error)
         && draw (options, plot, run, error);
}

/* Reads the command line into OPTIONS, and makes the sweep, and what to draw of it (or NULL). NULL: all has been said,
 * STATUS is what to exit with. */
static WpSweep *
prepare (Options *options, gchar **argv, WpSweepPlot **plot, WpExit *status)
{
  g_autoptr (WpSweep) sweep = NULL;

  if (!parse (options, argv, status))
    return NULL;
  *status = WP_EXIT_USAGE;
  sweep = check (options) ? make_sweep (options, status) : NULL;
  if (sweep == NULL || plan_plot (options, sweep, plot))
    return g_steal_pointer (&sweep);
  *status = WP_EXIT_USAGE;
  return NULL;
}

/* The same for who speaks for all: with a word on ops that GPUs lack, once for each GPU. */
static WpSweep *
prepare_to_lead (Options *options, gchar **argv, WpSweepPlot **plot, WpExit *status)
{
  g_autoptr (WpSweep) sweep = prepare (options, argv, plot, status);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; sweep != NULL && i < sweep->gpus->len; i++)
    if (!wp_cli_check_ops (sweep->kernel, g_ptr_array_index (sweep->gpus, i), options->strict,
                           &error))
      {
        *status = wp_cli_fail (error);
        return NULL;
      }
  return g_steal_pointer (&sweep);
}

static WpExit
run_alone (gchar **argv, guint64 max_issues)
{
  g_auto (Options) options = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (WpSweep) sweep = NULL;
  g_autoptr (WpSweepPlot) plot = NULL;
  WpSignals signals;
  WpSweepRun run = { .max_issues = max_issues, .signals = &signals };
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

/* Rank 0 says what is wrong with the command line, once for all, and writes the table. */
static WpSweepEnd
lead (gchar **argv, WpSweepRun *run)
{
  g_auto (Options) options = { 0 };
  g_autoptr (GError) error = NULL;
  WpSweepEnd end = { 0, TRUE };
  WpExit status;
  g_autoptr (WpSweepPlot) plot = NULL;
  g_autoptr (WpSweep) sweep = prepare_to_lead (&options, argv, &plot, &status);
  gboolean done;

  wp_ranks_share (run->ranks, sweep != NULL ? GO_ON : (gint)status);
  if (sweep == NULL)
    return (WpSweepEnd){ (gint)status, TRUE };
  if (!wp_ranks_agree (run->ranks, sweep->mark, &error))
    return (WpSweepEnd){ (gint)wp_cli_fail (error), TRUE };
  run->max_cores = options.cores != NULL ? (guint)options.max_cores : 1;
  done = produce (&options, sweep, plot, run, &error);
  end.orderly = done && run->interrupted == 0;
  end.status = (gint)wp_signals_release (run->signals, done, run->interrupted, error);
  wp_sweep_end_help (run, end);
  return end;
}

/* The others speak only where their machine makes another sweep of the same command line. */
static WpSweepEnd
follow (gchar **argv, WpSweepRun *run)
{
  g_auto (Options) options = { 0 };
  g_autoptr (WpSweep) sweep = NULL;
  g_autoptr (WpSweepPlot) plot = NULL; /* rank 0 draws it */
  gint shared = wp_ranks_share (run->ranks, GO_ON);
  WpExit status;

  if (shared != GO_ON)
    return (WpSweepEnd){ shared, TRUE };
  sweep = prepare (&options, argv, &plot, &status);
  if (!wp_ranks_agree (run->ranks, sweep != NULL ? sweep->mark : "", NULL))
    return (WpSweepEnd){ WP_EXIT_INPUT, TRUE };
  run->max_cores = options.cores != NULL ? (guint)options.max_cores : 1;
  return wp_sweep_help (run, sweep);
}

static WpExit
run_as_rank (gchar **argv, guint64 max_issues)
{
  g_autoptr (GError) error = NULL;
  WpSignals signals;
  WpSweepRun run = { .max_issues = max_issues, .signals = &signals };
  WpSweepEnd end;

  wp_signals_hold (&signals); /* in the threads of MPI, too */
  run.ranks = wp_ranks_join (&error);
  if (run.ranks == NULL)
    return wp_signals_release (&signals, error == NULL, 0, error);
  end = wp_ranks_get_own (run.ranks) == 0 ? lead (argv, &run) : follow (argv, &run);
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
  .arguments = "KERNEL --gpu GPU,...",
  .summary = "Simulate all combinations of lists, a row each",
  .details = "Prints a table (CSV). Lists are as in --gpu gtx680,gtx980 --occupancy 4-64/4 --set "
             "alpha=1,8;\n"
             "rows come in the order of the columns, what the last one lists varies fastest.",
  .run = run_command,
};
