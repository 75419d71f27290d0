/* SPDX-License-Identifier: MIT */
/* warpipe run: one kernel on one GPU. */
#include "cli/commands.h"
#include "cli/common/cli-import.h"
#include "cli/common/cli-launch.h"
#include "cli/common/cli-ops.h"
#include "cli/common/cli-signals.h"
#include "cli/common/cli-text.h"
#include "cli/page/page.h"
#include "cli/report/report-run.h"
#include "cli/run/machine-json.h"
#include "run/base/output.h"
#include "run/simulate/driver.h"

#include <string.h>
#include <unistd.h>

/* Those from WINDOWED on show what is in the window, and the last is drawn on standard output. */
enum
{
  MACHINE = 2, /* no table: see open_machine() */
  WINDOWED = 3,
  ISSUES = 3,
  CHROME = 4,
  KONATA = 5,
  PAGE = 6, /* no table: see open_page() */
  PICTURE = 7,
  TIMELINE = 8,
  N_TABLES
};

/* The command line, as written and as read. */
typedef struct
{
  gchar *gpu, *sms, *occupancy, *format;
  WpLaunchOptions launch;
  WpMachineOptions machine;
  gchar *tables[N_TABLES];
  gchar *from, *to, *sm;
  gchar **settings;
  WpImportOptions import;
  gboolean strict, no_skip, timeline, ascii, arrows;
  GStrv files;
  WpRunOptions options;
  WpCycles window_from, window_to; /* of those given */
  gint64 window_sm;                /* or WP_TRACE_ALL_SMS */
  WpTraceFormat format_of_picture;
  gboolean json;
} Run;

static const WpTraceKind *const table_kinds[N_TABLES]
    = { &wp_trace_lifetimes, &wp_trace_occupancy, NULL, &wp_trace_issues,
        &wp_trace_chrome,    &wp_trace_konata,    NULL, &wp_trace_picture,
        &wp_trace_timeline };
static const gchar *const table_options[N_TABLES]
    = { "lifetimes", "occupancy-trace", "machine", "issues", "chrome", "konata", "html",
        "svg",       "timeline" };

static void
run_clear (Run *run)
{
  gchar *strings[]
      = { run->gpu, run->sms, run->occupancy, run->format, run->from, run->to, run->sm };

  for (gsize i = 0; i < G_N_ELEMENTS (strings); i++)
    g_free (strings[i]);
  for (gsize i = 0; i < N_TABLES; i++)
    g_free (run->tables[i]);
  wp_launch_options_clear (&run->launch);
  wp_machine_options_clear (&run->machine);
  g_strfreev (run->settings);
  wp_import_options_clear (&run->import);
  g_strfreev (run->files);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Run, run_clear)

static gboolean
parse (Run *run, gchar **argv, WpExit *status)
{
  g_autoptr (WpOptionTable) table = wp_option_table_new ();

  wp_cli_add_gpu_option (table, &run->gpu);
  wp_options_add_list (table, "set", &run->settings, "Give a kernel's parameter another value",
                       "NAME=VALUE");
  wp_cli_add_import_options (table, &run->import);
  wp_cli_add_machine_options (table, &run->machine,
                              "Seed of contended memory's draws; 1 when left out", "N");
  wp_options_add (table, "sms", &run->sms, "SMs to simulate; 1 when left out", "1|all|N");
  wp_options_add (table, "occupancy", &run->occupancy,
                  "Let no more than N warps be resident on an SM", "N");
  wp_cli_add_launch_options (table, &run->launch);
  wp_cli_add_strict_option (table, &run->strict);
  wp_options_add_flag (table, "no-skip", &run->no_skip,
                       "Simulate in full what recurs; the results are the same");
  wp_options_add (table, "lifetimes", &run->tables[0],
                  "Write the life of every warp (CSV; - is standard output)", "FILE");
  wp_options_add (table, "occupancy-trace", &run->tables[1], "Write the occupancy over time (CSV)",
                  "FILE");
  wp_options_add (table, "issues", &run->tables[ISSUES], "Write every issue (CSV)", "FILE");
  wp_options_add (table, "chrome", &run->tables[CHROME],
                  "Write a trace for Perfetto and chrome://tracing", "FILE");
  wp_options_add_flag (table, "arrows", &run->arrows,
                       "With --chrome: an arrow for each dependence, too");
  wp_options_add (table, "konata", &run->tables[KONATA], "Write a log for Konata (Kanata 0004)",
                  "FILE");
  wp_options_add (table, "html", &run->tables[PAGE],
                  "Write a page that shows the run, for a browser", "FILE");
  wp_options_add (table, "machine", &run->tables[MACHINE],
                  "Write the machine that is simulated, for the playground (JSON)", "FILE");
  wp_options_add (table, "svg", &run->tables[PICTURE],
                  "Draw what warps and pipelines do (SVG; FILE.pdf: PDF; FILE.png: PNG)", "FILE");
  wp_options_add_flag (table, "timeline", &run->timeline,
                       "Draw what warps and pipelines do, before the report");
  wp_options_add_flag (table, "ascii", &run->ascii, "With --timeline: draw with plain characters");
  wp_options_add (table, "from", &run->from, "Show what is from cycle T on, in what shows issues",
                  "T");
  wp_options_add (table, "to", &run->to, "Show what is before cycle T", "T");
  wp_options_add (table, "sm", &run->sm, "Show SM N only (from 0)", "N");
  wp_options_add (table, "format", &run->format, "Report as text (when left out) or JSON",
                  "text|json");

  return wp_cli_parse (&wp_command_run, table, argv, &run->files, status);
}

