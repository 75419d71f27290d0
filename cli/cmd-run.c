/* SPDX-License-Identifier: MIT */
/* warpipe run: one kernel on one GPU. */
#include "cli/cli-options.h"
#include "cli/cli-output.h"
#include "cli/driver.h"
#include "cli/report.h"

#include <signal.h>
#include <string.h>

#define N_TABLES 3
#define MAX_CORES 1024 /* so that a slip of the finger starts no million threads */

/* The command line, as written and as read. */
typedef struct
{
  gchar *gpu, *policy, *sms, *occupancy, *active_set, *order, *memory, *seed, *cores, *format;
  WpLaunchOptions launch;
  gchar *tables[N_TABLES];
  gchar **settings;
  gboolean no_limits, no_skip;
  GStrv files;
  WpRunOptions options;
  const WpPolicy *chosen;
  gint64 max_cores;
  gboolean json;
} Run;

static const WpTraceKind *const table_kinds[N_TABLES]
    = { &wp_trace_lifetimes, &wp_trace_occupancy, &wp_trace_issues };
static const gchar *const table_options[N_TABLES] = { "lifetimes", "occupancy-trace", "issues" };

static void
run_clear (Run *run)
{
  gchar *strings[]
      = { run->gpu,       run->policy,    run->sms,      run->occupancy, run->active_set,
          run->order,     run->memory,    run->seed,     run->cores,     run->format,
          run->tables[0], run->tables[1], run->tables[2] };

  for (gsize i = 0; i < G_N_ELEMENTS (strings); i++)
    g_free (strings[i]);
  wp_launch_options_clear (&run->launch);
  g_strfreev (run->settings);
  g_strfreev (run->files);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Run, run_clear)

static gboolean
parse (Run *run, gchar **argv, WpExit *status)
{
  const GOptionEntry entries[] = {
    WP_GPU_ENTRY (&run->gpu),
    { "set", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &run->settings,
      "Give a kernel's parameter another value", "NAME=VALUE" },
    { "policy", 0, 0, G_OPTION_ARG_FILENAME, &run->policy,
      "Warp scheduling policy (warpipe list policies); rr when left out", "POLICY" },
    { "active-set", 0, 0, G_OPTION_ARG_FILENAME, &run->active_set,
      "Active warps of a scheduler, two-level only; 8 when left out", "A" },
    { "order", 0, 0, G_OPTION_ARG_FILENAME, &run->order,
      "Issue in program or dataflow order; the GPU's when left out", "program|dataflow" },
    { "memory", 0, 0, G_OPTION_ARG_FILENAME, &run->memory,
      "Ideal or contended memory; ideal when left out", "ideal|contended" },
    { "seed", 0, 0, G_OPTION_ARG_FILENAME, &run->seed,
      "Seed of contended memory's draws; 1 when left out", "N" },
    { "sms", 0, 0, G_OPTION_ARG_FILENAME, &run->sms, "SMs to simulate; 1 when left out",
      "1|all|N" },
    { "occupancy", 0, 0, G_OPTION_ARG_FILENAME, &run->occupancy,
      "Let no more than N warps be resident on an SM", "N" },
    { "no-limits", 0, 0, G_OPTION_ARG_NONE, &run->no_limits,
      "Let none of the GPU's limits per SM bind", NULL },
    WP_LAUNCH_ENTRIES (&run->launch),
    { "no-skip", 0, 0, G_OPTION_ARG_NONE, &run->no_skip,
      "Simulate in full what recurs; the results are the same", NULL },
    { "cores", 0, 0, G_OPTION_ARG_FILENAME, &run->cores,
      "Processor cores to use at most; all when left out", "N" },
    { "lifetimes", 0, 0, G_OPTION_ARG_FILENAME, &run->tables[0],
      "Write the life of every warp (CSV; - is standard output)", "FILE" },
    { "occupancy-trace", 0, 0, G_OPTION_ARG_FILENAME, &run->tables[1],
      "Write the occupancy over time (CSV)", "FILE" },
    { "issues", 0, 0, G_OPTION_ARG_FILENAME, &run->tables[2], "Write every issue (CSV)", "FILE" },
    { "format", 0, 0, G_OPTION_ARG_FILENAME, &run->format, "Report as text (when left out) or JSON",
      "text|json" },
    G_OPTION_ENTRY_NULL,
  };

  return wp_cli_parse (&wp_command_run, entries, argv, &run->files, status);
}

