/* SPDX-License-Identifier: MIT */
/* The table of policies, in the order in which they are listed. */
#include "sim/engine/policy/wp-policy.h"

#include "sim/engine/policy/wp-policy-list.h"

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
  return policy->update == NULL && policy->tell == NULL;
}
