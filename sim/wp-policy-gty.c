/* SPDX-License-Identifier: MIT */
/* Greedy then youngest: what Huerta et al. 2025 found in Turing to Blackwell cores. */
#include "sim/wp-sm.h"

static uint32_t
pick (const WpSm *sm, const WpScheduler *scheduler)
{
  return wp_policy_greedy (sm, scheduler, -1);
}

const WpPolicy wp_policy_gty = {
  .name = "gty",
  .summary = "greedy then youngest: the warp that issued last, else the youngest",
  .pick = pick,
};
