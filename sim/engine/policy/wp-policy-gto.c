/* SPDX-License-Identifier: MIT */
/* Greedy then oldest (Rogers, O'Connor and Aamodt 2012). */
#include "sim/engine/policy/wp-policy-pick.h"

static uint32_t
pick (const WpSm *sm, const WpScheduler *scheduler)
{
  (void)sm;
  return wp_policy_can_repeat (scheduler) ? scheduler->last_bit : wp_policy_get_lowest (scheduler);
}

const WpPolicy wp_policy_gto = {
  .name = "gto",
  .summary = "greedy then oldest: the warp that issued last, else the oldest",
  .by_age = true,
  .choice = WP_CHOICE_GREEDY,
  .pick = pick,
};
