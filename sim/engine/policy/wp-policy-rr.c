/* SPDX-License-Identifier: MIT */
/* Loose round robin follows the slot, whichever warp is in it now. */
#include "sim/engine/policy/wp-policy-pick.h"

static uint32_t
pick (const WpSm *sm, const WpScheduler *scheduler)
{
  uint32_t word = scheduler->last_bit / 64;
  uint64_t after = ~UINT64_C (1) << scheduler->last_bit % 64;
  uint64_t rest = scheduler->candidates[word] & after;

  (void)sm;
  while (rest == 0)
    {
      word = word + 1 == scheduler->n_words ? 0 : word + 1;
      rest = scheduler->candidates[word];
    }
  return word * 64 + wp_lowest_bit (rest);
}

const WpPolicy wp_policy_rr = {
  .name = "rr",
  .summary = "loose round robin: the next warp in slot order that can issue",
  .choice = WP_CHOICE_ROTATE,
  .pick = pick,
};
