/* SPDX-License-Identifier: MIT */
/* A GPU as plain data. Each instruction of a kernel is looked up as written, with all the shorter
 * names that it may stand for, and a description may have tens of thousands of ops: hence the
 * index. Everything whose order matters is in arrays in file order. */
#include "sim/gpu/wp-gpu-private.h"

#include <string.h>

#include "idg/import/ops/idg-ops.h"
#include "idg/kernel/idg-suggest.h"
#include "idg/xml/idg-xml.h"

GQuark
wp_error_quark (void)
{
  return g_quark_from_static_string ("wp-error-quark");
}

void
wp_gpu_spread_free (WpGpuSpread *spread)
{
  if (!spread)
    return;
  g_free (spread->at);
  g_free (spread->add);
  g_free (spread);
}

static WpGpuSpread *
copy_spread (const WpGpuSpread *spread)
{
  WpGpuSpread *copy;

  if (!spread)
    return NULL;
  copy = g_new0 (WpGpuSpread, 1);
  copy->n = spread->n;
  copy->from = spread->from;
  copy->at = g_new (guint, spread->n);
  copy->add = g_new (WpCycles, spread->n);
  memcpy (copy->at, spread->at, spread->n * sizeof *spread->at);
  memcpy (copy->add, spread->add, spread->n * sizeof *spread->add);
  return copy;
}

static void
free_pipeline (gpointer data)
{
  WpGpuPipeline *pipeline = data;

  g_free (pipeline->name);
  g_free (pipeline);
}

void
wp_gpu_context_clear (WpGpuContext *context)
{
  g_free (context->name);
  wp_gpu_spread_free (context->spread);
  g_clear_pointer (&context->path, g_array_unref);
  g_clear_pointer (&context->completion_short, g_array_unref);
  memset (context, 0, sizeof *context);
}

static void
free_context (gpointer data)
{
  wp_gpu_context_clear (data);
  g_free (data);
}

static void
free_consumer (gpointer data)
{
  WpGpuConsumer *consumer = data;

  g_free (consumer->op);
  g_free (consumer);
}

static void
free_op (gpointer data)
{
  WpGpuOp *op = data;

  g_free (op->name);
  wp_gpu_spread_free (op->spread);
  g_clear_pointer (&op->path, g_array_unref);
  g_ptr_array_unref (op->contexts);
  g_ptr_array_unref (op->consumers);
  g_free (op);
}

static gpointer
copy_context (gconstpointer data)
{
  const WpGpuContext *context = data;
  WpGpuContext *copy = g_new (WpGpuContext, 1);

  *copy = *context;
  copy->name = g_strdup (context->name);
  copy->spread = copy_spread (context->spread);
  copy->path = context->path == NULL ? NULL : g_array_copy (context->path);
  copy->completion_short
      = context->completion_short == NULL ? NULL : g_array_copy (context->completion_short);
  return copy;
}

static gpointer
copy_consumer (gconstpointer data)
{
  const WpGpuConsumer *consumer = data;
  WpGpuConsumer *copy = g_new (WpGpuConsumer, 1);

  copy->op = g_strdup (consumer->op);
  copy->completion = consumer->completion;
  copy->from = consumer->from;
  return copy;
}

WpGpuOp *
wp_gpu_op_new (const gchar *name)
{
  WpGpuOp *op = g_new0 (WpGpuOp, 1);

  op->name = g_strdup (name);
  op->issue = op->completion = op->issue_min = wp_cycles_whole (0);
  op->slots = op->transactions = op->width_min = 1;
  op->contexts = g_ptr_array_new_with_free_func (free_context);
  op->consumers = g_ptr_array_new_with_free_func (free_consumer);
  return op;
}

static GPtrArray *
copy_array (const GPtrArray *array, gpointer (*copy) (gconstpointer), GDestroyNotify free_item)
{
  GPtrArray *result = g_ptr_array_new_full (array->len, free_item);

  for (guint i = 0; i < array->len; i++)
    g_ptr_array_add (result, copy (g_ptr_array_index (array, i)));
  return result;
}

