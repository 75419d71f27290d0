/* SPDX-License-Identifier: MIT */
/* With barriers, and where blocks are replaced at once, what a scheduler does may matter to the
 * others at once. So all of them go from one time at which one can issue to the next. At one time
 * those that can are a set, which the rotation goes round.
 *
 * Schedulers whose ready warps all want one pipeline that others issue to as well, as a load/store
 * unit, come to the time at which it opens together, and all but one of them in vain. They are shut
 * out: whoever takes the pipeline then moves their next visits to where it opens again.
 */
#include "sim/engine/core/wp-sm-lockstep.h"

#include "sim/engine/core/wp-sm-account.h"
#include "sim/engine/core/wp-sm-choice.h"
#include "sim/engine/core/wp-sm-issue.h"
#include "sim/engine/core/wp-sm-single.h"

/* What holds while the loop runs, and needs no place in the SM's state. */
typedef struct
{
  WpSm *sm;
  uint64_t now;      /* schedulers that may issue at sm->now */
  uint64_t shut_out; /* those whose ready warps want `row` only, which is closed */
  uint32_t row;      /* one that schedulers have together and that may be closed; or n_pipelines */
  uint64_t closed[64]; /* of each scheduler: rows of its own that may refuse a warp now */
  WpTick own[64]; /* of those shut out: when they are to be visited whatever happens to `row` */
} Round;

/* No visit to SCHEDULER before TIME can issue. The second of the two places for that is filled when
 * the loop is left. */
static INLINE void
set_retry (WpSm *sm, uint32_t scheduler, WpTick time)
{
  sm->retry[scheduler] = time;
}

/* OP of BIT's warp, which is chained, issues now; false: the loop that it goes round is over. */
static INLINE bool
issue_chained (WpSm *sm, WpScheduler *scheduler, uint32_t bit, WpWarp *warp, const WpOp *op,
               const Blocking blocking)
{
  WpPipeline *pipeline = scheduler->own_accepts[op->row];

  if (op->issues == WP_ISSUE_CHAINED_SELF ? !go_round (warp)
                                          : !go_on (scheduler, warp, op, sm->now, blocking))
    return false;
  wp_sm_add_refusal (sm, warp, pipeline->accept);
  pipeline->accept = sm->now + op->issue;
  warp->ready = sm->now + op->chain;
  if (op->chain == 0)
    return true;
  scheduler->arrived[0] ^= UINT64_C (1) << bit;
  wp_key_list_put (&scheduler->near, wp_key_make (warp->ready, bit));
  return true;
}

/* The next visit to SCHEDULER, whose turn is TURN, and which has issued to a pipeline that accepts
 * another at ACCEPT, and that WANT wait for. */
static INLINE WpTick
find_next_visit (const WpScheduler *scheduler, WpTick turn, WpTick accept, uint64_t want)
{
  uint64_t arrived = scheduler->arrived[0];
  WpTick next = turn;

  if (arrived == 0 || (accept > turn && (arrived & ~want) == 0))
    {
      next = wp_wake_list_get_next_of (scheduler);
      if (arrived != 0)
        next = accept < next ? accept : next;
      next = next > turn ? next : turn;
    }
  return next;
}

/* PIPELINE, of ROW, which others issue to as well, has taken what issued now. */
static INLINE void
move_visits (Round *round, uint32_t row, WpTick accept)
{
  WpSm *sm = round->sm;

  if (row != round->row || accept <= sm->now)
    return;
  for (uint64_t rest = round->shut_out; rest != 0; rest &= rest - 1)
    {
      uint32_t id = wp_lowest_bit (rest);
      WpTick next = round->own[id] < accept ? round->own[id] : accept;

      if (next <= sm->retry[id])
        continue;
      set_retry (sm, id, next);
      if (next > sm->now)
        round->now &= ~(UINT64_C (1) << id);
    }
}

