/* SPDX-License-Identifier: MIT */
/* For starts and releases; what happens at each issue is in wp-sm-issue.c and wp-sm-fast.c. */
#include "sim/engine/core/wp-sm-wait.h"

#include "sim/engine/core/wp-sm-account.h"
#include "sim/engine/core/wp-sm-flow.h"
#include "sim/engine/core/wp-sm-ready.h"

void
wp_sm_end_at (WpSm *sm, WpWarp *warp, WpTick time)
{
  uint32_t slot = wp_sm_get_slot (sm, warp);
  uint32_t word = slot / 64;

  if (time > sm->now || sm->ahead)
    {
      wp_wake_list_put_end (sm, warp, time);
      return;
    }
  sm->limit = sm->now;
  if (sm->n_ending == 0 || word < sm->first_ending)
    sm->first_ending = word;
  if (sm->n_ending == 0 || word > sm->last_ending)
    sm->last_ending = word;
  sm->ending[word] |= UINT64_C (1) << slot % 64;
  sm->n_ending++;
}

WpWarp *
wp_sm_find_last_end (const WpSm *sm, const WpBlock *block)
{
  WpWarp *last = NULL;

  for (uint32_t i = 0; i < sm->machine->warps_per_block; i++)
    {
      WpWarp *warp = &sm->warps[block->slots[i]];

      if (warp->state == WP_WARP_DRAINING && (last == NULL || warp->end > last->end))
        last = warp;
    }
  return last;
}

void
wp_sm_drain (WpSm *sm, WpWarp *warp)
{
  WpBlock *block = &sm->blocks[warp->block];

  warp->state = WP_WARP_DRAINING;
  wp_sm_note (sm, &sm->schedulers[warp->scheduler], warp);
  if (sm->defers)
    {
      if (sm->watched == warp)
        sm->watched = NULL;
      if (--block->n_busy > 0)
        return;
      warp = wp_sm_find_last_end (sm, block);
    }
  if (!warp->ends_at_release)
    wp_sm_end_at (sm, warp, warp->end);
}

/* The same as at every issue (go_on_in_order() of wp-sm-issue.c), for starts and releases. */
void
wp_sm_go_on (WpSm *sm, WpWarp *warp)
{
  WpScheduler *scheduler = &sm->schedulers[warp->scheduler];

  if (wp_sm_is_through (sm, warp))
    {
      wp_sm_drain (sm, warp);
      return;
    }
  warp->state = WP_WARP_RUNNING;
  if (sm->flows != NULL)
    {
      wp_sm_wait_for_flow (sm, warp);
      return;
    }
  wp_scheduler_set_want (scheduler, warp->bit, warp->op->row, true);
  wp_sm_find_ready (sm, warp, warp->op, wp_sm_get_turn (sm, warp), true, true);
  wp_sm_note (sm, scheduler, warp);
  wp_sm_add_wait (sm, warp, warp->since);
  wp_sm_wait_in_order (sm, scheduler, warp);
}

void
wp_sm_go_on_in_flow (WpSm *sm, WpWarp *warp)
{
  wp_sm_find_barrier_ready (sm, warp);
  if (wp_sm_is_through (sm, warp))
    wp_sm_go_on (sm, warp);
  else
    wp_sm_wait_for_flow (sm, warp);
}

static WpTick
move_time (WpTick time, WpTick by)
{
  return time == WP_TICK_LIMIT ? time : time + by;
}

/* Dataflow order: what the warp has shown and when it wakes follows from what it has. */
static void
put_back_flow (WpSm *sm, WpWarp *warp)
{
  if (sm->many)
    {
      sm->flows[wp_sm_get_slot (sm, warp)].offered = 0;
      sm->flows[wp_sm_get_slot (sm, warp)].soon = 0;
      *wp_wake_list_get_time (sm, warp) = 0;
      wp_sm_wait_for_flow (sm, warp);
    }
  else if (wp_wake_list_has (sm, warp))
    wp_wake_list_put_end (sm, warp, *wp_wake_list_get_time (sm, warp));
}

/* Whether WARP, which has issued all, terminates with another. */
static bool
is_deferred (const WpSm *sm, const WpWarp *warp)
{
  const WpBlock *block = &sm->blocks[warp->block];

  return sm->defers && (block->n_busy > 0 || warp != wp_sm_find_last_end (sm, block));
}

/* Puts the warp back where it waits. Retries know of it, but for find_visit_anew(). */
static void
put_back (WpSm *sm, WpWarp *warp)
{
  WpScheduler *scheduler = &sm->schedulers[warp->scheduler];
  uint64_t *arrived = &scheduler->arrived[warp->bit / 64];

  if (warp->ends_at_release || (warp->state == WP_WARP_DRAINING && !is_deferred (sm, warp)))
    wp_wake_list_put_end (sm, warp, warp->end);
  if (warp->state != WP_WARP_RUNNING)
    return;
  if (sm->flows != NULL)
    {
      put_back_flow (sm, warp);
      return;
    }
  if (!sm->many)
    *arrived &= ~(UINT64_C (1) << warp->bit % 64);
  if (warp->ready > sm->now)
    wp_wake_list_put (sm, scheduler, warp, sm->now, wp_sm_get_wake (sm, warp));
  else if (sm->many)
    wp_ready_sets_add (&scheduler->ready, sm->classes[warp->op->row], warp->bit, false);
  else
    *arrived |= UINT64_C (1) << warp->bit % 64;
}

/* All warps have been put back: what SCHEDULER's lists have now, the wheel may have had before; and
 * what a warp shows anew asks for a visit, which may come before anything else. */
static void
find_visit_anew (WpSm *sm, const WpScheduler *scheduler)
{
  wp_sm_reschedule (sm, scheduler, wp_wake_list_get_next_of_many (scheduler));
  if (sm->retry[scheduler->id] < sm->next)
    sm->next = sm->retry[scheduler->id];
}

void
wp_sm_move_on (WpSm *sm, WpTick by)
{
  uint32_t n_schedulers = sm->machine->n_schedulers;

  sm->now += by;
  sm->occupied_since += by;
  sm->next = move_time (sm->next, by);
  sm->due = move_time (sm->due, by);
  for (uint32_t i = 0; i < 2 * n_schedulers; i++)
    sm->retry[i] = move_time (sm->retry[i], by);
  wp_wake_list_reset (sm);
  for (uint32_t i = 0; sm->many && i < n_schedulers; i++)
    wp_ready_sets_reset (&sm->schedulers[i].ready);
  for (uint32_t slot = 0; slot < sm->n_slots; slot++)
    put_back (sm, &sm->warps[slot]);
  for (uint32_t i = 0; sm->many && i < n_schedulers; i++)
    find_visit_anew (sm, &sm->schedulers[i]);
}
