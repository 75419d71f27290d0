/* SPDX-License-Identifier: MIT */
/* The occupancies are found first, then the runs, which the caller makes together with those of
 * other tables; then the estimates. */
#include "run/model-table.h"

#include "run/base/ranges.h"
#include "run/simulate/find-bounds.h"

#include <math.h>

#define MAX_DEFAULT_POINTS 64
#define CHAIN 128 /* instructions of a warp of a kernel of single instructions */

/* ---- Which occupancies ---- */

/* How many warps an SM can have. */
typedef struct
{
  gint64 step;     /* warps per block */
  gint64 most;     /* warps, a multiple of step */
  gint64 usual;    /* the last occupancy, by default */
  gchar *why;      /* what limits it, or NULL */
  gboolean limits; /* it is a limit of the GPU */
} Room;

static void
room_clear (Room *room)
{
  g_free (room->why);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Room, room_clear)

static gboolean
has_programs_for_blocks (const IdgKernel *kernel)
{
  for (guint i = 0; i < kernel->programs->len; i++)
    if (((const IdgKernelProgram *)g_ptr_array_index (kernel->programs, i))->blocks != NULL)
      return TRUE;
  return FALSE;
}

static gchar *
join_limits (const WpOccupancy *occupancy)
{
  GString *names = g_string_new (NULL);

  for (guint i = 0; i < WP_N_LIMITS; i++)
    if (occupancy->by[i] == occupancy->blocks)
      g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "", wp_limit_get_name (i));
  return g_string_free (names, FALSE);
}

static gboolean
find_room (const WpModelTable *table, Room *room, GError **error)
{
  IdgLaunch launch = table->kernel->launch;
  WpOccupancy occupancy;
  gint64 of_sm;

  wp_run_options_override (&table->options, &launch);
  of_sm = (launch.blocks - 1) / table->gpu->sms + 1;
  if (!wp_occupancy_compute (table->gpu, &launch, 0, table->options.no_limits, &occupancy, error))
    {
      g_prefix_error (error, "%s: ", idg_kernel_get_file (table->kernel));
      return FALSE;
    }
  room->step = occupancy.warps_per_block;
  room->most = WP_MAX_RESIDENT_WARPS / room->step * room->step;
  room->usual = MAX (table->gpu->limits.warps, room->step);
  if (occupancy.blocks < room->most / room->step)
    {
      room->most = room->usual = occupancy.blocks * room->step;
      room->why = join_limits (&occupancy);
      room->limits = TRUE;
    }
  if (table->as_launched && of_sm < room->most / room->step)
    {
      room->most = of_sm * room->step;
      g_free (room->why);
      room->why = g_strdup ("the size of the grid");
      room->limits = FALSE;
    }
  room->usual = MIN (room->usual, room->most) / room->step * room->step;
  return TRUE;
}

/* The default occupancies: whole blocks; where they are many every second, third, ..., and the
 * last. */
static void
add_usual (GArray *warps, const Room *room)
{
  gint64 step = room->step * ((room->usual / room->step - 1) / MAX_DEFAULT_POINTS + 1);

  for (gint64 n = step; n < room->usual; n += step)
    g_array_append_val (warps, n);
  g_array_append_val (warps, room->usual);
}

/* " (in steps of 8, limited by warps)"; "" where there is nothing to say. Free with g_free(). */
static gchar *
describe_limits (const Room *room)
{
  g_autofree gchar *steps = room->step > 1 && room->step < room->most
                                ? g_strdup_printf ("in steps of %" G_GINT64_FORMAT, room->step)
                                : g_strdup ("");
  g_autofree gchar *limits
      = room->why != NULL ? g_strdup_printf ("limited by %s", room->why) : g_strdup ("");

  if (*steps == '\0' && *limits == '\0')
    return g_strdup ("");
  return g_strdup_printf (" (%s%s%s)", steps, *steps != '\0' && *limits != '\0' ? ", " : "",
                          limits);
}

