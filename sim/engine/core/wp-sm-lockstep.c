/* SPDX-License-Identifier: MIT */
/* With barriers, and where blocks are replaced at once, what a scheduler does may matter to the
 * others at once. So all of them go from one time at which one can issue to the next: wp-visits.h
 * says whose turn that is.
 *
 * Schedulers whose ready warps all want one pipeline that others issue to as well, as a load/store
 * unit, would come to the time at which it opens together, and all but one of them in vain. They
 * are shut out: they are looked at when it is open, and whoever takes it then closes it for the
 * rest of them by that alone. Nor need a scheduler that is shut out be visited for a warp that
 * comes to want the same: it counts as one that has arrived at once. That is exact: no warp that
 * wants a pipeline is taken before it accepts, which is never earlier than it was; and the warp is
 * ready by then.
 */
#include "sim/engine/core/wp-sm-lockstep.h"

#include "sim/engine/core/wp-sm-account.h"
#include "sim/engine/core/wp-sm-block.h"
#include "sim/engine/core/wp-sm-choice.h"
#include "sim/engine/core/wp-sm-issue.h"
#include "sim/engine/core/wp-sm-mix.h"
#include "sim/engine/core/wp-sm-single.h"
#include "sim/engine/core/wp-sm-visits.h"

/* What holds while the loop runs, and needs no place in the SM's state. */
typedef struct
{
  WpSm *sm;
  WpScheduler *schedulers[WP_VISITS_ROOM]; /* the SM's */
  WpVisits visits;                         /* of all, as if nobody were shut out */
  uint64_t shut_out;        /* those whose ready warps want `row` only, which is closed; it is not
                               their turn before it opens */
  const WpPipeline *shared; /* one that schedulers have together and that may be closed; where there
                               is none, that of barriers, which never is */
  uint32_t row;             /* which */
  bool barriers;            /* one takes a slot for itself */
  uint8_t plain;            /* from this WpIssueClass on nothing more has to be asked */
  WpTick interval;          /* the machine's */
  uint64_t own;             /* the plan's */
} Round;

/* OP of BIT's warp, which is chained, issues now; false: the loop that it goes round is over. */
static INLINE bool
issue_chained (WpSm *sm, WpScheduler *scheduler, uint32_t bit, WpWarp *warp, const WpOp *op,
               const Blocking blocking)
{
  WpPipeline *pipeline = scheduler->own_accepts[op->row];
  uint64_t key;

  if (op->issues == WP_ISSUE_CHAINED_SELF ? !go_round (warp)
                                          : !go_on (scheduler, warp, op, sm->now, blocking))
    return false;
  wp_sm_add_refusal (sm, warp, pipeline->accept);
  wp_pipeline_accept_at_once (pipeline, sm->now, op->issue);
  warp->ready = sm->now + op->chain;
  if (LIKELY (op->chain == 0))
    return true;
  scheduler->own_arrived ^= UINT64_C (1) << bit;
  key = wp_key_make (warp->ready, bit);
  wp_key_list_put (&scheduler->near, key);
  scheduler->wake = key < scheduler->wake ? key : scheduler->wake;
  return true;
}

/* SCHEDULER has ready warps that want ROW only, the one that is shared, which is closed, and its
 * turn is not after that. */
static INLINE void
shut_out (Round *round, WpScheduler *scheduler)
{
  WpTick accept = round->shared->accept;
  uint64_t want = scheduler->own_want[round->row];

  round->shut_out |= UINT64_C (1) << scheduler->id;
  if (scheduler->wake < wp_key_make_later (accept))
    {
      scheduler->own_arrived |= wp_wake_list_take_wanting (&scheduler->near, want, accept)
                                | wp_wake_list_take_wanting (&scheduler->far, want, accept);
      scheduler->wake = wp_wake_list_get_next_key_of (scheduler);
    }
}

/* The next visit to SCHEDULER for a warp that is not ready yet, at its turn at the earliest. */
static INLINE uint64_t
find_next_wake (const WpScheduler *scheduler, uint64_t at_turn)
{
  return scheduler->wake > at_turn ? scheduler->wake : at_turn;
}

