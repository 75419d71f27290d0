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

static INLINE uint32_t
find (const WpSm *sm, const WpScheduler *scheduler, const WpFlow *flow)
{
  uint32_t k = WP_FLOW_NONE;

  for (uint64_t rest = flow->rows; rest != 0; rest &= rest - 1)
    {
      uint32_t p = wp_lowest_bit (rest), first = wp_flow_peek (flow, p);

      if (first < k && scheduler->own_accepts[p]->accept <= sm->now)
        k = first;
    }
  if (flow->arrive_ready <= sm->now && flow->arrive < k)
    k = flow->arrive;
  return k == WP_FLOW_NONE ? flow->stretch_end : k; /* then it is the barrier's turn */
}

uint32_t
wp_sm_find_in_flow (const WpSm *sm, const WpScheduler *scheduler, const WpWarp *warp)
{
  return find (sm, scheduler, &sm->flows[wp_sm_get_slot (sm, warp)]);
}

uint32_t
wp_sm_choose_from_flow (WpSm *sm, const WpScheduler *scheduler, WpWarp *warp)
{
  WpFlow *flow = &sm->flows[wp_sm_get_slot (sm, warp)];
  uint32_t k = find (sm, scheduler, flow);
  const WpInstr *instr = &sm->machine->instrs[flow->unrolled->instrs[k]];

  wp_sm_find_ready_in_flow (sm, warp, k);
  wp_sm_add_wait (sm, warp, warp->since);
  if (instr->cost->pipeline != WP_NO_PIPELINE)
    wp_flow_take (flow, instr->cost->pipeline);
  return k;
}

void
wp_sm_withdraw_from_flow (WpSm *sm, const WpWarp *warp)
{
  WpFlow *flow = &sm->flows[wp_sm_get_slot (sm, warp)];

  for (uint64_t rest = flow->offered; rest != 0; rest &= rest - 1)
    wp_ready_sets_remove (&sm->schedulers[warp->scheduler].ready, wp_lowest_bit (rest), warp->bit,
                          false);
  flow->offered = 0;
}

/* WARP offers what is in ROWS, pipelines and, as the last row, barriers. What it has offered before
 * it still does. */
static void
offer (WpSm *sm, WpScheduler *scheduler, const WpWarp *warp, WpFlow *flow, uint64_t rows)
{
  uint32_t n_pipelines = sm->machine->n_pipelines;

  if (!sm->many)
    {
      for (uint32_t row = 0; row <= n_pipelines; row++)
        wp_scheduler_set_want (scheduler, warp->bit, row, (rows >> row & 1) != 0);
      if (rows == 0)
        return;
      scheduler->arrived[warp->bit / 64] |= UINT64_C (1) << warp->bit % 64;
      wp_sm_reschedule (sm, scheduler, sm->now);
      return;
    }
  if (rows == 0)
    return;
  for (uint64_t rest = rows; rest != 0; rest &= rest - 1)
    {
      uint32_t class = sm->classes[wp_lowest_bit (rest)];

      wp_ready_sets_add (&scheduler->ready, class, warp->bit, false);
      flow->offered |= UINT64_C (1) << class;
    }
  wp_sm_reschedule (sm, scheduler, sm->now);
}

void
wp_sm_wait_for_flow (WpSm *sm, WpWarp *warp)
{
  const WpMachine *m = sm->machine;
  WpScheduler *scheduler = &sm->schedulers[warp->scheduler];
  WpFlow *flow = &sm->flows[wp_sm_get_slot (sm, warp)];
  WpTick turn = wp_sm_get_turn (sm, warp);
  WpTick wake;
  uint64_t rows;

  wp_flow_advance (flow, m, sm->now);
  rows = flow->rows;
  if (flow->barrier_ready <= sm->now || flow->arrive_ready <= sm->now)
    rows |= UINT64_C (1) << m->n_pipelines;
  offer (sm, scheduler, warp, flow, turn <= sm->now ? rows : 0);
  wake = wp_flow_get_time (flow);
  if (flow->barrier_ready > sm->now && flow->barrier_ready < wake)
    wake = flow->barrier_ready;
  if (flow->arrive_ready > sm->now && flow->arrive_ready < wake)
    wake = flow->arrive_ready;
  if (rows != 0 && turn > sm->now && turn < wake)
    wake = turn;
  if (wake < WP_TICK_LIMIT)
    wp_sm_wake_flow_at (sm, scheduler, warp, flow, wake);
}
