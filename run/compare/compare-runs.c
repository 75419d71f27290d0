/* SPDX-License-Identifier: MIT */
/* The runs of a comparison, from the lists of what varies to their metrics. Runs that differ by
 * their seed alone share one kernel: seeds change nothing of it. */
#include "run/compare/compare-private.h"

#include <string.h>

static void
run_free (gpointer data)
{
  WpCompareRun *run = data;

  if (run->free_extra != NULL)
    run->free_extra (run->extra);
  g_free (run->label);
  g_clear_pointer (&run->own, idg_kernel_free);
  wp_lifetimes_free (run->lifetimes);
  wp_metrics_free (run->metrics);
  g_free (run);
}

void
wp_compare_run_add_observer (WpCompareRun *run, const WpObserver *observer)
{
  g_return_if_fail (run->n_observers < G_N_ELEMENTS (run->observers));
  run->observers[run->n_observers++] = observer;
}

/* ---- Making them ---- */

/* Puts VALUE of a variation of KIND into RUN. */
static void
set_value (WpCompareRun *run, WpVariationKind kind, const WpVariationValue *value)
{
  WpRunOptions *options = &run->options;
  gint64 *const numbers[WP_N_VARIATIONS] = { [WP_VARIATION_BLOCKS] = &options->blocks,
                                             [WP_VARIATION_THREADS] = &options->threads,
                                             [WP_VARIATION_REGISTERS] = &options->registers,
                                             [WP_VARIATION_SHARED_MEMORY] = &options->shared_memory,
                                             [WP_VARIATION_OCCUPANCY] = &options->occupancy };

  if (kind == WP_VARIATION_THREADS)
    memcpy (options->block_dim, value->sizes, sizeof value->sizes);
  if (kind == WP_VARIATION_BLOCKS)
    memcpy (options->grid_dim, value->sizes, sizeof value->sizes);
  if (numbers[kind] != NULL)
    *numbers[kind] = (gint64)value->number;
  else if (kind == WP_VARIATION_KERNEL)
    run->kernel_name = value->name;
  else if (kind == WP_VARIATION_GPU)
    run->gpu = value->gpu;
  else if (kind == WP_VARIATION_POLICY)
    run->policy = value->policy;
  else if (kind == WP_VARIATION_ACTIVE_SET)
    options->active_set = (guint32)value->number;
  else if (kind == WP_VARIATION_SEED)
    options->seed = value->number;
  else if (kind == WP_VARIATION_MEMORY)
    options->memory = value->number != 0 ? WP_MEMORY_CONTENDED : WP_MEMORY_IDEAL;
  else if (kind == WP_VARIATION_ORDER)
    {
      options->has_order = TRUE;
      options->order = value->number != 0 ? WP_ORDER_DATAFLOW : WP_ORDER_PROGRAM;
    }
}

/* Gives RUN all values that it has of what varies; returns those of the kernel's parameters. Free
 * with g_strfreev(). */
static GStrv
set_values (const WpCompare *compare, WpCompareRun *run)
{
  g_autoptr (GStrvBuilder) settings = g_strv_builder_new ();

  for (guint i = 0; i < compare->variations->len; i++)
    {
      const WpVariation *variation = g_ptr_array_index (compare->variations, i);
      const WpVariationValue *value = wp_variations_get (compare->variations, run->index, i);

      if (variation->kind == WP_VARIATION_PARAMETER)
        {
          g_autofree gchar *setting = g_strdup_printf ("%s=%s", variation->name, value->name);

          g_strv_builder_add (settings, setting);
        }
      else
        set_value (run, variation->kind, value);
    }
  return g_strv_builder_end (settings);
}

static gchar *
make_label (const WpCompare *compare, const WpCompareRun *run)
{
  g_autofree gchar *label = wp_variations_get_label (compare->variations, run->index);

  if (*label != '\0')
    return g_steal_pointer (&label);
  return g_strdup (wp_compare_count_seeds (compare) > 1 ? "all seeds" : "the run");
}

/* Whether two runs have the same kernel, GPU and parameters. */
static gboolean
execute_alike (const WpCompare *compare, const WpCompareRun *run, const WpCompareRun *other)
{
  if (run->gpu != other->gpu || run->kernel_name != other->kernel_name)
    return FALSE;
  for (guint i = 0; i < compare->variations->len; i++)
    {
      const WpVariation *variation = g_ptr_array_index (compare->variations, i);

      if (variation->kind == WP_VARIATION_PARAMETER
          && wp_variations_get (compare->variations, run->index, i)
                 != wp_variations_get (compare->variations, other->index, i))
        return FALSE;
    }
  return TRUE;
}

/* The kernel of one of RUNS that executes as RUN does, or NULL. Nothing else changes what is
 * executed, and that takes long. */
static const IdgKernel *
find_executed (const WpCompare *compare, const GPtrArray *runs, const WpCompareRun *run)
{
  for (guint i = 0; i < runs->len; i++)
    {
      const WpCompareRun *other = g_ptr_array_index (runs, i);

      if (other->own != NULL && other->own->executed && execute_alike (compare, run, other))
        return other->own;
    }
  return NULL;
}

/* FIRST is the first run of the same column, which has the kernel; it may be RUN itself. RUNS are
 * all up to this one. */
