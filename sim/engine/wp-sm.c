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
#include "sim/engine/wp-device-private.h"
#include "sim/engine/wp-sm-flow.h"
#include "sim/engine/wp-sm-serve.h"

#include <string.h>

/* Makes those ready that are due now, and finds out which warps terminate. */
static void
wake_warps (WpSm *sm)
{
  uint32_t slot, following;

  for (slot = wp_wheel_take (&sm->wheel, sm->now); slot != WP_NO_SLOT; slot = following)
    {
      WpWarp *warp = &sm->warps[slot];
      WpScheduler *scheduler = &sm->schedulers[warp->scheduler];

      following = sm->wheel.links[slot];
      if (warp->state != WP_WARP_RUNNING)
        wp_sm_end_at (sm, warp, sm->now);
      else
        {
          wp_sm_note (sm, scheduler, warp);
          wp_sm_wait_in_order (sm, scheduler, warp);
        }
    }
}

/* The first of what comes at a time of its own, but for issues. */
static WpTick
find_event (const WpSm *sm)
{
  WpTick event = sm->wheel.next < sm->due ? sm->wheel.next : sm->due;

  if (sm->flows != NULL && wp_heap_get_time (&sm->wakes) < event)
    event = wp_heap_get_time (&sm->wakes);
  return event;
}

/* All that comes before issues at this time; and until when there is nothing of that. */
static void
prepare (WpSm *sm, WpTick until, uint64_t *budget)
{
  if (sm->wheel.next <= sm->now)
    wake_warps (sm);
  while (wp_sm_is_due (sm) && *budget > 0 && !sm->device->failed)
    {
      uint64_t n = wp_sm_run_round (sm);

      *budget -= n < *budget ? n : *budget;
    }
  if (sm->flows != NULL)
    wp_sm_wake_flows (sm);
  if (sm->marked || until <= sm->now)
    until = sm->now + 1;
  sm->limit = find_event (sm);
  sm->limit = until < sm->limit ? until : sm->limit;
  if (sm->lean && sm->limit > sm->lean_limit)
    sm->limit = sm->lean_limit;
  if (wp_sm_is_due (sm))
    sm->limit = sm->now;
}

/* Who is ready by now may not have been taken yet: nobody has looked. */
static void
move_to_wheel (WpSm *sm, WpScheduler *scheduler, WpWakeList *wakes)
{
  scheduler->arrived[0] |= wp_wake_list_take (wakes, (uint64_t)(sm->now + 1) << 6);
  for (; wakes->first != wakes->end; wakes->first++)
    wp_wheel_put (&sm->wheel, wp_sm_get_slot (sm, scheduler->warps[*wakes->first % 64]),
                  (WpTick)(*wakes->first >> 6));
}

/* Gives up the short loop, for times beyond WP_LEAN_LIMIT. Those of the short lists go into the
 * wheel, with the others; who wants which pipeline is known of all again. */
static void
leave_lean (WpSm *sm)
{
  wp_sm_count_open_loops (sm, 1);
  sm->lean = false;
  if (sm->device->skip != NULL)
    wp_steady_forget (sm->device->skip);
  for (uint32_t i = 0; i < sm->machine->n_schedulers; i++)
    {
      WpScheduler *scheduler = &sm->schedulers[i];

      move_to_wheel (sm, scheduler, &scheduler->near);
      move_to_wheel (sm, scheduler, &scheduler->far);
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
      if (sm->device->plan.places != NULL && warp->state != WP_WARP_FREE && warp->op != NULL)
        warp->index = wp_sm_find_index (sm, warp, warp->op);
    }
}

bool
wp_sm_run (WpSm *sm, WpTick until, uint64_t *budget)
{
  sm->now = sm->next;
  while (*budget > 0 && !sm->device->failed)
    {
      WpTick next, event;

      if (sm->lean && sm->now >= sm->lean_limit)
        leave_lean (sm);
      prepare (sm, until, budget);
      if (sm->device->failed)
        break;
      next = sm->lean ? wp_sm_issue_lean (sm, budget) : wp_sm_issue (sm, budget);
      event = find_event (sm);
      next = event < next ? event : next;
      next = next > sm->now ? next : sm->now;
      if ((next == sm->now && !(sm->marked && sm->mark_room == 0)) || *budget == 0
          || wp_sm_is_due (sm) || sm->device->failed)
        continue;
      sm->next = next;
      if (next >= until || sm->marked)
        return true;
      sm->now = next;
    }
  sm->next = sm->now;
  return false;
}

