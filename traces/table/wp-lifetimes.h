/* SPDX-License-Identifier: MIT */
/* How long warps live: a multiset of lifetimes, for percentiles that are exact.
 *
 * Warps that go through the same live equally long, so that even of very many few lifetimes differ:
 * each is kept once, with how often it came. Where more than WP_MAX_LIFETIMES differ, none is kept
 * any more, and there are no percentiles.
 */
#pragma once

#include <glib.h>

#include "sim/machine/wp-observer.h"

G_BEGIN_DECLS

#define WP_MAX_LIFETIMES (1 << 20) /* 32 MiB at most */

typedef struct WpLifetimes WpLifetimes;

WpLifetimes *wp_lifetimes_new (void);
void wp_lifetimes_free (WpLifetimes *lifetimes);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpLifetimes, wp_lifetimes_free)

/* What to attach to the run; belongs to LIFETIMES. */
const WpObserver *wp_lifetimes_get_observer (const WpLifetimes *lifetimes);

/* How many different ones there are; more than WP_MAX_LIFETIMES: too many. */
guint wp_lifetimes_get_n_values (const WpLifetimes *lifetimes);

/* Sets VALUES[i] to the PERCENTS[i]-th percentile (1 .. 100) by nearest rank: of n warps by
 * lifetime the one at place ceil (percent x n / 100), a lifetime that some warp had. False where no
 * warp has ended, or too many differ. O(d log d) for d different ones. */
gboolean wp_lifetimes_get_percentiles (const WpLifetimes *lifetimes, const guint *percents, guint n,
                                       WpTick *values);

/* Some lifetime, and how many warps have it or a shorter one. */
typedef struct
{
  WpTick value;
  guint64 warps;
} WpLifetimePoint;

/* The distribution: all lifetimes, rising, or, where they are more than MOST, MOST of them, one in
 * each MOST-th part of the warps. Of WpLifetimePoint, empty where no warp has ended, or too many
 * lifetimes differ; free with g_array_unref(). */
GArray *wp_lifetimes_get_distribution (const WpLifetimes *lifetimes, guint most);

G_END_DECLS
