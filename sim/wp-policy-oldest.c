/* SPDX-License-Identifier: MIT */
/* Oldest first: age is the launch sequence number on the SM. */
#include "sim/wp-sm.h"

static uint32_t
pick (const WpSm *sm, const WpScheduler *scheduler)
{
  return wp_policy_by_age (sm, scheduler, 1);
}

const WpPolicy wp_policy_oldest = {
  .name = "oldest",
  .summary = "the oldest warp that can issue",
  .pick = pick,
};
