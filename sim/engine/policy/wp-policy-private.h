/* SPDX-License-Identifier: MIT */
/* What a policy is made of. Private to the engine; plain C11. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "sim/engine/policy/wp-policy.h"

typedef struct WpSm WpSm;
typedef struct WpScheduler WpScheduler;

struct WpPolicy
{
  const char *name;
  const char *summary;

  /* What a bit of a scheduler's sets means: the place in order of age of those warps (the lowest is
   * the oldest), or the local slot. */
  bool by_age;

  /* The warp to issue from, as a bit of scheduler->candidates, which is never empty. */
  uint32_t (*pick) (const WpSm *sm, const WpScheduler *scheduler);

  /* A policy that narrows the choice keeps lists: the three below are all there or all NULL, and
   * bits are local slots. `update` is called at each visit to the scheduler at time sm->now before
   * which something happened to its warps (a visit after nothing changes no list), and brings
   * scheduler->eligible up to date; `join` when a warp launches in a local slot; `leave` when it
   * terminates. */
  void (*update) (WpSm *sm, WpScheduler *scheduler);
  void (*join) (WpScheduler *scheduler, uint32_t local);
  void (*leave) (WpScheduler *scheduler, uint32_t local);
};

extern const WpPolicy wp_policy_rr, wp_policy_gto, wp_policy_gty, wp_policy_oldest, wp_policy_block,
    wp_policy_two_level;

/* The lowest (highest) candidate. */
uint32_t wp_policy_get_lowest (const WpScheduler *scheduler);
uint32_t wp_policy_get_highest (const WpScheduler *scheduler);

/* Whether the warp that SCHEDULER issued from last is a candidate. */
bool wp_policy_can_repeat (const WpScheduler *scheduler);