static gboolean
fail_point (const WpModelTable *table, const Room *room, guint64 n, GError **error)
{
  g_autofree gchar *limits = describe_limits (room);
  g_autofree gchar *from = room->step < room->most
                               ? g_strdup_printf ("%" G_GINT64_FORMAT " to ", room->step)
                               : g_strdup ("");

  g_set_error (error, WP_ERROR, WP_ERROR_FIT,
               "occupancy %" G_GUINT64_FORMAT
               " cannot be reached: an SM of %s holds %s%" G_GINT64_FORMAT " warp%s of %s%s%s",
               n, table->gpu->name, from, room->most, room->most == 1 ? "" : "s",
               table->kernel->name, limits,
               room->limits && n > (guint64)room->most ? "; --no-limits lifts the GPU's limits"
                                                       : "");
  return FALSE;
}

/* Adds the occupancies of a range that can be reached. A single number must be one of them. */
static gboolean
add_range (WpModelTable *table, GArray *warps, const Room *room, const WpRange *range,
           GError **error)
{
  guint64 most = (guint64)room->most;

  if (!range->is_range && (range->first > most || range->first % (guint64)room->step != 0))
    return fail_point (table, room, range->first, error);
  for (guint64 n = range->first; n <= MIN (range->last, most); n += range->step)
    if (n % (guint64)room->step == 0)
      g_array_append_vals (warps, &(gint64){ (gint64)n }, 1);
  if (range->last > most && table->left_out == NULL)
    table->left_out = g_strdup_printf ("occupancies above %" G_GUINT64_FORMAT
                                       " are left out: no more warps are resident on an SM%s%s%s",
                                       most, room->why != NULL ? ", limited by " : "",
                                       room->why != NULL ? room->why : "",
                                       room->limits ? " (see --no-limits)" : "");
  return TRUE;
}

static gint
compare_numbers (gconstpointer a, gconstpointer b)
{
  gint64 x = *(const gint64 *)a, y = *(const gint64 *)b;

  return x < y ? -1 : x > y;
}

/* Sorts WARPS and moves them into TABLE, each once. */
static gboolean
take_points (WpModelTable *table, GArray *warps, GError **error)
{
  guint n = 0;

  g_array_sort (warps, compare_numbers);
  table->warps = g_new (gint64, warps->len);
  for (guint i = 0; i < warps->len; i++)
    if (n == 0 || g_array_index (warps, gint64, i) != table->warps[n - 1])
      table->warps[n++] = g_array_index (warps, gint64, i);
  table->n_points = n;
  if (n <= WP_MODEL_MAX_POINTS)
    return TRUE;
  g_set_error (error, WP_ERROR, WP_ERROR_LIMIT, "%u occupancies are too many; at most %u at a time",
               n, WP_MODEL_MAX_POINTS);
  return FALSE;
}

static gboolean
find_points (WpModelTable *table, const GArray *ranges, GError **error)
{
  g_auto (Room) room = { 0 };
  g_autoptr (GArray) warps = g_array_new (FALSE, FALSE, sizeof (gint64));

  if (!find_room (table, &room, error))
    return FALSE;
  table->warps_per_block = room.step;
  table->most = room.most;
  table->limiters = g_strdup (room.why);
  if (ranges == NULL)
    add_usual (warps, &room);
  for (guint i = 0; ranges != NULL && i < ranges->len; i++)
    if (!add_range (table, warps, &room, &g_array_index (ranges, WpRange, i), error))
      return FALSE;
  if (warps->len == 0)
    return fail_point (table, &room, g_array_index (ranges, WpRange, 0).first, error);
  return take_points (table, warps, error);
}

