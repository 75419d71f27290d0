/* SPDX-License-Identifier: MIT */
/* The command line of warpipe compare: its options, and what goes with what. */
#include "cli/compare/compare-options.h"

#include "cli/common/cli-files.h"
#include "cli/common/cli-ops.h"

void
wp_compare_options_clear (WpCompareOptions *options)
{
  gchar *strings[] = { options->gpu,         options->sms,  options->occupancy,
                       options->format_name, options->html, options->normalize };

  for (gsize i = 0; i < G_N_ELEMENTS (strings); i++)
    g_free (strings[i]);
  wp_launch_options_clear (&options->launch);
  wp_machine_options_clear (&options->machine);
  wp_plot_options_clear (&options->plot);
  g_strfreev (options->gpu_sets);
  g_strfreev (options->settings);
  wp_import_options_clear (&options->import);
  g_strfreev (options->files);
  g_strfreev (options->kernels);
  g_clear_pointer (&options->variations, g_ptr_array_unref);
}

/* Options that are lists, of all but the kernel's and the GPU's. */
static void
add_lists (WpOptionTable *table, WpCompareOptions *options)
{
  WpLaunchOptions *launch = &options->launch;
  WpMachineOptions *machine = &options->machine;

  wp_options_add (table, "blocks", &launch->blocks, "Blocks to launch, in place of the kernel's",
                  "LIST");
  wp_options_add (table, "grid", &launch->grid, "The same by the grid's sizes: 64x64,128x128",
                  "LIST");
  wp_options_add (table, "threads", &launch->threads, "Threads per block: 256,512, or 16x16,32x8",
                  "LIST");
  wp_options_add (table, "registers", &launch->registers, "Registers per thread", "LIST");
  wp_options_add (table, "shared-memory", &launch->shared_memory,
                  "Bytes of shared memory per block", "LIST");
  wp_options_add (table, "occupancy", &options->occupancy, "Let no more warps be resident on an SM",
                  "LIST");
  wp_options_add (table, "active-set", &machine->active_set,
                  "Active warps of a scheduler, two-level only; 8 when left out", "LIST");
  wp_options_add (table, "order", &machine->order, "Orders in which a warp issues",
                  "program,dataflow");
  wp_options_add (table, "memory", &machine->memory,
                  "Ideal or contended memory; as the kernel's file says when left out",
                  "ideal,contended");
  wp_options_add (table, "seed", &machine->seed,
                  "Seeds of contended memory's random numbers; 1 when left out", "LIST");
}

gboolean
wp_compare_options_parse (WpCompareOptions *options, gchar **argv, WpExit *status)
{
  WpMachineOptions *machine = &options->machine;
  g_autoptr (WpOptionTable) table = wp_option_table_new ();

  wp_options_add (table, "gpu", &options->gpu, "GPU descriptions: files, or names of shipped ones",
                  "GPU,...");
  wp_options_add (table, "policy", &machine->policy_name,
                  "Warp scheduling policies (warpipe list policies), or files with one: "
                  "./mine.so, ./mine.py; rr when left out",
                  "POLICY,...");
  wp_cli_add_gpu_set_option (table, &options->gpu_sets);
  wp_cli_add_policy_set_option (table, &machine->policy_settings, TRUE);
  wp_options_add_list (table, "set", &options->settings, "Give a kernel's parameter other values",
                       "NAME=LIST");
  wp_cli_add_import_options (table, &options->import);
  add_lists (table, options);
  wp_options_add (table, "sms", &options->sms, WP_CLI_SMS_HELP, "1|all|N");
  wp_cli_add_no_limits_option (table, &machine->no_limits);
  wp_options_add (table, "normalize", &options->normalize,
                  "Compare each run with the one under this policy, of --policy", "POLICY");
  wp_cli_add_strict_option (table, &options->strict);
  wp_options_add (table, "cores", &machine->cores,
                  "Processor cores to use at most; all when left out", "N");
  wp_options_add (table, "format", &options->format_name,
                  "Report as text (when left out), CSV or JSON", "text|csv|json");
  wp_cli_add_plot_options (table, &options->plot, WP_COMPARE_PLOT_KINDS);
  wp_options_add (table, "html", &options->html, "Write a page that shows the runs, for a browser",
                  "FILE");
  return wp_cli_parse (options->command, table, argv, &options->files, status);
}

