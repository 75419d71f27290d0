/* SPDX-License-Identifier: MIT */
/* What several policies pick by. Private to the engine; plain C11. */
#pragma once

#include "sim/engine/core/wp-sm-state.h"
#include "sim/engine/policy/wp-policy-list.h"

/* The lowest candidate: by age the oldest. */
static inline uint32_t
wp_policy_get_lowest (const WpScheduler *scheduler)
{
  uint32_t word = 0;

  while (scheduler->candidates[word] == 0)
    word++;
  return word * 64 + wp_lowest_bit (scheduler->candidates[word]);
}

/* The highest: by age the youngest. */
static inline uint32_t
wp_policy_get_highest (const WpScheduler *scheduler)
{
  uint32_t word = scheduler->n_words - 1;

  while (scheduler->candidates[word] == 0)
    word--;
  return word * 64 + wp_highest_bit (scheduler->candidates[word]);
}

/* Whether the warp that SCHEDULER issued from last is a candidate. */
static inline bool
wp_policy_can_repeat (const WpScheduler *scheduler)
{
  uint32_t last = scheduler->last_bit;

  return !scheduler->last_gone && (scheduler->candidates[last / 64] >> last % 64 & 1) != 0;
}
