/* SPDX-License-Identifier: MIT */
/* What if all accesses hit in a cache? Which context an instruction is in then: of an access that
 * counts its wavefronts and the sectors that each level lacks (access-4-8-2) the same with none
 * lacking there; else the context "l1", or "l2", of its op. A context that says where an access
 * hits is cheaper than none, and that of a copy in bulk is all that says how much it moves, so that
 * ideal contexts keep these. */
#include "sim/gpu/wp-resolver.h"

#include "sim/gpu/wp-match.h"

#include <string.h>

#include "idg/import/ops/idg-ops.h"

/* Whether GPU's OP, in no context, passes the pipeline "memory". */
static gboolean
passes_memory (const WpGpu *gpu, const WpGpuOp *op)
{
  const WpGpuPipeline *pipeline = g_ptr_array_index (gpu->pipelines, op->pipeline);
  gboolean passes = strcmp (pipeline->name, "memory") == 0;

  for (guint i = 0; op->path != NULL && i < op->path->len; i++)
    {
      pipeline
          = g_ptr_array_index (gpu->pipelines, g_array_index (op->path, WpGpuThen, i).pipeline);
      passes = passes || strcmp (pipeline->name, "memory") == 0;
    }
  return passes;
}

static gboolean
has_context (const WpGpuOp *op, const gchar *name)
{
  for (guint i = 0; i < op->contexts->len; i++)
    if (strcmp (((WpGpuContext *)g_ptr_array_index (op->contexts, i))->name, name) == 0)
      return TRUE;
  return FALSE;
}

/* "access-4-8-2" with no sector that L1 lacks (LEVEL 1), or L2, and without what it waits for
 * beyond LEVEL ("access-4-0-0-2"); NULL: CONTEXT is no such. Free with g_free(). */
static gchar *
count_hits (const gchar *context, guint level)
{
  g_auto (GStrv) parts = NULL;
  guint n;

  if (context == NULL || !g_str_has_prefix (context, WP_COUNTED_CONTEXT)
      || strpbrk (context, " *") != NULL)
    return NULL;
  parts = g_strsplit (context + strlen (WP_COUNTED_CONTEXT), "-", 5);
  n = g_strv_length (parts);
  if (n != 3 && n != 4)
    return NULL;
  if (n == 4 && level == 2 && strcmp (parts[1], "0") == 0)
    return g_strdup_printf (WP_COUNTED_CONTEXT "%s-0-0-1", parts[0]);
  return g_strdup_printf (WP_COUNTED_CONTEXT "%s-%s-0", parts[0], level == 1 ? "0" : parts[1]);
}

/* What CONTEXT, one of NODE's, is where all that it accesses hits in LEVEL; NULL: the same. Stores
 * do not hit in L1, nor do atomics, which pass memory in contexts alone. Free with g_free(). */
static gchar *
find_hit (const WpResolver *r, const IdgNode *node, const gchar *context, guint level)
{
  const gchar *name = level == 1 ? "l1" : "l2";
  const WpGpuOp *op = wp_match_find (r->gpu, node->op).op;
  gchar *counted;

  if (op == NULL || (level == 1 && (op->write || !passes_memory (r->gpu, op)))
      || g_strcmp0 (context, "l1") == 0)
    return NULL;
  counted = count_hits (context, level);
  if (counted == NULL && passes_memory (r->gpu, op) && has_context (op, name))
    counted = g_strdup (name);
  if (g_strcmp0 (counted, context) == 0)
    g_clear_pointer (&counted, g_free);
  return counted;
}

/* Whether CONTEXT of NODE says where it hits, which is better than none, or how much it moves. */
static gboolean
is_kept (const WpResolver *r, const IdgNode *node, const gchar *context)
{
  const WpGpuOp *op = wp_match_find (r->gpu, node->op).op;

  if (idg_ops_is_bulk (node->op))
    return TRUE;
  return (g_strcmp0 (context, "l1") == 0 || g_strcmp0 (context, "l2") == 0) && op != NULL
         && passes_memory (r->gpu, op);
}

const gchar *
wp_resolver_get_context (WpResolver *r, const IdgNode *node, const gchar *context)
{
  static const WpIdealKind kinds[] = { WP_IDEAL_L1_HITS, WP_IDEAL_L2_HITS };

  if (wp_resolver_is_ideal (r, WP_IDEAL_CONTEXTS) && context != NULL && !is_kept (r, node, context))
    {
      wp_resolver_note_ideal (r, WP_IDEAL_CONTEXTS);
      context = NULL;
    }
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      gchar *hit = wp_resolver_is_ideal (r, kinds[i]) ? find_hit (r, node, context, i + 1) : NULL;

      if (hit == NULL)
        continue;
      wp_resolver_note_ideal (r, kinds[i]);
      g_ptr_array_add (r->arena->owned, hit);
      return hit;
    }
  return context;
}
