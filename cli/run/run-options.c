/* SPDX-License-Identifier: MIT */
/* The command line of warpipe run: its options, and what goes with what. */
#include "cli/run/run-options.h"

#include "cli/common/cli-files.h"
#include "cli/common/cli-ops.h"
#include "run/base/output.h"

#include <string.h>

static const gchar *const output_options[WP_RUN_N_OUTPUTS]
    = { [WP_RUN_LIFETIMES] = "lifetimes", [WP_RUN_OCCUPANCY] = "occupancy-trace",
        [WP_RUN_MACHINE] = "machine",     [WP_RUN_ISSUES] = "issues",
        [WP_RUN_CHROME] = "chrome",       [WP_RUN_KONATA] = "konata",
        [WP_RUN_PAGE] = "html",           [WP_RUN_PICTURE] = "svg",
        [WP_RUN_TIMELINE] = "timeline" };

void
wp_run_request_clear (WpRunRequest *run)
{
  gchar *strings[] = { run->gpu, run->sms, run->occupancy, run->format,     run->from,
                       run->to,  run->sm,  run->estimate,  run->trace_clock };

  for (gsize i = 0; i < G_N_ELEMENTS (strings); i++)
    g_free (strings[i]);
  for (gsize i = 0; i < WP_RUN_N_OUTPUTS; i++)
    g_free (run->outputs[i]);
  wp_launch_options_clear (&run->launch);
  wp_machine_options_clear (&run->machine);
  g_strfreev (run->gpu_sets);
  g_strfreev (run->settings);
  wp_import_options_clear (&run->import);
  g_strfreev (run->files);
}

static void
add_outputs (WpOptionTable *table, WpRunRequest *run)
{
  wp_options_add (table, "lifetimes", &run->outputs[WP_RUN_LIFETIMES],
                  "Write the life of every warp (CSV; - is standard output)", "FILE");
  wp_options_add (table, "occupancy-trace", &run->outputs[WP_RUN_OCCUPANCY],
                  "Write the occupancy over time (CSV)", "FILE");
  wp_options_add (table, "issues", &run->outputs[WP_RUN_ISSUES], "Write every issue (CSV)", "FILE");
  wp_options_add (table, "chrome", &run->outputs[WP_RUN_CHROME],
                  "Write a trace for Perfetto and chrome://tracing", "FILE");
  wp_options_add_flag (table, "arrows", &run->arrows,
                       "With --chrome: an arrow for each dependence, too");
  wp_options_add (
      table, "trace-clock", &run->trace_clock,
      "With --chrome: a microsecond of the trace is a cycle (cycles), or one of the GPU's "
      "time, of which viewers show whole nanoseconds (ns); cycles when left out",
      "cycles|ns");
  wp_options_add (table, "konata", &run->outputs[WP_RUN_KONATA],
                  "Write a log for Konata (Kanata 0004)", "FILE");
  wp_options_add (table, "html", &run->outputs[WP_RUN_PAGE],
                  "Write a page that shows the run, for a browser", "FILE");
  wp_options_add (table, "machine", &run->outputs[WP_RUN_MACHINE],
                  "Write the machine that is simulated, for the playground (JSON)", "FILE");
  wp_options_add (table, "svg", &run->outputs[WP_RUN_PICTURE],
                  "Draw what warps and pipelines do (SVG; FILE.pdf: PDF; FILE.png: PNG)", "FILE");
  wp_options_add_flag (table, "timeline", &run->timeline,
                       "Draw what warps and pipelines do, before the report");
  wp_options_add_flag (table, "ascii", &run->ascii, "With --timeline: draw with plain characters");
  wp_options_add (table, "from", &run->from, "Show what is from cycle T on, in what shows issues",
                  "T");
  wp_options_add (table, "to", &run->to, "Show what is before cycle T", "T");
  wp_options_add (table, "sm", &run->sm, "Show SM N only (from 0)", "N");
}

/* ARGV with "1%" behind each --estimate that nothing like a number follows. Free with g_strfreev().
 */
static GStrv
complete_estimate (gchar **argv)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  gboolean options = TRUE;

  for (guint i = 0; argv[i] != NULL; i++)
    {
      const gchar *next = argv[i + 1];

      options &= strcmp (argv[i], "--") != 0;
      if (options && strcmp (argv[i], "--estimate") == 0
          && (next == NULL || *next == '\0' || next[strspn (next, "0123456789.%")] != '\0'))
        g_strv_builder_add (builder, "--estimate=1%");
      else
        g_strv_builder_add (builder, argv[i]);
    }
  return g_strv_builder_end (builder);
}