static gboolean
parse_numbers (Run *run)
{
  WpRunOptions *options = &run->options;

  return wp_cli_parse_sms (&wp_command_run, run->sms, &options->sms)
         && wp_cli_parse_count (&wp_command_run, "occupancy", run->occupancy, 1,
                                WP_MAX_RESIDENT_WARPS, &options->occupancy)
         && wp_cli_parse_launch (&wp_command_run, &run->launch, options);
}

/* VALUE of OPTION, a time, into CYCLES; left out, they stay. */
static gboolean
parse_time (const gchar *option, const gchar *value, WpCycles *cycles)
{
  const gchar *problem = value != NULL ? wp_cycles_parse (value, false, cycles) : NULL;

  if (problem == NULL)
    return TRUE;
  wp_cli_usage (&wp_command_run, "--%s %s: %s; expected a time in cycles, as 12, 12.5 or 1/6",
                option, value, problem);
  return FALSE;
}

/* The window of what is shown, and whether anything is. */
static gboolean
check_window (Run *run)
{
  const gchar *given = run->from != NULL ? "from" : run->to != NULL ? "to" : "sm";
  gboolean any = FALSE;

  run->window_sm = WP_TRACE_ALL_SMS;
  for (guint i = WINDOWED; i < N_TABLES; i++)
    any |= run->tables[i] != NULL;
  if (!any && (run->from != NULL || run->to != NULL || run->sm != NULL))
    {
      wp_cli_usage (&wp_command_run,
                    "--%s says what of a run is shown: it needs --timeline, --svg, --chrome, "
                    "--konata, --issues or --html",
                    given);
      return FALSE;
    }
  if (run->arrows && run->tables[CHROME] == NULL)
    {
      wp_cli_usage (&wp_command_run, "--arrows says what a trace has: it needs --chrome");
      return FALSE;
    }
  if (run->ascii && !run->timeline)
    {
      wp_cli_usage (&wp_command_run, "--ascii says how a timeline is drawn: it needs --timeline");
      return FALSE;
    }
  if (!parse_time ("from", run->from, &run->window_from)
      || !parse_time ("to", run->to, &run->window_to)
      || !wp_cli_parse_count (&wp_command_run, "sm", run->sm, 0, WP_MAX_SMS - 1, &run->window_sm))
    return FALSE;
  if (run->to == NULL || wp_cycles_compare (run->window_from, run->window_to) < 0)
    return TRUE;
  wp_cli_usage (&wp_command_run, "--from %s --to %s: nothing is between; the second must be later",
                run->from != NULL ? run->from : "0", run->to);
  return FALSE;
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

/* What the picture is written as: by the name's suffix; without one it is SVG. */
static gboolean
check_picture (Run *run)
{
  static const gchar *const suffixes[]
      = { [WP_TRACE_SVG] = ".svg", [WP_TRACE_PDF] = ".pdf", [WP_TRACE_PNG] = ".png" };
  g_autofree gchar *name
      = g_path_get_basename (run->tables[PICTURE] != NULL ? run->tables[PICTURE] : "-");
  const gchar *suffix = strrchr (name, '.');

  if (suffix == NULL || suffix == name)
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++)
    if (g_ascii_strcasecmp (suffix, suffixes[i]) == 0)
      {
        run->format_of_picture = (WpTraceFormat)i;
        return TRUE;
      }
  wp_cli_usage (&wp_command_run, "--svg %s: a picture ends in .svg, .pdf or .png",
                run->tables[PICTURE]);
  return FALSE;
}

