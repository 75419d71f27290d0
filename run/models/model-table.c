/* SPDX-License-Identifier: MIT */
/* The occupancies are found first, then the runs, which the caller makes together with those of
 * other tables; then the estimates. */
#include "run/models/model-table-private.h"

#include "run/simulate/find-bounds.h"

#include <math.h>
#include <string.h>

#define CHAIN 128 /* instructions of a warp of a kernel of single instructions */

/* What there is between the steps of making a table. */
struct WpModelTableWork
{
  WpBounds *bounds; /* NULL: there is no input yet */
  WpModelInput input;
  IdgKernel *chains[2]; /* of the main arithmetic and memory instruction */
  guint first_run;      /* in the list of runs */
  guint *chain_runs[2]; /* [n_points]: in that list, too; NULL: there is no such instruction */
  gdouble *measured[2];
};

static void
work_free (WpModelTableWork *work)
{
  if (work->bounds != NULL)
    wp_model_input_clear (&work->input);
  wp_bounds_free (work->bounds);
  for (guint i = 0; i < 2; i++)
    {
      g_clear_pointer (&work->chains[i], idg_kernel_free);
      g_free (work->chain_runs[i]);
      g_free (work->measured[i]);
    }
  g_free (work);
}

/* ---- The table ---- */

static gboolean
has_programs_for_blocks (const IdgKernel *kernel)
{
  for (guint i = 0; i < kernel->programs->len; i++)
    if (((const IdgKernelProgram *)g_ptr_array_index (kernel->programs, i))->blocks != NULL)
      return TRUE;
  return FALSE;
}

WpModelTable *
wp_model_table_new (const IdgKernel *kernel, const WpGpu *gpu, const WpRunOptions *options,
                    const GArray *ranges, GError **error)
{
  WpModelTable *table = g_new0 (WpModelTable, 1);

  table->work = g_new0 (WpModelTableWork, 1);
  table->kernel = kernel;
  table->gpu = gpu;
  table->options = *options;
  table->as_launched
      = options->blocks >= 0 || kernel->fixed_blocks || has_programs_for_blocks (kernel);
  if (wp_model_table_find_points (table, ranges, error))
    {
      table->simulated = g_new0 (gdouble, table->n_points);
      return table;
    }
  wp_model_table_free (table);
  return NULL;
}

void
wp_model_table_free (WpModelTable *table)
{
  if (table == NULL)
    return;
  for (guint i = 0; i < table->n_models; i++)
    g_free (table->estimates[i].results);
  g_free (table->estimates);
  work_free (table->work);
  g_clear_pointer (&table->resolved, wp_resolved_free);
  g_free (table->warps);
  g_free (table->simulated);
  g_free (table->left_out);
  g_free (table->limiters);
  g_free (table->value);
  g_free (table);
}

/* ---- Runs ---- */

/* The options of a run with WARPS resident. */
static WpRunOptions
get_options (const WpModelTable *table, gint64 warps)
{
  WpRunOptions options = table->options;

  options.occupancy = warps;
  if (!table->as_launched)
    options.blocks = WP_MODEL_GENERATIONS * (warps / table->warps_per_block) * table->gpu->sms;
  return options;
}

/* Counts what the models need (instructions, bounds). FALSE with ERROR. */
static gboolean
count (WpModelTable *table, WpBatch *batch, GError **error)
{
  WpRunOptions options = get_options (table, table->warps[table->n_points - 1]);

  table->resolved = wp_resolve (table->kernel, table->gpu, &options, error);
  if (table->resolved == NULL)
    return FALSE;
  table->work->bounds = wp_find_bounds (table->kernel, &table->resolved->machine, batch->progress,
                                        batch->max_issues, &batch->interrupted, error);
  if (table->work->bounds == NULL)
    return batch->interrupted != 0;
  wp_model_input_init (&table->work->input, table->resolved, table->gpu, table->work->bounds);
  table->instructions = table->work->input.instructions;
  return TRUE;
}

/* A kernel of copies of one instruction, each dependent on the one before. */
static IdgKernel *
make_chain (const WpModelOp *op)
{
  IdgKernel *kernel = idg_kernel_new (op->name);
  IdgProgram *program = idg_program_new ();
  uint32_t index;

  if (program == NULL || idg_program_begin_repeat (program, CHAIN, 0, NULL) != IDG_OK
      || idg_program_add_instruction (program, op->name, op->context, NULL, NULL, 0, &index)
             != IDG_OK
      || idg_program_add_dependence (program, index, index) != IDG_OK
      || idg_program_end_repeat (program) != IDG_OK)
    g_error ("out of memory");
  idg_kernel_add_program (kernel, program, NULL, NULL, NULL, 0);
  return kernel;
}

