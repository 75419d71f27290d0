/* SPDX-License-Identifier: MIT */
/* Finds replacements. This is separate from wp_resolve(), which may be called for each row of a
 * table, because replacements depend only on kernel and GPU and should be reported once. */
#include "sim/gpu/wp-nearest.h"

#include "idg/import/ops/idg-ops.h"
#include "idg/kernel/idg-mix.h"

#include <string.h>

WpMatch
wp_nearest_match (const WpGpu *gpu, const gchar *name)
{
  const WpGpuOp *op = wp_gpu_look_up_op (gpu, name);

  for (const gchar *const *near = idg_ops_get_nearest (name); op == NULL && *near != NULL; near++)
    op = wp_gpu_look_up_op (gpu, *near);
  if (op == NULL && idg_ops_may_take_a_slot (name))
    return (WpMatch){ .op = wp_gpu_look_up_op (gpu, "nop"), .loss = WP_LOSS_ALL };
  return wp_match_with (op, name);
}

gboolean
wp_nearest_has_none (const WpGpu *gpu, const gchar *name)
{
  WpMatch match = wp_nearest_match (gpu, name);

  return idg_ops_is_own_kind (name) && (match.op == NULL || match.loss == WP_LOSS_ALL);
}

const gchar *
wp_nearest_get_context (const WpGpuOp *op, const gchar *context)
{
  return context != NULL && wp_gpu_op_has_context (op, context) ? context : NULL;
}

/* ---- All of a kernel ---- */

/* What an op runs as. */
typedef struct
{
  WpMatch match;
  gboolean is_there;    /* else it is the nearest */
  GHashTable *contexts; /* by their names -> KnownContext */
} Known;

/* What an op does in a context: looking one up takes longer than all else. */
typedef struct
{
  gboolean is_dropped;
  gdouble issue; /* cycles; 0: the op has no such context, which wp_resolve() refuses */
} KnownContext;

typedef struct
{
  const WpGpu *gpu;
  gboolean nearest;   /* whether the kernel allows another op, and no context */
  GPtrArray *found;   /* of WpReplacement */
  GHashTable *by_key; /* "op\ncontext" -> WpReplacement */
  GHashTable *known;  /* op -> Known */
  gdouble total;      /* how many instructions are executed */
  gdouble *busy;      /* cycles for which each pipeline is kept */
} Search;

static void
replacement_free (gpointer data)
{
  WpReplacement *replacement = data;

  g_free (replacement->context);
  g_free (replacement);
}

static void
known_free (gpointer data)
{
  Known *known = data;

  g_hash_table_unref (known->contexts);
  g_free (known);
}

/* Returns "sectors-*" for "sectors-8". Free with g_free(). */
static gchar *
get_stem (const gchar *context)
{
  gsize n = strlen (context), end = n;

  while (end > 0 && g_ascii_isdigit (context[end - 1]))
    end--;
  return end < n && end > 1 && context[end - 1] == '-'
             ? g_strdup_printf ("%.*s*", (int)end, context)
             : g_strdup (context);
}

/* Instructions of the kernel, or those of one kind at one place. */
typedef struct
{
  const IdgNode *node;
  const WpGpuOp *runs_as;
  gdouble times, cycles; /* how often they execute, and how long they keep their pipeline */
} Executed;

/* Records one replacement, and takes ownership of CONTEXT. */
static void
note (Search *search, WpReplaced what, const Executed *executed, gchar *context)
{
  const IdgNode *node = executed->node;
  g_autofree gchar *key = g_strconcat (node->op, "\n", context, NULL);
  WpReplacement *replacement = g_hash_table_lookup (search->by_key, key);

  if (replacement == NULL)
    {
      replacement = g_new0 (WpReplacement, 1);
      replacement->what = what;
      replacement->line = node->line;
      replacement->op = node->op;
      replacement->runs_as = executed->runs_as;
      replacement->context = g_steal_pointer (&context);
      g_ptr_array_add (search->found, replacement);
      g_hash_table_insert (search->by_key, g_steal_pointer (&key), replacement);
    }
  replacement->n++;
  replacement->share += executed->times;
  replacement->use += executed->cycles;
  g_free (context);
}

static const Known *
look_up (Search *search, const gchar *op)
{
  Known *known = g_hash_table_lookup (search->known, op);

  if (known != NULL)
    return known;
  known = g_new0 (Known, 1);
  known->contexts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  /* What cannot be right is for wp_resolve() to refuse. */
  if (search->nearest || wp_match_check_name (search->gpu, op, NULL))
    known->match = wp_match_find (search->gpu, op);
  known->is_there = known->match.op != NULL;
  if (!known->is_there && search->nearest)
    known->match = wp_nearest_match (search->gpu, op);
  g_hash_table_insert (search->known, (gpointer)op, known);
  return known;
}

/* What KNOWN says of an op, apart from its context. */
static gboolean
is_replaced (const Known *known, WpReplaced *what)
{
  if (known->match.loss == WP_LOSS_ALL)
    *what = WP_REPLACED_FIGURES;
  else if (!known->is_there)
    *what = WP_REPLACED_OP;
  else
    *what = known->match.loss == WP_LOSS_BYTES ? WP_REPLACED_BYTES : WP_REPLACED_TYPE;
  return !known->is_there || known->match.loss != WP_LOSS_NONE;
}

