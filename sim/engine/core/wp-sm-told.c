/* SPDX-License-Identifier: MIT */
/* Observers see issues in the order in which they happen: so schedulers go on in step here, as in
 * wp-sm-lockstep.c, with the lists of the fast loop. None is chained, as each is told of; but one
 * that takes a slot and goes out alone (WP_ISSUE_SINGLE and above) leaves out what does not come up
 * all the same. All others take the general step of wp-sm-issue.c.
 */
#include "sim/engine/core/wp-sm-told.h"

#include "sim/engine/core/wp-sm-account.h"
#include "sim/engine/core/wp-sm-cause.h"
#include "sim/engine/core/wp-sm-choice.h"
#include "sim/engine/core/wp-sm-issue.h"
#include "sim/engine/core/wp-sm-single.h"
#include "sim/engine/core/wp-sm-visits.h"

/* MODEL.md, sections 5, 6, 11 and 12: OP of WARP enters its pipeline now; sets start, served and
 * complete of EVENT. It is plain: no time is too late. */
static INLINE void
enter (WpSm *sm, WpScheduler *scheduler, WpWarp *warp, const WpOp *op, WpIssueEvent *event)
{
  WpPipeline *pipeline = scheduler->own_accepts[op->row];
  WpTick base;

  if (op->issues < WP_ISSUE_OWN && op->special)
    wp_sm_take_path (sm, scheduler, warp, op, event->index, &event->start, &event->served);
  else
    {
      event->start = event->served = wp_pipeline_accept (pipeline, sm->now, op->issue);
      if (op->issues < WP_ISSUE_OWN && op->random)
        event->served = wp_sm_serve (sm, warp, pipeline, op, event->index, event->start, false);
    }
  base = wp_sm_get_base (op, event->served, sm->now);
  warp->values[op->value] = base;
  event->complete = base + op->completion;
  wp_sm_complete (warp, event);
}

/* BIT's warp of SCHEDULER issues OP now, which is plain. */
static INLINE void
issue (WpSm *sm, WpScheduler *scheduler, uint32_t bit, const WpOp *op)
{
  WpWarp *warp = scheduler->own_warps[bit];
  const bool implied = wp_sm_is_implied (warp, op);
  WpTick accept = scheduler->own_accepts[op->row]->accept;
  WpIssueEvent event = { .time = sm->now,
                         .sm = sm->id,
                         .scheduler = scheduler->id,
                         .slot = wp_sm_get_slot (sm, warp),
                         .block = sm->blocks[warp->block].id,
                         .warp = warp->warp,
                         .index = warp->index,
                         .instr = (uint32_t)(op - sm->ops),
                         .ready = warp->ready,
                         .accept = accept };

  wp_sm_find_cause (sm, warp, op, &event);
  wp_sm_add_refusal (sm, warp, accept);
  wp_sm_note_issue (sm, warp, op, event.index, sm->now, accept);
  enter (sm, scheduler, warp, op, &event);
  warp->index++;
  wp_sm_step (sm, warp, op);
  warp->previous = event.index;
  if (warp->writers != NULL)
    warp->writers[op->value] = event.index;
  WP_HOST_NOTIFY (sm->host, issue, &event);
  if (UNLIKELY (op->special) && sm->host->observes_passes)
    wp_sm_notify_passes (sm, &event);
  wp_sm_wait_behind (sm, scheduler, bit, warp, op->row, op, sm->now, implied, sm->n_blocking > 0);
}

/* BIT's warp of SCHEDULER, chosen, issues now. Returns the next visit. */
static INLINE uint64_t
issue_chosen (WpSm *sm, WpScheduler *scheduler, uint32_t bit)
{
  WpWarp *warp = scheduler->own_warps[bit];
  const WpOp *op = warp->op;
  WpTick turn;
  uint64_t next;

  if (op->issues >= WP_ISSUE_SINGLE && is_safe (sm, scheduler, op))
    {
      scheduler->last_bit = bit;
      scheduler->last_gone = false;
      scheduler->last_slot = wp_sm_get_slot (sm, warp);
      issue (sm, scheduler, bit, op);
      scheduler->turn = scheduler->slot_end = sm->now + sm->machine->interval;
    }
  else
    wp_sm_issue_from (sm, scheduler, bit);
  turn = scheduler->turn;
  next = scheduler->own_arrived != 0 ? wp_visit_at_any (turn)
                                     : wp_wake_list_get_next_key_of (scheduler);
  return next > wp_visit_at_any (turn) ? next : wp_visit_at_any (turn);
}

/* One visit to SCHEDULER now: whether it issues; *NEXT: the next one. */
static INLINE bool
visit (WpSm *sm, WpScheduler *scheduler, uint64_t *next)
{
  WpTick soonest = WP_TICK_LIMIT, retry;

  scheduler->own_arrived |= wp_wake_list_take_of (scheduler, sm->now);
  scheduler->candidates[0]
      = find_accepted (sm, scheduler, scheduler->own_arrived, sm->now, 0, sm->n_blocking, &soonest);
  if (scheduler->candidates[0] != 0 && scheduler->turn <= sm->now)
    {
      *next = issue_chosen (sm, scheduler, sm->policy->pick (sm, scheduler));
      return true;
    }
  retry = wp_wake_list_get_next_of (scheduler);
  retry = scheduler->candidates[0] != 0 ? sm->now : retry < soonest ? retry : soonest;
  *next = wp_visit_at_any (retry > scheduler->turn ? retry : scheduler->turn);
  return false;
}

static INLINE WpTick
issue_told (WpSm *sm, uint64_t *budget, const uint32_t room)
{
  WpVisits visits;
  uint64_t left = *budget, next;

  wp_sm_begin_visits (sm, &visits, room);
  for (next = wp_visits_get_first (&visits, room); left > 0 && wp_visit_get_time (next) < sm->limit;
       next = wp_visits_get_first (&visits, room))
    {
      uint32_t id = wp_visit_get_scheduler (next, room);
      uint64_t then;

      sm->now = wp_visit_get_time (next);
      if (visit (sm, &sm->schedulers[id], &then))
        {
          wp_visits_rotate (&visits, id, room);
          left--;
          sm->n_taken++;
        }
      wp_visits_put (&visits, id, then, room);
    }
  wp_sm_end_visits (sm, &visits);
  *budget = left;
  return wp_visit_get_any_time (next);
}

/* On most GPUs. */
static NOINLINE WpTick
issue_few (WpSm *sm, uint64_t *budget)
{
  return issue_told (sm, budget, WP_VISITS_FEW);
}

WpTick
wp_sm_issue_told (WpSm *sm, uint64_t *budget)
{
  uint32_t n = sm->machine->n_schedulers;

  if (n > WP_VISITS_ROOM || sm->machine->interval > WP_VISIT_LATEST / 2)
    return wp_sm_issue (sm, budget);
  return n <= WP_VISITS_FEW ? issue_few (sm, budget)
                            : issue_told (sm, budget, wp_visits_find_room (n));
}
