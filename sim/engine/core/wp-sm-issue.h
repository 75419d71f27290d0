/* SPDX-License-Identifier: MIT */
/* Issue (MODEL.md, sections 5 and 7, step 3), with all that may come up. Private; plain C11. */
#pragma once

#include "sim/engine/core/wp-sm-state.h"

/* MODEL.md, section 7, step 3: whose turn it is after scheduler ID has issued. */
static inline uint32_t
wp_sm_get_scheduler_after (const WpSm *sm, uint32_t id)
{
  return id + 1 == sm->machine->n_schedulers ? 0 : id + 1;
}

/* One visit to scheduler ID now: whether it issues. */
bool wp_sm_visit (WpSm *sm, uint32_t id);

/* MODEL.md, section 7, step 3: the scheduler that is to be visited first, of several the first in
 * rotation; *TIME: when. */
uint32_t wp_sm_find_first (const WpSm *sm, WpTick *time);

/* Visits schedulers, from time to time, while nothing else happens (sm->limit) and *BUDGET lasts.
 * Returns the time of the next visit. */
WpTick wp_sm_issue (WpSm *sm, uint64_t *budget);
