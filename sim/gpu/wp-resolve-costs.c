/* SPDX-License-Identifier: MIT */
/* What each instruction of the kernel costs on the GPU. An op in a context is looked up once,
 * however often it occurs. */
#include "sim/gpu/wp-resolver.h"

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
look_up (WpResolver *r, const IdgNode *node, WpResolverCost *cost, GError **error)
{
  const gchar *context = wp_resolver_get_context (r, node);
  g_autofree gchar *key = g_strconcat (node->op, "\n", context, NULL);
  g_autoptr (GError) problem = NULL;
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
  if (r->kernel->nearest_ops)
    context = wp_nearest_get_context (cost->op, context);
  if (!wp_gpu_op_cost_of (cost->op, context, match.bytes, &cost->cost, &problem))
    {
      wp_resolver_fail (r->kernel, node->line, WP_ERROR_VALUE, error, "op \"%s\" on %s: %s",
                        node->op, r->gpu->name, problem->message);
      return FALSE;
    }
  g_hash_table_insert (r->cache, g_steal_pointer (&key), g_memdup2 (cost, sizeof *cost));
  return TRUE;
}

gboolean
wp_resolver_look_up_all (WpResolver *r, GError **error)
{
  for (guint p = 0; p < r->kernel->programs->len; p++)
    {
      const IdgKernelProgram *program = g_ptr_array_index (r->kernel->programs, p);
      WpResolverCost *costs = g_new0 (WpResolverCost, program->program->n_nodes + 1);

      g_ptr_array_add (r->costs, costs);
      for (guint i = 0; i < program->program->n_nodes; i++)
        if (program->program->nodes[i].kind == IDG_INSTRUCTION
            && !look_up (r, &program->program->nodes[i], &costs[i], error))
          return FALSE;
    }
  return TRUE;
}

WpCycles
wp_resolver_get_latency (const WpResolverCost *producer, const WpGpuOp *consumer)
{
  if (consumer != NULL && producer->cost.consumers)
    for (guint i = 0; i < producer->op->consumers->len; i++)
      {
        const WpGpuConsumer *listed = g_ptr_array_index (producer->op->consumers, i);

        if (strcmp (listed->op, consumer->name) == 0)
          return listed->completion;
      }
  return producer->cost.completion;
}
