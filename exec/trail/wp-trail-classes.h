/* SPDX-License-Identifier: MIT */
/* Classes of warps: those that executed the same. A kernel has a program for each class, so that
 * there is a most number of classes. While the warps that were seen executed fewer different
 * sequences, each sequence is a class. Else warps that executed about the same are one: at level 1
 * those that executed each instruction equally often, in whatever order and with whichever lanes;
 * then those for which these numbers agree to within an eighth of an octave, a quarter, a half, one
 * octave; then those whose instructions in all agree so. The level is the first at which there are
 * few enough classes: it depends on what the warps executed and not on their order, so that results
 * do not depend on how many threads executed them.
 *
 * wp_trail_classes_add_block() may be called from several threads. */
#pragma once

#include "exec/trail/wp-trail-rows.h"
#include "exec/trail/wp-trail.h"

G_BEGIN_DECLS

typedef struct WpTrailClasses WpTrailClasses;

/* For code of N_INSTRUCTIONS and blocks of WARPS_PER_BLOCK; MAX: the most classes, from 1 on. */
WpTrailClasses *wp_trail_classes_new (guint32 n_instructions, guint32 warps_per_block, guint max);
void wp_trail_classes_free (WpTrailClasses *classes);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpTrailClasses, wp_trail_classes_free)

/* Ends TRAILS, those of the warps of BLOCK, whose classes' numbers NUMBERS receives. The caller may
 * count by these numbers what else it knows of the warps, and ask wp_trail_classes_find() later
 * which classes they became: numbers join when the level rises. Each block is added once. O(items),
 * and for a sequence that was not seen before O(its runs + instructions). */
void wp_trail_classes_add_block (WpTrailClasses *classes, guint64 block, WpTrail *const *trails,
                                 guint32 *numbers);

typedef struct
{
  const WpTrailStore *store;
  guint32 unit;           /* what a warp of it executed: the one that is nearest to the mean */
  guint64 instructions;   /* that this one executed */
  guint64 n_warps, total; /* warps, and the instructions of all of them */
} WpTrailClass;

/* To be called once, after the last warp. Numbers the classes 0, 1, ... in the order of the blocks
 * and warps in which they occur first. O(b log b + warps of different rows). */
void wp_trail_classes_finish (WpTrailClasses *classes);

guint wp_trail_classes_get_n (const WpTrailClasses *classes);
guint wp_trail_classes_get_level (const WpTrailClasses *classes);
const WpTrailClass *wp_trail_classes_get (const WpTrailClasses *classes, guint class);
/* Returns the class that NUMBER, from wp_trail_classes_add_block(), has become. */
guint wp_trail_classes_find (const WpTrailClasses *classes, guint32 number);
/* The blocks that were added, ascending, of WpTrailBlock. */
const GArray *wp_trail_classes_get_blocks (const WpTrailClasses *classes);
guint wp_trail_classes_get_n_rows (const WpTrailClasses *classes);
/* Of a block's warps, the class of each. */
const guint32 *wp_trail_classes_get_row (const WpTrailClasses *classes, guint32 row);
/* How often all warps together executed each instruction, with whichever lanes, as the warp does
 * that stands for its class. Free with g_free(). O(instructions + the trails of all classes). */
gdouble *wp_trail_classes_count (WpTrailClasses *classes);

G_END_DECLS
