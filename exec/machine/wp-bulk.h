/* SPDX-License-Identifier: MIT */
/* What copies in bulk have in common, with a tensor map (wp-ops-tensor.c) and without
 * (wp-ops-bulk.c). */
#pragma once

#include "exec/machine/wp-address.h"
#include "exec/machine/wp-atomic.h"

G_BEGIN_DECLS

#define WP_BULK_PIECE 16u /* bytes: what all is a multiple of */

/* BYTES of a copy have come, at the mbarrier whose address is in uniform register NUMBER.
 * IS_UNKNOWN: nobody knows how many. LANE is told of what is wrong, as below. FALSE: WARP has
 * failed. */
gboolean wp_bulk_arrive (WpWarp *warp, const WpStep *step, guint lane, guint number, guint bytes,
                         gboolean is_unknown);

/* Whether BLOCKS, which a copy goes to, a bit for each of a cluster, are the block alone where the
 * instruction of STEP says some; else WARP fails. */
gboolean wp_bulk_check_blocks (WpWarp *warp, const WpStep *step, guint lane, guint32 blocks);

/* Combines bytes FIRST up to END of the piece that LANE has in DATA with those at ADDRESS of SPACE,
 * that of byte 0 of the piece. FALSE with FAULT. */
gboolean wp_bulk_combine (WpWarp *warp, WpSpace space, guint64 address, const WpAtomic *atomic,
                          guint first, guint end, guint lane, const WpData *data, WpFault *fault);

G_END_DECLS
