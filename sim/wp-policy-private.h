/* SPDX-License-Identifier: MIT */
/* What a policy is made of. Private to the engine; plain C11. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "sim/wp-policy.h"

typedef struct WpSm WpSm;
typedef struct WpScheduler WpScheduler;

struct WpPolicy
{
  const char *name;
  const char *summary;

  /* The local slot of the warp to issue from, among scheduler->candidates, which is never empty. */
  uint32_t (*pick) (const WpSm *sm, const WpScheduler *scheduler);

  /* A policy that narrows the choice keeps lists: the three below are all there or all NULL. `update` is called at
   * each visit to the scheduler at time sm->now before which something happened to its warps (a visit after nothing
   * changes no list), and brings scheduler->eligible up to date; `join` when a warp
   * launches in a local slot; `leave` when it terminates. */
  void (*update) (WpSm *sm, WpScheduler *scheduler);
  void (*join) (WpScheduler *scheduler, uint32_t local);
  void (*leave) (WpScheduler *scheduler, uint32_t local);
};

extern const WpPolicy wp_policy_rr, wp_policy_gto, wp_policy_gty, wp_policy_oldest, wp_policy_block,
    wp_policy_two_level;

/* The first member of the set MEMBERS (of N_WORDS words) after AFTER, going round; the set must not be empty. */
uint32_t wp_policy_next_in_slot_order (const uint64_t *members, uint32_t n_words, uint32_t after);

/* The candidate of the least (SIGN 1) or greatest (SIGN -1) age. */
uint32_t wp_policy_by_age (const WpSm *sm, const WpScheduler *scheduler, int sign);

/* Greedy: the warp that SCHEDULER issued from last, if it is a candidate, else by age. */
uint32_t wp_policy_greedy (const WpSm *sm, const WpScheduler *scheduler, int sign);

/* Index of the lowest bit set; WORD must not be 0. */
static inline uint32_t
wp_lowest_bit (uint64_t word)
{
#if defined(__GNUC__)
  return (uint32_t)__builtin_ctzll (word);
#else
  uint32_t bit = 0;

  for (; (word & 1) == 0; word >>= 1)
    bit++;
  return bit;
#endif
}
