/* SPDX-License-Identifier: MIT */
/* The order of things at one time t is the page's (MODEL.md, section 7), round by round:
 *
 *   1. terminate warps due at t, by slot; release barriers; finish blocks and take the next ones
 *   2. launch blocks due at t                                    (1 and 2 until nothing is due)
 *   3. the first scheduler in rotation that can issue does; back to 1; when none can, t is finished
 */
#include "sim/wp-device-private.h"

void
wp_sm_hand_out (WpSm *sm, uint64_t block, WpTick time)
{
  wp_queue_put (&sm->launches, time, block);
  if (time < sm->next)
    sm->next = time;
}

static WpTick
find_next (const WpSm *sm)
{
  WpTick next = wp_heap_get_time (&sm->ends);
  WpTick other = wp_heap_get_time (&sm->wakes);

  next = other < next ? other : next;
  other = wp_queue_get_time (&sm->releases);
  next = other < next ? other : next;
  other = wp_queue_get_time (&sm->launches);
  next = other < next ? other : next;
  for (uint32_t i = 0; i < sm->machine->n_schedulers; i++)
    {
      other = wp_sm_find_next_issue (sm, &sm->schedulers[i]);
      next = other < next ? other : next;
    }
  return next;
}

bool
wp_sm_run (WpSm *sm, uint64_t *budget)
{
  sm->now = sm->next;
  while (*budget > 0 && !sm->device->failed)
    {
      if (wp_sm_is_due (sm))
        {
          uint64_t n = wp_sm_run_round (sm);

          *budget -= n < *budget ? n : *budget;
          continue;
        }
      wp_sm_wake_warps (sm);
      if (!wp_sm_visit_schedulers (sm))
        {
          sm->next = find_next (sm);
          return true;
        }
      (*budget)--;
    }
  return false;
}
