/* SPDX-License-Identifier: MIT */
/* Loose round robin follows the slot, whichever warp is in it now. */
#include "sim/wp-sm.h"

static uint32_t
pick (const WpSm *sm, const WpScheduler *scheduler)
{
  (void)sm;
  return wp_policy_next_in_slot_order (scheduler->candidates, scheduler->n_words,
                                       scheduler->last_slot);
}

const WpPolicy wp_policy_rr = {
  .name = "rr",
  .summary = "loose round robin: the next warp in slot order that can issue",
  .pick = pick,
};
