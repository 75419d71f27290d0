/* SPDX-License-Identifier: MIT */
/* Most of what a kernel with many accesses costs. */
#include "sim/engine/core/wp-sm-single.h"

#include "sim/engine/core/wp-sm-account.h"
#include "sim/engine/core/wp-sm-path.h"
#include "sim/engine/core/wp-sm-ready.h"
#include "sim/engine/core/wp-sm-serve.h"
#include "sim/engine/core/wp-sm-step.h"
#include "sim/engine/core/wp-sm-wait.h"

void
wp_sm_issue_single (WpSm *sm, WpScheduler *scheduler, uint32_t bit, WpTick time)
{
  WpWarp *warp = scheduler->warps[bit];
  const WpOp *op = warp->op;
  WpPipeline *pipeline = scheduler->accepts[op->row];
  bool implied = wp_sm_is_implied (warp, op);
  WpTick start;

  wp_sm_add_refusal (sm, warp, pipeline->accept);
  if (op->special)
    start = wp_sm_take_safe_path (sm, scheduler, warp, op,
                                  op->random ? wp_sm_find_index (sm, warp, op) : 0);
  else
    start = wp_pipeline_accept (pipeline, time, op->issue);
  if (op->random && !op->special)
    start = wp_sm_serve (sm, warp, pipeline, op, wp_sm_find_index (sm, warp, op), start, false);
  start = wp_sm_get_base (op, start, time);
  wp_sm_extend_end (warp, start + op->completion);
  warp->values[op->value] = start;
  warp->since = time;
  warp->index++;
  wp_sm_step (sm, warp, op);
  scheduler->arrived[0] &= ~(UINT64_C (1) << bit);
  if (warp->op == NULL)
    {
      if (sm->n_blocking > 0)
        wp_scheduler_set_want (scheduler, bit, op->row, false);
      warp->state = WP_WARP_DRAINING;
      wp_sm_end_at (sm, warp, warp->end);
      return;
    }
  if (sm->n_blocking > 0 && warp->op->row != op->row)
    {
      wp_scheduler_set_want (scheduler, bit, op->row, false);
      wp_scheduler_set_want (scheduler, bit, warp->op->row, true);
    }
  wp_sm_find_ready (sm, warp, warp->op, time + sm->turns[op->turn], false, false);
  if (!implied)
    wp_sm_add_wait (sm, warp, time);
  if (warp->ready <= time)
    scheduler->arrived[0] |= UINT64_C (1) << bit;
  else
    wp_wake_list_put (sm, scheduler, warp, time, warp->ready);
}
