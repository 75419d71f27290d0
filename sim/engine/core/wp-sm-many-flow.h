/* SPDX-License-Identifier: MIT */
/* Dataflow order in the loop of wp-sm-many.c, where no context is drawn and no instruction arrives
 * at a barrier: an instruction that waits alone goes from the time at which it is complete to its
 * issue at once, and is not first made available and offered. Private; plain C11.
 */
#pragma once

#include "sim/engine/core/wp-sm-account.h"
#include "sim/engine/core/wp-sm-flow.h"
#include "sim/engine/core/wp-sm-path.h"
#include "sim/engine/core/wp-sm-ready.h"
#include "sim/engine/core/wp-sm-serve.h"
#include "sim/engine/core/wp-sm-wait.h"

/* The instruction that WARP of SCHEDULER, which nobody else competes with, issues now, and has not
 * offered yet, *OP; its dynamic number, or WP_FLOW_NONE: it has another choice, or none. */
static INLINE uint32_t
wp_sm_take_only_of_flow (WpSm *sm, const WpScheduler *scheduler, WpWarp *warp, WpFlow *flow,
                         const WpOp **op)
{
  WpTick turn = wp_sm_get_turn_in_flow (sm, warp, flow);
  uint32_t k, producer;

  if (warp->state != WP_WARP_RUNNING || flow->rows != 0 || flow->complete != NULL
      || !wp_flow_has_one_due (flow, sm->now) || turn > sm->now)
    return WP_FLOW_NONE;
  k = flow->timed[0];
  *op = sm->ops + flow->unrolled->instrs[k];
  if (scheduler->own_accepts[(*op)->row]->accept > sm->now)
    return WP_FLOW_NONE;
  wp_flow_take_timed (flow);
  producer = flow->producer[k]; /* there is one, as it was timed */
  wp_sm_find_ready_behind (sm, warp, turn, flow->ready[k], wp_flow_get_instr (flow, producer));
  wp_sm_add_wait_for_all (sm, warp, warp->since);
  return k;
}

/* WARP has issued now: what it waits for. */
static INLINE void
wp_sm_go_on_in_plain_flow (WpSm *sm, WpScheduler *scheduler, WpWarp *warp, WpFlow *flow)
{
  WpTick time = wp_flow_get_time (flow);

  if (flow->n_left == 0 || flow->rows != 0 || time <= sm->now || time == WP_TICK_LIMIT)
    wp_sm_go_on_in_flow (sm, warp);
  else
    wp_sm_wake_flow_at (sm, scheduler, warp, flow, time);
}

/* K, an instruction of WARP that is OP and takes one slot, issues now: as issue_from_flow() of
 * wp-sm-issue.c. */
static INLINE void
wp_sm_issue_single_of_flow (WpSm *sm, WpScheduler *scheduler, WpWarp *warp, WpFlow *flow,
                            const WpOp *op, uint32_t k)
{
  WpPipeline *pipeline = scheduler->own_accepts[op->row];
  WpTick base, end;

  wp_sm_add_refusal (sm, warp, pipeline->accept);
  if (op->issues >= WP_ISSUE_CHAINED)
    {
      base = sm->now; /* the pipeline accepts, and has no queue */
      pipeline->accept = pipeline->free_at = base + op->issue;
    }
  else if (op->bounded)
    base = wp_pipeline_accept_bounded (pipeline, sm->now, op->issue, op->in_flight);
  else if (op->special)
    base = wp_sm_take_safe_path (sm, scheduler, warp, op, k);
  else
    base = wp_pipeline_accept (pipeline, sm->now, op->issue);
  if (op->issues < WP_ISSUE_CHAINED && op->random && !op->special)
    base = wp_sm_serve (sm, warp, pipeline, op, k, base, false);
  base = wp_sm_get_base (op, base, sm->now);
  end = base + op->completion;
  if (end > warp->end || (end == warp->end && warp->end_index == WP_NO_PRODUCER))
    {
      warp->end = end;
      warp->end_index = k;
      warp->end_instr = (uint32_t)(op - sm->ops);
    }
  wp_flow_issued_plainly (flow, sm->machine, k, base, sm->now);
  sm->result->counts[op - sm->ops]++;
  warp->index++;
  warp->since = sm->now;
  flow->turn = op->turn;
  wp_sm_go_on_in_plain_flow (sm, scheduler, warp, flow);
}
