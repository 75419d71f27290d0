/* SPDX-License-Identifier: MIT */
/* What each instruction of the kernel costs on the GPU. An op in a context is looked up once,
 * however often it occurs. */
#include "sim/gpu/wp-resolver.h"

#include "idg/kernel/idg-mix.h"
#include "sim/gpu/wp-match.h"
#include "sim/gpu/wp-nearest.h"

#include <string.h>

/* Finds what NODE runs as. */
static gboolean
find_op (WpResolver *r, const IdgNode *node, WpMatch *match, GError **error)
{
  g_autoptr (GError) problem = NULL;
  g_autofree gchar *nearest = NULL;

  if (r->kernel->nearest_ops)
    *match = wp_nearest_match (r->gpu, node->op);
  else if (wp_match_check_name (r->gpu, node->op, &problem))
    *match = wp_match_find (r->gpu, node->op);
  else
    {
      wp_resolver_fail (r->kernel, node->line, WP_ERROR_VALUE, error, "%s", problem->message);
      return FALSE;
    }
  if (match->op != NULL)
    return TRUE;
  if (wp_nearest_has_none (r->gpu, node->op))
    {
      wp_resolver_fail (r->kernel, node->line, WP_ERROR_VALUE, error,
                        "%s has no figure for op \"%s\", and no other kind of op stands for it; "
                        "give it one in a description of your own: <gpu like=\"%s\"> with "
                        "<op name=\"%s\" pipeline=\"...\" issue=\"...\" completion=\"...\"/>",
                        r->gpu->name, node->op, r->gpu->name, node->op);
      return FALSE;
    }
  nearest = wp_gpu_suggest_ops (r->gpu, node->op);
  wp_resolver_fail (r->kernel, node->line, WP_ERROR_VALUE, error,
                    "op \"%s\" is not on %s; the nearest there are %s", node->op, r->gpu->name,
                    nearest);
  return FALSE;
}

static gboolean
is_on_memory (const WpGpu *gpu, const WpGpuOp *op, const WpGpuCost *cost)
{
  const WpGpuPipeline *pipeline = g_ptr_array_index (gpu->pipelines, op->pipeline);
  gboolean memory = pipeline->kind == WP_KIND_MEMORY;

  for (guint k = 0; k < cost->n_passes; k++)
    {
      pipeline = g_ptr_array_index (gpu->pipelines, cost->passes[k].pipeline);
      memory = memory || pipeline->kind == WP_KIND_MEMORY;
    }
  return memory;
}

static guint
get_last_pipeline (const WpGpuOp *op, const WpGpuCost *cost)
{
  return cost->n_passes > 0 ? cost->passes[cost->n_passes - 1].pipeline : op->pipeline;
}

/* Whether to whoever waits for OP it is the same in which of these contexts it was. */
static gboolean
complete_alike (const WpGpu *gpu, const WpGpuOp *op, const WpGpuCost *a, const WpGpuCost *b)
{
  return a->completion.num == b->completion.num && a->completion.den == b->completion.den
         && a->consumers == b->consumers && a->posted == b->posted
         && get_last_pipeline (op, a) == get_last_pipeline (op, b)
         && is_on_memory (gpu, op, a) == is_on_memory (gpu, op, b);
}

/* Looks up NODE in one more CONTEXT of COST, in CONTEXTS. BYTES: as of a WpMatch. */
static gboolean
add_context (WpResolver *r, const IdgNode *node, const gchar *context, guint32 bytes,
             WpResolverCost *cost, WpResolverContext *contexts, GError **error)
{
  WpResolverContext *added = &contexts[cost->n];
  g_autoptr (GError) problem = NULL;

  if (r->kernel->nearest_ops)
    context = wp_nearest_get_context (cost->op, context);
  if (!wp_gpu_op_cost_of (cost->op, context, bytes, &added->cost, &problem))
    {
      wp_resolver_fail (r->kernel, node->line, WP_ERROR_VALUE, error, "op \"%s\" on %s: %s",
                        node->op, r->gpu->name, problem->message);
      return FALSE;
    }
  added->set = cost->n_sets;
  for (guint i = 0; i < cost->n && added->set == cost->n_sets; i++)
    if (complete_alike (r->gpu, cost->op, &contexts[i].cost, &added->cost))
      added->set = contexts[i].set;
  cost->n_sets += added->set == cost->n_sets;
  cost->n++;
  return TRUE;
}

