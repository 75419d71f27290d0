/* SPDX-License-Identifier: MIT */
/* Clusters: blocks that run at the same time, reach each other's shared memory, and wait for one
 * another (PTX ISA, "Cluster of Cooperative Thread Arrays"; sm_90 on).
 *
 * An address in the shared memory of a cluster has the rank of the block in its upper byte, as the
 * code that compilers make says (mapa puts it there, and a block begins with its own). Here it is
 * taken relative to the block that uses it, by exclusive or, so that a block's own addresses begin
 * at 0 in each.
 *
 * All blocks of a cluster run in turn on one thread. */
#pragma once

#include "exec/machine/wp-block.h"

G_BEGIN_DECLS

#define WP_CLUSTER_SHIFT 24 /* of the rank in an address */
#define WP_CLUSTER_OFFSET 0xffffffu

/* What has to be xored with an address in the shared memory of WARP's cluster. O(1). */
static inline guint32
wp_warp_own_address (const WpWarp *warp)
{
  return warp->block->rank << WP_CLUSTER_SHIFT;
}

/* The rank of the block whose shared memory ADDRESS is in, which is relative to BLOCK; there may be
 * none of that rank. O(1). */
static inline guint
wp_cluster_get_rank (const WpBlock *block, guint64 address)
{
  return (guint)(address >> WP_CLUSTER_SHIFT) ^ block->rank;
}

/* Whether there is such a block. O(1). */
static inline gboolean
wp_cluster_has (const WpBlock *block, guint64 address)
{
  return wp_cluster_get_rank (block, address) < block->cluster->n;
}

/* ADDRESS in the block of RANK, relative to BLOCK. O(1). */
static inline guint32
wp_cluster_move_address (const WpBlock *block, guint32 address, guint rank)
{
  return (address & WP_CLUSTER_OFFSET) | (rank ^ block->rank) << WP_CLUSTER_SHIFT;
}

/* The block whose shared memory ADDRESS is in, which is relative to BLOCK; ADDRESS is made relative
 * to that one. Where there is none it is BLOCK, in which that is no address. O(1). */
static inline WpBlock *
wp_cluster_find (WpBlock *block, guint32 *address)
{
  const guint rank = wp_cluster_get_rank (block, *address);

  if (G_LIKELY (rank == block->rank) || rank >= block->cluster->n)
    return block;
  *address &= WP_CLUSTER_OFFSET;
  return block->cluster->blocks[rank];
}

/* The lanes of MASK whose ADDRESSES are in the memory of one block, which BLOCK receives; they are
 * made relative to that. O(lanes). */
guint32 wp_cluster_take (const WpWarp *warp, guint32 addresses[WP_LANES], guint32 mask,
                         WpBlock **block);

/* WARP has accessed the memory of another block by STEP. O(1). */
void wp_cluster_note_reach (const WpWarp *warp, const WpStep *step);

/* Whether there was anything of it. */
static inline gboolean
wp_reach_is_any (const WpReach *reach)
{
  return reach->in_order || reach->n_sent > 0;
}

/* BLOCK, which reached others, has ended: that counts for GRID. One thread at a time. O(1). */
void wp_cluster_add_reach (WpGrid *grid, const WpBlock *block);

/* Those of BLOCK's pair, which multiply together (tcgen05, cta_group::2): the one of even rank is
 * number 0, the other one 1. NULL: the cluster has no pairs. O(1). */
static inline WpBlock *
wp_cluster_get_of_pair (const WpBlock *block, guint number)
{
  const WpCluster *cluster = block->cluster;

  return cluster->n % 2 == 0 ? cluster->blocks[(block->rank & ~1u) | number] : NULL;
}

/* Its blocks, N by rank, which are about to begin, are a cluster. O(blocks). */
void wp_cluster_begin (WpBlock *const *blocks, guint n);

/* The lanes in MASK of WARP come to barrier.cluster. O(1). */
void wp_cluster_arrive (WpWarp *warp, guint32 mask);

/* Whether all threads of the cluster that have not ended have come since WARP did last. O(warps of
 * the cluster). */
gboolean wp_cluster_is_over (WpWarp *warp);

G_END_DECLS