/* BIT's warp, chosen, issues OP now, which is plain. */
static INLINE void
issue (Round *round, WpScheduler *scheduler, uint32_t bit, const WpOp *op, const WpChoice choice,
       const Blocking blocking)
{
  WpSm *sm = round->sm;
  const WpTick turn = sm->now + sm->machine->interval;
  WpWarp *warp = scheduler->own_warps[bit];
  const uint32_t row = op->row;
  WpTick accept;

  scheduler->last_bit = bit;
  scheduler->last_gone = false;
  if (choice == WP_CHOICE_PICK)
    scheduler->last_slot = wp_sm_get_slot (sm, warp);
  if (op->issues < WP_ISSUE_CHAINED || !issue_chained (sm, scheduler, bit, warp, op, blocking))
    wp_sm_issue_alone (sm, scheduler, bit, sm->now);
  scheduler->turn = scheduler->slot_end = turn;
  accept = scheduler->own_accepts[row]->accept;
  if (blocking != BLOCKING_NONE && accept > turn)
    round->closed[scheduler->id] |= sm->host->plan->own & UINT64_C (1) << row;
  set_retry (sm, scheduler->id,
             find_next_visit (scheduler, turn, accept,
                              blocking == BLOCKING_NONE ? UINT64_MAX : scheduler->want[row]));
  if (blocking != BLOCKING_NONE && round->shut_out != 0)
    move_visits (round, row, accept);
}

/* No warp of SCHEDULER can issue now. Its pipelines accept none before SOONEST. */
static INLINE void
put_off (Round *round, WpScheduler *scheduler, bool accepted, WpTick soonest,
         const Blocking blocking)
{
  WpSm *sm = round->sm;
  WpTick turn = scheduler->turn;
  WpTick retry = accepted ? sm->now : wp_wake_list_get_next_of (scheduler);

  if (blocking != BLOCKING_NONE && !accepted && scheduler->arrived[0] != 0
      && (scheduler->arrived[0] & ~scheduler->want[round->row]) == 0)
    {
      round->shut_out |= UINT64_C (1) << scheduler->id;
      round->own[scheduler->id] = retry > turn ? retry : turn;
    }
  retry = retry < soonest ? retry : soonest;
  set_retry (sm, scheduler->id, retry > turn ? retry : turn);
}

/* One issue, or none, of SCHEDULER now. */
static INLINE bool
visit (Round *round, WpScheduler *scheduler, const WpChoice choice, const Blocking blocking)
{
  WpSm *sm = round->sm;
  WpTick soonest = WP_TICK_LIMIT;
  uint64_t arrived, accepted, last = scheduler->last_bit;
  const WpOp *op;
  uint32_t bit;

  arrived = accepted = scheduler->arrived[0] | wp_wake_list_take_of (scheduler, sm->now);
  scheduler->arrived[0] = arrived;
  if (blocking != BLOCKING_NONE)
    {
      accepted = find_open (scheduler, arrived, sm->now, &round->closed[scheduler->id], &soonest);
      accepted = find_accepted (sm, scheduler, accepted, sm->now, sm->n_own_blocking,
                                sm->n_blocking, &soonest);
    }
  if (accepted == 0 || scheduler->turn > sm->now)
    {
      put_off (round, scheduler, accepted != 0, soonest, blocking);
      return false;
    }
  if (is_greedy (choice))
    last = scheduler->last_gone ? 0 : UINT64_C (1) << last;
  bit = (uint32_t)choose (sm, scheduler, accepted, last, choice);
  op = scheduler->own_warps[bit]->op;
  if (UNLIKELY (sm->now >= sm->gate) && op->meets)
    {
      set_retry (sm, scheduler->id, sm->now);
      sm->stands = true;
      return false;
    }
  if (op->issues < WP_ISSUE_OWN && !is_plain (sm, scheduler, op))
    {
      if (blocking != BLOCKING_NONE)
        round->closed[scheduler->id] = sm->own_blocking;
      return wp_sm_visit (sm, scheduler->id);
    }
  issue (round, scheduler, bit, op, choice, blocking);
  return true;
}

/* The next time at which a scheduler is to be visited, and those that are then. */
static INLINE WpTick
find_time (Round *round)
{
  const WpTick *retry = round->sm->retry;
  uint32_t n = round->sm->machine->n_schedulers;
  WpTick time = retry[0];
  uint64_t now = 1;

  for (uint32_t i = 1; i < n; i++)
    {
      uint64_t bit = UINT64_C (1) << i;

      now = retry[i] < time ? bit : retry[i] == time ? now | bit : now;
      time = retry[i] < time ? retry[i] : time;
    }
  round->now = now;
  return time;
}