gboolean
wp_run_request_parse (WpRunRequest *run, gchar **argv, WpExit *status)
{
  g_autoptr (WpOptionTable) table = wp_option_table_new ();
  g_auto (GStrv) whole = complete_estimate (argv);

  wp_cli_add_gpu_option (table, &run->gpu, &run->gpu_sets);
  wp_cli_add_kernel_options (table, &run->settings, &run->import);
  wp_cli_add_machine_options (table, &run->machine,
                              "Seed of contended memory's random numbers; 1 when left out", "N");
  wp_options_add (table, "sms", &run->sms, WP_CLI_SMS_HELP, "1|all|N");
  wp_cli_add_occupancy_option (table, &run->occupancy);
  wp_cli_add_launch_options (table, &run->launch);
  wp_cli_add_strict_option (table, &run->strict);
  wp_options_add_flag (table, "no-skip", &run->no_skip,
                       "Simulate in full what recurs; the results are the same");
  wp_options_add (table, "estimate", &run->estimate,
                  "Where no state recurs, simulate until the time is known within E (1% when left "
                  "out), and leave out the rest",
                  "E%");
  wp_options_add_flag (table, "no-lines", &run->no_lines,
                       "Leave out what each source line waited for, which takes half of a run");
  add_outputs (table, run);
  wp_options_add (table, "format", &run->format, "Report as text (when left out) or JSON",
                  "text|json");
  return wp_cli_parse (run->command, table, whole, &run->files, status);
}

/* ---- Checks ---- */

static gboolean
parse_numbers (WpRunRequest *run)
{
  WpRunOptions *options = &run->options;

  options->sms_said = run->sms != NULL;
  return wp_cli_parse_sms (run->command, run->sms, &options->sms)
         && wp_cli_parse_count (run->command, "occupancy", run->occupancy, 1, WP_MAX_RESIDENT_WARPS,
                                &options->occupancy)
         && wp_cli_parse_launch (run->command, &run->launch, options);
}

/* VALUE of OPTION, a time, into CYCLES; left out, they stay. */
static gboolean
parse_time (const WpCommand *command, const gchar *option, const gchar *value, WpCycles *cycles)
{
  const gchar *problem = value != NULL ? wp_cycles_parse (value, false, cycles) : NULL;

  if (problem == NULL)
    return TRUE;
  wp_cli_usage (command, "--%s %s: %s; expected a time in cycles, as 12, 12.5 or 1/6", option,
                value, problem);
  return FALSE;
}

/* What says how something is shown needs something to show. */
static gboolean
check_shown (const WpRunRequest *run)
{
  const gchar *given = run->from != NULL ? "from" : run->to != NULL ? "to" : "sm";
  gboolean any = FALSE;

  for (guint i = WP_RUN_WINDOWED; i < WP_RUN_N_OUTPUTS; i++)
    any |= run->outputs[i] != NULL;
  if (!any && (run->from != NULL || run->to != NULL || run->sm != NULL))
    wp_cli_usage (run->command,
                  "--%s says what of a run is shown: it needs --timeline, --svg, --chrome, "
                  "--konata, --issues or --html",
                  given);
  else if (run->arrows && run->outputs[WP_RUN_CHROME] == NULL)
    wp_cli_usage (run->command, "--arrows says what a trace has: it needs --chrome");
  else if (run->trace_clock != NULL && run->outputs[WP_RUN_CHROME] == NULL)
    wp_cli_usage (run->command, "--trace-clock says what a trace's times are: it needs --chrome");
  else if (run->trace_clock != NULL && !g_str_equal (run->trace_clock, "cycles")
           && !g_str_equal (run->trace_clock, "ns"))
    wp_cli_usage (run->command, "--trace-clock %s: expected cycles or ns", run->trace_clock);
  else if (run->ascii && !run->timeline)
    wp_cli_usage (run->command, "--ascii says how a timeline is drawn: it needs --timeline");
  else
    return TRUE;
  return FALSE;
}

static gboolean
check_window (WpRunRequest *run)
{
  const WpCommand *command = run->command;

  run->window_from = wp_cycles_whole (0);
  run->window_sm = WP_TRACE_ALL_SMS;
  if (!parse_time (command, "from", run->from, &run->window_from)
      || !parse_time (command, "to", run->to, &run->window_to)
      || !wp_cli_parse_count (command, "sm", run->sm, 0, WP_MAX_SMS - 1, &run->window_sm))
    return FALSE;
  if (run->to == NULL || wp_cycles_compare (run->window_from, run->window_to) < 0)
    return TRUE;
  wp_cli_usage (command, "--from %s --to %s: nothing is between; the second must be later",
                run->from != NULL ? run->from : "0", run->to);
  return FALSE;
}

