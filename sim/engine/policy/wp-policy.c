/* SPDX-License-Identifier: MIT */
/* The table of policies, and what several of them share. */
#include "sim/engine/wp-sm.h"

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
wp_policy_get_lowest (const WpScheduler *scheduler)
{
  uint32_t word = 0;

  while (scheduler->candidates[word] == 0)
    word++;
  return word * 64 + wp_lowest_bit (scheduler->candidates[word]);
}

uint32_t
wp_policy_get_highest (const WpScheduler *scheduler)
{
  uint32_t word = scheduler->n_words - 1;

  while (scheduler->candidates[word] == 0)
    word--;
  return word * 64 + wp_highest_bit (scheduler->candidates[word]);
}

bool
wp_policy_can_repeat (const WpScheduler *scheduler)
{
  uint32_t last = scheduler->last_bit;

  return !scheduler->last_gone && (scheduler->candidates[last / 64] >> last % 64 & 1) != 0;
}