/* The next visit to SCHEDULER, which has issued to ROW now, which accepts another at ACCEPT. Where
 * that is at its TURN, warps for the shared one come in vain where others wait for it only. */
static INLINE uint64_t
find_next_visit (Round *round, WpScheduler *scheduler, uint32_t row, WpTick accept, WpTick turn,
                 const Blocking blocking)
{
  uint64_t arrived = scheduler->own_arrived, at_turn = wp_visit_at (turn), rest, next, at_accept;

  if (arrived == 0)
    return find_next_wake (scheduler, at_turn);
  if (LIKELY (blocking == BLOCKING_NONE || accept < turn
              || (accept == turn && round->shut_out == 0)))
    return at_turn;
  rest = arrived & ~scheduler->own_want[row];
  if (rest == 0 && row == round->row)
    {
      shut_out (round, scheduler);
      return find_next_wake (scheduler, at_turn);
    }
  if (rest != 0)
    {
      if (round->shared->accept <= turn || (rest & ~scheduler->own_want[round->row]) != 0)
        return at_turn;
      accept = accept < round->shared->accept ? accept : round->shared->accept;
    }
  at_accept = wp_visit_at_any (accept);
  next = find_next_wake (scheduler, at_turn);
  return at_accept < next ? at_accept : next;
}

static INLINE void
note_choice (const WpSm *sm, WpScheduler *scheduler, uint32_t bit, const WpChoice choice)
{
  scheduler->last_bit = bit;
  scheduler->last_gone = false;
  if (wants_slot (choice))
    scheduler->last_slot = wp_sm_get_slot (sm, scheduler->own_warps[bit]);
}

/* BIT's warp, chosen, issues OP now, which is plain. */
static INLINE uint64_t
issue (Round *round, WpScheduler *scheduler, uint32_t bit, WpWarp *warp, const WpOp *op,
       const WpChoice choice, const Blocking blocking)
{
  WpSm *sm = round->sm;
  const WpTick now = sm->now, turn = now + round->interval;
  const bool wants = blocking != BLOCKING_NONE;
  const uint32_t row = op->row;
  const WpPipeline *pipeline = scheduler->own_accepts[row];
  uint64_t next;

  note_choice (sm, scheduler, bit, choice);
  if (op->issues == WP_ISSUE_BOUNDED)
    wp_sm_issue_alone (sm, scheduler, bit, warp, op, now, WP_ISSUE_BOUNDED, wants);
  else if (UNLIKELY (op->issues < WP_ISSUE_OWN))
    wp_sm_issue_single (sm, scheduler, bit, now);
  else if (UNLIKELY (op->issues == WP_ISSUE_OWN
                     || !issue_chained (sm, scheduler, bit, warp, op, blocking)))
    wp_sm_issue_alone (sm, scheduler, bit, warp, op, now, WP_ISSUE_OWN, wants);
  scheduler->turn = turn;
  next = find_next_visit (round, scheduler, row, pipeline->accept, turn, blocking);
  if (UNLIKELY (blocking != BLOCKING_NONE && row != round->row
                && pipeline->accept > wp_visit_get_time (next)))
    scheduler->closed |= round->own & UINT64_C (1) << row;
  return next;
}

/* BIT's warp, chosen, issues OP now, and what goes out with it, or nothing does. */
static INLINE uint64_t
issue_pair (Round *round, WpScheduler *scheduler, uint32_t bit, const WpOp *op,
            const WpChoice choice)
{
  WpSm *sm = round->sm;
  const WpTick turn = sm->now + round->interval;

  note_choice (sm, scheduler, bit, choice);
  scheduler->closed |= find_closed (sm, op, true);
  wp_sm_issue_pair (sm, scheduler, bit, sm->now);
  scheduler->turn = turn;
  return scheduler->own_arrived == 0 ? find_next_wake (scheduler, wp_visit_at (turn))
                                     : wp_visit_at (turn);
}

