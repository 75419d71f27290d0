/* SPDX-License-Identifier: MIT */
/* What a policy is made of: what the engine asks of it. It calls none by name. Private to the
 * engine; plain C11. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
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

/* What a policy from outside is told. */
typedef enum
{
  WP_TOLD_LAUNCH,
  WP_TOLD_WAIT,
  WP_TOLD_END,
} WpTold;

/* Numbers that a policy from outside may remember, for its run to be skipped in part. */
#define WP_DIGEST_WORDS 64

struct WpPolicy
{
  const char *name;
  const char *summary;

  /* What a bit of a scheduler's sets means: the place in order of age of those warps (the lowest is
   * the oldest), or the local slot. */
  bool by_age;

  WpChoice choice; /* the same as pick() */

  /* The warp to issue from, as a bit of scheduler->candidates, which is never empty. Where neither
   * `update` nor `declines` is there, that follows from the candidates and the last warp alone,
   * however often it is asked, or not where there is but one; and where `choice` says more than
   * WP_CHOICE_PICK, whom it chooses it also chooses when others are taken away. */
  uint32_t (*pick) (const WpSm *sm, const WpScheduler *scheduler);

  /* pick() may say WP_NO_BIT: none of them. It is asked again when something has happened on the
   * SM's scheduler, or the pipeline of another warp opens, or it is scheduler->until; where nothing
   * is left to happen the run is stuck (WP_RUN_STUCK). */
  bool declines;

  /* A policy from outside keeps something of its own for each scheduler, scheduler->outside:
   * `attach` makes it before anything is launched, false: *PROBLEM (static) says why not, or it is
   * memory; `detach` frees it. Both or none. */
  bool (*attach) (WpSm *sm, WpScheduler *scheduler, const char **problem);
  void (*detach) (WpScheduler *scheduler);

  /* The warp of BIT has launched, may have begun or ended to wait, or has terminated; and has
   * issued N dynamic instructions from INSTR on. Both or none; with them it declines, is not asked
   * for replicas, and does not go with dataflow order. */
  void (*tell) (WpSm *sm, WpScheduler *scheduler, uint32_t bit, WpTold what);
  void (*tell_issue) (WpSm *sm, WpScheduler *scheduler, uint32_t bit, uint32_t instr, uint64_t n);

  /* Of one that is told: all that it remembers, as for WpPolicyPlugin. Returns how many words;
   * NULL: periods are not looked for. */
  size_t (*digest) (const WpScheduler *scheduler, uint64_t *words, size_t room);

  /* A policy that narrows the choice keeps lists: the three below are all there or all NULL, and
   * bits are local slots. `update` is called at each visit to the scheduler at time sm->now before
   * which something happened to its warps (a visit after nothing changes no list), and brings
   * scheduler->eligible up to date; `join` when a warp launches in a local slot; `leave` when it
   * terminates. */
  void (*update) (WpSm *sm, WpScheduler *scheduler);
  void (*join) (WpScheduler *scheduler, uint32_t local);
  void (*leave) (WpScheduler *scheduler, uint32_t local);
};
