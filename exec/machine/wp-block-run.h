/* SPDX-License-Identifier: MIT */
/* Blocks on an SM: made, begun, run. */
#pragma once

#include "exec/machine/wp-block.h"

G_BEGIN_DECLS

/* Memory and registers for one block at a time. */
WpBlock *wp_block_new (WpGrid *grid);
void wp_block_free (WpBlock *block);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpBlock, wp_block_free)

/* Where in GRID the block of NUMBER is. O(1). */
void wp_block_find_id (const WpGrid *grid, guint64 number, guint id[3]);

/* Block NUMBER begins there, at place SLOT of SM. Trails go to STORE. Notes of the block before it
 * stay. */
void wp_block_begin (WpBlock *block, guint sm, guint slot, guint64 number, WpTrailStore *store);

/* From now on what the warps of BLOCK access is looked up in PATTERNS, which are borrowed, and no
 * longer in what it has for itself: its shapes of registers are forgotten. Whoever shares them runs
 * on the same thread at any time. Where it does already nothing happens. */
void wp_block_share_patterns (WpBlock *block, WpPatterns *patterns);

/* Runs each warp of the N BLOCKS of a cluster, or of one that is alone, until its turn is over, it
 * has ended or waits for what only a later turn can bring; they go on as long as one of them does.
 * NULL: none has failed. Else the one of which a warp has, or waits as all do, for a barrier that
 * cannot be complete: wp_block_describe_failure(). is_busy tells whether a block has not ended. */
WpBlock *wp_cluster_run (WpBlock *const *blocks, guint n, guint quantum);

/* Another turn: the logs of accesses are emptied. */
void wp_block_next_turn (WpBlock *block);

/* "k.cu:12: block (3, 0, 0), thread (5, 0, 0): what". Free with g_free(). */
gchar *wp_block_describe_failure (const WpBlock *block);

G_END_DECLS