WpModelTable *
wp_model_table_new (IdgKernel *kernel, const WpGpu *gpu, const WpRunOptions *options,
                    const GArray *ranges, GError **error)
{
  WpModelTable *table = g_new0 (WpModelTable, 1);

  table->kernel = kernel;
  table->gpu = gpu;
  table->options = *options;
  table->as_launched = options->blocks >= 0 || has_programs_for_blocks (kernel);
  if (find_points (table, ranges, error))
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
  if (table->has_input)
    wp_model_input_clear (&table->input);
  wp_bounds_free (table->bounds);
  g_clear_pointer (&table->resolved, wp_resolved_free);
  for (guint i = 0; i < 2; i++)
    {
      g_clear_pointer (&table->chains[i], idg_kernel_free);
      g_free (table->measured[i]);
    }
  idg_kernel_free (table->kernel);
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

gboolean
wp_model_table_count (WpModelTable *table, const WpProgress *progress, guint64 max_steps,
                      gint *interrupted, GError **error)
{
  WpRunOptions options = get_options (table, table->warps[table->n_points - 1]);

  table->resolved = wp_resolve (table->kernel, table->gpu, &options, error);
  if (table->resolved == NULL)
    return FALSE;
  table->bounds = wp_find_bounds (table->kernel, &table->resolved->machine, progress, max_steps,
                                  interrupted, error);
  if (table->bounds == NULL)
    return *interrupted != 0;
  wp_model_input_init (&table->input, table->resolved, table->gpu, table->bounds);
  table->has_input = TRUE;
  table->instructions = table->input.instructions;
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
static void
add_chain (WpModelTable *table, guint kind, GArray *runs)
{
  const WpModelOp *op = wp_model_input_get_main_op (&table->input, kind == 1);

  if (op == NULL)
    return;
  table->chains[kind] = make_chain (op);
  table->chains[kind]->nearest_ops = table->kernel->nearest_ops;
  table->first_chain[kind] = runs->len;
  for (guint i = 0; i < table->n_points; i++)
    {
      WpBatchRun run
          = { .kernel = table->chains[kind], .gpu = table->gpu, .options = table->options };

      run.options.ideals = WP_IDEAL_BIT (WP_IDEAL_REPLACEMENT);
      run.options.no_limits = TRUE;
      run.options.threads = table->gpu->warp_size;
      run.options.registers = run.options.shared_memory = 0;
      run.options.occupancy = table->warps[i];
      run.options.blocks = WP_MODEL_GENERATIONS * table->warps[i] * table->gpu->sms;
      g_array_append_val (runs, run);
    }
}

void
wp_model_table_add_runs (WpModelTable *table, gboolean measured, GArray *runs)
{
  table->first_run = runs->len;
  for (guint i = 0; i < table->n_points; i++)
    {
      WpBatchRun run = { .kernel = table->kernel,
                         .gpu = table->gpu,
                         .options = get_options (table, table->warps[i]) };

      g_array_append_val (runs, run);
    }
  for (guint kind = 0; measured && kind < 2; kind++)
    add_chain (table, kind, runs);
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
      gdouble ipc
          = wp_batch_run_get_ipc (&g_array_index (runs, WpBatchRun, table->first_chain[kind] + i));

      for (gint64 n = from + 1; n <= to; n++)
        curve[n - 1] = isfinite (ipc)
                           ? before + (ipc - before) * (gdouble)(n - from) / (gdouble)(to - from)
                           : ipc;
      from = to;
      before = ipc;
    }
  table->measured[kind] = curve;
  table->input.n_measured = (guint)last;
}

gdouble
wp_model_table_get_ratio (const WpModelTable *table, const WpEstimates *estimates, guint point)
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
      gdouble ratio = wp_model_table_get_ratio (table, estimates, i);

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
      const gchar *why = wp_model_estimate (model, &table->input, (gdouble)table->warps[i], result);

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

void
wp_model_table_fill (WpModelTable *table, const GArray *runs, const WpModel *const *models,
                     guint n_models)
{
  for (guint i = 0; i < table->n_points; i++)
    table->simulated[i] = wp_batch_run_get_warp_throughput (
        &g_array_index (runs, WpBatchRun, table->first_run + i));
  for (guint kind = 0; kind < 2; kind++)
    if (table->chains[kind] != NULL)
      fill_measured (table, kind, runs);
  table->input.measured_alu = table->measured[0];
  table->input.measured_mem = table->measured[1];
  table->n_models = n_models;
  table->estimates = g_new0 (WpEstimates, n_models);
  for (guint i = 0; i < n_models; i++)
    ask (table, &table->estimates[i], models[i]);
}
