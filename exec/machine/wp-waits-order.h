/* SPDX-License-Identifier: MIT */
/* Private to wp-waits.c: the warps of a block meet at barriers, without times: whether they would
 * wait for each other for ever. Who meets at a barrier does not change, so that what comes out does
 * not depend on the order in which warps go on. */
#pragma once

#include <glib.h>

#include "exec/machine/wp-block.h"

G_BEGIN_DECLS

#define WP_ORDER_BARS (WP_NAMED_BARRIERS + 1)
/* Names: BAR 0 to 15 of all warps and barrier.cluster, the same of some, then barriers in shared
 * memory. */
#define WP_ORDER_PART WP_ORDER_BARS
#define WP_ORDER_SHARED (2 * WP_ORDER_BARS)
#define WP_ORDER_NAMES (WP_ORDER_SHARED + WP_MAX_WARPS + 1)

typedef struct
{
  guint name;
  guint32 id;      /* of what is met for: equal for all who meet */
  guint64 members; /* who meets there; 0: as many as... */
  guint n;         /* ...this; 0: all warps that have not ended */
} WpComing;

typedef struct
{
  GArray *
      queues[WP_MAX_WARPS]; /* of WpComing: where a warp came to, and has not yet met; NULL: none */
  guint next[WP_MAX_WARPS]; /* ...the first of those that it is not at */
  WpComing at[WP_MAX_WARPS]; /* where those in `waiting` are */
  guint64 waiting;
  guint64 here[WP_ORDER_NAMES]; /* warps */
  guint64 parts[WP_ORDER_BARS]; /* who met at BAR of some warps */
  gboolean has_failed;
} WpWaitsOrder;

void wp_waits_order_clear (WpWaitsOrder *order);
/* Another block begins. */
void wp_waits_order_begin (WpWaitsOrder *order);
/* Warp NUMBER of BLOCK comes to a barrier next. O(warps) amortised. */
void wp_waits_order_come (WpWaitsOrder *order, const WpBlock *block, guint number,
                          const WpComing *coming);
/* BLOCK has ended. FALSE: its warps would wait for each other, or not those met that should. */
gboolean wp_waits_order_end (WpWaitsOrder *order, const WpBlock *block);

G_END_DECLS
