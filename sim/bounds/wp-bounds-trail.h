/* SPDX-License-Identifier: MIT */
/* What a block's warps did, alone on the SM: every issue with the step that it waited for, so that
 * the critical path can be read off backwards. Private; plain C11.
 *
 * An issue has a position: how many issues of the block came before it. Rounds that recur are not
 * written out: a fold says that what was written last comes so many times more.
 *
 *     index     0  1  2  3   4           5
 *     entry     a  b  c  d   fold of 2-3, 10 times   e
 *     position  0  1  2  3   4 .. 23     24
 *
 * Steps refer to one another by how far back they are, so that what is written once holds for every
 * round.
 */
#pragma once

#include "sim/bounds/wp-bounds-data.h"

#include <stddef.h>

#define WP_TRAIL_FOLD UINT32_MAX
#define WP_NOWHERE UINT64_MAX
#define WP_TRAIL_DEPTH 80 /* folds in one another: repeats, and the barriers of a block */

typedef struct
{
  uint64_t at;   /* position; of a fold: of its first */
  uint64_t back; /* a step: how far back the step before it on the longest path is, 0: the start;
                       a fold: the length of one round in positions */
  WpTick
      length;   /* a step: of the edge from there; a fold: 1 if its rounds have positions, else 0 */
  uint64_t gap; /* a step: ticks since its warp's issue before; a fold: how many more times */
  uint32_t instr;   /* or WP_TRAIL_FOLD */
  uint32_t segment; /* whose warp */
  uint32_t edge;    /* WpEdge */
  uint32_t from; /* a step: the instruction that it waited for; a fold: how many entries before it
                    are folded */
} WpBoundsTrailEntry;

typedef struct
{
  WpBoundsTrailEntry *entries;
  size_t n, room;
  uint64_t position; /* of the next step */
  size_t n_lost;     /* entries that were given up, the oldest */
  bool idles;        /* rounds that take no time were folded */
} WpBoundsTrail;

void wp_bounds_trail_clear (WpBoundsTrail *trail);

/* Makes it empty again. */
void wp_bounds_trail_reset (WpBoundsTrail *trail);

/* Writes ENTRY down, at the present position. False when memory is out. */
bool wp_bounds_trail_add (WpBoundsTrail *trail, WpBoundsTrailEntry entry);

/* What was written from POSITION on, where a step is, happens TIMES more. With
 * PLACES, these rounds have positions; where time does not pass, they have none. False when memory
 * is out. */
bool wp_bounds_trail_fold (WpBoundsTrail *trail, uint64_t position, uint64_t times, bool places);

/* How many entries there have been. */
static inline uint64_t
wp_bounds_trail_count (const WpBoundsTrail *trail)
{
  return (uint64_t)trail->n_lost + trail->n;
}

/* The critical path that ends with the step at position END, into BOUNDS->path, and
 * BOUNDS->path_begins; the time of that step is TIME. False when memory is out. */
bool wp_bounds_trail_find_path (const WpBoundsTrail *trail, uint64_t end, WpTick time,
                                WpBounds *bounds);

/* The intervals of SEGMENT's warp into BOUNDS->intervals, none where not all entries are there.
 * LAST says what the warp waits for at its end, and how long. False when memory is out. */
bool wp_bounds_trail_find_intervals (const WpBoundsTrail *trail, uint32_t segment, WpInterval last,
                                     WpBounds *bounds);