/* Whether outputs I and K, which are given, go to different files. */
static gboolean
check_pair (const WpRunRequest *run, guint i, guint k)
{
  const gchar *file = run->outputs[i];

  if (!wp_output_is_same (file, run->outputs[k]))
    return TRUE;
  wp_cli_usage (run->command, "--%s and --%s both go to %s; give each a file of its own",
                output_options[k], output_options[i],
                wp_output_is_standard (file) ? "standard output" : file);
  return FALSE;
}

static gboolean
check_outputs (const WpRunRequest *run)
{
  const WpInputs inputs = { run->files, run->gpu, &run->import };

  for (guint i = 0; i < WP_RUN_N_OUTPUTS; i++)
    {
      const gchar *file = run->outputs[i];
      g_autofree gchar *option = NULL;

      if (file != NULL && *file == '\0')
        {
          wp_cli_usage (run->command, "--%s: expected a file, or - for standard output",
                        output_options[i]);
          return FALSE;
        }
      for (guint k = 0; file != NULL && k < i; k++)
        if (run->outputs[k] != NULL && !check_pair (run, i, k))
          return FALSE;
      option = g_strconcat ("--", output_options[i], NULL);
      if (!wp_cli_check_apart (run->command, &inputs, option, file))
        return FALSE;
    }
  return wp_cli_check_dumps (run->command, &inputs, run->outputs, WP_RUN_N_OUTPUTS);
}

/* The suffix of the picture's name says what it is written as; without one it is SVG. */
static gboolean
check_picture (WpRunRequest *run)
{
  static const gchar *const suffixes[]
      = { [WP_TRACE_SVG] = ".svg", [WP_TRACE_PDF] = ".pdf", [WP_TRACE_PNG] = ".png" };
  g_autofree gchar *name = g_path_get_basename (
      run->outputs[WP_RUN_PICTURE] != NULL ? run->outputs[WP_RUN_PICTURE] : "-");
  const gchar *suffix = strrchr (name, '.');

  if (suffix == NULL || suffix == name)
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++)
    if (g_ascii_strcasecmp (suffix, suffixes[i]) == 0)
      {
        run->format_of_picture = (WpTraceFormat)i;
        return TRUE;
      }
  wp_cli_usage (run->command, "--svg %s: a picture ends in .svg, .pdf or .png",
                run->outputs[WP_RUN_PICTURE]);
  return FALSE;
}

/* Most outputs have a row for each warp or issue, of which an estimate leaves out the most. */
static gboolean
check_estimate (WpRunRequest *run)
{
  for (guint i = 0; run->estimate != NULL && i < WP_RUN_N_OUTPUTS; i++)
    if (run->outputs[i] != NULL && i != WP_RUN_MACHINE)
      {
        wp_cli_usage (run->command,
                      "--estimate leaves out what --%s is to show; leave out one of them",
                      output_options[i]);
        return FALSE;
      }
  if (run->estimate != NULL && run->no_skip)
    {
      wp_cli_usage (run->command, "--no-skip simulates all, --estimate does not; leave out one");
      return FALSE;
    }
  return wp_cli_parse_percent (run->command, "estimate", run->estimate, &run->error);
}

gboolean
wp_run_request_check (WpRunRequest *run)
{
  run->options = (WpRunOptions)WP_RUN_OPTIONS_INIT;
  run->outputs[WP_RUN_TIMELINE] = g_strdup (run->timeline ? "-" : NULL);
  return wp_cli_check_kernel_and_gpu (run->command, run->files, &run->gpu, run->gpu_sets, FALSE)
         && wp_cli_parse_machine (run->command, &run->machine, &run->options) && parse_numbers (run)
         && check_outputs (run) && check_picture (run) && check_shown (run) && check_window (run)
         && check_estimate (run) && wp_cli_check_settings (run->command, run->settings)
         && wp_cli_parse_choice (run->command, "format", run->format, "text", "json", &run->json);
}

gboolean
wp_run_request_check_sm (const WpRunRequest *run, const IdgKernel *kernel, const WpGpu *gpu)
{
  gint64 n = run->options.sms == 0 ? gpu->sms : run->options.sms;

  if (run->window_sm >= n && !run->options.sms_said)
    {
      g_autoptr (WpResolved) resolved = wp_resolve (kernel, gpu, &run->options, NULL);

      n = resolved == NULL ? G_MAXINT64 : resolved->machine.simulated_sms; /* a run says why not */
    }
  if (run->window_sm < n)
    return TRUE;
  wp_cli_usage (run->command,
                "--sm %" G_GINT64_FORMAT ": %" G_GINT64_FORMAT
                " SM%s simulated, from 0; --sms makes them more",
                run->window_sm, n, n == 1 ? " is" : "s are");
  return FALSE;
}