/* BIT's warp, chosen, issues OP now, a barrier, which takes the one slot that there is. */
static INLINE uint64_t
issue_barrier (Round *round, WpScheduler *scheduler, uint32_t bit, const WpOp *op,
               const WpChoice choice, const Blocking blocking)
{
  WpSm *sm = round->sm;
  const WpTick turn = sm->now + round->interval;
  WpWarp *warp = scheduler->own_warps[bit];
  uint64_t next;

  note_choice (sm, scheduler, bit, choice);
  scheduler->own_arrived &= ~(UINT64_C (1) << bit);
  wp_scheduler_set_want (scheduler, bit, op->row, false);
  wp_sm_note_issue (sm, warp, op, warp->index, sm->now, 0);
  warp->barrier = warp->index++;
  warp->since = sm->now;
  wp_sm_step (sm, warp, op);
  scheduler->turn = turn;
  next = find_next_visit (round, scheduler, op->row, 0, turn, blocking);
  wp_sm_arrive (sm, warp, op);
  return next;
}

/* No warp of SCHEDULER can issue now, although it is its turn. Its pipelines accept none before
 * SOONEST. */
static INLINE uint64_t
put_off (Round *round, WpScheduler *scheduler, WpTick soonest, const Blocking blocking)
{
  uint64_t at_soonest;

  if (blocking != BLOCKING_NONE && scheduler->own_arrived != 0
      && (scheduler->own_arrived & ~scheduler->own_want[round->row]) == 0)
    {
      shut_out (round, scheduler);
      return scheduler->wake;
    }
  at_soonest = wp_visit_at_any (soonest);
  return scheduler->wake < at_soonest ? scheduler->wake : at_soonest;
}

/* MODEL.md, section 5, can issue: of ARRIVED, those of SCHEDULER whose pipeline accepts now.
 * *SOONEST: none of them accepts another before. */
static INLINE uint64_t
find_open_now (Round *round, WpScheduler *scheduler, uint64_t arrived, WpTick *soonest,
               const Blocking blocking)
{
  WpSm *sm = round->sm;
  uint64_t accepted = arrived, *closed = &scheduler->closed;

  if (*closed != 0)
    accepted = find_open (scheduler, arrived, sm->now, closed, soonest);
  if (blocking == BLOCKING_ALL)
    return find_accepted (sm, scheduler, accepted, sm->now, sm->n_own_blocking, sm->n_blocking,
                          soonest);
  if (round->shared->accept > sm->now)
    {
      uint64_t members = accepted & scheduler->own_want[round->row];
      WpTick accept = members != 0 ? round->shared->accept : WP_TICK_LIMIT;

      *soonest = accept < *soonest ? accept : *soonest;
      accepted ^= members;
    }
  return accepted;
}

/* The same as visit() with all that may come up. */
static NOINLINE bool
visit_the_long_way (WpSm *sm, const WpScheduler *scheduler, uint64_t *next)
{
  bool issued = wp_sm_visit (sm, scheduler->id);

  *next = wp_visit_at_any (sm->retry[scheduler->id]);
  return issued;
}

/* BIT's warp, chosen, issues what is of a mix, of which nothing else has to be asked, and what goes
 * out with it. False: it has to stand. */
static NOINLINE bool
issue_mixed (WpSm *sm, WpScheduler *scheduler, uint32_t bit)
{
  sm->stands = UNLIKELY (sm->now >= sm->gate) && wp_sm_meets (sm, scheduler->own_warps[bit]);
  if (!sm->stands)
    wp_sm_issue_chosen (sm, scheduler, bit, 0);
  return !sm->stands;
}

/* The next visit to SCHEDULER, which has issued to ROW now by issue_mixed(): it may have taken
 * several slots, or one that has room left. */
static INLINE uint64_t
find_visit_behind (Round *round, WpScheduler *scheduler, uint32_t row, const Blocking blocking)
{
  uint64_t at_turn;

  if (LIKELY (scheduler->turn <= round->sm->now + round->interval))
    return find_next_visit (round, scheduler, row, scheduler->own_accepts[row]->accept,
                            scheduler->turn, blocking);
  at_turn = wp_visit_at_any (scheduler->turn);
  return scheduler->own_arrived != 0 ? at_turn : find_next_wake (scheduler, at_turn);
}

/* One issue, or none, of SCHEDULER now. It is its turn: no retry is before. *NEXT: the next
 * visit, but that it may be shut out. */
