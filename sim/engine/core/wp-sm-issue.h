/* SPDX-License-Identifier: MIT */
/* Issue (MODEL.md, sections 5 and 7, step 3), with all that may come up. Private; plain C11. */
#pragma once

#include "sim/engine/core/wp-sm-state.h"
#include "sim/engine/core/wp-sm-wait.h"

/* MODEL.md, section 7, step 3: whose turn it is after scheduler ID has issued. */
static inline uint32_t
wp_sm_get_scheduler_after (const WpSm *sm, uint32_t id)
{
  return id + 1 == sm->machine->n_schedulers ? 0 : id + 1;
}

/* One visit to scheduler ID now: whether it issues. */
bool wp_sm_visit (WpSm *sm, uint32_t id);

/* SCHEDULER, whose turn it is, issues from the warp of BIT, which can issue. */
void wp_sm_issue_from (WpSm *sm, WpScheduler *scheduler, uint32_t bit);

/* The same, of dataflow order with what wp_sm_choose_from_flow() has returned. */
void wp_sm_issue_chosen (WpSm *sm, WpScheduler *scheduler, uint32_t bit, uint32_t k);

/* MODEL.md, section 6: the warp does not end before what EVENT says is complete. */
static INLINE void
wp_sm_complete (WpWarp *warp, const WpIssueEvent *event)
{
  if (event->complete > warp->end
      || (event->complete == warp->end && warp->end_index == WP_NO_PRODUCER))
    {
      warp->end_index = event->index;
      warp->end_instr = event->instr;
    }
  wp_sm_extend_end (warp, event->complete);
}

/* What follows the event ISSUE of an instruction with a path, for those who listen to that. */
void wp_sm_notify_passes (WpSm *sm, const WpIssueEvent *issue);

/* MODEL.md, section 7, step 3: the scheduler that is to be visited first, of several the first in
 * rotation; *TIME: when. */
static inline uint32_t
wp_sm_find_first (const WpSm *sm, WpTick *time)
{
  uint32_t n = sm->machine->n_schedulers;
  const WpTick *retry = sm->retry + sm->next_scheduler;
  WpTick best = retry[0];
  uint32_t first = 0;

  for (uint32_t i = 1; i < n; i++)
    if (retry[i] < best)
      {
        best = retry[i];
        first = i;
      }
  *time = best;
  first += sm->next_scheduler;
  return first >= n ? first - n : first;
}

/* Visits schedulers, from time to time, while nothing else happens (sm->limit) and *BUDGET lasts.
 * Returns the time of the next visit. */
WpTick wp_sm_issue (WpSm *sm, uint64_t *budget);
