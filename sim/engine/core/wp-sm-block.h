/* SPDX-License-Identifier: MIT */
/* Blocks: their launches, barriers and ends, and the terminations of their warps: what is due at a
 * time but issues (MODEL.md, sections 4, 6 and 7). Private; plain C11.
 */
#pragma once

#include "sim/engine/core/wp-sm-state.h"

/* Hands BLOCK to the SM, to launch at TIME. There must be room: one block for each that has ended.
 */
void wp_sm_hand_out (WpSm *sm, uint64_t block, WpTick time);

/* Whether a round has anything to do now. */
static inline bool
wp_sm_is_due (const WpSm *sm)
{
  return sm->n_ending > 0 || sm->due <= sm->now;
}

/* One round of steps 1 and 2; returns how many things happened. */
uint64_t wp_sm_run_round (WpSm *sm);

/* The warp comes to the barrier of OP: it is held there, or OP is an arrive. */
void wp_sm_arrive (WpSm *sm, WpWarp *warp, const WpOp *op);

/* Where warps terminate with the last of their block: those that have ended by NOW do so already,
 * as though nothing were put off. Nothing that is due by then is left to do. O(slots). */
void wp_sm_end_deferred (WpSm *sm, WpTick now);