void
wp_gpu_op_assign (WpGpuOp *op, const WpGpuOp *source)
{
  gchar *name = op->name;

  wp_gpu_spread_free (op->spread);
  g_clear_pointer (&op->path, g_array_unref);
  g_ptr_array_unref (op->contexts);
  g_ptr_array_unref (op->consumers);
  *op = *source;
  op->name = name;
  op->spread = copy_spread (source->spread);
  op->path = source->path == NULL ? NULL : g_array_copy (source->path);
  op->contexts = copy_array (source->contexts, copy_context, free_context);
  op->consumers = copy_array (source->consumers, copy_consumer, free_consumer);
}

WpGpu *
wp_gpu_new (void)
{
  WpGpu *gpu = g_new0 (WpGpu, 1);
  WpCycles zero = wp_cycles_whole (0);

  gpu->clock_mhz = gpu->pin_gbs = zero;
  gpu->contention_a = gpu->contention_b = gpu->contention_c = zero;
  gpu->launch_latency = gpu->barrier_latency = gpu->ilp_latency = zero;
  gpu->interval = wp_cycles_whole (1);
  gpu->sources = g_ptr_array_new_with_free_func (g_free);
  gpu->pipelines = g_ptr_array_new_with_free_func (free_pipeline);
  gpu->ops = g_ptr_array_new_with_free_func (free_op);
  return gpu;
}

void
wp_gpu_free (WpGpu *gpu)
{
  if (!gpu)
    return;
  g_free (gpu->name);
  g_free (gpu->title);
  g_free (gpu->generation);
  g_free (gpu->year);
  g_free (gpu->cc);
  g_free (gpu->file);
  g_ptr_array_unref (gpu->sources);
  g_ptr_array_unref (gpu->pipelines);
  if (gpu->ops_by_name) /* its keys belong to the ops */
    g_hash_table_unref (gpu->ops_by_name);
  g_ptr_array_unref (gpu->ops);
  g_clear_pointer (&gpu->oddities, g_ptr_array_unref);
  g_free (gpu);
}

void
wp_gpu_index_ops (WpGpu *gpu)
{
  g_assert (!gpu->ops_by_name);
  gpu->ops_by_name = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 0; i < gpu->ops->len; i++)
    {
      WpGpuOp *op = g_ptr_array_index (gpu->ops, i);

      g_hash_table_insert (gpu->ops_by_name, op->name, op);
    }
}

const WpGpuOp *
wp_gpu_get_op (const WpGpu *gpu, const gchar *name)
{
  g_return_val_if_fail (gpu != NULL && name != NULL, NULL);
  if (gpu->ops_by_name)
    return g_hash_table_lookup (gpu->ops_by_name, name);
  for (guint i = 0; i < gpu->ops->len; i++)
    {
      const WpGpuOp *op = g_ptr_array_index (gpu->ops, i);

      if (strcmp (op->name, name) == 0)
        return op;
    }
  return NULL;
}

/* Returns the op called NAME without as many of its last parts as it takes, or NULL. */
static const WpGpuOp *
find_shorter (const WpGpu *gpu, const gchar *name)
{
  g_autofree gchar *rest = g_strdup (name);
  const WpGpuOp *op;
  gchar *dot;

  while ((op = wp_gpu_get_op (gpu, rest)) == NULL && (dot = strrchr (rest, '.')) != NULL)
    *dot = '\0';
  return op;
}

