/* SPDX-License-Identifier: MIT */
/* The order of things at one time t is that of MODEL.md, section 7, round by round:
 *
 *   1. terminate warps due at t, by slot; release barriers; finish blocks and take the next ones
 *   2. launch blocks due at t                                    (1 and 2 until nothing is due)
 *   3. the first scheduler in rotation that can issue does; back to 1; when none can, t is finished
 *
 * Step 3 goes on by itself, from time to time, as long as nothing of 1 and 2 comes in between
 * (`limit`).
 */
#include "sim/engine/core/wp-sm.h"

#include "sim/engine/core/wp-sm-account.h"
#include "sim/engine/core/wp-sm-block.h"
#include "sim/engine/core/wp-sm-fast.h"
#include "sim/engine/core/wp-sm-flow.h"
#include "sim/engine/core/wp-sm-issue.h"
#include "sim/engine/core/wp-sm-many.h"
#include "sim/engine/core/wp-sm-step.h"
#include "sim/engine/core/wp-sm-told.h"
#include "sim/engine/core/wp-sm-wait.h"

#include <string.h>

/* Makes those ready that are due now, and finds out which warps terminate. */
static void
wake_warps (WpSm *sm)
{
  uint32_t slot, following;

  for (slot = wp_wake_list_take_end (sm); slot != WP_NO_SLOT; slot = wp_wake_list_take_end (sm))
    wp_sm_end_at (sm, &sm->warps[slot], sm->now);
  for (slot = wp_wake_list_take (sm); slot != WP_NO_SLOT; slot = following)
    {
      WpWarp *warp = &sm->warps[slot];
      WpScheduler *scheduler = &sm->schedulers[warp->scheduler];

      following = wp_wake_list_get_following (sm, slot);
      if (warp->state != WP_WARP_RUNNING)
        wp_sm_end_at (sm, warp, sm->now);
      else if (sm->flows != NULL)
        wp_sm_wait_for_flow (sm, warp);
      else
        {
          wp_sm_note (sm, scheduler, warp);
          wp_sm_wait_in_order (sm, scheduler, warp);
          if (UNLIKELY (sm->policy->tell != NULL))
            sm->policy->tell (sm, scheduler, warp->bit, WP_TOLD_WAIT);
        }
    }
}

/* The first of what comes at a time of its own, but for issues. */
static WpTick
find_event (const WpSm *sm)
{
  WpTick wake = wp_wake_list_get_next (sm);

  return wake < sm->due ? wake : sm->due;
}

/* All that comes before issues at this time. */
static void
run_rounds (WpSm *sm, uint64_t *budget)
{
  wake_warps (sm);
  while (wp_sm_is_due (sm) && *budget > 0 && !sm->host->failed)
    {
      uint64_t n = wp_sm_run_round (sm);

      *budget -= n < *budget ? n : *budget;
    }
}

/* In the fast loop: warps end one by one for as long as nothing else happens before NEXT, when the
 * first scheduler may issue, and UNTIL. Where something may come of an end at once, another launch
 * or a barrier's release, no scheduler's time holds any more: then warps end the long way. So they
 * do where something is due now already, as the end of a warp at its last issue is. */
static void
end_warps (WpSm *sm, WpTick next, WpTick until, uint64_t *budget)
{
  WpTick end = wp_slot_list_get_next (&sm->ends);

  if (!sm->ends_slowly || wp_sm_is_due (sm))
    return;
  next = next < until ? next : until;
  next = next < sm->fast_limit ? next : sm->fast_limit; /* where others may be in the wheel */
  for (; sm->now < end && end < next && end < sm->due && !sm->marked && *budget > 0
         && !sm->host->failed;
       end = wp_slot_list_get_next (&sm->ends))
    {
      sm->now = end;
      run_rounds (sm, budget);
    }
}

/* All that comes before issues at this time; and until when there is nothing of that. */
static void
prepare (WpSm *sm, WpTick until, uint64_t *budget)
{
  run_rounds (sm, budget);
  if (sm->marked || until <= sm->now)
    until = sm->now + 1;
  sm->limit = find_event (sm);
  sm->limit = until < sm->limit ? until : sm->limit;
  if (sm->fast && sm->limit > sm->fast_limit)
    sm->limit = sm->fast_limit;
  if (wp_sm_is_due (sm))
    sm->limit = sm->now;
}

/* What comes of the issues at this time and later ones. Returns the time of the next visit. */
static WpTick
issue (WpSm *sm, uint64_t *budget)
{
  if (sm->many)
    return wp_sm_issue_many (sm, budget);
  if (!sm->fast)
    return wp_sm_issue (sm, budget);
  return sm->host->observes_details ? wp_sm_issue_told (sm, budget) : wp_sm_issue_fast (sm, budget);
}

/* Gives up the fast loop, for times beyond WP_FAST_LIMIT: who wants which pipeline is known of all
 * again, and each warp's number of dynamic instructions. */
static void
leave_fast_loop (WpSm *sm)
{
  sm->fast = false;
  sm->host->left_fast_loop = true;
  wp_wake_list_leave_fast_loop (sm);
  for (uint32_t i = 0; i < sm->machine->n_schedulers; i++)
    {
      WpScheduler *scheduler = &sm->schedulers[i];

      memset (scheduler->want, 0,
              (sm->machine->n_pipelines + (size_t)1) * scheduler->n_words
                  * sizeof *scheduler->want);
      wp_sm_reschedule (sm, scheduler, sm->now);
    }
  for (uint32_t slot = 0; slot < sm->n_slots; slot++)
    {
      WpWarp *warp = &sm->warps[slot];

      if (warp->state == WP_WARP_RUNNING)
        wp_scheduler_set_want (&sm->schedulers[warp->scheduler], warp->bit, warp->op->row, true);
      if (sm->host->plan->places != NULL && warp->state != WP_WARP_FREE && warp->op != NULL)
        warp->index = wp_sm_find_index (sm, warp, warp->op);
    }
}

bool
wp_sm_can_stand (const WpSm *sm)
{
  bool may = sm->many || (sm->fast && sm->next < sm->fast_limit);

  return may && sm->machine->dual_issue == 1;
}

bool
wp_sm_run (WpSm *sm, WpTick until, uint64_t *budget)
{
  sm->now = sm->next;
  while (*budget > 0 && !sm->host->failed)
    {
      WpTick next, event;

      if (sm->fast && sm->now >= sm->fast_limit && sm->stretch_end == 0)
        {
          sm->next = sm->now;
          if (sm->now >= sm->gate)
            return true;
          until = sm->gate < until ? sm->gate : until;
          leave_fast_loop (sm);
        }
      if (sm->stretch_end == 0)
        prepare (sm, until, budget);
      if (sm->host->failed)
        break;
      next = issue (sm, budget);
      if (sm->stands)
        {
          sm->stands = false;
          sm->next = sm->now;
          return true;
        }
      if (sm->fast)
        end_warps (sm, next, until, budget);
      event = find_event (sm);
      next = event < next ? event : next;
      next = next > sm->now ? next : sm->now;
      if ((next == sm->now && !(sm->marked && sm->mark_room == 0)) || *budget == 0
          || wp_sm_is_due (sm) || sm->host->failed)
        continue;
      sm->next = next;
      if (next >= until || sm->marked)
        return true;
      sm->now = next;
    }
  sm->next = sm->now;
  return false;
}