/* Blocks have one warp, so that nothing but the number of warps matters. */
static WpBatchRun
make_chain_run (const WpModelTable *table, const IdgKernel *chain, gint64 warps)
{
  WpBatchRun run = { .kernel = chain, .gpu = table->gpu, .options = table->options };

  run.options.ideals = WP_IDEAL_BIT (WP_IDEAL_REPLACEMENT);
  run.options.no_limits = TRUE;
  run.options.threads = table->gpu->warp_size;
  run.options.registers = run.options.shared_memory = 0;
  run.options.occupancy = warps;
  run.options.blocks = WP_MODEL_GENERATIONS * warps * table->gpu->sms;
  run.work = CHAIN * (gdouble)warps;
  return run;
}

/* All that tells RUN, of a chain of OP, from those of other chains: what make_chain() and
 * make_chain_run() take. Free with g_free(). */
static gchar *
describe_chain_run (const WpBatchRun *run, const WpModelOp *op)
{
  const WpRunOptions *options = &run->options;

  /* Names and contexts may be anything. The shapes of blocks and grids are of imports alone. */
  return g_strdup_printf ("%p %d %" G_GINT64_FORMAT " %" G_GINT64_FORMAT " %" G_GINT64_FORMAT
                          " %d %d %d %d %" G_GUINT64_FORMAT " %u %" G_GSIZE_FORMAT " %s %s",
                          (gconstpointer)run->gpu, run->kernel->nearest_ops, options->occupancy,
                          options->blocks, options->sms, options->sms_said, options->has_order,
                          (int)options->order, wp_run_options_contend (options, run->kernel),
                          options->seed, options->active_set, strlen (op->name), op->name,
                          op->context != NULL ? op->context : "");
}

/* KNOWN: places of the chains' runs in RUNS, by describe_chain_run(): tables of one kernel with
 * other parameters have the same chains. */
static void
add_chain (WpModelTable *table, guint kind, GArray *runs, GHashTable *known)
{
  const WpModelOp *op = wp_model_input_get_main_op (&table->work->input, kind == 1);

  if (op == NULL)
    return;
  table->work->chains[kind] = make_chain (op);
  table->work->chains[kind]->nearest_ops = table->kernel->nearest_ops;
  table->work->chains[kind]->contended = table->kernel->contended;
  table->work->chain_runs[kind] = g_new (guint, table->n_points);
  for (guint i = 0; i < table->n_points; i++)
    {
      WpBatchRun run = make_chain_run (table, table->work->chains[kind], table->warps[i]);
      g_autofree gchar *text = describe_chain_run (&run, op);
      gpointer place;

      if (!g_hash_table_lookup_extended (known, text, NULL, &place))
        {
          place = GUINT_TO_POINTER (runs->len);
          g_hash_table_insert (known, g_steal_pointer (&text), place);
          g_array_append_val (runs, run);
        }
      table->work->chain_runs[kind][i] = GPOINTER_TO_UINT (place);
    }
}

/* Appends the simulations that TABLE needs to RUNS (of WpBatchRun). MEASURED: with those of single
 * instructions, of which KNOWN are there already. */
static void
add_runs (WpModelTable *table, gboolean measured, GArray *runs, GHashTable *known)
{
  table->work->first_run = runs->len;
  for (guint i = 0; i < table->n_points; i++)
    {
      WpBatchRun run = { .kernel = table->kernel,
                         .gpu = table->gpu,
                         .options = get_options (table, table->warps[i]) };

      run.work = table->instructions * (gdouble)table->warps[i];
      g_array_append_val (runs, run);
    }
  for (guint kind = 0; measured && kind < 2; kind++)
    add_chain (table, kind, runs, known);
}

/* ---- Estimates ---- */