/* CONTEXT may be NULL: in none. */
static const KnownContext *
look_up_context (const Search *search, const Known *known, const gchar *context)
{
  const gchar *name = context != NULL ? context : "", *kept;
  KnownContext *found = g_hash_table_lookup (known->contexts, name);
  WpGpuCost cost;

  if (found != NULL)
    return found;
  kept = search->nearest ? wp_nearest_get_context (known->match.op, context) : context;
  found = g_new0 (KnownContext, 1);
  found->is_dropped = kept != context && known->match.loss != WP_LOSS_ALL;
  if (wp_gpu_op_cost_of (known->match.op, kept, known->match.bytes, &cost, NULL))
    found->issue = wp_cycles_to_double (cost.issue);
  g_hash_table_insert (known->contexts, g_strdup (name), found);
  return found;
}

/* NODE, which runs as KNOWN says, executes TIMES times in CONTEXT. Records that the context is
 * dropped; returns how long the pipeline is kept. */
static gdouble
look_at_context (Search *search, const IdgNode *node, const Known *known, const gchar *context,
                 gdouble times)
{
  const KnownContext *found = look_up_context (search, known, context);
  const Executed executed = { node, known->match.op, times, times * found->issue };

  if (found->is_dropped)
    note (search, WP_REPLACED_CONTEXT, &executed, get_stem (context));
  return executed.cycles;
}

/* The same in NODE's context; where that is a mix, in each of them, by weight. */
static gdouble
look_at_contexts (Search *search, const IdgNode *node, const Known *known, gdouble times)
{
  g_autoptr (GArray) parts
      = idg_mix_is_one (node->context) ? idg_mix_parse (node->context, NULL) : NULL;
  gdouble total = 0, cycles = 0;

  if (parts == NULL)
    return look_at_context (search, node, known, node->context, times);
  for (guint i = 0; i < parts->len; i++)
    total += g_array_index (parts, IdgMixPart, i).weight;
  for (guint i = 0; i < parts->len; i++)
    {
      const IdgMixPart *part = &g_array_index (parts, IdgMixPart, i);

      cycles += look_at_context (search, node, known, part->name, times * part->weight / total);
    }
  return cycles;
}

/* NODE executes TIMES times. */
static void
look_at (Search *search, const IdgNode *node, gdouble times)
{
  const Known *known = look_up (search, node->op);
  const WpMatch *match = &known->match;
  Executed executed = { node, match->op, times, 0 };
  WpReplaced what;

  if (match->op == NULL)
    return;
  executed.cycles = look_at_contexts (search, node, known, times);
  search->busy[match->op->pipeline] += executed.cycles;
  if (is_replaced (known, &what))
    note (search, what, &executed, NULL);
}

/* Records the replacements in PROGRAM, which WARPS warps run. */
static void
look_at_program (Search *search, const IdgProgram *program, gdouble warps)
{
  gdouble times[IDG_MAX_DEPTH + 1] = { warps };
  guint depth = 0;

  for (guint i = 0; i < program->n_nodes; i++)
    {
      const IdgNode *node = &program->nodes[i];

      if (node->kind == IDG_REPEAT)
        {
          times[depth + 1] = times[depth] * node->count;
          depth++;
        }
      else if (node->kind == IDG_END)
        depth--;
      else
        search->total += times[depth];
      if (node->kind == IDG_INSTRUCTION)
        look_at (search, node, times[depth]);
    }
}

/* Stores in WARPS how many warps run each of KERNEL's programs. */
static void
count_warps (const IdgKernel *kernel, guint32 warp_size, gdouble *warps)
{
  guint32 per_block = (guint32)((kernel->launch.threads + warp_size - 1) / warp_size);
  guint64 blocks = (guint64)kernel->launch.blocks;
  g_autoptr (IdgAssignment) assignment = idg_kernel_assign (kernel, blocks, per_block, NULL);

  for (guint p = 0; p < kernel->programs->len; p++)
    warps[p] = assignment != NULL ? 0 : 1;
  for (guint i = 0; assignment != NULL && i < assignment->blocks->len; i++)
    {
      const IdgAssignedBlocks *piece = &g_array_index (assignment->blocks, IdgAssignedBlocks, i);
      guint64 end = i + 1 < assignment->blocks->len ? piece[1].first_block : blocks;
      const GArray *row = g_ptr_array_index (assignment->rows, piece->row);

      for (guint s = 0; s < row->len; s++)
        {
          const IdgSegment *segment = &g_array_index (row, IdgSegment, s);
          guint32 last = s + 1 < row->len ? segment[1].first_warp : per_block;

          warps[segment->program]
              += (gdouble)(end - piece->first_block) * (last - segment->first_warp);
        }
    }
}

/* Makes fractions of what was counted. */
static void
divide (const Search *search)
{
  for (guint i = 0; i < search->found->len; i++)
    {
      WpReplacement *replacement = g_ptr_array_index (search->found, i);
      gdouble busy = search->busy[replacement->runs_as->pipeline];

      if (search->total > 0)
        replacement->share /= search->total;
      replacement->use = busy > 0 ? replacement->use / busy : 0;
    }
}

GPtrArray *
wp_nearest_find (const IdgKernel *kernel, const WpGpu *gpu)
{
  Search search = { .gpu = gpu,
                    .nearest = kernel->nearest_ops,
                    .found = g_ptr_array_new_with_free_func (replacement_free),
                    .by_key = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
                    .known = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, known_free),
                    .busy = g_new0 (gdouble, gpu->pipelines->len + 1) };
  g_autofree gdouble *warps = g_new (gdouble, kernel->programs->len + 1);

  count_warps (kernel, (guint32)gpu->warp_size, warps);
  for (guint p = 0; p < kernel->programs->len; p++)
    look_at_program (&search,
                     ((const IdgKernelProgram *)g_ptr_array_index (kernel->programs, p))->program,
                     warps[p]);
  divide (&search);
  g_hash_table_unref (search.by_key);
  g_hash_table_unref (search.known);
  g_free (search.busy);
  return search.found;
}