static WpStall
get_cause (const WpSm *sm, const WpWarp *warp)
{
  switch ((int)(warp->wait - sm->machine->n_pipelines))
    {
    case WP_WAIT_BARRIER:
      return WP_STALL_BARRIER;
    case WP_WAIT_ILP:
      return WP_STALL_ILP;
    default:
      return WP_STALL_DEPENDENCY;
    }
}

void
wp_sm_account_wait (WpSm *sm, WpWarp *warp)
{
  warp->stalls[get_cause (sm, warp)] += warp->ready - warp->since;
  wp_sum_add (&sm->waits[warp->wait], (uint64_t)(warp->ready - warp->since));
}

void
wp_wake_list_make_room (WpWakeList *wakes)
{
  size_t n = (size_t)(wakes->end - wakes->first);

  memmove (wakes->keys + 1, wakes->first, (n + 1) * sizeof *wakes->keys);
  wakes->keys[0] = 0;
  wakes->first = wakes->keys + 1;
  wakes->end = wakes->first + n;
}

static WpTick
move_time (WpTick time, WpTick by)
{
  return time == WP_TICK_LIMIT ? time : time + by;
}

/* Puts the warp back where it waits. Retries know of it. */
static void
put_back (WpSm *sm, WpWarp *warp)
{
  WpScheduler *scheduler = &sm->schedulers[warp->scheduler];
  uint64_t *arrived = &scheduler->arrived[warp->bit / 64];

  if (warp->state == WP_WARP_DRAINING || warp->ends_at_release)
    wp_wheel_put (&sm->wheel, wp_sm_get_slot (sm, warp), warp->end);
  if (warp->state != WP_WARP_RUNNING || sm->flows != NULL)
    return;
  *arrived &= ~(UINT64_C (1) << warp->bit % 64);
  if (warp->ready <= sm->now)
    *arrived |= UINT64_C (1) << warp->bit % 64;
  else
    wp_sm_wait_until (sm, scheduler, warp, sm->now, wp_sm_get_wake (sm, warp));
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
  for (uint32_t i = 0; i < n_schedulers; i++)
    {
      wp_wake_list_clear (&sm->schedulers[i].near);
      wp_wake_list_clear (&sm->schedulers[i].far);
    }
  wp_wheel_reset (&sm->wheel, sm->now);
  for (uint32_t slot = 0; slot < sm->n_slots; slot++)
    put_back (sm, &sm->warps[slot]);
}

/* WARP of the first SM has gone round a repeat, of which every DISTANCE-th round is worth a look;
 * 0: none. */
static void
mark_round (WpSm *sm, const WpWarp *warp, uint32_t distance)
{
  if (distance == 0)
    return;
  if (sm->watched == NULL)
    sm->watched = warp;
  if (sm->watched == warp && *warp->counter % distance == 0)
    wp_sm_mark (sm);
}

void
wp_sm_walk (WpSm *sm, WpWarp *warp, uint32_t pc)
{
  const WpCode *code = warp->code;

  for (; pc < warp->n_code; pc++)
    if (code[pc].kind == WP_CODE_INSTRUCTION)
      {
        warp->op = sm->ops + code[pc].arg;
        return;
      }
    else if (code[pc].kind == WP_CODE_REPEAT)
      *++warp->counter = code[pc].count;
    else if (--*warp->counter > 0)
      {
        if (sm->mark_from != UINT64_MAX)
          mark_round (sm, warp, sm->device->plan.look_at[code - sm->machine->code + pc]);
        pc = code[pc].arg;
      }
    else
      warp->counter--;
  warp->op = NULL;
}

/* The same as at every issue (go_on_in_order()), for starts and releases. */
void
wp_sm_go_on (WpSm *sm, WpWarp *warp)
{
  WpScheduler *scheduler = &sm->schedulers[warp->scheduler];

  if (wp_sm_is_through (sm, warp))
    {
      warp->state = WP_WARP_DRAINING;
      wp_sm_note (sm, scheduler, warp);
      if (!warp->ends_at_release)
        wp_sm_end_at (sm, warp, warp->end);
      return;
    }
  warp->state = WP_WARP_RUNNING;
  if (sm->flows != NULL)
    {
      wp_sm_wait_for_flow (sm, warp);
      return;
    }
  wp_scheduler_set_want (scheduler, warp->bit, warp->op->row, true);
  wp_sm_find_ready (sm, warp, warp->op,
                    warp->index == 0 ? warp->start : warp->since + sm->machine->ilp_latency, true);
  wp_sm_mind_release (sm, warp);
  wp_sm_note (sm, scheduler, warp);
  wp_sm_account_wait (sm, warp);
  wp_sm_wait_in_order (sm, scheduler, warp);
}
