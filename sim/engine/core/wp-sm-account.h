/* SPDX-License-Identifier: MIT */
/* Where warps' time went (MODEL.md, section 9), and what else is added up. A wait is counted when
 * it begins, as it is known then when it ends; what is left of a warp's lifetime is that it was
 * ready and not selected. Private; plain C11.
 */
#pragma once

#include "sim/engine/core/wp-sm-state.h"
#include "sim/engine/core/wp-sm-waited.h"

/* MODEL.md, section 9: [p, ready) goes to what set `ready`. For all warps together; wait and ready
 * are set, the last issue was at LAST. */
static INLINE void
wp_sm_add_wait_for_all (WpSm *sm, const WpWarp *warp, WpTick last)
{
  wp_sum_add (&sm->waits[warp->wait], (uint64_t)(warp->ready - last));
}

/* The same for the warp. */
void wp_sm_keep_wait (const WpSm *sm, WpWarp *warp, WpTick last);

/* For both, where it is kept of the warp. */
static INLINE void
wp_sm_add_wait (WpSm *sm, WpWarp *warp, WpTick last)
{
  wp_sm_add_wait_for_all (sm, warp, last);
  if (UNLIKELY (sm->keeps_stalls))
    wp_sm_keep_wait (sm, warp, last);
}

/* MODEL.md, section 9: [ready, a) is `pipeline`, a being ACCEPT, when the pipeline accepts the
 * instruction that issues now. */
static INLINE void
wp_sm_add_refusal (WpSm *sm, WpWarp *warp, WpTick accept)
{
  if (accept <= warp->ready)
    return;
  warp->stalls[WP_STALL_PIPELINE] += accept - warp->ready;
  wp_sum_add (&sm->result->stalls[WP_STALL_PIPELINE], (uint64_t)(accept - warp->ready));
}

/* Whether what WARP waits for once it has issued OP, its next instruction, follows from how often
 * OP issues (wp-tally.h): that is `chain`, but where OP ends a repeat. */
static INLINE bool
wp_sm_is_implied (const WpWarp *warp, const WpOp *op)
{
  return op->issues >= WP_ISSUE_CHAINED && (op->then != WP_THEN_LOOP || *warp->counter > 1);
}

/* MODEL.md, section 9: from the last issue to the end is `drain`. */
static inline void
wp_sm_account_end (WpSm *sm, WpWarp *warp)
{
  WpResult *result = sm->result;

  warp->stalls[WP_STALL_DRAIN] = warp->end - warp->since;
  wp_sum_add (&result->stalls[WP_STALL_DRAIN], (uint64_t)warp->stalls[WP_STALL_DRAIN]);
  wp_sm_note_end (sm, warp, warp->stalls[WP_STALL_DRAIN]);
  wp_sum_add (&result->lifetimes, (uint64_t)(warp->end - warp->start));
  result->warps++;
  sm->n_terminated[warp->program]++;
  result->elapsed = warp->end > result->elapsed ? warp->end : result->elapsed;
}

/* MODEL.md, section 9: where the lifetime of WARP, which terminates, went. What it waited for
 * behind chained issues is that of its program, and what is left is that it was ready and not
 * selected. */
void wp_sm_find_stalls (const WpSm *sm, const WpWarp *warp, WpTick stalls[WP_N_STALLS]);

/* Adds up the occupancy until NOW. */
void wp_sm_settle_occupancy (WpSm *sm, WpTick now);

/* MODEL.md, section 9: adds to RESULT, for SM and each of its replicas, what it has done UNTIL the
 * time that the run has come to, but for what follows from how often instructions were issued
 * (wp-tally.h). */
void wp_sm_add_to_result (WpSm *sm, WpResult *result, WpTick until);
