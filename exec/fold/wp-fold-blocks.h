/* SPDX-License-Identifier: MIT */
/* Private to exec/fold: which row of warps each block of the grid has, those that were not executed
 * included. */
#pragma once

#include "exec/fold/wp-fold-input.h"
#include "idg/import/fold/idg-fold.h"

G_BEGIN_DECLS

/* Adds all blocks of the grid to WARPS, block by block or in ranges of equal ones. ROWS has the
 * number in WARPS of each row of the classes. O(ranges of blocks). */
void wp_fold_add_blocks (const WpFoldInput *input, IdgFoldWarps *warps, const guint32 *rows);

G_END_DECLS