static gboolean
parse_numbers (Run *run)
{
  WpRunOptions *options = &run->options;
  gint64 active_set = 8;

  if (run->sms != NULL && strcmp (run->sms, "all") == 0)
    options->sms = 0;
  else if (!wp_cli_parse_count (&wp_command_run, "sms", run->sms, 1, WP_MAX_SMS, &options->sms))
    return FALSE;
  if (!wp_cli_parse_count (&wp_command_run, "occupancy", run->occupancy, 1, WP_MAX_RESIDENT_WARPS,
                           &options->occupancy)
      || !wp_cli_parse_launch (&wp_command_run, &run->launch, options)
      || !wp_cli_parse_count (&wp_command_run, "active-set", run->active_set, 1,
                              WP_MAX_RESIDENT_WARPS, &active_set))
    return FALSE;
  run->max_cores = g_get_num_processors ();
  if (!wp_cli_parse_count (&wp_command_run, "cores", run->cores, 1, MAX_CORES, &run->max_cores))
    return FALSE;
  options->active_set = (guint32)active_set;
  options->no_limits = run->no_limits;
  return run->seed == NULL
         || wp_cli_parse_number (&wp_command_run, "seed", run->seed, 0, G_MAXUINT64,
                                 &options->seed);
}

static gboolean
check_tables (const Run *run)
{
  for (guint i = 0; i < N_TABLES; i++)
    {
      const gchar *file = run->tables[i];

      if (file != NULL && *file == '\0')
        {
          wp_cli_usage (&wp_command_run, "--%s: expected a file, or - for standard output",
                        table_options[i]);
          return FALSE;
        }
      for (guint k = 0; file != NULL && k < i; k++)
        if (run->tables[k] != NULL && wp_output_is_same (file, run->tables[k]))
          {
            gboolean is_standard = wp_output_is_standard (file);

            wp_cli_usage (
                &wp_command_run, "--%s and --%s both go to %s; give each a file of its own",
                table_options[k], table_options[i], is_standard ? "standard output" : file);
            return FALSE;
          }
    }
  return TRUE;
}

static gboolean
check (Run *run)
{
  gboolean dataflow;

  run->options = (WpRunOptions)WP_RUN_OPTIONS_INIT;
  if (!wp_cli_check_kernel_and_gpu (&wp_command_run, run->files, run->gpu))
    return FALSE;
  run->chosen = wp_cli_find_policy (&wp_command_run, run->policy);
  if (run->chosen == NULL || !parse_numbers (run) || !check_tables (run)
      || !wp_cli_check_settings (&wp_command_run, run->settings)
      || !wp_cli_parse_choice (&wp_command_run, "order", run->order, "program", "dataflow",
                               &dataflow)
      || !wp_cli_parse_choice (&wp_command_run, "memory", run->memory, "ideal", "contended",
                               &run->options.contended)
      || !wp_cli_parse_choice (&wp_command_run, "format", run->format, "text", "json", &run->json))
    return FALSE;
  if (dataflow && !wp_policy_takes_dataflow (run->chosen))
    {
      wp_cli_usage (&wp_command_run, "--policy %s does not go with --order dataflow",
                    wp_policy_get_name (run->chosen));
      return FALSE;
    }
  run->options.has_order = run->order != NULL;
  run->options.order = dataflow ? WP_ORDER_DATAFLOW : WP_ORDER_PROGRAM;
  return TRUE;
}

/* ---- Running ---- */

/* The tables asked for, and where they go. */
typedef struct
{
  guint n;
  WpOutput *outputs[N_TABLES];
  WpTrace *traces[N_TABLES];
  const WpObserver *observers[N_TABLES];
} Tables;

static void
tables_clear (Tables *tables)
{
  for (guint i = 0; i < tables->n; i++)
    {
      wp_trace_free (tables->traces[i]);
      wp_output_free (tables->outputs[i]);
    }
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Tables, tables_clear)

static gboolean
open_tables (Tables *tables, const Run *run, const WpMachine *machine, GError **error)
{
  for (guint i = 0; i < N_TABLES; i++)
    {
      WpOutput *output;

      if (run->tables[i] == NULL)
        continue;
      output = wp_output_open (run->tables[i], error);
      if (output == NULL)
        return FALSE;
      tables->outputs[tables->n] = output;
      tables->traces[tables->n] = wp_trace_new (table_kinds[i], machine, output->stream);
      tables->observers[tables->n] = &tables->traces[tables->n]->observer;
      tables->n++;
    }
  return TRUE;
}