static INLINE bool
visit (Round *round, WpScheduler *scheduler, uint64_t key, uint64_t *next, const WpChoice choice,
       const Blocking blocking)
{
  WpSm *sm = round->sm;
  WpTick soonest = WP_TICK_LIMIT;
  uint64_t arrived, accepted;
  const WpOp *op;
  WpWarp *warp;
  uint32_t bit;

  if (scheduler->wake <= (key | 63))
    {
      uint64_t near, far, later = (key | 63) + 1;

      scheduler->own_arrived |= wp_key_list_take_up_to (&scheduler->near, later, &near)
                                | wp_key_list_take_up_to (&scheduler->far, later, &far);
      scheduler->wake = near < far ? near : far;
    }
  arrived = accepted = scheduler->own_arrived;
  if (blocking != BLOCKING_NONE)
    accepted = find_open_now (round, scheduler, arrived, &soonest, blocking);
  if (accepted == 0)
    {
      *next = put_off (round, scheduler, soonest, blocking);
      return false;
    }
  bit = (uint32_t)choose (sm, scheduler, accepted, get_last (scheduler, choice), choice);
  warp = scheduler->own_warps[bit];
  op = warp->op;
  if (UNLIKELY (op->issues < round->plain))
    {
      if (UNLIKELY (sm->now >= sm->gate) && op->meets && !op->mixed)
        {
          *next = wp_visit_at (sm->now);
          sm->stands = true;
          return false;
        }
      if (op->issues == WP_ISSUE_ANY && round->barriers && op->row == sm->machine->n_pipelines
          && !op->posted && op->slots == 1)
        {
          *next = issue_barrier (round, scheduler, bit, op, choice, blocking);
          return true;
        }
      if (is_plain_pair (sm, scheduler, op))
        {
          *next = issue_pair (round, scheduler, bit, op, choice);
          return true;
        }
      if (op->issues < WP_ISSUE_OWN && !is_plain (sm, scheduler, op))
        {
          if (blocking != BLOCKING_NONE)
            scheduler->closed = sm->own_blocking;
          if (!op->mixed || sm->careful)
            return visit_the_long_way (sm, scheduler, next);
          *next = wp_visit_at (sm->now);
          if (!issue_mixed (sm, scheduler, bit))
            return false;
          *next = find_visit_behind (round, scheduler, op->row, blocking);
          return true;
        }
    }
  *next = issue (round, scheduler, bit, warp, op, choice, blocking);
  return true;
}

/* The next visit. */
static INLINE uint64_t
find_next (const Round *round, const Blocking blocking, const uint32_t room)
{
  uint64_t next = wp_visits_get_first (&round->visits, room);

  if (blocking != BLOCKING_NONE && round->shut_out != 0)
    {
      uint64_t other = wp_visit_at_any (round->shared->accept)
                       | wp_visits_find_place (&round->visits, round->shut_out, room);

      next = other < next ? other : next;
    }
  return next;
}

/* Those whom the loop had shut out when it was left are so again, if nothing has come that would
 * be let in: where a run is cut makes no difference. */
static INLINE void
shut_out_again (Round *round, const uint32_t room)
{
  const WpSm *sm = round->sm;
  const WpTick accept = round->shared->accept;

  for (uint64_t rest = accept >= sm->now ? sm->shut_out : 0; rest != 0; rest &= rest - 1)
    {
      const uint32_t id = wp_lowest_bit (rest);
      const WpScheduler *scheduler = round->schedulers[id];

      if (scheduler->own_arrived == 0
          || (scheduler->own_arrived & ~scheduler->own_want[round->row]) != 0
          || scheduler->turn > accept)
        continue;
      round->shut_out |= UINT64_C (1) << id;
      wp_visits_put (&round->visits, id,
                     find_next_wake (scheduler, wp_visit_at_any (scheduler->turn)), room);
    }
}

