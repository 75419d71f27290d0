/* SPDX-License-Identifier: MIT */
/* A whole number over time, in bounded memory. While its changes are few, each is kept; when they
 * become many, time is divided into bins of equal width, each with the minimum, the maximum and the
 * mean of the value. These are exact, not sampled; a value that is held for no time does not count.
 * Private. */
#pragma once

#include <glib.h>

#include "sim/base/wp-time.h"

G_BEGIN_DECLS

typedef struct
{
  WpTick time;
  guint64 value;
} WpThinnedPoint;

/* A bin. `sum` is the integral of the value over time. */
typedef struct
{
  guint64 min, max;
  WpSum sum;
} WpThinnedBin;

typedef struct
{
  /* May be read after wp_thinned_finish(). */
  GArray *points; /* of WpThinnedPoint, one for each change, by time; NULL if there were too many */
  WpTick width;   /* of each bin; the first begins at time 0 */
  guint n_bins;   /* how many bins the run has reached */
  WpThinnedBin *bins;

  /* Private: limits, the current value, and the time of its last change. */
  guint max_changes, max_bins;
  guint64 value;
  WpTick since;
} WpThinned;

/* Makes a curve that is 0 at time 0. After more than MAX_CHANGES changes it switches to bins: at
 * most MAX_BINS (at least 2); the bins double in width when they would become more. Free with
 * wp_thinned_free(). */
WpThinned *wp_thinned_new (guint max_changes, guint max_bins);
void wp_thinned_free (WpThinned *curve);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpThinned, wp_thinned_free)

/* Sets the value from TIME on. TIME must not decrease; of several calls for one time the last
 * counts. Amortized O(1). */
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

/* Ends the curve at END. */
void wp_thinned_finish (WpThinned *curve, WpTick end);

G_END_DECLS