static gboolean
finish_tables (Tables *tables, GError **error)
{
  for (guint i = 0; i < tables->n; i++)
    if (!wp_trace_finish (tables->traces[i], error))
      {
        const gchar *name = tables->outputs[i]->name;

        g_prefix_error (error, "%s: ", wp_output_is_standard (name) ? "standard output" : name);
        return FALSE;
      }
  for (guint i = 0; i < tables->n; i++)
    if (!wp_output_finish (tables->outputs[i], error))
      return FALSE;
  return TRUE;
}

static void
print_report (const Run *run, const WpGpu *gpu, const WpDrive *drive, WpDevice *device)
{
  g_autoptr (WpReport) report
      = wp_report_new (drive->kernel, gpu, drive->resolved, wp_device_get_result (device));
  g_autofree gchar *warning = NULL;

  report->policy = wp_policy_get_name (run->chosen);
  report->skips = !run->no_skip;
  report->skipped = wp_device_get_skipped (device);
  report->cores = drive->cores;
  report->alone = drive->alone;
  warning = wp_resident_get_warning (&report->resident, &drive->resolved->machine,
                                     run->options.occupancy);
  if (warning != NULL)
    wp_cli_complain ("warning: %s", warning);
  if (run->json)
    wp_report_print_json (report);
  else
    wp_report_print_text (report);
}

/* NULL with ERROR. */
static WpDevice *
make_device (const Run *run, const WpMachine *machine, const Tables *tables, GError **error)
{
  const gchar *problem;
  WpDevice *device = wp_device_new (machine, run->chosen, tables->observers, tables->n, &problem);

  if (device != NULL && wp_device_set_skip (device, !run->no_skip))
    return device;
  if (device != NULL || strcmp (problem, "out of memory") == 0)
    g_set_error (error, WP_ERROR, WP_ERROR_MEMORY,
                 "out of memory; with fewer warps at a time (--occupancy) a run takes less");
  else
    g_set_error (error, WP_ERROR, WP_ERROR_VALUE, "cannot run with policy %s: %s",
                 wp_policy_get_name (run->chosen), problem);
  wp_device_free (device);
  return NULL;
}

/* DRIVE has all but the kernel on its GPU, and the tables. */
static gboolean
simulate (const Run *run, const WpGpu *gpu, WpDrive *drive, GError **error)
{
  g_autoptr (WpResolved) resolved = wp_resolve (drive->kernel, gpu, &run->options, error);
  g_auto (Tables) tables = { 0 };
  WpDevice *device;
  gboolean done;

  if (resolved == NULL || !open_tables (&tables, run, &resolved->machine, error))
    return FALSE;
  device = make_device (run, &resolved->machine, &tables, error);
  if (device == NULL)
    return FALSE;
  drive->resolved = resolved;
  drive->traces = tables.traces;
  drive->n_traces = tables.n;
  done = wp_drive (device, drive, error);
  if (done && drive->interrupted == 0)
    done = finish_tables (&tables, error);
  if (done)
    {
      const gchar *broken = wp_result_check (wp_device_get_result (device));

      if (broken != NULL)
        g_error ("%s; this is an error in warpipe", broken);
      print_report (run, gpu, drive, device);
    }
  wp_device_free (device);
  return done;
}

static WpExit
run_command (gchar **argv, guint64 max_issues)
{
  g_auto (Run) run = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (IdgKernel) kernel = NULL;
  g_autoptr (WpGpu) gpu = NULL;
  WpSignals signals;
  WpDrive drive = { .max_issues = max_issues, .signals = &signals };
  WpExit status;
  gboolean done;

  if (!parse (&run, argv, &status))
    return status;
  if (!check (&run))
    return WP_EXIT_USAGE;
  gpu = wp_data_load_gpu (run.gpu, &error);
  if (gpu != NULL)
    kernel = wp_data_load_kernel (run.files[0], (const gchar *const *)run.settings, &error);
  if (kernel == NULL)
    return wp_cli_fail (error);
  drive.kernel = kernel;
  drive.max_cores = (guint)run.max_cores;
  drive.skips = !run.no_skip;
  wp_signals_hold (&signals);
  done = simulate (&run, gpu, &drive, &error);
  wp_signals_release (&signals);
  if (!done)
    return wp_cli_fail (error);
  if (drive.interrupted == 0)
    return WP_EXIT_DONE;
  return drive.interrupted == SIGINT ? WP_EXIT_INTERRUPTED : (WpExit)(128 + drive.interrupted);
}

const WpCommand wp_command_run = {
  .name = "run",
  .arguments = "KERNEL --gpu GPU",
  .summary = "Simulate a kernel on a GPU and report what limits it",
  .details
  = "KERNEL and GPU are files, or names of shipped descriptions (warpipe list kernels, list gpus).",
  .run = run_command,
};
