/* SPDX-License-Identifier: MIT */
/* The fast loop's issue of one instruction that is not chained: as issue_in_order() of
 * wp-sm-issue.c, without what does not come up. Private; plain C11. Inline, as it is most of what a
 * kernel with many accesses costs.
 */
#pragma once

#include "sim/engine/core/wp-sm-account.h"
#include "sim/engine/core/wp-sm-path.h"
#include "sim/engine/core/wp-sm-ready.h"
#include "sim/engine/core/wp-sm-serve.h"
#include "sim/engine/core/wp-sm-state.h"
#include "sim/engine/core/wp-sm-step.h"
#include "sim/engine/core/wp-sm-wait.h"

/* OP of WARP enters PIPELINE at TIME. CLASS: it is of that, or above. Returns when it has started,
 * or been served. */
static INLINE WpTick
wp_sm_enter (WpSm *sm, WpScheduler *scheduler, const WpWarp *warp, const WpOp *op,
             WpPipeline *pipeline, WpTick time, const WpIssueClass class)
{
  WpTick start;
  uint64_t k;

  if (class == WP_ISSUE_OWN || class == WP_ISSUE_PAIR_OWN)
    return wp_pipeline_accept (pipeline, time, op->issue);
  if (class == WP_ISSUE_PATH)
    return wp_sm_walk_plain_path (sm, scheduler, op);
  if (class == WP_ISSUE_BOUNDED || op->bounded)
    return wp_pipeline_accept_bounded (pipeline, time, op->issue, op->in_flight);
  k = UNLIKELY (op->random) ? wp_sm_find_index (sm, warp, op) : 0;
  if (op->special)
    return wp_sm_walk_safe_path (sm, scheduler, warp, op, k);
  start = wp_pipeline_accept (pipeline, time, op->issue);
  return UNLIKELY (op->random) ? wp_sm_serve (sm, warp, pipeline, op, k, start, false) : start;
}

/* OP, the next instruction of WARP, goes out at TIME to PIPELINE, and the warp goes on. CLASS: as
 * above. */
static INLINE void
wp_sm_pass_on (WpSm *sm, WpScheduler *scheduler, WpWarp *warp, const WpOp *op, WpPipeline *pipeline,
               WpTick time, const WpIssueClass class)
{
  WpTick start = wp_sm_enter (sm, scheduler, warp, op, pipeline, time, class);

  start = wp_sm_get_base (op, start, time);

  wp_sm_extend_end (warp, start + op->completion);
  warp->values[op->value] = start;
  warp->index++;
  wp_sm_step (sm, warp, op);
}

/* BIT's warp of SCHEDULER, WARP, has issued at TIME, from ROW and then perhaps from others, OP as
 * the last; what it waits for. IMPLIED: wp_sm_is_implied() of OP, before it issued. */
static INLINE void
wp_sm_wait_behind (WpSm *sm, WpScheduler *scheduler, uint32_t bit, WpWarp *warp, uint32_t row,
                   const WpOp *op, WpTick time, const bool implied, const bool wants)
{
  const uint64_t member = UINT64_C (1) << bit;
  const WpOp *next = warp->op;

  warp->since = time;
  if (UNLIKELY (next == NULL))
    {
      scheduler->own_want[row] &= ~member;
      scheduler->own_arrived &= ~member;
      wp_sm_drain (sm, warp);
      return;
    }
  if (wants && next->row != row)
    {
      scheduler->own_want[row] &= ~member;
      scheduler->own_want[next->row] |= member;
    }
  wp_sm_find_ready (sm, warp, next, time + sm->turns[op->turn], false, false);
  if (warp->ready <= time)
    return;
  if (!implied)
    wp_sm_add_wait (sm, warp, time);
  scheduler->own_arrived &= ~member;
  wp_wake_list_put_fast (sm, scheduler, warp->bit, time, warp->ready);
}

/* BIT's warp of SCHEDULER, WARP, issues OP at TIME, which takes one slot and nobody else is in the
 * way. CLASS: as above, SINGLE or above; WANTS: pipelines may refuse a warp, and know of who wants
 * them. */
static INLINE void
wp_sm_issue_alone (WpSm *sm, WpScheduler *scheduler, uint32_t bit, WpWarp *warp, const WpOp *op,
                   WpTick time, const WpIssueClass class, const bool wants)
{
  WpPipeline *pipeline = scheduler->own_accepts[op->row];
  const uint32_t row = op->row;
  const bool implied
      = class != WP_ISSUE_PATH && class != WP_ISSUE_BOUNDED && wp_sm_is_implied (warp, op);

  wp_sm_add_refusal (sm, warp, pipeline->accept);
  wp_sm_note_issue (sm, warp, op, warp->index, time, pipeline->accept);
  wp_sm_pass_on (sm, scheduler, warp, op, pipeline, time, class);
  wp_sm_wait_behind (sm, scheduler, bit, warp, row, op, time, implied, wants);
}

/* The same of WP_ISSUE_SINGLE or above, as a call. */
void wp_sm_issue_single (WpSm *sm, WpScheduler *scheduler, uint32_t bit, WpTick time);

/* The same where the instruction is of WP_ISSUE_PATH. */
void wp_sm_issue_on_path (WpSm *sm, WpScheduler *scheduler, uint32_t bit, WpTick time);

/* The same where the instruction is of WP_ISSUE_OWN or above, and no pipeline refuses a warp; where
 * some do. */
void wp_sm_issue_own (WpSm *sm, WpScheduler *scheduler, uint32_t bit, WpTick time);
void wp_sm_issue_own_wanted (WpSm *sm, WpScheduler *scheduler, uint32_t bit, WpTick time);

/* The same where the instruction is of WP_ISSUE_PAIR or WP_ISSUE_PAIR_OWN: the next goes out with
 * it, or does not. */
void wp_sm_issue_pair (WpSm *sm, WpScheduler *scheduler, uint32_t bit, WpTick time);

/* The same where it is of WP_ISSUE_PAIR_OWN. */
void wp_sm_issue_own_pair (WpSm *sm, WpScheduler *scheduler, uint32_t bit, WpTick time);