/* Replaces each name of PARTS (NULL: none) by what is in force; whether all are one then. */
static gboolean
idealise_parts (WpResolver *r, const IdgNode *node, GArray *parts, const gchar **names)
{
  gboolean one = TRUE;

  for (guint i = 0; i < parts->len; i++)
    {
      names[i] = wp_resolver_get_context (r, node, g_array_index (parts, IdgMixPart, i).name);
      one = one && g_strcmp0 (names[i], names[0]) == 0;
    }
  return one && parts->len > 1;
}

/* NODE's context, a mix or not, into COST; what it points to belongs to the arena. */
static gboolean
add_contexts (WpResolver *r, const IdgNode *node, guint32 bytes, WpResolverCost *cost,
              GError **error)
{
  g_autoptr (GArray) parts
      = idg_mix_is_one (node->context) ? idg_mix_parse (node->context, NULL) : NULL;
  WpResolverContext *contexts = g_new0 (WpResolverContext, parts != NULL ? parts->len : 1);
  g_autofree const gchar **names = g_new0 (const gchar *, parts != NULL ? parts->len : 1);
  guint32 upto = 0;

  g_ptr_array_add (r->arena->owned, contexts);
  cost->contexts = contexts;
  if (parts == NULL)
    names[0] = wp_resolver_get_context (r, node, node->context);
  if (parts == NULL || idealise_parts (r, node, parts, names))
    return add_context (r, node, names[0], bytes, cost, contexts, error);
  for (guint i = 0; i < parts->len; i++)
    {
      if (!add_context (r, node, names[i], bytes, cost, contexts, error))
        return FALSE;
      upto += g_array_index (parts, IdgMixPart, i).weight;
      contexts[i].upto = upto;
    }
  return TRUE;
}

static gboolean
look_up (WpResolver *r, const IdgNode *node, WpResolverCost *cost, GError **error)
{
  g_autofree gchar *key = g_strconcat (node->op, "\n", node->context, NULL);
  WpResolverCost *known = g_hash_table_lookup (r->cache, key);
  WpMatch match;

  if (known != NULL)
    {
      *cost = *known;
      return TRUE;
    }
  if (!find_op (r, node, &match, error))
    return FALSE;
  cost->op = match.op;
  if (!add_contexts (r, node, match.bytes, cost, error))
    return FALSE;
  g_hash_table_insert (r->cache, g_steal_pointer (&key), g_memdup2 (cost, sizeof *cost));
  return TRUE;
}

/* Room for what the nodes of all programs cost: in one piece, so that a large one is not left over
 * in many small ones behind it. */
static WpResolverCost *
make_costs (WpResolver *r)
{
  WpResolverCost *costs;
  gsize n = 0;

  for (guint p = 0; p < r->kernel->programs->len; p++)
    n += ((const IdgKernelProgram *)g_ptr_array_index (r->kernel->programs, p))->program->n_nodes;
  costs = g_new0 (WpResolverCost, n + 1);
  n = 0;
  for (guint p = 0; p < r->kernel->programs->len; p++)
    {
      g_ptr_array_add (r->costs, &costs[n]);
      n += ((const IdgKernelProgram *)g_ptr_array_index (r->kernel->programs, p))->program->n_nodes;
    }
  return costs;
}

gboolean
wp_resolver_look_up_all (WpResolver *r, GError **error)
{
  WpResolverCost *costs = make_costs (r);

  for (guint p = 0; p < r->kernel->programs->len; p++)
    {
      const IdgKernelProgram *program = g_ptr_array_index (r->kernel->programs, p);

      for (guint i = 0; i < program->program->n_nodes; i++)
        if (program->program->nodes[i].kind == IDG_INSTRUCTION
            && !look_up (r, &program->program->nodes[i], &costs[i], error))
          return FALSE;
      costs += program->program->n_nodes;
    }
  return TRUE;
}

WpCycles
wp_resolver_get_latency (const WpResolverCost *producer, guint i, const WpGpuOp *consumer)
{
  const WpGpuCost *cost = &producer->contexts[i].cost;

  if (consumer != NULL && cost->consumers)
    for (guint c = 0; c < producer->op->consumers->len; c++)
      {
        const WpGpuConsumer *listed = g_ptr_array_index (producer->op->consumers, c);

        if (strcmp (listed->op, consumer->name) == 0)
          return listed->completion;
      }
  return cost->completion;
}