/* ---- Checks ---- */

static gboolean
check_number_of_runs (const WpCompareOptions *options)
{
  guint n_seeds = wp_compare_count_seeds (&options->compare);
  guint n = wp_compare_count_columns (&options->compare);

  if (n == 1 && n_seeds == 1)
    wp_cli_usage (options->command,
                  "nothing varies; list several values of an option, as in --policy rr,gto");
  if (n == G_MAXUINT)
    wp_cli_usage (options->command,
                  "the lists make more than %d runs, too many to see side by side; "
                  "warpipe sweep makes a row of each",
                  WP_COMPARE_MAX_COLUMNS);
  return n * n_seeds > 1 && n <= WP_COMPARE_MAX_COLUMNS;
}

/* What shows the course of single runs cannot show a mean. */
static gboolean
check_seeds (const WpCompareOptions *options)
{
  if (wp_compare_count_seeds (&options->compare) == 1
      || (options->html == NULL && options->kind == WP_COMPARE_PLOT_BARS))
    return TRUE;
  wp_cli_usage (options->command,
                "%s shows single runs, which several seeds do not make; give one --seed",
                options->html != NULL ? "--html" : "such a plot");
  return FALSE;
}

/* Any number of bars can be told apart, but not of curves, which cross. */
static gboolean
check_plot (WpCompareOptions *options)
{
  const gchar *const page = options->html;
  const WpInputs inputs = { options->files, options->gpu, &options->import };
  guint n = wp_compare_count_columns (&options->compare);

  if (!wp_cli_parse_plot (options->command, &options->plot, wp_compare_plot_kinds, &inputs, &page,
                          1))
    return FALSE;
  options->kind = (WpComparePlotKind)MAX (options->plot.kind, 0);
  if (options->kind == WP_COMPARE_PLOT_BARS || n <= WP_PLOT_MAX_SERIES)
    return TRUE;
  wp_cli_usage (options->command, "a plot would have %u curves, too many to tell apart; at most %d",
                n, WP_PLOT_MAX_SERIES);
  return FALSE;
}

static gboolean
check_html (const WpCompareOptions *options)
{
  const WpInputs inputs = { options->files, options->gpu, &options->import };

  if (options->html == NULL || *options->html != '\0')
    return wp_cli_check_apart (options->command, &inputs, "--html", options->html);
  wp_cli_usage (options->command, "--html: expected a file, or - for standard output");
  return FALSE;
}

gboolean
wp_compare_options_check (WpCompareOptions *options, WpExit *status)
{
  const WpCommand *command = options->command;
  WpRunOptions *run_options = &options->compare.options;
  gint64 cores;

  *status = WP_EXIT_USAGE;
  *run_options = (WpRunOptions)WP_RUN_OPTIONS_INIT;
  run_options->sms = 1;
  run_options->sms_said = options->sms != NULL;
  run_options->no_limits = options->machine.no_limits;
  if (!wp_cli_parse_sms (command, options->sms, &run_options->sms)
      || !wp_cli_check_kernels_and_gpu (command, options->files, &options->kernels, &options->gpu,
                                        options->gpu_sets, status)
      || !wp_cli_check_no_dump (command, &options->import)
      || !wp_cli_parse_cores (command, options->machine.cores, &cores)
      || !wp_cli_parse_format (command, options->format_name, &options->format))
    return FALSE;
  options->machine.max_cores = (guint)cores;
  return check_html (options) && wp_compare_options_read_lists (options)
         && check_number_of_runs (options) && check_plot (options) && check_seeds (options);
}
