/* SPDX-License-Identifier: MIT */
/* What a warp does once it has started, issued or been released: it is ready, waits until it is, or
 * has issued all and waits for its end. Private; plain C11.
 */
#pragma once

#include "sim/engine/core/wp-wake-list.h"

/* When a warp that is not ready is to be woken: a policy with lists wants to know of memory, too.
 */
static inline WpTick
wp_sm_get_wake (const WpSm *sm, const WpWarp *warp)
{
  return sm->policy->update != NULL && warp->memory_ready > sm->now ? warp->memory_ready
                                                                    : warp->ready;
}

/* The warp is ready, or will be woken when it is. */
static INLINE void
wp_sm_wait_in_order (WpSm *sm, WpScheduler *scheduler, WpWarp *warp)
{
  if (warp->ready <= sm->now)
    {
      wp_sm_set_arrived (sm, scheduler, warp);
      return;
    }
  wp_wake_list_put (sm, scheduler, warp, sm->now, wp_sm_get_wake (sm, warp));
  if (sm->fast || sm->many)
    wp_sm_reschedule (sm, scheduler, warp->ready);
}
/* MODEL.md, section 6: a warp terminates when all its instructions have completed; one does at
 * COMPLETE. */
static INLINE void
wp_sm_extend_end (WpWarp *warp, WpTick complete)
{
  warp->end = complete > warp->end ? complete : warp->end;
}

/* MODEL.md, section 6: WARP, which has issued all, terminates at TIME, now or later. */
void wp_sm_end_at (WpSm *sm, WpWarp *warp, WpTick time);

/* WARP, which waits in no list, has issued all: it terminates at its end.
 *
 * Nothing comes of that but for the last warp of a block. So, where nobody is told of it, and no
 * policy asks who has gone (`defers`), the others terminate with that one, or where a state is
 * looked at: wp_sm_end_deferred(). */
void wp_sm_drain (WpSm *sm, WpWarp *warp);

/* A warp of BLOCK, all of whose warps have issued all, that no other terminates after. */
WpWarp *wp_sm_find_last_end (const WpSm *sm, const WpBlock *block);

/* The warp has started, issued or been released: puts it where it waits for what comes next. */
void wp_sm_go_on (WpSm *sm, WpWarp *warp);

/* The same in dataflow order where it has issued what is not a barrier. */
void wp_sm_go_on_in_flow (WpSm *sm, WpWarp *warp);

/* Time has moved on by BY, and with it all that is in the state, but for what follows from it: does
 * that. */
void wp_sm_move_on (WpSm *sm, WpTick by);
