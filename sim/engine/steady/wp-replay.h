/* SPDX-License-Identifier: MIT */
/* What observers saw in a period, to be shown again for each period that is skipped. Private; plain
 * C11.
 *
 * A replay is an observer itself, behind the others. Each level of the search for steady states
 * (wp-steady.h) marks where its period begins; the rounds that a level has skipped are one item, a
 * repeat of those before it, so that a period of a higher level holds them:
 *
 *   item      a b c   d e   repeat of (d e), 1000 times   f   repeat of (a .. f), 50 times
 *   level                   0                                 1
 *
 * A replay has room for so many items only: a period with more of them is not skipped.
 */
#pragma once

#include "sim/engine/steady/wp-snapshot.h"

#define WP_REPLAY_EVENTS (UINT32_C (1) << 16) /* of an SM */
#define WP_REPLAY_SMS 16                      /* as if there were no more */
#define WP_REPLAY_LEVELS 4

typedef struct WpReplay WpReplay;

struct WpRepeat
{
  const WpReplay *replay;
  uint32_t first, n; /* its items */
  uint32_t level;
  uint64_t times;
  WpTick period, start; /* start: when the round that was kept ended */
  uint64_t
      rounds[WP_REPLAY_LEVELS]; /* after the one that was kept, of each level: where it begins */
  WpTick shift;                 /* by which times have moved there */
};

/* A replay for N_LEVELS, of what one at least of OBSERVERS listens to; NULL when memory is out. It
 * borrows all. */
WpReplay *wp_replay_new (const WpMachine *machine, const WpObserver *const *observers, size_t n,
                         uint32_t n_levels);
void wp_replay_free (WpReplay *replay);

/* The bytes that one takes. */
uint64_t wp_replay_measure (const WpMachine *machine, uint32_t n_levels);

/* What records for it. */
const WpObserver *wp_replay_get_observer (const WpReplay *replay);

/* LEVEL's period begins now. */
void wp_replay_mark (WpReplay *replay, uint32_t level);

/* LEVEL has no use for its mark any more. */
void wp_replay_unmark (WpReplay *replay, uint32_t level);

/* The items since LEVEL's mark, or UINT32_MAX: they were too many. */
uint32_t wp_replay_get_length (const WpReplay *replay, uint32_t level);

/* The replay holds, since LEVEL's mark, the period that WALK has subtracted (wp-snapshot.h), with
 * its steps: notes what changes from one period to the next. What it returns is of no times yet. */
WpRepeat wp_replay_settle (WpReplay *replay, const WpDevice *device, const WpWalk *walk,
                           uint32_t level);

/* REPEAT has been skipped as a whole: an item, for periods of higher levels. */
void wp_replay_add_repeat (WpReplay *replay, const WpRepeat *repeat);

/* wp_repeat_unfold() for several observers at a time, which see the events in order; repeats within
 * a round each by itself. */
void wp_replay_show (const WpRepeat *repeat, uint64_t first, uint64_t n,
                     const WpObserver *const *observers, size_t n_observers);
