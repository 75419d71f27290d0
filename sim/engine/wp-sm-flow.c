/* SPDX-License-Identifier: MIT */
/* When a warp wakes may move either way as it issues, so the warps lie in a heap, where an entry
 * can be moved, and not in the SM's wheel.
 */
#include "sim/engine/wp-sm-flow.h"

/* When the warp was ready for its dynamic instruction K, INSTR. */
static void
find_ready (const WpSm *sm, WpWarp *warp, const WpInstr *instr, uint32_t k)
{
  const WpFlow *flow = &sm->flows[wp_sm_get_slot (sm, warp)];
  bool barrier = instr->pipeline == WP_NO_PIPELINE;
  WpTick complete = barrier ? warp->end : flow->ready[k];
  uint32_t producer;

  warp->ready = warp->index == 0 ? warp->start : warp->since + sm->machine->ilp_latency;
  warp->wait = sm->machine->n_pipelines + WP_WAIT_ILP;
  producer = barrier                             ? warp->end_instr
             : flow->producer[k] == WP_FLOW_NONE ? WP_NO_INSTR
                                                 : flow->unrolled->instrs[flow->producer[k]];
  if (complete >= warp->ready && producer != WP_NO_INSTR)
    {
      warp->ready = complete;
      warp->wait = sm->machine->instrs[producer].pipeline;
    }
  wp_sm_mind_release (sm, warp);
}

uint32_t
wp_sm_choose_from_flow (WpSm *sm, const WpScheduler *scheduler, WpWarp *warp)
{
  const WpMachine *m = sm->machine;
  WpFlow *flow = &sm->flows[wp_sm_get_slot (sm, warp)];
  const WpInstr *instr;
  uint32_t k = WP_FLOW_NONE;

  for (uint32_t p = 0; p < m->n_pipelines; p++)
    {
      uint32_t first = wp_flow_peek (flow, p);

      if (first < k && scheduler->accepts[p]->accept <= sm->now)
        k = first;
    }
  if (k == WP_FLOW_NONE) /* then it is the barrier's turn */
    k = flow->stretch_end;
  instr = &m->instrs[flow->unrolled->instrs[k]];
  find_ready (sm, warp, instr, k);
  wp_sm_account_wait (sm, warp);
  if (instr->pipeline != WP_NO_PIPELINE)
    wp_flow_take (flow, instr->pipeline);
  return k;
}

void
wp_sm_go_on_from_flow (WpSm *sm, WpWarp *warp, const WpOp *op)
{
  WpFlow *flow = &sm->flows[wp_sm_get_slot (sm, warp)];
  WpScheduler *scheduler = &sm->schedulers[warp->scheduler];

  if (op->row == sm->machine->n_pipelines)
    {
      flow->barrier_ready = WP_TICK_LIMIT;
      wp_scheduler_set_want (scheduler, warp->bit, op->row, false);
      wp_sm_arrive (sm, warp);
      return;
    }
  if (flow->n_left == 0 && flow->stretch_end < flow->unrolled->n)
    flow->barrier_ready = warp->end;
  if (wp_sm_is_through (sm, warp))
    wp_scheduler_set_want (scheduler, warp->bit, op->row, false);
  wp_sm_go_on (sm, warp);
}

void
wp_sm_wait_for_flow (WpSm *sm, WpWarp *warp)
{
  const WpMachine *m = sm->machine;
  uint32_t slot = wp_sm_get_slot (sm, warp);
  WpScheduler *scheduler = &sm->schedulers[warp->scheduler];
  WpFlow *flow = &sm->flows[slot];
  WpTick turn = warp->index == 0 ? warp->start : warp->since + m->ilp_latency;
  WpTick wake;
  bool offers = flow->barrier_ready <= sm->now;

  wp_flow_advance (flow, m, sm->now);
  for (uint32_t p = 0; p < m->n_pipelines; p++)
    {
      wp_scheduler_set_want (scheduler, warp->bit, p, flow->n_available[p] > 0 && turn <= sm->now);
      offers |= flow->n_available[p] > 0;
    }
  wp_scheduler_set_want (scheduler, warp->bit, m->n_pipelines,
                         flow->barrier_ready <= sm->now && turn <= sm->now);
  if (offers && turn <= sm->now)
    wp_sm_set_arrived (sm, scheduler, warp);
  wake = wp_flow_get_time (flow);
  if (flow->barrier_ready > sm->now && flow->barrier_ready < wake)
    wake = flow->barrier_ready;
  if (offers && turn > sm->now && turn < wake)
    wake = turn;
  if (wake == WP_TICK_LIMIT)
    return;
  wp_heap_put (&sm->wakes, slot, wake);
  sm->limit = wake < sm->limit ? wake : sm->limit;
}

void
wp_sm_wake_flows (WpSm *sm)
{
  while (wp_heap_get_time (&sm->wakes) <= sm->now)
    wp_sm_wait_for_flow (sm, &sm->warps[wp_heap_take (&sm->wakes)]);
}
