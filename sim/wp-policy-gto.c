/* SPDX-License-Identifier: MIT */
/* Greedy then oldest (Rogers, O'Connor and Aamodt 2012). */
#include "sim/wp-sm.h"

static uint32_t
pick (const WpSm *sm, const WpScheduler *scheduler)
{
  return wp_policy_greedy (sm, scheduler, 1);
}

const WpPolicy wp_policy_gto = {
  .name = "gto",
  .summary = "greedy then oldest: the warp that issued last, else the oldest",
  .pick = pick,
};
