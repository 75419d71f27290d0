/* SPDX-License-Identifier: MIT */
/* Work-group precedence (Lemeire's WG_PRECEDENCE): the earliest launched block that has a warp that can issue,
 * and among its warps as round robin. Slots are handed out lowest first, so that a block's warps need not stand
 * together: distances are measured in slot order from the last issue on.
 */
#include "sim/wp-sm.h"

static uint32_t
pick (const WpSm *sm, const WpScheduler *scheduler)
{
  uint32_t best = UINT32_MAX, best_distance = 0;
  uint64_t best_order = 0;

  for (uint32_t word = 0; word < scheduler->n_words; word++)
    for (uint64_t rest = scheduler->candidates[word]; rest != 0; rest &= rest - 1)
      {
        uint32_t local = word * 64 + wp_lowest_bit (rest);
        uint64_t order = sm->blocks[wp_sm_get_warp (sm, scheduler, local)->block].order;
        uint32_t after = scheduler->last_slot + 1;
        uint32_t distance = local >= after ? local - after : local + scheduler->n_slots - after;

        if (best == UINT32_MAX || order < best_order
            || (order == best_order && distance < best_distance))
          {
            best = local;
            best_order = order;
            best_distance = distance;
          }
      }
  return best;
}

const WpPolicy wp_policy_block = {
  .name = "block",
  .summary = "work-group precedence: the earliest block that can issue, round robin within it",
  .pick = pick,
};