static INLINE void
begin (Round *round, WpSm *sm, const Blocking blocking, const uint32_t room)
{
  round->sm = sm;
  wp_sm_begin_visits (sm, &round->visits, room);
  round->shut_out = 0;
  round->barriers = sm->machine->interval == 0 || sm->machine->issue_limit == 1;
  round->plain = sm->careful ? UINT8_MAX : WP_ISSUE_BOUNDED;
  round->interval = sm->machine->interval;
  round->own = sm->host->plan->own;
  round->shared = &sm->barriers;
  round->row = sm->machine->n_pipelines;
  for (uint32_t i = 0; i < sm->machine->n_schedulers; i++)
    {
      round->schedulers[i] = &sm->schedulers[i];
      sm->schedulers[i].wake = wp_wake_list_get_next_key_of (&sm->schedulers[i]);
    }
  for (uint32_t i = 0; blocking != BLOCKING_NONE && i < sm->machine->n_schedulers; i++)
    sm->schedulers[i].closed = sm->own_blocking;
  for (uint32_t i = sm->n_own_blocking; blocking != BLOCKING_NONE && i < sm->n_blocking; i++)
    if (!sm->machine->pipelines[sm->blocking[i]].per_scheduler)
      {
        round->row = sm->blocking[i];
        round->shared = sm->schedulers[0].own_accepts[round->row];
      }
  if (blocking != BLOCKING_NONE && round->row < sm->machine->n_pipelines)
    shut_out_again (round, room);
}

/* What the rest of the SM is to know when the loop is left. */
static INLINE void
end (const Round *round)
{
  WpSm *sm = round->sm;

  wp_sm_end_visits (sm, &round->visits);
  /* The slot of an issue ends at the turn that it sets. It was over at the scheduler's next visit,
   * so that nobody has asked meanwhile. */
  for (uint32_t i = 0; i < sm->machine->n_schedulers; i++)
    if (sm->schedulers[i].slot_end < sm->schedulers[i].turn)
      sm->schedulers[i].slot_end = sm->schedulers[i].turn;
  sm->shut_out = round->shut_out;
  for (uint64_t rest = round->shut_out; rest != 0; rest &= rest - 1)
    {
      uint32_t i = wp_lowest_bit (rest);

      if (round->shared->accept < sm->retry[i])
        wp_sm_set_retry (sm, i, round->shared->accept);
    }
}

static INLINE WpTick
issue_in_step (WpSm *sm, uint64_t *budget, const WpChoice choice, const Blocking blocking,
               const uint32_t room)
{
  Round round;
  uint64_t left = *budget, next;

  begin (&round, sm, blocking, room);
  for (next = find_next (&round, blocking, room); wp_visit_get_time (next) < sm->limit && left > 0;
       next = find_next (&round, blocking, room))
    {
      uint32_t id = wp_visit_get_scheduler (next, room);
      uint64_t then;

      sm->now = wp_visit_get_time (next);
      if (blocking != BLOCKING_NONE && (round.shut_out >> id & 1) != 0)
        round.shut_out ^= UINT64_C (1) << id;
      if (visit (&round, round.schedulers[id], next, &then, choice, blocking))
        {
          wp_visits_rotate (&round.visits, id, room);
          left--;
          sm->n_taken++; /* at once: where states are looked for must not depend on the budget */
        }
      else if (UNLIKELY (sm->stands))
        {
          wp_visits_put (&round.visits, id, then, room);
          break;
        }
      wp_visits_put (&round.visits, id, then, room);
    }
  end (&round);
  *budget = left;
  return wp_visit_get_any_time (next);
}

/* Which pipelines may refuse a warp. */
static Blocking
find_blocking (const WpSm *sm)
{
  uint32_t n_others = sm->n_blocking - sm->n_own_blocking;

  if (sm->n_blocking == 0)
    return BLOCKING_NONE;
  if (n_others == 0
      || (n_others == 1 && !sm->machine->pipelines[sm->blocking[sm->n_own_blocking]].per_scheduler))
    return BLOCKING_ONE;
  return BLOCKING_ALL;
}

/* A function for each, so that the compiler has the registers for one loop at a time. */
#define DEFINE_ISSUE(name, choice, blocking, room)                                                 \
  static NOINLINE WpTick name (WpSm *sm, uint64_t *budget)                                         \
  {                                                                                                \
    return issue_in_step (sm, budget, choice, blocking, room);                                     \
  }