const WpGpuOp *
wp_gpu_look_up_op (const WpGpu *gpu, const gchar *name)
{
  g_autofree gchar *canonical = NULL;
  const gchar *representative;
  const WpGpuOp *op, *other;

  g_return_val_if_fail (gpu != NULL && name != NULL, NULL);
  op = wp_gpu_get_op (gpu, name);
  representative = idg_ops_get_representative (name); /* membar has no suffix */
  if (op == NULL && strchr (name, '.') == NULL && representative != NULL)
    op = wp_gpu_get_op (gpu, representative);
  if (op != NULL || strchr (name, '.') == NULL)
    return op;
  canonical = idg_ops_canonize_ptx (name, NULL);
  representative = idg_ops_get_representative (canonical);
  op = wp_gpu_get_op (gpu, canonical);
  if (op == NULL && representative != NULL)
    op = wp_gpu_get_op (gpu, representative);
  if (op != NULL)
    return op;
  op = find_shorter (gpu, name);
  other = find_shorter (gpu, canonical);
  return op == NULL || (other != NULL && strlen (other->name) > strlen (op->name)) ? other : op;
}

gchar *
wp_gpu_suggest_ops (const WpGpu *gpu, const gchar *name)
{
  g_autofree const gchar **names = NULL;

  g_return_val_if_fail (gpu != NULL && name != NULL, NULL);
  names = g_new (const gchar *, gpu->ops->len + 1);
  for (guint i = 0; i < gpu->ops->len; i++)
    names[i] = ((const WpGpuOp *)g_ptr_array_index (gpu->ops, i))->name;
  return idg_suggest_nearest (name, names, gpu->ops->len);
}

static gboolean
is_wildcard (const WpGpuContext *context)
{
  return g_str_has_suffix (context->name, "-*");
}

guint
wp_gpu_context_count_stars (const WpGpuContext *context)
{
  guint n = 0;

  for (const gchar *c = context->name; *c != '\0'; c++)
    n += *c == '*';
  return n;
}

/* The numbers at the end of a context's name. */
typedef struct
{
  guint n;
  guint64 units[WP_MAX_STARS];
  guint64 waits; /* for what comes from this pipeline of the path, from 1 on; 0: for its own */
} Numbers;

/* Tells whether NAME matches a wildcard, with numbers in the place of its '*'; NUMBERS receives
 * them. */
static gboolean
match_wildcard (const WpGpuContext *context, const gchar *name, Numbers *numbers)
{
  gsize stem = strcspn (context->name, "*");
  g_auto (GStrv) words = NULL;

  numbers->n = wp_gpu_context_count_stars (context);
  numbers->waits = 0;
  if (strncmp (context->name, name, stem) != 0)
    return FALSE;
  words = g_strsplit (name + stem, "-", WP_MAX_STARS + 1);
  if (g_strv_length (words) == numbers->n + 1 && context->completion_short != NULL
      && idg_xml_parse_whole (words[numbers->n], context->path->len, &numbers->waits))
    g_clear_pointer (&words[numbers->n], g_free);
  if (g_strv_length (words) != numbers->n)
    return FALSE;
  for (guint i = 0; i < numbers->n; i++)
    if (!idg_xml_parse_whole (words[i], G_MAXUINT64, &numbers->units[i]))
      return FALSE;
  return TRUE;
}

static const WpGpuContext *
find_exact_context (const WpGpuOp *op, const gchar *name)
{
  for (guint i = 0; i < op->contexts->len; i++)
    {
      const WpGpuContext *context = g_ptr_array_index (op->contexts, i);

      if (strcmp (context->name, name) == 0 && !is_wildcard (context))
        return context;
    }
  return NULL;
}

/* Returns "conflict-1" for "conflict-0", as 0 counts as 1; NULL for any other NAME. Free with
 * g_free(). */
static gchar *
name_of_one (const gchar *name)
{
  const gchar *dash = strrchr (name, '-');
  guint64 number;

  if (!dash || dash == name || !idg_xml_parse_whole (dash + 1, G_MAXUINT64, &number) || number > 0)
    return NULL;
  return g_strdup_printf ("%.*s-1", (int)(dash - name), name);
}

/* Returns the context called NAME, or NULL. Of several wildcards that match, which have different
 * numbers of stars, the one with the fewest. */
