/* SPDX-License-Identifier: MIT */
/* Finds replacements of missing ops. This is separate from wp_resolve(), which may be called for
 * each row of a table, because replacements depend only on kernel and GPU and should be reported
 * once. */
#include "sim/gpu/wp-nearest.h"

#include "idg/import/ops/idg-ops.h"

#include <string.h>

const WpGpuOp *
wp_nearest_look_up (const WpGpu *gpu, const gchar *name)
{
  const WpGpuOp *op = wp_gpu_look_up_op (gpu, name);

  for (const gchar *const *near = idg_ops_get_nearest (name); op == NULL && *near != NULL; near++)
    op = wp_gpu_look_up_op (gpu, *near);
  return op;
}

const gchar *
wp_nearest_get_context (const WpGpuOp *op, const gchar *context)
{
  return context != NULL && wp_gpu_op_has_context (op, context) ? context : NULL;
}

/* ---- All of a kernel ---- */

typedef struct
{
  const WpGpu *gpu;
  GPtrArray *found;  /* of WpReplacement */
  GHashTable *known; /* "op\ncontext" -> WpReplacement */
  gdouble total;     /* how many instructions are executed */
} Search;

static void
replacement_free (gpointer data)
{
  WpReplacement *replacement = data;

  g_free (replacement->context);
  g_free (replacement);
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

/* Records one replacement, and takes ownership of CONTEXT. */
static void
note (Search *search, const IdgNode *node, const WpGpuOp *runs_as, gchar *context, gdouble times)
{
  g_autofree gchar *key = g_strconcat (node->op, "\n", context, NULL);
  WpReplacement *replacement = g_hash_table_lookup (search->known, key);

  if (replacement == NULL)
    {
      replacement = g_new0 (WpReplacement, 1);
      replacement->line = node->line;
      replacement->op = node->op;
      replacement->runs_as = runs_as;
      replacement->context = g_steal_pointer (&context);
      g_ptr_array_add (search->found, replacement);
      g_hash_table_insert (search->known, g_steal_pointer (&key), replacement);
    }
  replacement->n++;
  replacement->share += times;
  g_free (context);
}

static void
look_at (Search *search, const IdgNode *node, gdouble times)
{
  const WpGpuOp *op = wp_gpu_look_up_op (search->gpu, node->op);
  const WpGpuOp *runs_as = op != NULL ? op : wp_nearest_look_up (search->gpu, node->op);

  if (runs_as == NULL)
    return;
  if (op == NULL)
    note (search, node, runs_as, NULL, times);
  if (node->context != NULL && !wp_gpu_op_has_context (runs_as, node->context))
    note (search, node, runs_as, get_stem (node->context), times);
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

GPtrArray *
wp_nearest_find (const IdgKernel *kernel, const WpGpu *gpu)
{
  Search search = { .gpu = gpu,
                    .found = g_ptr_array_new_with_free_func (replacement_free),
                    .known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL) };
  g_autofree gdouble *warps = g_new (gdouble, kernel->programs->len + 1);

  if (kernel->nearest_ops)
    count_warps (kernel, (guint32)gpu->warp_size, warps);
  for (guint p = 0; kernel->nearest_ops && p < kernel->programs->len; p++)
    look_at_program (&search,
                     ((const IdgKernelProgram *)g_ptr_array_index (kernel->programs, p))->program,
                     warps[p]);
  for (guint i = 0; i < search.found->len; i++)
    if (search.total > 0)
      ((WpReplacement *)g_ptr_array_index (search.found, i))->share /= search.total;
  g_hash_table_unref (search.known);
  return search.found;
}
