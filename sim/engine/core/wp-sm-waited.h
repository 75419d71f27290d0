/* SPDX-License-Identifier: MIT */
/* What warps waited for at each instruction, where the machine has kinds (wp-machine.h): each issue
 * tells of the wait before it, from the warp's last issue until it was ready, until its pipeline
 * accepted, until it was selected. Nothing is chained then (wp-plan-classes.c). Private; plain C11.
 */
#pragma once

#include "sim/engine/core/wp-sm-state.h"

/* The row of OP in sm->waited. */
static INLINE uint32_t
wp_sm_get_waited_row (const WpSm *sm, const WpOp *op)
{
  const uint32_t instr = (uint32_t)(op - sm->ops);

  return sm->machine->waited != NULL ? sm->machine->waited[instr] : instr;
}

/* wp_sm_note_issue() where there are kinds. */
void wp_sm_add_waited (WpSm *sm, WpWarp *warp, const WpOp *op, uint64_t index, WpTick time,
                       WpTick accept);

/* WARP is about to issue OP, dynamic instruction INDEX, at TIME; its pipeline would have taken it
 * from ACCEPT on. */
static INLINE void
wp_sm_note_issue (WpSm *sm, WpWarp *warp, const WpOp *op, uint64_t index, WpTick time,
                  WpTick accept)
{
  if (UNLIKELY (sm->waited != NULL))
    wp_sm_add_waited (sm, warp, op, index, time, accept);
}

/* OP of WARP goes out in one issue with the instruction before it. */
static INLINE void
wp_sm_note_follower (const WpSm *sm, WpWarp *warp, const WpOp *op)
{
  if (UNLIKELY (sm->waited != NULL))
    warp->last = wp_sm_get_waited_row (sm, op);
}

/* WARP, which terminates, has drained for so long. */
static INLINE void
wp_sm_note_end (const WpSm *sm, const WpWarp *warp, WpTick drain)
{
  if (UNLIKELY (sm->waited != NULL) && warp->index > 0)
    wp_sum_add (&sm->waited[(size_t)warp->last * WP_N_WAITED + WP_WAITED_DRAIN], (uint64_t)drain);
}
