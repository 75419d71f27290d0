/* SPDX-License-Identifier: MIT */
#include "sim/engine/core/wp-sm-waited.h"

#include "sim/engine/core/wp-sm-cause.h"

/* What WARP waited for that was not ready for OP before `ready`: a place in a row of waited[]. */
static uint32_t
find_place (const WpSm *sm, const WpWarp *warp, const WpOp *op, uint64_t index)
{
  WpIssueEvent event = { .index = index };

  wp_sm_find_cause (sm, warp, op, &event);
  if (event.reason == WP_REASON_BARRIER)
    return WP_WAITED_BARRIER;
  if (event.reason == WP_REASON_DEPENDENCY && event.producer_instr != WP_NO_INSTR)
    return sm->machine->kinds[event.producer_instr];
  return WP_WAITED_ILP;
}

void
wp_sm_add_waited (WpSm *sm, WpWarp *warp, const WpOp *op, uint64_t index, WpTick time,
                  WpTick accept)
{
  const uint32_t place = wp_sm_get_waited_row (sm, op);
  WpSum *row = sm->waited + (size_t)place * WP_N_WAITED;
  WpTick ready = warp->ready > warp->since ? warp->ready : warp->since;

  warp->last = place;
  if (ready > warp->since)
    wp_sum_add (&row[find_place (sm, warp, op, index)], (uint64_t)(ready - warp->since));
  if (accept > ready)
    wp_sum_add (&row[WP_WAITED_PIPELINE], (uint64_t)(accept - ready));
  else
    accept = ready;
  wp_sum_add (&row[WP_WAITED_NOT_SELECTED], (uint64_t)(time - accept));
}
