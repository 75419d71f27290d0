/* SPDX-License-Identifier: MIT */
/* Where a warp is in its program (MODEL.md, section 2): on to its next instruction, through
 * repeats. Private; plain C11. Inline, as it is part of every issue.
 */
#pragma once

#include "sim/engine/core/wp-sm-state.h"

/* Moves the warp to the next instruction from PC on, through repeats that begin and end; NULL at
 * the end of the program. No repeat is empty (the machine was checked). */
void wp_sm_walk (WpSm *sm, WpWarp *warp, uint32_t pc);

/* Moves the warp to the instruction after OP, its present one. */
static INLINE void
wp_sm_step (WpSm *sm, WpWarp *warp, const WpOp *op)
{
  if (LIKELY (op->then == WP_THEN_NEXT))
    warp->op = op->next;
  else if (op->then == WP_THEN_OPEN)
    {
      *++warp->counter = warp->code[op->after].count;
      warp->op = op->next;
    }
  else if (op->then == WP_THEN_LOOP && *warp->counter > 1)
    {
      --*warp->counter;
      warp->op = op->next;
    }
  else
    wp_sm_walk (sm, warp, op->after);
}

/* The number of the warp's next instruction OP among its dynamic instructions. O(repeats open). */
static inline uint64_t
wp_sm_find_index (const WpSm *sm, const WpWarp *warp, const WpOp *op)
{
  const WpPlan *plan = sm->host->plan;
  const WpPlace *place = &plan->places[op - sm->ops];
  const uint32_t *counter = warp->counter;
  uint64_t index = place->last;

  for (uint32_t round = place->round; round != WP_NO_ROUND; round = plan->rounds[round].outer)
    index -= *counter-- * plan->rounds[round].n_dynamic;
  return index;
}
