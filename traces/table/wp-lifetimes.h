/* SPDX-License-Identifier: MIT */
/* Records how long warps live, as a multiset of lifetimes, so that percentiles are exact.
 *
 * Warps that do the same live equally long, so that there are few distinct lifetimes even in long
 * runs: each is stored once, with its count. Beyond WP_MAX_LIFETIMES distinct lifetimes, nothing is
 * stored any more, and there are no percentiles. */
#pragma once

#include <glib.h>

#include "sim/machine/wp-observer.h"

G_BEGIN_DECLS

#define WP_MAX_LIFETIMES (1 << 20) /* 32 MiB at most */

typedef struct WpLifetimes WpLifetimes;

WpLifetimes *wp_lifetimes_new (void);
void wp_lifetimes_free (WpLifetimes *lifetimes);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpLifetimes, wp_lifetimes_free)

/* Returns the observer to attach to the run; LIFETIMES owns it. */
const WpObserver *wp_lifetimes_get_observer (const WpLifetimes *lifetimes);

/* Returns the number of distinct lifetimes; if it is above WP_MAX_LIFETIMES, they were not kept. */
guint wp_lifetimes_get_n_values (const WpLifetimes *lifetimes);

/* Sets VALUES[i] to the PERCENTS[i]-th percentile (1 .. 100) by nearest rank: the lifetime at
 * position ceil (percent x n / 100) of the n warps sorted by lifetime, so that some warp had it.
 * Returns false if no warp has ended, or if too many lifetimes differ. O(d log d) for d distinct
 * lifetimes. */
gboolean wp_lifetimes_get_percentiles (const WpLifetimes *lifetimes, const guint *percents, guint n,
                                       WpTick *values);

/* A lifetime, and how many warps lived that long or less. */
typedef struct
{
  WpTick value;
  guint64 warps;
} WpLifetimePoint;

/* Returns the distribution (of WpLifetimePoint), sorted: all lifetimes or, if there are more than
 * MOST, one from each MOST-th part of the warps. It is empty if no warp has ended, or if too many
 * lifetimes differ. Free with g_array_unref(). */
GArray *wp_lifetimes_get_distribution (const WpLifetimes *lifetimes, guint most);

G_END_DECLS