static gboolean
check (Run *run)
{
  run->options = (WpRunOptions)WP_RUN_OPTIONS_INIT;
  run->window_from = wp_cycles_whole (0);
  run->tables[TIMELINE] = g_strdup (run->timeline ? "-" : NULL);
  return wp_cli_check_kernel_and_gpu (&wp_command_run, run->files, run->gpu)
         && wp_cli_parse_machine (&wp_command_run, &run->machine, &run->options)
         && parse_numbers (run) && check_tables (run) && check_picture (run) && check_window (run)
         && wp_cli_check_settings (&wp_command_run, run->settings)
         && wp_cli_parse_choice (&wp_command_run, "format", run->format, "text", "json",
                                 &run->json);
}

/* ---- Running ---- */

/* The tables asked for, and where they go. */
typedef struct
{
  guint n;
  WpOutput *outputs[N_TABLES];
  WpTrace *traces[N_TABLES];
  WpOutput *machine, *html;
  WpPageRun *page;
  guint n_observers;
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
  wp_page_run_free (tables->page);
  wp_output_free (tables->machine);
  wp_output_free (tables->html);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Tables, tables_clear)

/* The first tick that is not before TIME. */
static WpTick
find_tick (WpCycles time, gint64 ticks_per_cycle)
{
  __extension__ typedef unsigned __int128 Wide;
  Wide ticks = ((Wide)time.num * (Wide)ticks_per_cycle + (Wide)time.den - 1) / (Wide)time.den;

  return ticks < WP_TICK_LIMIT ? (WpTick)ticks : WP_TICK_LIMIT;
}

static WpTraceOptions
get_trace_options (const Run *run, const WpSimulation *simulation)
{
  gint64 cycle = simulation->resolved->machine.ticks_per_cycle;
  WpTextStyle style = wp_text_style_get_own ();
  gboolean plain = isatty (STDOUT_FILENO) && !g_get_charset (NULL);

  return (WpTraceOptions){
    .window
    = { find_tick (run->window_from, cycle),
        run->to != NULL ? find_tick (run->window_to, cycle) : WP_TRACE_TO_END, run->window_sm },
    .kernel = simulation->kernel->name,
    .gpu = simulation->gpu->name,
    .policy = wp_policy_get_name (simulation->policy),
    .clock_mhz = simulation->gpu->clock_mhz,
    .arrows = run->arrows,
    .style = { wp_text_get_width (), !run->ascii && !plain, style.colour },
    .format = run->format_of_picture,
  };
}

static gboolean
open_tables (Tables *tables, const Run *run, const WpSimulation *simulation, GError **error)
{
  WpTraceOptions options = get_trace_options (run, simulation);
  const WpMachine *machine = &simulation->resolved->machine;

  if (run->tables[PICTURE] != NULL && !wp_trace_check_picture (machine, &options, error))
    return FALSE;
  for (guint i = 0; i < N_TABLES; i++)
    {
      WpOutput *output;

      if (run->tables[i] == NULL || i == PAGE || i == MACHINE)
        continue;
      output = wp_output_open (run->tables[i], error);
      if (output == NULL)
        return FALSE;
      tables->outputs[tables->n] = output;
      tables->traces[tables->n] = wp_trace_new (table_kinds[i], machine, &options, output->stream);
      tables->observers[tables->n_observers++] = &tables->traces[tables->n]->observer;
      tables->n++;
    }
  return TRUE;
}

