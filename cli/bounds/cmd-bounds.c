/* SPDX-License-Identifier: MIT */
/* warpipe bounds: what bounds a kernel on a GPU, without simulating it. */
#include "cli/commands.h"
#include "cli/common/cli-import.h"
#include "cli/common/cli-launch.h"
#include "cli/common/cli-ops.h"
#include "cli/common/cli-signals.h"
#include "cli/report/report-bounds.h"
#include "cli/report/report-warnings.h"
#include "run/simulate/find-bounds.h"

/* The command line, as written and as read. */
typedef struct
{
  gchar *gpu, *sms, *occupancy, *order, *format;
  WpLaunchOptions launch;
  gchar **gpu_sets, **settings;
  WpImportOptions import;
  gboolean no_limits, strict;
  GStrv files;
  WpRunOptions options;
  gboolean json;
  guint64 max_steps; /* see wp_cli_main() */
  gint interrupted;  /* why it was cancelled, or 0 */
} Query;

static void
query_clear (Query *query)
{
  g_free (query->gpu);
  g_free (query->sms);
  g_free (query->occupancy);
  g_free (query->order);
  g_free (query->format);
  wp_launch_options_clear (&query->launch);
  g_strfreev (query->gpu_sets);
  g_strfreev (query->settings);
  wp_import_options_clear (&query->import);
  g_strfreev (query->files);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Query, query_clear)

static gboolean
parse (Query *query, gchar **argv, WpExit *status)
{
  g_autoptr (WpOptionTable) table = wp_option_table_new ();

  wp_cli_add_gpu_option (table, &query->gpu, &query->gpu_sets);
  wp_cli_add_kernel_options (table, &query->settings, &query->import);
  wp_cli_add_order_option (table, &query->order);
  wp_options_add (table, "sms", &query->sms,
                  "SMs whose share of the blocks counts; 1 when left out", "1|all|N");
  wp_cli_add_occupancy_option (table, &query->occupancy);
  wp_cli_add_no_limits_option (table, &query->no_limits);
  wp_cli_add_launch_options (table, &query->launch);
  wp_cli_add_strict_option (table, &query->strict);
  wp_options_add (table, "format", &query->format, "Report as text (when left out) or JSON",
                  "text|json");

  return wp_cli_parse (&wp_command_bounds, table, argv, &query->files, status);
}

static gboolean
check (Query *query)
{
  WpRunOptions *options = &query->options;
  gboolean dataflow;

  *options = (WpRunOptions)WP_RUN_OPTIONS_INIT;
  options->sms_said = query->sms != NULL;
  if (!wp_cli_check_kernel_and_gpu (&wp_command_bounds, query->files, &query->gpu, query->gpu_sets,
                                    FALSE))
    return FALSE;
  if (!wp_cli_parse_sms (&wp_command_bounds, query->sms, &options->sms)
      || !wp_cli_parse_count (&wp_command_bounds, "occupancy", query->occupancy, 1,
                              WP_MAX_RESIDENT_WARPS, &options->occupancy)
      || !wp_cli_parse_launch (&wp_command_bounds, &query->launch, options)
      || !wp_cli_check_settings (&wp_command_bounds, query->settings)
      || !wp_cli_parse_choice (&wp_command_bounds, "order", query->order, "program", "dataflow",
                               &dataflow)
      || !wp_cli_parse_choice (&wp_command_bounds, "format", query->format, "text", "json",
                               &query->json))
    return FALSE;
  options->no_limits = query->no_limits;
  options->has_order = query->order != NULL;
  options->order = dataflow ? WP_ORDER_DATAFLOW : WP_ORDER_PROGRAM;
  return TRUE;
}

static gboolean
print (const Query *query, const IdgKernel *kernel, const WpGpu *gpu, const WpResolved *resolved,
       const WpBounds *bounds, GError **error)
{
  g_autoptr (WpBoundsReport) report
      = wp_bounds_report_new (kernel, gpu, resolved, bounds, query->no_limits);

  if (!wp_cli_check_warnings (report->warnings, query->strict, error))
    return FALSE;
  if (!query->json)
    {
      wp_bounds_report_print_text (report);
      return TRUE;
    }
  wp_complain_of_warnings (report->warnings);
  wp_bounds_report_write_json (report, stdout);
  return TRUE;
}

static gboolean
find_bounds (Query *query, const IdgKernel *kernel, const WpGpu *gpu, const WpProgress *progress,
             GError **error)
{
  g_autoptr (WpResolved) resolved = wp_resolve (kernel, gpu, &query->options, error);
  WpBounds *bounds;
  gboolean done;

  if (resolved == NULL)
    return FALSE;
  bounds = wp_find_bounds (kernel, &resolved->machine, progress, query->max_steps,
                           &query->interrupted, error);
  done = bounds != NULL ? print (query, kernel, gpu, resolved, bounds, error)
                        : query->interrupted != 0;
  wp_bounds_free (bounds);
  return done;
}

static WpExit
run_command (gchar **argv, guint64 max_issues)
{
  g_auto (Query) query = { .max_steps = max_issues };
  g_autoptr (GError) error = NULL;
  g_autoptr (IdgKernel) kernel = NULL;
  g_autoptr (WpGpu) gpu = NULL;
  WpSignals signals;
  WpExit status;
  gboolean done;

  if (!parse (&query, argv, &status))
    return status;
  if (!check (&query))
    return WP_EXIT_USAGE;
  if (!wp_cli_load (query.gpu, query.files[0], query.settings, &query.import, &query.options, &gpu,
                    &kernel, &error)
      || !wp_cli_check_ops (kernel, gpu, query.strict, &error))
    return wp_cli_fail (error);
  wp_signals_hold (&signals);
  done = find_bounds (&query, kernel, gpu, &signals.progress, &error);
  return wp_signals_release (&signals, done, query.interrupted, error);
}

const WpCommand wp_command_bounds = {
  .name = "bounds",
  .arguments = "KERNEL --gpu GPU",
  .summary = "Find what bounds a kernel on a GPU, without simulating it",
  .details
  = "KERNEL and GPU are files, or names of shipped descriptions (warpipe list kernels, list "
    "gpus).\n"
    "The latency bound is what a warp takes alone; the throughput bound, the use it makes of the\n"
    "busiest unit. Their quotient is the number of warps that hide all latency.",
  .run = run_command,
};
