/* SPDX-License-Identifier: MIT */
/* Private to exec/fold: which row of warps each block of the grid has, those that were not executed
 * included; and what the accesses of all of them come to. */
#pragma once

#include "exec/fold/wp-fold-input.h"

G_BEGIN_DECLS

/* Blocks FIRST to FIRST + N - 1 have row ROW of the classes; IS_EXECUTED: they did, else they are
 * taken to. */
typedef void (*WpFoldPlace) (gpointer data, guint64 first, guint64 n, guint32 row,
                             gboolean is_executed);

/* Calls PLACE for all blocks of the grid, block by block or in ranges of equal ones. O(ranges of
 * blocks). */
void wp_fold_place_blocks (const WpFoldInput *input, WpFoldPlace place, gpointer data);

/* Returns, for each class, what its accesses come to: those that were counted, and for the blocks
 * that were not executed so often those of the blocks that stand for them (of all where these have
 * none of the class) as they have warps. NULL where INPUT has no counts. An array of WpCounts. */
GPtrArray *wp_fold_weigh_counts (const WpFoldInput *input);

G_END_DECLS
