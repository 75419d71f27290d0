/* SPDX-License-Identifier: MIT */
/* The runs of warpipe compare, from the lists of its options to their figures. */
#include "run/compare/compare.h"

#include "cli/common/cli-launch.h"
#include "cli/common/cli-ops.h"
#include "run/base/data.h"

#include <string.h>

void
wp_compare_run_free (gpointer data)
{
  WpCompareRun *run = data;

  g_free (run->label);
  g_free (run->warning);
  wp_page_run_free (run->page);
  g_clear_pointer (&run->own, idg_kernel_free);
  wp_lifetimes_free (run->lifetimes);
  wp_curve_free (run->warps);
  wp_run_curve_clear (&run->curve);
  wp_metrics_free (run->metrics);
  g_free (run);
}

/* Where number NAME of the launch goes. */
static gint64 *
find_number (WpRunOptions *options, const gchar *name)
{
  const struct
  {
    const gchar *name;
    gint64 *number;
  } numbers[] = { { "blocks", &options->blocks },
                  { "threads", &options->threads },
                  { "registers", &options->registers },
                  { "shared-memory", &options->shared_memory },
                  { "occupancy", &options->occupancy } };

  for (gsize i = 0; i < G_N_ELEMENTS (numbers); i++)
    if (strcmp (numbers[i].name, name) == 0)
      return numbers[i].number;
  return NULL;
}

/* Puts VALUE of option NAME into OPTIONS; it has been checked. */
static void
set_option (WpRunOptions *options, const gchar *name, const gchar *value)
{
  guint64 number = g_ascii_strtoull (value, NULL, 10);
  gint64 *place = find_number (options, name);

  if (place != NULL)
    *place = (gint64)number;
  else if (strcmp (name, "active-set") == 0)
    options->active_set = (guint32)number;
  else if (strcmp (name, "seed") == 0)
    options->seed = number;
  else if (strcmp (name, "memory") == 0)
    options->contended = strcmp (value, "contended") == 0;
  else if (strcmp (name, "order") == 0)
    {
      options->has_order = TRUE;
      options->order = strcmp (value, "dataflow") == 0 ? WP_ORDER_DATAFLOW : WP_ORDER_PROGRAM;
    }
}

static guint
get_warps_per_block (const WpCompareRun *run)
{
  IdgLaunch launch = run->kernel->launch;

  wp_run_options_override (&run->options, &launch);
  return (guint)((launch.threads + run->gpu->warp_size - 1) / run->gpu->warp_size);
}

/* GPUs by name, loaded once. */
static const WpGpu *
get_gpu (GHashTable *gpus, const gchar *name, GError **error)
{
  WpGpu *gpu = g_hash_table_lookup (gpus, name);

  if (gpu != NULL)
    return gpu;
  gpu = wp_data_load_gpu (name, error);
  if (gpu != NULL)
    g_hash_table_insert (gpus, g_strdup (name), gpu);
  return gpu;
}

/* FIRST: of the same column, whose kernel will do, as seeds make no other; or RUN itself. */
static gboolean
fill_run (const WpCompare *compare, GHashTable *gpus, const WpCompareRun *first, WpCompareRun *run,
          GError **error)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) settings = NULL;

  run->label = wp_variations_get_label (compare->variations, run->index,
                                        compare->n_seeds > 1 ? "seed" : NULL);
  if (*run->label == '\0')
    {
      g_free (run->label);
      run->label = g_strdup ("all seeds");
    }
  run->policy = wp_policy_find ("rr");
  run->options = (WpRunOptions)WP_RUN_OPTIONS_INIT;
  run->options.no_limits = compare->machine.no_limits;
  run->options.sms = compare->n_sms;
  run->lifetimes = wp_lifetimes_new ();
  for (guint i = 0; i < compare->variations->len; i++)
    {
      const WpVariation *variation = g_ptr_array_index (compare->variations, i);
      const gchar *value = wp_variations_get (compare->variations, run->index, i);
      g_autofree gchar *setting = g_strdup_printf ("%s=%s", variation->name, value);

      if (variation->is_set)
        g_strv_builder_add (builder, setting);
      else if (strcmp (variation->name, "policy") == 0)
        run->policy = wp_policy_find (value);
      else if (strcmp (variation->name, "gpu") == 0)
        run->gpu = get_gpu (gpus, value, error);
      else
        set_option (&run->options, variation->name, value);
    }
  settings = g_strv_builder_end (builder);
  if (run->gpu != NULL && first == run)
    run->own
        = wp_cli_load_kernel (compare->files[0], settings, &compare->import, &run->options, error);
  run->kernel = first->own;
  if (run->kernel != NULL && compare->kind == WP_COMPARE_PLOT_OCCUPANCY)
    run->warps = wp_curve_new (get_warps_per_block (run));
  return run->kernel != NULL;
}

