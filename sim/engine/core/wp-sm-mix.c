/* SPDX-License-Identifier: MIT */
/* An instruction that is not drawn costs nothing: what is asked here is asked of ops that take
 * random numbers, or keep several values, alone. */
#include "sim/engine/core/wp-sm-mix.h"

#include <string.h>

#include "sim/engine/core/wp-sm-step.h"

const WpOp *
wp_sm_take_context (const WpSm *sm, const WpWarp *warp, const WpOp *op, uint64_t k)
{
  const WpInstr *first = &sm->machine->instrs[op - sm->ops];
  uint64_t random = wp_random_of_instruction (warp->random, k);
  uint64_t total = first[first->cost->mix - 1].cost->mix_upto;
  uint64_t drawn = wp_random_draw (random, WP_RANDOM_MIX) * total >> 32;
  uint32_t low = 0,
           high = first->cost->mix - 1; /* the first whose mix_upto exceeds it is one of these */

  while (low < high)
    {
      uint32_t middle = low + (high - low) / 2;

      if (first[middle].cost->mix_upto > drawn)
        high = middle;
      else
        low = middle + 1;
    }
  return op + low;
}

bool
wp_sm_meets (WpSm *sm, WpWarp *warp)
{
  const WpOp *op = warp->op, *drawn;
  uint64_t k;

  if (!op->meets || !op->mixed || sm->flows != NULL || sm->machine->dual_issue > 1
      || (sm->host->plan->shared >> op->row & 1) != 0)
    return op->meets;
  k = sm->fast ? wp_sm_find_index (sm, warp, op) : warp->index;
  drawn = wp_sm_take_context (sm, warp, op, k);
  if (drawn->shares)
    return true;
  warp->index = k;
  sm->drawn = drawn;
  return false;
}

/* The first of the values that a warp keeps of OP, of one set or of all of a mix; how many sets
 * there are, and how many values of each. */
static uint32_t
find_values (const WpSm *sm, const WpOp *op, WpMixedValues *values)
{
  const WpInstr *instr = &sm->machine->instrs[op - sm->ops];

  *values = (WpMixedValues){ 1, op->kept };
  if (!op->mixed)
    return op->value;
  *values = sm->host->plan->mixed[op - sm->ops - instr->cost->mix_place];
  return wp_instr_get_first (instr)->value;
}

void
wp_sm_shift_values (const WpSm *sm, WpWarp *warp, const WpOp *op)
{
  WpMixedValues values;
  uint32_t first = find_values (sm, op, &values);

  for (uint32_t set = 0; set < values.n_sets; set++)
    {
      WpTick *kept = warp->values + first + (size_t)set * values.kept;

      for (uint32_t i = values.kept - 1; i > 0; i--) /* a few */
        kept[i] = kept[i - 1];
      *kept = WP_NEVER;
    }
}

void
wp_sm_shift_writers (const WpSm *sm, WpWarp *warp, const WpOp *op)
{
  WpMixedValues values;
  uint32_t first = find_values (sm, op, &values);

  for (uint32_t set = 0; set < values.n_sets; set++)
    {
      uint64_t *kept = warp->writers + first + (size_t)set * values.kept;

      memmove (kept + 1, kept, (values.kept - 1) * sizeof *kept);
    }
}
