/* SPDX-License-Identifier: MIT */
/* warpipe compare: the same run under several policies, or on several GPUs, or otherwise varied,
 * side by side. */
#include "cli/commands.h"
#include "cli/common/cli-seeds.h"
#include "cli/common/cli-signals.h"
#include "cli/compare/compare-heading.h"
#include "cli/compare/compare-view.h"
#include "cli/compare/comparison-print.h"
#include "cli/report/report-warnings.h"
#include "run/base/data.h"

/* Loads the GPUs that vary into GPUS, which owns them. */
static gboolean
load_gpus (const WpCompare *compare, GPtrArray *gpus, GError **error)
{
  GArray *values = wp_variations_find (compare->variations, WP_VARIATION_GPU)->values;

  for (guint i = 0; i < values->len; i++)
    {
      WpVariationValue *value = &g_array_index (values, WpVariationValue, i);
      WpGpu *gpu = wp_cli_load_gpu (value->name, error);
      gchar *own;

      if (gpu == NULL)
        return FALSE;
      g_ptr_array_add (gpus, gpu);
      value->gpu = gpu;
      own = wp_data_call_gpu (value->name, gpu);
      g_free (value->name);
      value->name = own;
    }
  return TRUE;
}

/* Several seeds change nothing where no memory is contended and no context is a mix. */
static void
warn_of_ideal (const WpCompare *compare, const GPtrArray *runs)
{
  guint n_seeds = wp_compare_count_seeds (compare);

  for (guint i = 0; i < runs->len; i++)
    {
      const WpCompareRun *run = g_ptr_array_index (runs, i);

      if (wp_run_options_contend (&run->options, run->kernel) || idg_kernel_has_mixes (run->kernel))
        return;
    }
  if (n_seeds > 1)
    wp_cli_warn_alike (n_seeds);
}

static void
print (const WpComparison *comparison, const WpCompareRun *first, WpFormat format)
{
  g_auto (GStrv) heading = NULL;

  if (format == WP_FORMAT_CSV)
    wp_comparison_print_csv (comparison);
  else if (format == WP_FORMAT_JSON)
    wp_comparison_print_json (comparison);
  else
    {
      heading = wp_comparison_get_heading (comparison, first);
      wp_comparison_print_text (comparison, (const gchar *const *)heading);
    }
}

/* Simulates RUNS, and shows them; HTML may be NULL. */
static gboolean
simulate (WpCompareOptions *options, GPtrArray *runs, WpBatch *batch, WpOutput *html,
          GError **error)
{
  g_autoptr (GError) problem = NULL;
  g_autoptr (GPtrArray) warnings = NULL;
  g_autoptr (WpComparison) comparison
      = wp_compare_simulate (&options->compare, runs, batch, &problem);

  if (problem != NULL)
    g_propagate_error (error, g_steal_pointer (&problem));
  if (comparison == NULL)
    return batch->interrupted != 0;
  warnings = wp_comparison_list_warnings (comparison);
  if (!wp_cli_check_warnings (warnings, options->strict, error))
    return FALSE;
  if (options->format != WP_FORMAT_TEXT)
    wp_complain_of_warnings (warnings);
  if (html != NULL && !wp_compare_view_write_page (comparison, runs, batch, html, error))
    return FALSE;
  if (batch->interrupted != 0)
    return TRUE;
  print (comparison, g_ptr_array_index (runs, 0), options->format);
  return wp_compare_view_draw (options, comparison, runs, batch, error);
}

static gboolean
compare (WpCompareOptions *options, WpBatch *batch, GError **error)
{
  g_autoptr (GPtrArray) gpus = g_ptr_array_new_with_free_func ((GDestroyNotify)wp_gpu_free);
  g_autoptr (GPtrArray) runs = NULL;
  g_autoptr (WpOutput) html = NULL;

  if (options->html != NULL)
    {
      html = wp_output_open (options->html, error);
      if (html == NULL)
        return FALSE;
    }
  if (!load_gpus (&options->compare, gpus, error))
    return FALSE;
  wp_compare_view_attach (options);
  runs = wp_compare_make_runs (&options->compare, error);
  if (runs == NULL)
    return FALSE;
  warn_of_ideal (&options->compare, runs);
  return simulate (options, runs, batch, html, error);
}

static WpExit
run_command (gchar **argv, guint64 max_issues)
{
  g_auto (WpCompareOptions) options = { .command = &wp_command_compare };
  g_autoptr (GError) error = NULL;
  WpSignals signals;
  WpBatch batch = { .max_issues = max_issues, .progress = &signals.progress };
  WpExit status;
  gboolean done;

  wp_import_options_remember (&options.import);
  if (!wp_compare_options_parse (&options, argv, &status))
    return status;
  if (!wp_compare_options_check (&options, &status))
    return status;
  batch.max_cores = options.machine.max_cores;
  options.import.threads = options.machine.max_cores;
  wp_signals_hold (&signals);
  done = wp_plot_open (&options.plot, &error) && compare (&options, &batch, &error);
  return wp_signals_release (&signals, done, batch.interrupted, error);
}

const WpCommand wp_command_compare = {
  .name = "compare",
  .arguments = "KERNEL... --gpu GPU,...",
  .summary = "Compare policies, GPUs, launches or kernels, side by side",
  .details
  = "Every option that takes a LIST, or names with commas, may give several values, and there may\n"
    "be several kernels, and folders of them; the runs are\n"
    "all their combinations, at most 24; several seeds are taken together, as their mean. Where\n"
    "only the policy differs where two schedules diverge is reported, too.",
  .run = run_command,
};