/* The curve over 1 .. the most warps, linear between the points. */
static void
fill_measured (WpModelTable *table, guint kind, const GArray *runs)
{
  gint64 last = table->warps[table->n_points - 1];
  gdouble *curve = g_new0 (gdouble, (gsize)last);
  gint64 from = 0;
  gdouble before = 0;

  for (guint i = 0; i < table->n_points; i++)
    {
      gint64 to = table->warps[i];
      gdouble ipc = wp_batch_run_get_ipc (
          &g_array_index (runs, WpBatchRun, table->work->chain_runs[kind][i]));

      for (gint64 n = from + 1; n <= to; n++)
        curve[n - 1] = isfinite (ipc)
                           ? before + (ipc - before) * (gdouble)(n - from) / (gdouble)(to - from)
                           : ipc;
      from = to;
      before = ipc;
    }
  table->work->measured[kind] = curve;
  table->work->input.n_measured = (guint)last;
}

/* Estimate / simulated at POINT; NAN where there is none. */
static gdouble
get_ratio (const WpModelTable *table, const WpEstimates *estimates, guint point)
{
  gdouble ratio = estimates->results[point].throughput / table->simulated[point];

  return isfinite (table->simulated[point]) && table->simulated[point] > 0 ? ratio : NAN;
}

/* Differences within rounding errors do not count: of equal ratios the first is named. */
static gboolean
is_clearly_less (gdouble a, gdouble b)
{
  return a < b && !(b - a <= 1e-9 * fabs (b));
}

static void
find_extremes (const WpModelTable *table, WpEstimates *estimates)
{
  estimates->smallest = estimates->largest = NAN;
  for (guint i = 0; i < table->n_points; i++)
    {
      gdouble ratio = get_ratio (table, estimates, i);

      if (isnan (ratio))
        continue;
      if (isnan (estimates->smallest) || is_clearly_less (ratio, estimates->smallest))
        {
          estimates->smallest = ratio;
          estimates->smallest_at = i;
        }
      if (isnan (estimates->largest) || is_clearly_less (estimates->largest, ratio))
        {
          estimates->largest = ratio;
          estimates->largest_at = i;
        }
    }
}

static void
ask (const WpModelTable *table, WpEstimates *estimates, const WpModel *model)
{
  gboolean applies = FALSE;

  estimates->model = model;
  estimates->results = g_new0 (WpModelResult, table->n_points);
  for (guint i = 0; i < table->n_points; i++)
    {
      WpModelResult *result = &estimates->results[i];
      const gchar *why
          = wp_model_estimate (model, &table->work->input, (gdouble)table->warps[i], result);

      applies |= why == NULL;
      if (why != NULL)
        *result = (WpModelResult){ .throughput = NAN, .needed = NAN };
      if (estimates->why == NULL)
        estimates->why = why;
    }
  if (applies)
    estimates->why = NULL;
  find_extremes (table, estimates);
}

/* Fills in the throughput of RUNS, which have ended, and the estimates of MODELS. */
static void
fill (WpModelTable *table, const GArray *runs, const GPtrArray *models)
{
  for (guint i = 0; i < table->n_points; i++)
    table->simulated[i] = wp_batch_run_get_warp_throughput (
        &g_array_index (runs, WpBatchRun, table->work->first_run + i));
  for (guint kind = 0; kind < 2; kind++)
    if (table->work->chains[kind] != NULL)
      fill_measured (table, kind, runs);
  table->work->input.measured_alu = table->work->measured[0];
  table->work->input.measured_mem = table->work->measured[1];
  table->n_models = models->len;
  table->estimates = g_new0 (WpEstimates, models->len);
  for (guint i = 0; i < models->len; i++)
    ask (table, &table->estimates[i], g_ptr_array_index (models, i));
}

/* ---- Tables ---- */

static gboolean
wants_measured (const GPtrArray *models)
{
  for (guint i = 0; i < models->len; i++)
    if (((const WpModel *)g_ptr_array_index (models, i))->wants_measured)
      return TRUE;
  return FALSE;
}

gboolean
wp_model_tables_fill (const GPtrArray *tables, const GPtrArray *models, WpBatch *batch,
                      GError **error)
{
  g_autoptr (GArray) runs = g_array_new (FALSE, TRUE, sizeof (WpBatchRun));
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < tables->len; i++)
    {
      if (!count (g_ptr_array_index (tables, i), batch, error))
        return FALSE;
      if (batch->interrupted != 0)
        return TRUE;
      add_runs (g_ptr_array_index (tables, i), wants_measured (models), runs, known);
    }
  if (!wp_batch_run (batch, (WpBatchRun *)runs->data, runs->len, error))
    return FALSE;
  for (guint i = 0; batch->interrupted == 0 && i < tables->len; i++)
    fill (g_ptr_array_index (tables, i), runs, models);
  return TRUE;
}
