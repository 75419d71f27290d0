/* SPDX-License-Identifier: MIT */
/* Instructions of a machine share what they cost; who changes one for a test wants it to have its
 * own. */
#pragma once

#include <glib.h>

#include "sim/machine/wp-machine.h"

/* Gives each of the N INSTRS a cost of its own, like the one that it has. Free with g_free(). */
static inline WpCost *
give_own_costs (WpInstr *instrs, guint32 n)
{
  WpCost *costs = g_new (WpCost, n + 1);

  for (guint32 i = 0; i < n; i++)
    {
      costs[i] = *instrs[i].cost;
      instrs[i].cost = &costs[i];
    }
  return costs;
}
