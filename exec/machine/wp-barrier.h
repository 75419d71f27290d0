/* SPDX-License-Identifier: MIT */
/* Named barriers of a block. */
#pragma once

#include "exec/machine/wp-block.h"

G_BEGIN_DECLS

/* What a warp brings to a barrier. */
typedef struct
{
  guint barrier;
  guint expected;       /* threads, 0: all */
  gboolean waits;       /* BAR.ARV does not */
  guint8 reduce;        /* WpReduce */
  guint32 p, p_unknown; /* the predicate that is reduced */
  WpTag tag;
} WpArrival;

/* The active lanes of WARP arrive. */
void wp_block_arrive (WpWarp *warp, const WpArrival *arrival);

/* Lanes of a warp of BLOCK have ended: barriers do not wait for them. */
void wp_block_check_barriers (WpBlock *block);

G_END_DECLS