DEFINE_ISSUE (rotate_none, WP_CHOICE_ROTATE, BLOCKING_NONE, WP_VISITS_FEW)
DEFINE_ISSUE (rotate_one, WP_CHOICE_ROTATE, BLOCKING_ONE, WP_VISITS_FEW)
DEFINE_ISSUE (rotate_all, WP_CHOICE_ROTATE, BLOCKING_ALL, WP_VISITS_FEW)
DEFINE_ISSUE (lowest_none, WP_CHOICE_LOWEST, BLOCKING_NONE, WP_VISITS_FEW)
DEFINE_ISSUE (lowest_one, WP_CHOICE_LOWEST, BLOCKING_ONE, WP_VISITS_FEW)
DEFINE_ISSUE (lowest_all, WP_CHOICE_LOWEST, BLOCKING_ALL, WP_VISITS_FEW)
DEFINE_ISSUE (greedy_none, WP_CHOICE_GREEDY, BLOCKING_NONE, WP_VISITS_FEW)
DEFINE_ISSUE (greedy_one, WP_CHOICE_GREEDY, BLOCKING_ONE, WP_VISITS_FEW)
DEFINE_ISSUE (greedy_all, WP_CHOICE_GREEDY, BLOCKING_ALL, WP_VISITS_FEW)
DEFINE_ISSUE (highest_none, WP_CHOICE_GREEDY_HIGHEST, BLOCKING_NONE, WP_VISITS_FEW)
DEFINE_ISSUE (highest_one, WP_CHOICE_GREEDY_HIGHEST, BLOCKING_ONE, WP_VISITS_FEW)
DEFINE_ISSUE (highest_all, WP_CHOICE_GREEDY_HIGHEST, BLOCKING_ALL, WP_VISITS_FEW)
DEFINE_ISSUE (block_none, WP_CHOICE_BLOCK, BLOCKING_NONE, WP_VISITS_FEW)
DEFINE_ISSUE (block_one, WP_CHOICE_BLOCK, BLOCKING_ONE, WP_VISITS_FEW)
DEFINE_ISSUE (block_all, WP_CHOICE_BLOCK, BLOCKING_ALL, WP_VISITS_FEW)
DEFINE_ISSUE (pick_none, WP_CHOICE_PICK, BLOCKING_NONE, WP_VISITS_FEW)
DEFINE_ISSUE (pick_one, WP_CHOICE_PICK, BLOCKING_ONE, WP_VISITS_FEW)
DEFINE_ISSUE (pick_all, WP_CHOICE_PICK, BLOCKING_ALL, WP_VISITS_FEW)

/* For more schedulers, one function will do, as each policy picks where it is asked. */
DEFINE_ISSUE (many_none, WP_CHOICE_PICK, BLOCKING_NONE,
              wp_visits_find_room (sm->machine->n_schedulers))
DEFINE_ISSUE (many_all, WP_CHOICE_PICK, BLOCKING_ALL,
              wp_visits_find_room (sm->machine->n_schedulers))

WpTick
wp_sm_issue_in_step (WpSm *sm, uint64_t *budget)
{
  static WpTick (*const issue_by[WP_N_CHOICES][3]) (WpSm *, uint64_t *) = {
    [WP_CHOICE_ROTATE] = { rotate_none, rotate_one, rotate_all },
    [WP_CHOICE_LOWEST] = { lowest_none, lowest_one, lowest_all },
    [WP_CHOICE_GREEDY] = { greedy_none, greedy_one, greedy_all },
    [WP_CHOICE_GREEDY_HIGHEST] = { highest_none, highest_one, highest_all },
    [WP_CHOICE_BLOCK] = { block_none, block_one, block_all },
    [WP_CHOICE_PICK] = { pick_none, pick_one, pick_all },
  };

  WpTick (*go) (WpSm *, uint64_t *) = issue_by[sm->policy->choice][find_blocking (sm)];
  uint64_t some = *budget < WP_UNCHECKED_ISSUES ? *budget : WP_UNCHECKED_ISSUES;
  const uint64_t rest = *budget - some;
  WpTick next;

  if (sm->machine->n_schedulers > WP_VISITS_ROOM || sm->machine->interval > WP_VISIT_LATEST / 2)
    return wp_sm_issue (sm, budget);
  if (sm->machine->n_schedulers > WP_VISITS_FEW)
    go = sm->n_blocking > 0 ? many_all : many_none;
  next = go (sm, &some);
  *budget = rest + some;
  return next;
}
