/* SPDX-License-Identifier: MIT */
/* The table of policies, and what several of them share. */
#include "sim/wp-sm.h"

#include <string.h>

static const WpPolicy *const policies[] = {
  &wp_policy_rr,     &wp_policy_gto,   &wp_policy_gty,
  &wp_policy_oldest, &wp_policy_block, &wp_policy_two_level,
};

#define N_POLICIES (sizeof policies / sizeof policies[0])

const WpPolicy *
wp_policy_find (const char *name)
{
  for (size_t i = 0; i < N_POLICIES; i++)
    if (strcmp (policies[i]->name, name) == 0)
      return policies[i];
  return NULL;
}

const WpPolicy *
wp_policy_get (size_t i)
{
  return i < N_POLICIES ? policies[i] : NULL;
}

const char *
wp_policy_get_name (const WpPolicy *policy)
{
  return policy->name;
}

const char *
wp_policy_get_summary (const WpPolicy *policy)
{
  return policy->summary;
}

bool
wp_policy_takes_dataflow (const WpPolicy *policy)
{
  return policy->update == NULL;
}

uint32_t
wp_policy_next_in_slot_order (const uint64_t *members, uint32_t n_words, uint32_t after)
{
  uint32_t word = after / 64;
  uint32_t bit = after % 64;
  uint64_t rest = bit == 63 ? 0 : members[word] & (~UINT64_C (0) << (bit + 1));

  for (;;)
    {
      if (rest != 0)
        return word * 64 + wp_lowest_bit (rest);
      word = word + 1 == n_words ? 0 : word + 1;
      rest = members[word];
    }
}

uint32_t
wp_policy_by_age (const WpSm *sm, const WpScheduler *scheduler, int sign)
{
  uint32_t best = UINT32_MAX;
  uint64_t best_age = 0;

  for (uint32_t word = 0; word < scheduler->n_words; word++)
    for (uint64_t rest = scheduler->candidates[word]; rest != 0; rest &= rest - 1)
      {
        uint32_t local = word * 64 + wp_lowest_bit (rest);
        uint64_t age = wp_sm_get_warp (sm, scheduler, local)->age;

        if (best == UINT32_MAX || (sign > 0 ? age < best_age : age > best_age))
          {
            best = local;
            best_age = age;
          }
      }
  return best;
}

uint32_t
wp_policy_greedy (const WpSm *sm, const WpScheduler *scheduler, int sign)
{
  uint32_t last = scheduler->last_slot;

  if ((scheduler->candidates[last / 64] >> last % 64 & 1) != 0
      && wp_sm_get_warp (sm, scheduler, last)->age == scheduler->last_age)
    return last;
  return wp_policy_by_age (sm, scheduler, sign);
}
