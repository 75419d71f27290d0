/* SPDX-License-Identifier: MIT */
/* Snapshots: the state of a device as a row of numbers, to be compared with its state at a later
 * time, and to be moved on by what lies between. Private; plain C11.
 *
 * Two states, at the ends of the times `then` and `now`, are alike when each number of the later
 * one
 *   - is the same as before; or
 *   - is a time that moves: it lies as far from `now` as it lay from `then`; or
 *   - is a time that does not move, and lies so far back that it decides nothing after `then`; or
 *   - is a name (of a block, of a warp by age) that moves by as many as were given away in between,
 * or does not, as what bears it is the same; or
 *   - counts something, and nothing depends on it; or
 *   - is a warp's counter of a repeat that goes round, of which enough iterations are left.
 * What follows from the later state is then what followed from the earlier one, moved, until blocks
 * or iterations run out: each further period adds the same difference to each number.
 */
#pragma once

#include "sim/engine/core/wp-device-core.h"

typedef enum
{
  WP_SNAPSHOT_TAKE,     /* the row becomes the state */
  WP_SNAPSHOT_COMPARE,  /* is the state like that in the row? */
  WP_SNAPSHOT_SUBTRACT, /* the row becomes the difference to the state, which was found alike */
  WP_SNAPSHOT_MOVE,     /* the state becomes what it is `times` differences later */
} WpSnapshotMode;

/* What a period does to what a warp, or a block, is called. Kept for replays only. */
typedef struct
{
  bool stays;     /* it is the same at the end */
  uint64_t count; /* then: its dynamic instructions in the period; a block's barriers */
} WpSteps;

/* A walk over all numbers of a state, in an order that does not depend on where things happen to
 * lie. */
typedef struct
{
  WpSnapshotMode mode;
  WpTick then, now;
  int64_t *word;    /* in the row: the next */
  uint64_t n_free;  /* of the words so far: those that a look does not pay for */
  uint64_t times;   /* MOVE */
  uint64_t least;   /* COMPARE: of no use unless at least so many periods can follow */
  uint64_t most;    /* COMPARE: repeats let no more than so many follow */
  WpTick latest;    /* COMPARE: the latest time of the state */
  WpTick longest;   /* of all latencies */
  uint32_t falling; /* COMPARE: the depth of the warp's repeat that goes round; 0: none does */
  uint64_t blocks;  /* given away in a period */
  WpSteps *steps;   /* SUBTRACT, or NULL: wp_snapshot_n_steps() of each SM */
} WpWalk;

/* What a look costs that has come to where WALK is, from BEGIN on, in words. Without those that are
 * there because somebody observes: when the search rests, and thereby what is skipped, does not
 * depend on who observes what. */
static inline uint64_t
wp_snapshot_get_cost (const WpWalk *walk, const int64_t *begin)
{
  return (uint64_t)(walk->word - begin) - walk->n_free;
}

/* Numbers in a row of N_SMS SMs like SM; SIZE_MAX if they are too many to be counted. */
size_t wp_snapshot_count (const WpSm *sm, uint32_t n_sms);

/* Steps of an SM: of its warp slots, behind them of the places of its blocks, and last how many
 * warps start. */
static inline size_t
wp_snapshot_n_steps (const WpSm *sm)
{
  return sm->n_slots + (size_t)sm->n_blocks + 1;
}

/* Does WALK, which begins at the start of a row: of COMPARE, whether the states are alike. All that
 * was due at the walk's `now` is done. MOVE leaves the SMs to be put in order by wp_sm_move_on().
 */
bool wp_snapshot_walk (WpDevice *device, WpWalk *walk);
