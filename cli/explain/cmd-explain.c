/* SPDX-License-Identifier: MIT */
/* warpipe explain: how much time would be saved if one thing were ideal. */
#include "cli/commands.h"
#include "cli/common/cli-import.h"
#include "cli/common/cli-launch.h"
#include "cli/common/cli-ops.h"
#include "cli/common/cli-ranges.h"
#include "cli/common/cli-seeds.h"
#include "cli/common/cli-signals.h"
#include "cli/explain/report-explain.h"
#include "cli/report/report-warnings.h"
#include "run/base/ranges.h"

#define MAX_SEEDS 1000

/* The command line, as written and as read. */
typedef struct
{
  gchar *gpu, *sms, *occupancy, *format;
  WpLaunchOptions launch;
  WpMachineOptions machine;
  gchar **gpu_sets, **settings;
  WpImportOptions import;
  GStrv files;
  WpRunOptions options;
  GArray *seeds; /* of guint64 */
  gboolean strict, json;
} Query;

static void
query_clear (Query *query)
{
  g_free (query->gpu);
  g_free (query->sms);
  g_free (query->occupancy);
  g_free (query->format);
  wp_launch_options_clear (&query->launch);
  wp_machine_options_clear (&query->machine);
  g_strfreev (query->gpu_sets);
  g_strfreev (query->settings);
  wp_import_options_clear (&query->import);
  g_strfreev (query->files);
  g_clear_pointer (&query->seeds, g_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Query, query_clear)

static gboolean
parse (Query *query, gchar **argv, WpExit *status)
{
  g_autoptr (WpOptionTable) table = wp_option_table_new ();

  wp_cli_add_gpu_option (table, &query->gpu, &query->gpu_sets);
  wp_cli_add_kernel_options (table, &query->settings, &query->import);
  wp_cli_add_machine_options (table, &query->machine,
                              "Seeds of contended memory's random numbers; 1 when left out",
                              "LIST");
  wp_options_add (table, "sms", &query->sms, WP_CLI_SMS_HELP, "1|all|N");
  wp_cli_add_occupancy_option (table, &query->occupancy);
  wp_cli_add_launch_options (table, &query->launch);
  wp_cli_add_strict_option (table, &query->strict);
  wp_options_add (table, "format", &query->format, "Report as text (when left out) or JSON",
                  "text|json");

  return wp_cli_parse (&wp_command_explain, table, argv, &query->files, status);
}

/* A repeated seed would count twice in the mean. */
static gboolean
check_seeds (const GArray *seeds)
{
  for (guint i = 0; i < seeds->len; i++)
    for (guint k = 0; k < i; k++)
      if (g_array_index (seeds, guint64, k) == g_array_index (seeds, guint64, i))
        {
          wp_cli_usage (&wp_command_explain, "--seed gives \"%" G_GUINT64_FORMAT "\" twice",
                        g_array_index (seeds, guint64, i));
          return FALSE;
        }
  return TRUE;
}

/* Reads --seed, which is a list here, and removes it from the machine's options. */
static gboolean
parse_seeds (Query *query)
{
  g_autofree gchar *list = g_steal_pointer (&query->machine.seed);
  g_autoptr (GArray) ranges = wp_cli_parse_ranges (&wp_command_explain, "seed",
                                                   list != NULL ? list : "1", 0, G_MAXUINT64);

  if (ranges == NULL)
    return FALSE;
  if (wp_ranges_count (ranges) > MAX_SEEDS)
    {
      wp_cli_usage (&wp_command_explain, "--seed \"%s\": more than %d values", list, MAX_SEEDS);
      return FALSE;
    }
  query->seeds = wp_ranges_list (ranges);
  return check_seeds (query->seeds);
}

static gboolean
check (Query *query)
{
  WpRunOptions *options = &query->options;

  *options = (WpRunOptions)WP_RUN_OPTIONS_INIT;
  if (!wp_cli_check_kernel_and_gpu (&wp_command_explain, query->files, &query->gpu, query->gpu_sets,
                                    FALSE)
      || !parse_seeds (query)
      || !wp_cli_parse_machine (&wp_command_explain, &query->machine, options))
    return FALSE;
  options->sms_said = query->sms != NULL;
  return wp_cli_parse_sms (&wp_command_explain, query->sms, &options->sms)
         && wp_cli_parse_count (&wp_command_explain, "occupancy", query->occupancy, 1,
                                WP_MAX_RESIDENT_WARPS, &options->occupancy)
         && wp_cli_parse_launch (&wp_command_explain, &query->launch, options)
         && wp_cli_check_settings (&wp_command_explain, query->settings)
         && wp_cli_parse_choice (&wp_command_explain, "format", query->format, "text", "json",
                                 &query->json);
}

static void
print (const Query *query, const WpExplanation *explanation)
{
  if (query->json)
    {
      wp_complain_of_warnings (explanation->warnings);
      wp_explanation_print_json (explanation);
    }
  else
    wp_explanation_print_text (explanation);
}

/* BATCH is complete but for its policy. */
static gboolean
explain (const Query *query, const IdgKernel *kernel, const WpGpu *gpu, WpBatch *batch,
         GError **error)
{
  g_autoptr (WpExplanation) explanation = wp_explanation_new (
      kernel, gpu, query->machine.policy, &query->options,
      (const guint64 *)(gconstpointer)query->seeds->data, query->seeds->len, error);

  if (explanation == NULL || !wp_explanation_run (explanation, batch, error))
    return FALSE;
  if (batch->interrupted != 0)
    return TRUE;
  if (!wp_cli_check_warnings (explanation->warnings, query->strict, error))
    return FALSE;
  print (query, explanation);
  return TRUE;
}

static WpExit
run_command (gchar **argv, guint64 max_issues)
{
  g_auto (Query) query = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (IdgKernel) kernel = NULL;
  g_autoptr (WpGpu) gpu = NULL;
  WpSignals signals;
  WpBatch batch = { .max_issues = max_issues, .progress = &signals.progress };
  WpExit status;
  gboolean done;

  if (!parse (&query, argv, &status))
    return status;
  if (!check (&query))
    return WP_EXIT_USAGE;
  query.import.threads = query.machine.max_cores;
  if (!wp_cli_load (query.gpu, query.files[0], query.settings, &query.import, &query.options, &gpu,
                    &kernel, &error)
      || !wp_cli_check_ops (kernel, gpu, query.strict, &error))
    return wp_cli_fail (error);
  if (query.seeds->len > 1 && !wp_run_options_contend (&query.options, kernel)
      && !idg_kernel_has_mixes (kernel))
    wp_cli_warn_alike (query.seeds->len);
  batch.max_cores = query.machine.max_cores;
  wp_signals_hold (&signals);
  done = explain (&query, kernel, gpu, &batch, &error);
  return wp_signals_release (&signals, done, batch.interrupted, error);
}

const WpCommand wp_command_explain = {
  .name = "explain",
  .arguments = "KERNEL --gpu GPU",
  .summary = "Find what to fix first: what one thing made ideal would gain",
  .details
  = "Simulates again with memory latency 0, with unlimited bandwidth, without barriers and so on,\n"
    "one thing at a time, then two, and ranks what each would gain.",
  .run = run_command,
};
