/* SPDX-License-Identifier: MIT */
/* A warp shows its scheduler what it has at every time at which that may have changed. When that is
 * only ever gets earlier until it is there: what has made it so stays available.
 */
#include "sim/engine/core/wp-sm-flow.h"

#include "sim/engine/core/wp-sm-account.h"
#include "sim/engine/core/wp-sm-ready.h"
#include "sim/engine/core/wp-wake-list.h"

void
wp_sm_find_barrier_ready (WpSm *sm, const WpWarp *warp)
{
  WpFlow *flow = &sm->flows[wp_sm_get_slot (sm, warp)];

  if (flow->n_left == 0 && flow->stretch_end < flow->unrolled->n)
    flow->barrier_ready = warp->end;
}

void
wp_sm_open_stretch (WpSm *sm, const WpWarp *warp, uint32_t first)
{
  wp_flow_open (&sm->flows[wp_sm_get_slot (sm, warp)], sm->machine, first, sm->now);
  wp_sm_find_barrier_ready (sm, warp);
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
  if (flow->arrive_ready <= sm->now && flow->arrive < k)
    k = flow->arrive;
  if (k == WP_FLOW_NONE) /* then it is the barrier's turn */
    k = flow->stretch_end;
  instr = &m->instrs[flow->unrolled->instrs[k]];
  wp_sm_find_ready_in_flow (sm, warp, k);
  wp_sm_account_wait (sm, warp, false);
  if (instr->pipeline != WP_NO_PIPELINE)
    wp_flow_take (flow, instr->pipeline);
  return k;
}

void
wp_sm_wait_for_flow (WpSm *sm, WpWarp *warp)
{
  const WpMachine *m = sm->machine;
  WpScheduler *scheduler = &sm->schedulers[warp->scheduler];
  WpFlow *flow = &sm->flows[wp_sm_get_slot (sm, warp)];
  WpTick turn = wp_sm_get_turn (sm, warp);
  WpTick wake;
  bool meets = flow->barrier_ready <= sm->now || flow->arrive_ready <= sm->now, offers = meets;

  wp_flow_advance (flow, m, sm->now);
  for (uint32_t p = 0; p < m->n_pipelines; p++)
    {
      wp_scheduler_set_want (scheduler, warp->bit, p, flow->n_available[p] > 0 && turn <= sm->now);
      offers |= flow->n_available[p] > 0;
    }
  wp_scheduler_set_want (scheduler, warp->bit, m->n_pipelines, meets && turn <= sm->now);
  if (offers && turn <= sm->now)
    wp_sm_set_arrived (sm, scheduler, warp);
  wake = wp_flow_get_time (flow);
  if (flow->barrier_ready > sm->now && flow->barrier_ready < wake)
    wake = flow->barrier_ready;
  if (flow->arrive_ready > sm->now && flow->arrive_ready < wake)
    wake = flow->arrive_ready;
  if (offers && turn > sm->now && turn < wake)
    wake = turn;
  if (wake < WP_TICK_LIMIT)
    wp_wake_list_put_first (sm, warp, wake);
}