static gboolean
fill_run (const WpCompare *compare, const GPtrArray *runs, const WpCompareRun *first,
          WpCompareRun *run, GError **error)
{
  g_auto (GStrv) settings = NULL;

  run->label = make_label (compare, run);
  run->gpu = compare->gpu;
  run->policy = compare->policy != NULL ? compare->policy : wp_policy_find ("rr");
  run->options = compare->options;
  run->lifetimes = wp_lifetimes_new ();
  settings = set_values (compare, run);
  run->kernel = first == run ? find_executed (compare, runs, run) : first->kernel;
  if (run->kernel == NULL)
    run->kernel = run->own = compare->load_kernel (compare->data, run->kernel_name, settings,
                                                   run->gpu, &run->options, error);
  return run->kernel != NULL;
}

/* The number of the run of COLUMN with seed number SEED among the combinations of what varies. */
static guint
get_index (const WpCompare *compare, guint column, guint seed)
{
  guint index = 0, weight = 1;

  for (guint i = compare->variations->len; i-- > 0;)
    {
      const WpVariation *variation = g_ptr_array_index (compare->variations, i);
      gboolean is_seed = variation->kind == WP_VARIATION_SEED;
      guint n = variation->values->len;

      index += weight * (is_seed ? seed : column % n);
      column /= is_seed ? 1 : n;
      weight *= n;
    }
  return index;
}

GPtrArray *
wp_compare_make_runs (const WpCompare *compare, GError **error)
{
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func (run_free);
  guint n_columns = wp_compare_count_columns (compare), n_seeds = wp_compare_count_seeds (compare);

  if (n_columns == G_MAXUINT)
    {
      g_set_error (error, WP_ERROR, WP_ERROR_LIMIT, "more than %d columns cannot be compared",
                   WP_COMPARE_MAX_COLUMNS);
      return NULL;
    }
  for (guint column = 0; column < n_columns; column++)
    for (guint seed = 0; seed < n_seeds; seed++)
      {
        WpCompareRun *run = g_new0 (WpCompareRun, 1);

        g_ptr_array_add (runs, run);
        run->index = get_index (compare, column, seed);
        if (!fill_run (compare, runs, wp_compare_get_run (compare, runs, column), run, error)
            || (compare->prepare != NULL && !compare->prepare (compare->data, runs, run, error)))
          return NULL;
      }
  return g_steal_pointer (&runs);
}

/* ---- Simulating them ---- */

/* A run, for the thread that simulates it. */
typedef struct
{
  const WpCompare *compare;
  WpCompareRun *run;
} Turn;

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

static WpMetrics *
make_metrics (const WpCompareRun *run, const WpReport *report)
{
  WpMetrics *metrics = wp_metrics_new (report, run->lifetimes);

  metrics->label = g_strdup (run->label);
  metrics->occupancy = run->options.occupancy > 0 ? run->options.occupancy : -1;
  g_free (metrics->settings);
  metrics->settings = join_parameters (run->kernel);
  return metrics;
}

/* The run has ended. */
static void
look (const WpSimulation *simulation, gpointer data)
{
  const Turn *turn = data;
  WpCompareRun *run = turn->run;
  g_autoptr (WpReport) report
      = wp_report_new (simulation->kernel, simulation->gpu, simulation->resolved,
                       wp_simulation_get_result (simulation));

  wp_report_find_notes (report);
  report->policy = wp_policy_get_name (simulation->policy);
  run->metrics = make_metrics (run, report);
  if (turn->compare->look != NULL)
    turn->compare->look (turn->compare->data, run, report);
}

static void
fill_batch_run (WpBatchRun *batch_run, Turn *turn)
{
  const WpCompareRun *run = turn->run;

  *batch_run = (WpBatchRun){ .kernel = run->kernel,
                             .gpu = run->gpu,
                             .policy = run->policy,
                             .observers = { wp_lifetimes_get_observer (run->lifetimes) },
                             .options = run->options,
                             .look = look,
                             .data = turn };
  memcpy (batch_run->observers + 1, run->observers, run->n_observers * sizeof run->observers[0]);
}

static gboolean
simulate (const WpCompare *compare, const GPtrArray *runs, WpBatch *batch, GError **error)
{
  g_autofree WpBatchRun *list = g_new0 (WpBatchRun, runs->len);
  g_autofree Turn *turns = g_new0 (Turn, runs->len);

  for (guint i = 0; i < runs->len; i++)
    {
      turns[i] = (Turn){ compare, g_ptr_array_index (runs, i) };
      fill_batch_run (&list[i], &turns[i]);
    }
  if (wp_batch_run (batch, list, runs->len, error))
    return TRUE;
  /* Say which run it was: errors of other kinds name a file. */
  if (batch->failed >= 0 && g_error_matches (*error, WP_ERROR, WP_ERROR_FIT))
    g_prefix_error (error, "%s: ", turns[batch->failed].run->label);
  return FALSE;
}

WpComparison *
wp_compare_simulate (const WpCompare *compare, GPtrArray *runs, WpBatch *batch, GError **error)
{
  g_autoptr (WpComparison) comparison = wp_comparison_new ();

  if (!simulate (compare, runs, batch, error) || batch->interrupted != 0
      || !wp_compare_find_divergences (compare, runs, batch, comparison, error)
      || batch->interrupted != 0)
    return NULL;
  wp_compare_fill (compare, runs, comparison);
  return g_steal_pointer (&comparison);
}
