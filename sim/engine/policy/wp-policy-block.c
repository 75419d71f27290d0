/* SPDX-License-Identifier: MIT */
/* Work-group precedence (Lemeire's WG_PRECEDENCE): the earliest launched block that has a warp that
 * can issue, and among its warps as round robin. A block's warps are together in order of age,
 * and their slots rise with it, as the lowest free ones are handed out in order.
 */
#include "sim/engine/policy/wp-policy-pick.h"

/* Where the last warp is of BLOCK, too: those that follow it there have higher bits. FIRST, the
 * first candidate, is where there is none. */
static uint32_t
pick_after_last (const WpScheduler *scheduler, uint32_t first, uint32_t block)
{
  uint32_t word = scheduler->last_bit / 64, bit;
  uint64_t rest = scheduler->candidates[word] & ~UINT64_C (1) << scheduler->last_bit % 64;

  while (rest == 0 && word + 1 < scheduler->n_words)
    rest = scheduler->candidates[++word];
  if (rest == 0)
    return first;
  bit = word * 64 + wp_lowest_bit (rest);
  return scheduler->warps[bit]->block == block ? bit : first;
}

static uint32_t
pick (const WpSm *sm, const WpScheduler *scheduler)
{
  uint32_t first = wp_policy_get_lowest (scheduler);
  uint32_t block = scheduler->warps[first]->block;

  if (!scheduler->last_gone && scheduler->warps[scheduler->last_bit]->block == block)
    return pick_after_last (scheduler, first, block);
  for (uint32_t word = first / 64; word < scheduler->n_words; word++)
    for (uint64_t rest = scheduler->candidates[word]; rest != 0; rest &= rest - 1)
      {
        uint32_t bit = word * 64 + wp_lowest_bit (rest);

        if (scheduler->warps[bit]->block != block)
          return first;
        if (wp_sm_get_slot (sm, scheduler->warps[bit]) > scheduler->last_slot)
          return bit;
      }
  return first;
}

const WpPolicy wp_policy_block = {
  .name = "block",
  .summary = "work-group precedence: the earliest block that can issue, round robin within it",
  .by_age = true,
  .choice = WP_CHOICE_BLOCK,
  .pick = pick,
};