/* It is known before the run, and there after one that has succeeded. */
static gboolean
open_machine (Tables *tables, const Run *run, const WpSimulation *simulation, GError **error)
{
  if (run->tables[MACHINE] == NULL)
    return TRUE;
  tables->machine = wp_output_open (run->tables[MACHINE], error);
  if (tables->machine == NULL || wp_machine_write_json (simulation, tables->machine->stream, error))
    return tables->machine != NULL;
  g_prefix_error (
      error, "%s: ", tables->machine->stream == stdout ? "standard output" : tables->machine->name);
  return FALSE;
}

static gboolean
open_page (Tables *tables, const Run *run, const WpSimulation *simulation, GError **error)
{
  WpTraceWindow window = get_trace_options (run, simulation).window;

  if (run->tables[PAGE] == NULL)
    return TRUE;
  tables->html = wp_output_open (run->tables[PAGE], error);
  if (tables->html != NULL)
    tables->page = wp_page_run_new (NULL, simulation->kernel, simulation->gpu, &run->options,
                                    &window, 1, error);
  if (tables->page == NULL)
    return FALSE;
  tables->observers[tables->n_observers++] = wp_page_run_get_observer (tables->page);
  return TRUE;
}

static gboolean
goes_on (gpointer data)
{
  WpDrive *drive = data;

  drive->interrupted = wp_progress_is_cancelled (drive->progress);
  return drive->interrupted == 0;
}

/* Writes what tables have kept, unless a signal comes. */
static gboolean
finish_tables (Tables *tables, const WpSimulation *simulation, WpDrive *drive, GError **error)
{
  for (guint i = 0; i < tables->n; i++)
    {
      tables->traces[i]->elapsed = wp_simulation_get_result (simulation)->elapsed;
      tables->traces[i]->go_on = goes_on;
      tables->traces[i]->go_on_data = drive;
    }
  for (guint i = 0; i < tables->n && drive->interrupted == 0; i++)
    if (!wp_trace_finish (tables->traces[i], error))
      {
        const gchar *name = tables->outputs[i]->name;

        g_prefix_error (error, "%s: ", wp_output_is_standard (name) ? "standard output" : name);
        return FALSE;
      }
  for (guint i = 0; i < tables->n && drive->interrupted == 0; i++)
    if (!wp_output_finish (tables->outputs[i], error))
      return FALSE;
  return tables->machine == NULL || drive->interrupted != 0
         || wp_output_finish (tables->machine, error);
}

/* Writes the page, unless a signal comes. */
static gboolean
finish_page (Tables *tables, const WpReport *report, WpDrive *drive, GError **error)
{
  g_autoptr (GPtrArray) runs = g_ptr_array_new ();
  g_autofree gchar *title = NULL;

  if (tables->page == NULL || drive->interrupted != 0)
    return TRUE;
  wp_page_run_take_report (tables->page, report);
  if (!wp_page_run_find_bounds (tables->page, drive->progress, drive->max_issues,
                                &drive->interrupted, error))
    return FALSE;
  if (drive->interrupted != 0)
    return TRUE;
  g_ptr_array_add (runs, tables->page);
  title = g_strdup_printf ("%s on %s", report->kernel->name, report->gpu->name);
  return wp_page_write (runs, title, NULL, tables->html, error);
}

static void
print_report (const Run *run, const WpReport *report)
{
  g_autofree gchar *warning = wp_resident_get_warning (
      &report->resident, &report->resolved->machine, run->options.occupancy);

  if (warning != NULL)
    wp_cli_complain ("warning: %s", warning);
  if (run->json)
    wp_report_write_json (report, stdout);
  else
    wp_report_print_text (report);
}

static WpReport *
make_report (const WpSimulation *simulation, const WpDrive *drive)
{
  WpReport *report = wp_report_new (simulation->kernel, simulation->gpu, simulation->resolved,
                                    wp_simulation_get_result (simulation));

  report->policy = wp_policy_get_name (simulation->policy);
  report->skips = simulation->skips;
  report->skipped = wp_device_get_skipped (simulation->device);
  report->cores = drive->cores;
  report->alone = drive->alone;
  return report;
}

/* ---- As the run's driver sees them ---- */

