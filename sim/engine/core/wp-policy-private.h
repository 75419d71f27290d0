/* SPDX-License-Identifier: MIT */
/* What a policy is made of: what the engine asks of it. It calls none by name. Private to the
 * engine; plain C11. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct WpPolicy WpPolicy;
typedef struct WpSm WpSm;
typedef struct WpScheduler WpScheduler;

/* What a policy chooses among warps that can issue, as far as the fast loop (wp-sm-fast.c) has it
 * built in. */
typedef enum
{
  WP_CHOICE_PICK,           /* what pick() says */
  WP_CHOICE_ROTATE,         /* the next bit after the last */
  WP_CHOICE_LOWEST,         /* the lowest */
  WP_CHOICE_GREEDY,         /* the last, else the lowest */
  WP_CHOICE_GREEDY_HIGHEST, /* the last, else the highest */
  WP_CHOICE_BLOCK,          /* the earliest block's, in it the next one after the last */
  WP_N_CHOICES,
} WpChoice;

struct WpPolicy
{
  const char *name;
  const char *summary;

  /* What a bit of a scheduler's sets means: the place in order of age of those warps (the lowest is
   * the oldest), or the local slot. */
  bool by_age;

  WpChoice choice; /* the same as pick() */

  /* The warp to issue from, as a bit of scheduler->candidates, which is never empty. Where neither
   * `update` nor `declines` is there, whom it chooses it also chooses when others are taken
   * away. */
  uint32_t (*pick) (const WpSm *sm, const WpScheduler *scheduler);

  /* pick() may say WP_NO_BIT: none of them. It is asked again when something has happened on the
   * SM's scheduler; where nothing is left to happen the run is stuck (WP_RUN_STUCK). */
  bool declines;

  /* A policy that narrows the choice keeps lists: the three below are all there or all NULL, and
   * bits are local slots. `update` is called at each visit to the scheduler at time sm->now before
   * which something happened to its warps (a visit after nothing changes no list), and brings
   * scheduler->eligible up to date; `join` when a warp launches in a local slot; `leave` when it
   * terminates. */
  void (*update) (WpSm *sm, WpScheduler *scheduler);
  void (*join) (WpScheduler *scheduler, uint32_t local);
  void (*leave) (WpScheduler *scheduler, uint32_t local);
};
