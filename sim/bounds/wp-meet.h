/* SPDX-License-Identifier: MIT */
/* The warps of a block, walked together from barrier to barrier. Private; plain C11.
 *
 * Where they meet in a state that they were in before, the rounds in between are counted and not
 * walked, as those of a warp alone are (wp-alone.h). Repeats nest, and skipped rounds of an inner
 * one must not spoil the search for a period of an outer one: there is a search for each depth of
 * repeats, which holds good until a warp leaves the repeat of that depth.
 */
#pragma once

#include "sim/bounds/wp-alone.h"

typedef struct
{
  WpAloneState *states; /* [n]: kept at a meeting; not set of warps that had ended */
  WpAloneEnd *ends;     /* [n]: the last one of each warp since then */
  uint64_t age,
      life; /* meetings since then, after how many they are renewed; life 0: none is kept */
} WpMeetSearch;

typedef struct
{
  uint32_t n;
  WpAlone *warps;
  uint32_t n_searches;    /* the depth of repeats with barriers in them */
  WpMeetSearch *searches; /* of depth 1, 2, ... */
  uint32_t *levels;       /* [n]: for wp_meet_release() */
} WpMeet;

/* The warps of the N segments from FIRST_SEGMENT on, at their start. False when memory is out: MEET
 * is clear then. */
bool wp_meet_init (WpMeet *meet, const WpMachine *machine, uint32_t n,
                   const WpBoundsSegment *segments, uint32_t first_segment);

/* Makes it one of no warps. */
void wp_meet_clear (WpMeet *meet);

/* All warps have stopped. Those at a barrier go on together, when the last of them has arrived or
 * ended; WP_ALONE_STOPPED: none is at one. O(warps x searches), and where states are kept or
 * compared, what they read. */
WpAloneStatus wp_meet_release (WpMeet *meet, WpTrail *trail);