static const WpGpuContext *
find_context (const WpGpuOp *op, const gchar *name, Numbers *numbers)
{
  g_autofree gchar *one = name_of_one (name);
  const WpGpuContext *found = find_exact_context (op, name);

  *numbers = (Numbers){ 0, { 1, 1, 1, 1 }, 0 };
  if (!found && one)
    found = find_exact_context (op, one);
  if (found)
    return found;
  for (guint i = 0; i < op->contexts->len; i++)
    {
      const WpGpuContext *context = g_ptr_array_index (op->contexts, i);
      Numbers here;

      if (is_wildcard (context) && match_wildcard (context, name, &here)
          && (!found || here.n < numbers->n))
        {
          found = context;
          *numbers = here;
        }
    }
  return found;
}

static gboolean
fail_unknown_context (const WpGpuOp *op, const gchar *name, GError **error)
{
  g_autofree gchar *quoted_op = idg_xml_quote (op->name);
  g_autofree gchar *quoted = idg_xml_quote (name);
  g_autofree gchar *nearest = NULL;
  GPtrArray *names = g_ptr_array_new ();

  for (guint i = 0; i < op->contexts->len; i++)
    g_ptr_array_add (names, ((WpGpuContext *)g_ptr_array_index (op->contexts, i))->name);
  nearest = idg_suggest_nearest (name, (const gchar *const *)names->pdata, names->len);
  if (names->len == 0)
    g_set_error (error, WP_ERROR, WP_ERROR_VALUE, "op %s has no context %s; it has none at all",
                 quoted_op, quoted);
  else
    g_set_error (error, WP_ERROR, WP_ERROR_VALUE, "op %s has no context %s; %s %s", quoted_op,
                 quoted, names->len > 3 ? "the nearest are" : "it has", nearest);
  g_ptr_array_unref (names);
  return FALSE;
}

static gboolean G_GNUC_PRINTF (4, 5)
    fail_limit (const WpGpuOp *op, const gchar *context, GError **error, const gchar *format, ...)
{
  g_autofree gchar *quoted_op = idg_xml_quote (op->name);
  g_autofree gchar *quoted = idg_xml_quote (context);
  g_autofree gchar *message = NULL;
  va_list args;

  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);
  g_set_error (error, WP_ERROR, WP_ERROR_LIMIT, "op %s in context %s: %s", quoted_op, quoted,
               message);
  return FALSE;
}

static void
apply_context (WpGpuCost *cost, const WpGpuContext *context)
{
  if (context->has_issue)
    cost->issue = context->issue;
  if (context->has_completion)
    cost->completion = context->completion;
  if (context->has_flops)
    cost->flops = context->flops;
  if (context->has_bytes)
    cost->bytes = context->bytes;
  if (context->has_slots)
    cost->slots = context->slots;
  if (context->has_transactions)
    cost->transactions = context->transactions;
  if (context->has_posted)
    cost->posted = context->posted;
  if (context->spread)
    cost->spread = context->spread;
  if (context->has_completion || context->has_completion_each)
    cost->consumers = FALSE;
}

/* The number that the I-th pipeline of the path of a context with NUMBERS goes by, from 0 on: its
 * own behind the context's, or the only one; 1 where it has none. */
static guint64
get_number (const Numbers *numbers, guint i)
{
  if (numbers->n == 1)
    return MAX (numbers->units[0], 1);
  return i + 1 < numbers->n ? numbers->units[i + 1] : 1;
}

/* Appends to COST what THEN costs with UNITS, of an instruction of TRANSACTIONS. */
static gboolean
add_pass (WpGpuCost *cost, const WpGpuOp *op, const gchar *name, const WpGpuThen *then,
          guint64 units, GError **error)
{
  WpGpuPass *pass = &cost->passes[cost->n_passes++];
  guint64 times = units - 1;

  *pass = (WpGpuPass){ then->pipeline, then->issue,
                       then->has_transactions ? then->transactions : cost->transactions };
  if (!wp_cycles_add_times (then->issue, then->issue_each, times, &pass->issue)
      || !wp_cycles_add_times (cost->completion, then->completion_each, times, &cost->completion))
    return fail_limit (op, name, error, "a time does not fit in 63 bits");
  if (pass->transactions + then->transactions_each * times > WP_MAX_TRANSACTIONS)
    return fail_limit (op, name, error, "it makes more than %d transactions", WP_MAX_TRANSACTIONS);
  pass->transactions += (guint32)(then->transactions_each * times);
  cost->bytes += then->bytes + then->bytes_each * times;
  return TRUE;
}

