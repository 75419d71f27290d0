/* SPDX-License-Identifier: MIT */
/* Dataflow order on an SM: which of a warp's instructions goes, and when the warp has something to
 * offer. Private; plain C11.
 *
 * A warp is in its scheduler's bitmasks of all pipelines for which it has an available
 * instruction, and wakes when that may change by itself.
 */
#pragma once

#include "sim/engine/core/wp-wake-list.h"

/* MODEL.md, section 5: the instruction that WARP issues now on SCHEDULER, the earliest for a
 * pipeline that accepts it (there is one), as its dynamic number. */
uint32_t wp_sm_find_in_flow (const WpSm *sm, const WpScheduler *scheduler, const WpWarp *warp);

/* Takes it, and sets since when it was ready. */
uint32_t wp_sm_choose_from_flow (WpSm *sm, const WpScheduler *scheduler, WpWarp *warp);

/* MODEL.md, section 5: a barrier can issue when all earlier instructions of its warp are complete.
 * Finds when that is, as soon as all of them have issued. */
void wp_sm_find_barrier_ready (WpSm *sm, const WpWarp *warp);

/* The warp starts, or a barrier of it is released: what comes from its dynamic instruction FIRST
 * on, up to the next barrier, may issue. */
void wp_sm_open_stretch (WpSm *sm, const WpWarp *warp, uint32_t first);

/* In the loop of wp-sm-many.c: the warp, which is about to issue, offers nothing until it is asked
 * again. */
void wp_sm_withdraw_from_flow (WpSm *sm, const WpWarp *warp);

/* WARP wakes at TIME, later than now, if not before. In the loop of wp-sm-many.c, if that is soon,
 * by its scheduler's list; the wheel may then have it for later, too. */
static INLINE void
wp_sm_wake_flow_at (WpSm *sm, WpScheduler *scheduler, const WpWarp *warp, WpFlow *flow, WpTick time)
{
  if (!sm->many || (wp_wake_list_has (sm, warp) && *wp_wake_list_get_time (sm, warp) <= time)
      || time - sm->now > sm->near)
    {
      if (flow->soon <= sm->now || flow->soon > time)
        wp_wake_list_put_first (sm, warp, time);
      return;
    }
  if (flow->soon > sm->now && flow->soon <= time)
    return;
  if (!wp_key_queue_put (&scheduler->soon, time, warp->bit))
    {
      wp_wake_list_put_first (sm, warp, time);
      return;
    }
  flow->soon = time;
  wp_sm_reschedule (sm, scheduler, time);
}

/* Shows what the warp can offer now, and wakes it when that may change by itself. */
void wp_sm_wait_for_flow (WpSm *sm, WpWarp *warp);
