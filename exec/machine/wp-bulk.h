/* SPDX-License-Identifier: MIT */
/* What copies in bulk have in common, with a tensor map (wp-ops-tensor.c) and without
 * (wp-ops-bulk.c). */
#pragma once

#include "exec/machine/wp-address.h"
#include "exec/machine/wp-atomic.h"
#include "exec/machine/wp-cluster.h"

G_BEGIN_DECLS

#define WP_BULK_PIECE 16u /* bytes: what all is a multiple of */

/* The blocks that a copy by STEP goes to, a bit for each of the cluster: those in BLOCKS where it
 * says some (MULTICAST), else the one that ADDRESS is in, which is relative to WARP's. 0: BLOCKS
 * has none that is there, and WARP has failed. LANE is told of what is wrong. */
guint32 wp_bulk_find_blocks (WpWarp *warp, const WpStep *step, guint lane, guint32 blocks,
                             guint32 address);

/* BYTES of a copy have come in each of BLOCKS, at the mbarrier whose address is in uniform register
 * NUMBER. IS_UNKNOWN: nobody knows how many. LANE is told of what is wrong. FALSE: WARP has failed.
 */
gboolean wp_bulk_arrive (WpWarp *warp, const WpStep *step, guint lane, guint number, guint bytes,
                         gboolean is_unknown, guint32 blocks);

/* How a copy to shared memory is logged, part by part. One that goes to several blocks is read
 * once, and each of them has its share: a part of another block is logged by the copies of its own
 * that come next, as all blocks of a cluster are simulated side by side and nothing else would tell
 * one that it gets bytes which it does not ask for. */
typedef struct
{
  WpAccess access;
  gboolean has_any;
} WpBulkLog;

/* Part K of N of a copy by STEP to BLOCKS, the BYTES from FIRST on. */
void wp_bulk_log_part (WpWarp *warp, const WpStep *step, WpBulkLog *log, guint32 blocks, guint k,
                       guint n, guint64 first, guint bytes);

/* All parts were logged. */
void wp_bulk_log_end (WpWarp *warp, const WpBulkLog *log);

/* Combines bytes FIRST up to END of the piece that LANE has in DATA with those at ADDRESS of SPACE,
 * that of byte 0 of the piece. FALSE with FAULT. */
gboolean wp_bulk_combine (WpWarp *warp, WpSpace space, guint64 address, const WpAtomic *atomic,
                          guint first, guint end, guint lane, const WpData *data, WpFault *fault);

G_END_DECLS