static INLINE WpTick
issue_in_step (WpSm *sm, uint64_t *budget, const WpChoice choice, const Blocking blocking)
{
  Round round;
  uint64_t left = *budget;
  WpTick time;

  round.sm = sm;
  round.shut_out = 0;
  time = find_time (&round);
  round.row = sm->machine->n_pipelines;
  for (uint32_t i = 0; blocking != BLOCKING_NONE && i < sm->machine->n_schedulers; i++)
    round.closed[i] = sm->own_blocking;
  for (uint32_t i = sm->n_own_blocking; i < sm->n_blocking; i++)
    if (!sm->machine->pipelines[sm->blocking[i]].per_scheduler)
      round.row = sm->blocking[i];
  while (!sm->stands && left > 0 && time < sm->limit)
    {
      uint64_t after = round.now >> sm->next_scheduler << sm->next_scheduler;
      uint32_t id = wp_lowest_bit (after != 0 ? after : round.now);

      sm->now = time;
      round.shut_out &= ~(UINT64_C (1) << id);
      if (visit (&round, &sm->schedulers[id], choice, blocking))
        {
          sm->next_scheduler = wp_sm_get_scheduler_after (sm, id);
          left--;
        }
      if (sm->retry[id] > time)
        round.now &= ~(UINT64_C (1) << id);
      if (round.now == 0)
        time = find_time (&round);
    }
  for (uint32_t i = 0; i < sm->machine->n_schedulers; i++)
    wp_sm_set_retry (sm, i, sm->retry[i]);
  sm->n_taken += *budget - left;
  *budget = left;
  return time;
}

/* A function for each, so that the compiler has the registers for one loop at a time. */
#define DEFINE_ISSUE(name, choice, blocking)                                                       \
  static NOINLINE WpTick name (WpSm *sm, uint64_t *budget)                                         \
  {                                                                                                \
    return issue_in_step (sm, budget, choice, blocking);                                           \
  }
DEFINE_ISSUE (rotate_none, WP_CHOICE_ROTATE, BLOCKING_NONE)
DEFINE_ISSUE (rotate_all, WP_CHOICE_ROTATE, BLOCKING_ALL)
DEFINE_ISSUE (lowest_none, WP_CHOICE_LOWEST, BLOCKING_NONE)
DEFINE_ISSUE (lowest_all, WP_CHOICE_LOWEST, BLOCKING_ALL)
DEFINE_ISSUE (greedy_none, WP_CHOICE_GREEDY, BLOCKING_NONE)
DEFINE_ISSUE (greedy_all, WP_CHOICE_GREEDY, BLOCKING_ALL)
DEFINE_ISSUE (highest_none, WP_CHOICE_GREEDY_HIGHEST, BLOCKING_NONE)
DEFINE_ISSUE (highest_all, WP_CHOICE_GREEDY_HIGHEST, BLOCKING_ALL)
DEFINE_ISSUE (pick_none, WP_CHOICE_PICK, BLOCKING_NONE)
DEFINE_ISSUE (pick_all, WP_CHOICE_PICK, BLOCKING_ALL)

WpTick
wp_sm_issue_in_step (WpSm *sm, uint64_t *budget)
{
  static WpTick (*const issue_by[WP_N_CHOICES][2]) (WpSm *, uint64_t *) = {
    [WP_CHOICE_ROTATE] = { rotate_none, rotate_all },
    [WP_CHOICE_LOWEST] = { lowest_none, lowest_all },
    [WP_CHOICE_GREEDY] = { greedy_none, greedy_all },
    [WP_CHOICE_GREEDY_HIGHEST] = { highest_none, highest_all },
    [WP_CHOICE_PICK] = { pick_none, pick_all },
  };

  if (sm->machine->n_schedulers > 64)
    return wp_sm_issue (sm, budget);
  return issue_by[sm->policy->choice][sm->n_blocking > 0](sm, budget);
}
