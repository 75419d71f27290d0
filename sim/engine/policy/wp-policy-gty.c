/* SPDX-License-Identifier: MIT */
/* Greedy then youngest: what Huerta et al. 2025 found in Turing to Blackwell cores. */
#include "sim/engine/policy/wp-policy-pick.h"

static uint32_t
pick (const WpSm *sm, const WpScheduler *scheduler)
{
  (void)sm;
  return wp_policy_can_repeat (scheduler) ? scheduler->last_bit : wp_policy_get_highest (scheduler);
}

const WpPolicy wp_policy_gty = {
  .name = "gty",
  .summary = "greedy then youngest: the warp that issued last, else the youngest",
  .by_age = true,
  .choice = WP_CHOICE_GREEDY_HIGHEST,
  .pick = pick,
};
