/* SPDX-License-Identifier: MIT */
/* An SM's schedulers as visits (wp-visits.h), for loops in which all of them go on in step.
 * Private; plain C11.
 */
#pragma once

#include "sim/engine/core/wp-sm-state.h"
#include "sim/engine/core/wp-visits.h"

/* When each is to be visited, as the SM has it. ROOM: wp_visits_find_room(). */
static INLINE void
wp_sm_begin_visits (const WpSm *sm, WpVisits *visits, const uint32_t room)
{
  wp_visits_init (visits, sm->next_scheduler, room);
  for (uint32_t i = 0; i < sm->machine->n_schedulers; i++)
    wp_visits_put (visits, i, wp_visit_at_any (sm->retry[i]), room);
}

/* What the SM is to know of them when the loop is left. */
static INLINE void
wp_sm_end_visits (WpSm *sm, const WpVisits *visits)
{
  sm->next_scheduler = visits->turn < sm->machine->n_schedulers ? visits->turn : 0;
  for (uint32_t i = 0; i < sm->machine->n_schedulers; i++)
    wp_sm_set_retry (sm, i, wp_visit_get_any_time (visits->keys[i]));
}
