/* SPDX-License-Identifier: MIT */
/* Oldest first: age is the launch sequence number on the SM. */
#include "sim/engine/policy/wp-policy-pick.h"

static uint32_t
pick (const WpSm *sm, const WpScheduler *scheduler)
{
  (void)sm;
  return wp_policy_get_lowest (scheduler);
}

const WpPolicy wp_policy_oldest = {
  .name = "oldest",
  .summary = "the oldest warp that can issue",
  .by_age = true,
  .choice = WP_CHOICE_LOWEST,
  .pick = pick,
};
