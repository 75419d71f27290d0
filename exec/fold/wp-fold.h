/* SPDX-License-Identifier: MIT */
/* From what the warps of a launch executed to a kernel: a program for each class of warps, with
 * repeats, dependences from registers, barriers, groups of copies, and contexts from the accesses
 * that were counted. The folding itself is that of traces (idg/import/fold).
 *
 * Blocks that were not executed run what others ran that are placed likewise in the grid. */
#pragma once

#include "exec/fold/wp-fold-input.h"
#include "idg/kernel/idg-kernel.h"

G_BEGIN_DECLS

/* Returns the kernel of INPUT. NOTES (may be NULL) receives sentences on what was assumed, of
 * gchar*. NULL with an error of IDG_ERROR where its programs are too large. Free with
 * idg_kernel_free(). O(instructions of a warp of each class, ranges of blocks). */
IdgKernel *wp_fold_make_kernel (const WpFoldInput *input, GPtrArray *notes, GError **error);

G_END_DECLS
