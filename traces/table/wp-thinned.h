/* SPDX-License-Identifier: MIT */
/* A whole number over time, in bounded memory: each change while they are few; when they are many,
 * stretches of one length with the least, the greatest and the mean of what it was in each. A
 * stretch knows exactly: nothing is sampled, and a value held for no time at all does not count.
 * Private.
 */
#pragma once

#include <glib.h>

#include "sim/base/wp-time.h"

G_BEGIN_DECLS

typedef struct
{
  WpTick time;
  guint64 value;
} WpThinnedPoint;

/* A stretch. `sum`: of the value over time. */
typedef struct
{
  guint64 min, max;
  WpSum sum;
} WpThinnedBin;

typedef struct
{
  /* Read freely after wp_thinned_finish(). */
  GArray *points; /* of WpThinnedPoint, by time, each a change; NULL: there were too many */
  WpTick width;   /* of each bin, from time 0 on */
  guint n_bins;   /* those that time has reached */
  WpThinnedBin *bins;

  /* Private: limits, the value now, and since when. */
  guint max_changes, max_bins;
  guint64 value;
  WpTick since;
} WpThinned;

/* A curve that is 0 at time 0. More than MAX_CHANGES become stretches, MAX_BINS (at least 2) at
 * most, and from the second half of them on half as many at least. */
WpThinned *wp_thinned_new (guint max_changes, guint max_bins);
void wp_thinned_free (WpThinned *curve);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpThinned, wp_thinned_free)

/* From TIME on it is VALUE. Times may not fall; of several calls for one time the last counts.
 * Amortized O(1). */
void wp_thinned_set (WpThinned *curve, WpTick time, guint64 value);

/* Where a curve was, for wp_thinned_repeat(). */
typedef struct
{
  guint64 value;
  WpTick since, width;
  guint n_points;
  WpSum sum; /* of the stretch then */
} WpThinnedMark;

WpThinnedMark wp_thinned_mark (const WpThinned *curve);

/* What was set since MARK comes again MOST times, each PERIOD later: returns how many of these it
 * has added, to the same effect as if each was set. The others are to be set, one by one with a new
 * mark: they are few, as all that lie within a stretch are added at once. */
guint64 wp_thinned_repeat (WpThinned *curve, const WpThinnedMark *mark, WpTick period,
                           guint64 most);

/* It ends at END. */
void wp_thinned_finish (WpThinned *curve, WpTick end);

G_END_DECLS