/* Where the numbers of a context that has several leave out the last ones of its path, the
 * completion of the deepest pipeline that is left, or that it waits for, without a spread. */
static void
shorten (WpGpuCost *cost, const WpGpuContext *context, const Numbers *numbers)
{
  guint deepest = 0; /* from 1 on; 0: the op's own pipeline */

  if (context->path == NULL || context->completion_short == NULL || numbers->n < 2)
    return;
  for (guint i = 0; i < context->path->len; i++)
    if (get_number (numbers, i) > 0)
      deepest = i + 1;
  deepest = MAX (deepest, (guint)numbers->waits);
  if (deepest == context->path->len)
    return;
  cost->completion = g_array_index (context->completion_short, WpCycles, deepest);
  cost->spread = NULL; /* how far the latencies of the whole path spread */
}

/* Sets the path of COST: that of CONTEXT (may be NULL), or else OP's. A number of 0 of a context
 * that has several leaves its pipeline out. */
static gboolean
add_path (WpGpuCost *cost, const WpGpuOp *op, const WpGpuContext *context, const Numbers *numbers,
          GError **error)
{
  const gchar *name = context != NULL ? context->name : "none";
  const GArray *path = context != NULL && context->path != NULL ? context->path : op->path;
  gboolean own = context != NULL && context->path != NULL;

  for (guint i = 0; path != NULL && i < path->len; i++)
    {
      guint64 units = own ? get_number (numbers, i) : 1;

      if (units > 0
          && !add_pass (cost, op, name, &g_array_index (path, WpGpuThen, i), units, error))
        return FALSE;
    }
  return TRUE;
}

/* Adds to COST what each unit above the first costs. No product overflows, because each factor is
 * limited when it is read. */
static gboolean
add_units (WpGpuCost *cost, const WpGpuOp *op, const WpGpuContext *context, const gchar *name,
           const Numbers *numbers, GError **error)
{
  guint64 times = numbers->units[0] > 0 ? numbers->units[0] - 1 : 0; /* 0 counts as 1 */

  for (guint i = 0; i < numbers->n; i++)
    if (numbers->units[i] > WP_MAX_UNITS)
      return fail_limit (op, name, error, "its number%s must be at most %d",
                         numbers->n > 1 ? "s" : "", WP_MAX_UNITS);
  if ((context->has_issue_each
       && !wp_cycles_add_times (cost->issue, context->issue_each, times, &cost->issue))
      || (context->has_completion_each
          && !wp_cycles_add_times (cost->completion, context->completion_each, times,
                                   &cost->completion)))
    return fail_limit (op, name, error, "a time does not fit in 63 bits");
  cost->bytes += context->bytes_each * times;
  cost->flops += context->flops_each * times;
  if (cost->transactions + context->transactions_each * times > WP_MAX_TRANSACTIONS)
    return fail_limit (op, name, error, "it makes more than %d transactions", WP_MAX_TRANSACTIONS);
  cost->transactions += (guint32)(context->transactions_each * times);
  return TRUE;
}

static guint64
scale_up (guint64 value, guint64 num, guint64 den)
{
  return (value * num + den - 1) / den;
}

