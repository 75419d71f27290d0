/* SPDX-License-Identifier: MIT */
#include "exec/machine/wp-cluster.h"

guint32
wp_cluster_take (const WpWarp *warp, guint32 addresses[WP_LANES], guint32 mask, WpBlock **block)
{
  const guint32 first = addresses[__builtin_ctz (mask)] & ~WP_CLUSTER_OFFSET;
  guint32 taken = 0;

  *block = warp->block;
  if (G_LIKELY (warp->block->cluster->n == 1))
    return mask;
  for (guint32 left = mask; left != 0; left &= left - 1)
    {
      const guint lane = (guint)__builtin_ctz (left);

      if ((addresses[lane] & ~WP_CLUSTER_OFFSET) != first)
        continue;
      taken |= 1u << lane;
      *block = wp_cluster_find (warp->block, &addresses[lane]);
    }
  return taken;
}

void
wp_cluster_note_reach (const WpWarp *warp, const WpStep *step)
{
  WpReach *reach = &warp->block->reach;

  if (!wp_reach_is_any (reach))
    reach->at = step->index;
  if (step->instr->op == WP_SASS_STAS)
    reach->n_sent++;
  else
    reach->in_order = TRUE;
}

void
wp_cluster_add_reach (WpGrid *grid, const WpBlock *block)
{
  WpReach *all = &grid->reach;

  if (!wp_reach_is_any (all) || block->number < all->block)
    {
      all->at = block->reach.at;
      all->block = block->number;
    }
  all->in_order |= block->reach.in_order;
  all->n_sent += block->reach.n_sent;
}

void
wp_cluster_begin (WpBlock *const *blocks, guint n)
{
  WpCluster *cluster = &blocks[0]->own_cluster;

  *cluster = (WpCluster){ .n = n };
  for (guint k = 0; k < n; k++)
    {
      cluster->blocks[k] = blocks[k];
      blocks[k]->cluster = cluster;
      blocks[k]->rank = k;
    }
}

/* ---- barrier.cluster ---- */

/* All threads that have not ended have come. Nobody who ends tells it: it is asked again. */
static gboolean
are_all_there (const WpCluster *cluster)
{
  for (guint k = 0; k < cluster->n; k++)
    for (guint j = 0; j < cluster->blocks[k]->n_warps; j++)
      {
        const WpWarp *warp = cluster->blocks[k]->warps[j];

        if ((warp->present & ~warp->exited & ~warp->cluster_lanes) != 0)
          return FALSE;
      }
  return TRUE;
}

/* Ends the phase, once all have come. */
static void
settle (WpCluster *cluster)
{
  if (!are_all_there (cluster))
    return;
  cluster->phase++;
  for (guint k = 0; k < cluster->n; k++)
    for (guint j = 0; j < cluster->blocks[k]->n_warps; j++)
      cluster->blocks[k]->warps[j]->cluster_lanes = 0;
}

void
wp_cluster_arrive (WpWarp *warp, guint32 mask)
{
  warp->cluster_lanes |= mask;
  warp->cluster_phase = warp->block->cluster->phase;
}

gboolean
wp_cluster_is_over (WpWarp *warp)
{
  WpCluster *cluster = warp->block->cluster;

  if (cluster->phase == warp->cluster_phase)
    settle (cluster);
  return cluster->phase != warp->cluster_phase;
}