static gboolean
has_failed (const Tables *tables)
{
  for (guint i = 0; i < tables->n; i++)
    if (tables->traces[i]->error_number != 0)
      return TRUE;
  return FALSE;
}

/* Whether there are tables or a page, and none of them wants anything of what comes. */
static gboolean
are_over (const Tables *tables)
{
  if (tables->page != NULL && !wp_page_run_is_over (tables->page))
    return FALSE;
  for (guint i = 0; i < tables->n; i++)
    if (!tables->traces[i]->over)
      return FALSE;
  return tables->n > 0 || tables->page != NULL;
}

static WpWatchState
get_state (gpointer data)
{
  const Tables *tables = data;

  if (has_failed (tables))
    return WP_WATCH_FAILED;
  return are_over (tables) ? WP_WATCH_OVER : WP_WATCH_MORE;
}

static const gchar *
get_why_in_order (const Tables *tables)
{
  if (tables->page != NULL)
    return "the page is recorded in the order in which things happen";
  return tables->n > 0 ? "tables are written in the order in which things happen" : NULL;
}

/* DRIVE has all but the tables. */
static gboolean
simulate (const Run *run, const IdgKernel *kernel, const WpGpu *gpu, WpDrive *drive, GError **error)
{
  /* Before the tables, which are cleared while its machine is there. */
  g_autoptr (WpSimulation) simulation
      = wp_simulation_new (kernel, gpu, run->machine.policy, &run->options, error);
  g_auto (Tables) tables = { 0 };
  g_autoptr (WpReport) report = NULL;

  if (simulation == NULL || !open_tables (&tables, run, simulation, error)
      || !open_machine (&tables, run, simulation, error)
      || !open_page (&tables, run, simulation, error)
      || !wp_simulation_start (simulation, tables.observers, tables.n_observers, !run->no_skip,
                               error))
    return FALSE;
  drive->watch = (WpWatch){ get_state, &tables, get_why_in_order (&tables) };
  if (!wp_drive (simulation, drive, error)
      || (drive->interrupted == 0 && !finish_tables (&tables, simulation, drive, error)))
    return FALSE;
  report = make_report (simulation, drive);
  if (!finish_page (&tables, report, drive, error))
    return FALSE;
  print_report (run, report);
  return TRUE;
}

/* Whether the SM to show is one of those that are simulated. */
static gboolean
check_sm (const Run *run, const WpGpu *gpu)
{
  gint64 n = run->options.sms == 0 ? gpu->sms : run->options.sms;

  if (run->window_sm < n)
    return TRUE;
  wp_cli_usage (&wp_command_run,
                "--sm %" G_GINT64_FORMAT ": %" G_GINT64_FORMAT
                " SM%s simulated, from 0; --sms makes them more",
                run->window_sm, n, n == 1 ? " is" : "s are");
  return FALSE;
}

static WpExit
run_command (gchar **argv, guint64 max_issues)
{
  g_auto (Run) run = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (IdgKernel) kernel = NULL;
  g_autoptr (WpGpu) gpu = NULL;
  WpSignals signals;
  WpDrive drive = { .max_issues = max_issues, .progress = &signals.progress };
  WpExit status;
  gboolean done;

  if (!parse (&run, argv, &status))
    return status;
  if (!check (&run))
    return WP_EXIT_USAGE;
  if (!wp_cli_load (run.gpu, run.files[0], run.settings, &run.import, &run.options, &gpu, &kernel,
                    &error)
      || !wp_cli_check_ops (kernel, gpu, run.strict, &error))
    return wp_cli_fail (error);
  if (!check_sm (&run, gpu))
    return WP_EXIT_USAGE;
  drive.max_cores = run.machine.max_cores;
  wp_signals_hold (&signals);
  done = simulate (&run, kernel, gpu, &drive, &error);
  return wp_signals_release (&signals, done, drive.interrupted, error);
}

const WpCommand wp_command_run = {
  .name = "run",
  .arguments = "KERNEL --gpu GPU",
  .summary = "Simulate a kernel on a GPU and report what limits it",
  .details
  = "KERNEL and GPU are files, or names of shipped descriptions (warpipe list kernels, list gpus).",
  .run = run_command,
};