/* Makes COST, which is that of OP in CONTEXT (may be NULL), that of BYTES a thread. */
static gboolean
scale_to (WpGpuCost *cost, const WpGpuOp *op, const WpGpuContext *context, guint32 bytes,
          GError **error)
{
  guint32 width = context != NULL && context->width != 0 ? context->width : op->width;
  guint32 least = context != NULL && context->width_min != 0 ? context->width_min : op->width_min;
  const gchar *name = context != NULL ? context->name : "none";
  guint32 moved = MAX (bytes, MIN (least, width));

  if (width == 0 || width == WP_WIDTH_ANY || bytes == 0 || bytes == width)
    return TRUE;
  if (bytes > WP_MAX_WIDTH)
    return fail_limit (op, name, error, "%u bytes a thread; at most %d", bytes, WP_MAX_WIDTH);
  if (!wp_cycles_scale (cost->issue, MAX (bytes, least), MAX (width, least), &cost->issue))
    return fail_limit (op, name, error, "a time does not fit in 63 bits");
  cost->bytes = scale_up (cost->bytes, moved, width);
  if (scale_up (cost->transactions, moved, width) > WP_MAX_TRANSACTIONS)
    return fail_limit (op, name, error, "it makes more than %d transactions", WP_MAX_TRANSACTIONS);
  cost->transactions = (guint32)scale_up (cost->transactions, moved, width);
  for (guint i = 0; i < cost->n_passes; i++)
    {
      WpGpuPass *pass = &cost->passes[i];

      if (!wp_cycles_scale (pass->issue, MAX (bytes, least), MAX (width, least), &pass->issue))
        return fail_limit (op, name, error, "a time does not fit in 63 bits");
      if (scale_up (pass->transactions, moved, width) > WP_MAX_TRANSACTIONS)
        return fail_limit (op, name, error, "it makes more than %d transactions",
                           WP_MAX_TRANSACTIONS);
      pass->transactions = (guint32)scale_up (pass->transactions, moved, width);
    }
  return TRUE;
}

/* Raises the issue time of COST, which is that of OP in CONTEXT (may be NULL), to its least. */
static void
hold_to_least (WpGpuCost *cost, const WpGpuOp *op, const WpGpuContext *context)
{
  WpCycles least = context != NULL && context->has_issue_min ? context->issue_min : op->issue_min;

  if (wp_cycles_compare (cost->issue, least) < 0)
    cost->issue = least;
}

/* The cost of OP in CONTEXT (may be NULL), whose name, NAME, has NUMBERS. */
static gboolean
find_cost (const WpGpuOp *op, const WpGpuContext *context, const gchar *name,
           const Numbers *numbers, guint32 bytes, WpGpuCost *cost, GError **error)
{
  if (context != NULL)
    {
      apply_context (cost, context);
      shorten (cost, context, numbers);
      if (!add_units (cost, op, context, name, numbers, error))
        return FALSE;
    }
  if (!add_path (cost, op, context, numbers, error) || !scale_to (cost, op, context, bytes, error))
    return FALSE;
  hold_to_least (cost, op, context);
  return TRUE;
}

gboolean
wp_gpu_op_has_context (const WpGpuOp *op, const gchar *context)
{
  Numbers numbers;

  g_return_val_if_fail (op != NULL && context != NULL, FALSE);
  return find_context (op, context, &numbers) != NULL;
}

gboolean
wp_gpu_op_cost (const WpGpuOp *op, const gchar *context, WpGpuCost *cost, GError **error)
{
  return wp_gpu_op_cost_of (op, context, 0, cost, error);
}

gboolean
wp_gpu_op_cost_of (const WpGpuOp *op, const gchar *context, guint32 bytes, WpGpuCost *cost,
                   GError **error)
{
  const WpGpuContext *found;
  Numbers numbers;

  g_return_val_if_fail (op != NULL && cost != NULL, FALSE);
  *cost = (WpGpuCost){ .issue = op->issue,
                       .completion = op->completion,
                       .flops = op->flops,
                       .bytes = op->bytes,
                       .slots = op->slots,
                       .transactions = op->transactions,
                       .posted = op->posted,
                       .spread = op->spread,
                       .consumers = TRUE };
  if (!context)
    return find_cost (op, NULL, NULL, NULL, bytes, cost, error);
  found = find_context (op, context, &numbers);
  if (!found) /* the nearest names are searched for only where somebody reads them */
    return error != NULL && fail_unknown_context (op, context, error);
  return find_cost (op, found, context, &numbers, bytes, cost, error);
}