/* Where a page is wanted: RUN is one of N on it. */
static gboolean
add_page (const WpCompare *compare, guint n, WpCompareRun *run, GError **error)
{
  const WpTraceWindow window = { 0, WP_TRACE_TO_END, WP_TRACE_ALL_SMS };

  if (compare->html == NULL)
    return TRUE;
  run->page = wp_page_run_new (run->label, run->kernel, run->gpu, &run->options, &window, n, error);
  if (run->page == NULL && g_error_matches (*error, WP_ERROR, WP_ERROR_FIT))
    g_prefix_error (error, "%s: ", run->label);
  return run->page != NULL;
}

/* Once for each GPU, with the first run on it, which is the last of RUNS. */
static gboolean
check_ops (const WpCompare *compare, const GPtrArray *runs, GError **error)
{
  const WpCompareRun *run = g_ptr_array_index (runs, runs->len - 1);

  for (guint i = 0; i + 1 < runs->len; i++)
    if (((const WpCompareRun *)g_ptr_array_index (runs, i))->gpu == run->gpu)
      return TRUE;
  return wp_cli_check_ops (run->kernel, run->gpu, compare->strict, error);
}

/* Those of a column are beside one another, by seed. */
gboolean
wp_compare_make_runs (const WpCompare *compare, GHashTable *gpus, GPtrArray *runs, GError **error)
{
  guint n = wp_compare_count_columns (compare);

  for (guint i = 0; i < n * compare->n_seeds; i++)
    {
      WpCompareRun *run = g_new0 (WpCompareRun, 1);

      g_ptr_array_add (runs, run);
      run->index = wp_compare_get_index (compare, i / compare->n_seeds, i % compare->n_seeds);
      if (!fill_run (compare, gpus, g_ptr_array_index (runs, i - i % compare->n_seeds), run, error)
          || !check_ops (compare, runs, error) || !add_page (compare, n, run, error))
        return FALSE;
    }
  return TRUE;
}

/* The values of all of the kernel's parameters, "alpha=1 rounds=2". */
static gchar *
join_parameters (const IdgKernel *kernel)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < kernel->parameters->len; i++)
    {
      const IdgParameter *parameter = g_ptr_array_index (kernel->parameters, i);

      g_string_append_printf (text, "%s%s=%s", i > 0 ? " " : "", parameter->name, parameter->value);
    }
  return g_string_free (text, FALSE);
}

/* What may be plotted of the run. */
static void
take_curve (WpCompareRun *run, const WpSimulation *simulation)
{
  const WpMachine *machine = &simulation->resolved->machine;

  if (run->warps != NULL)
    wp_run_curve_take_occupancy (&run->curve, run->warps,
                                 wp_simulation_get_result (simulation)->elapsed,
                                 (gdouble)machine->ticks_per_cycle, machine->simulated_sms);
  else
    wp_run_curve_take_lifetimes (&run->curve, run->lifetimes, (gdouble)machine->ticks_per_cycle);
}

/* The run has ended. */
static void
look (const WpSimulation *simulation, gpointer data)
{
  WpCompareRun *run = data;
  g_autoptr (WpReport) report
      = wp_report_new (simulation->kernel, simulation->gpu, simulation->resolved,
                       wp_simulation_get_result (simulation));

  report->policy = wp_policy_get_name (simulation->policy);
  if (run->page != NULL)
    wp_page_run_take_report (run->page, report);
  run->metrics = wp_metrics_new (report, run->lifetimes);
  run->metrics->label = g_strdup (run->label);
  take_curve (run, simulation);
  run->metrics->occupancy = run->options.occupancy > 0 ? run->options.occupancy : -1;
  g_free (run->metrics->settings);
  run->metrics->settings = join_parameters (run->kernel);
  run->warning = wp_resident_get_warning (&report->resident, &simulation->resolved->machine,
                                          run->options.occupancy);
}

gboolean
wp_compare_simulate (GPtrArray *runs, WpBatch *batch, GError **error)
{
  g_autofree WpBatchRun *list = g_new0 (WpBatchRun, runs->len);

  for (guint i = 0; i < runs->len; i++)
    {
      WpCompareRun *run = g_ptr_array_index (runs, i);
      guint n_observers = 1;

      list[i] = (WpBatchRun){ .kernel = run->kernel,
                              .gpu = run->gpu,
                              .policy = run->policy,
                              .observers = { wp_lifetimes_get_observer (run->lifetimes) },
                              .options = run->options,
                              .look = look,
                              .data = run };
      if (run->page != NULL)
        list[i].observers[n_observers++] = wp_page_run_get_observer (run->page);
      if (run->warps != NULL)
        list[i].observers[n_observers++] = wp_curve_get_observer (run->warps);
    }
  if (wp_batch_run (batch, list, runs->len, error))
    return TRUE;
  /* Which of them: other errors name a file. */
  if (batch->failed >= 0 && g_error_matches (*error, WP_ERROR, WP_ERROR_FIT))
    g_prefix_error (error,
                    "%s: ", ((const WpCompareRun *)g_ptr_array_index (runs, batch->failed))->label);
  return FALSE;
}
