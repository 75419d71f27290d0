/* SPDX-License-Identifier: MIT */
/* Lists of whole numbers, kept as ranges with steps: 1, 2, 8 .. 16, 4 .. 64 by 4. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* FIRST, FIRST + STEP, ... up to LAST. */
typedef struct
{
  guint64 first, last, step; /* first <= last, step >= 1 */
  gboolean is_range;         /* written as one: 8-8 is, 8 is not */
  guint64 sizes[3]; /* of a block or a grid whose product `first` is; 0: no shape is said */
  guint64 before;   /* numbers of the ranges before it in its list; G_MAXUINT64 if more than fit */
} WpRange;

/* No ranges yet, a GArray of WpRange. Free with g_array_unref(). */
GArray *wp_ranges_new (void);

/* Appends RANGE, whose `before` is filled in here: nothing else appends to a list. */
void wp_ranges_append (GArray *ranges, WpRange range);

/* Appends all of MORE. */
void wp_ranges_append_all (GArray *ranges, const GArray *more);

/* Appends NUMBER by itself. */
void wp_ranges_add (GArray *ranges, guint64 number);

/* How many numbers RANGES (of WpRange) have, the same one counted as often as it is written;
 * G_MAXUINT64 if more than fit. O(1). */
guint64 wp_ranges_count (const GArray *ranges);

/* The range that has number I of them, below their count. O(log ranges). */
const WpRange *wp_ranges_find (const GArray *ranges, guint64 i);

/* Number I of them, below their count, in the order in which they are written. O(log ranges). */
guint64 wp_ranges_get (const GArray *ranges, guint64 i);

/* The numbers of RANGES as they are written, of guint64; free with g_array_unref(). Takes eight
 * bytes for each: count them first. */
GArray *wp_ranges_list (const GArray *ranges);

/* Whether RANGES and OTHERS, of WpRange, are the same ranges in the same order; the shapes of
 * blocks and grids do not count. */
gboolean wp_ranges_are_alike (const GArray *ranges, const GArray *others);

G_END_DECLS
