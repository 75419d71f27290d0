/* SPDX-License-Identifier: MIT */
/* With barriers, and where blocks are replaced at once, what a scheduler does may matter to the
 * others at once. So all of them go from one time at which one can issue to the next. At one time
 * those that can are a set, which the rotation goes round.
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
#include "sim/engine/core/wp-sm-single.h"

/* What holds while the loop runs, and needs no place in the SM's state. */
typedef struct
{
  WpSm *sm;
  WpTick time;              /* when the first scheduler is to be visited, whatever the others do */
  uint64_t first;           /* those that are to be then */
  uint64_t shut_out;        /* those whose ready warps want `row` only, which is closed; it is not
                               their turn before it opens */
  const WpPipeline *shared; /* one that schedulers have together and that may be closed; or NULL */
  uint32_t row;             /* which */
  bool several;             /* others may close more than that one */
  bool barriers;            /* one takes a slot for itself */
} Round;

/* No visit to SCHEDULER before TIME can issue, but that it may be shut out. The second of the two
 * places for that is filled when the loop is left. */
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
  wp_pipeline_accept_at_once (pipeline, sm->now, op->issue);
  warp->ready = sm->now + op->chain;
  if (op->chain == 0)
    return true;
  scheduler->arrived[0] ^= UINT64_C (1) << bit;
  wp_key_list_put (&scheduler->near, wp_key_make (warp->ready, bit));
  return true;
}

/* Takes out of LIST those of WANT that are due by TIME, up to the first that is not; as a set. That
 * may be before their time, and so other keys may come that are earlier than theirs: which makes
 * what is left of theirs 0. */
static INLINE uint64_t
take_wanting (WpKeyList *list, uint64_t want, WpTick time)
{
  uint64_t later = wp_key_make_later (time), taken = 0;

  for (; *list->first < later && (wp_key_get_set (*list->first) & want) != 0; *list->first++ = 0)
    taken |= wp_key_get_set (*list->first);
  return taken;
}

/* SCHEDULER has ready warps that want ROW only, the one that is shared, which is closed, and its
 * turn is not after that. */
static INLINE void
shut_out (Round *round, WpScheduler *scheduler)
{
  WpTick accept = round->shared->accept;
  uint64_t want = scheduler->want[round->row];

  round->shut_out |= UINT64_C (1) << scheduler->id;
  scheduler->arrived[0] |= take_wanting (&scheduler->near, want, accept)
                           | take_wanting (&scheduler->far, want, accept);
}

/* The next visit to SCHEDULER, which has issued to ROW now, which accepts another at ACCEPT. */
static INLINE WpTick
find_next_visit (Round *round, WpScheduler *scheduler, uint32_t row, WpTick accept, WpTick turn,
                 const Blocking blocking)
{
  uint64_t arrived = scheduler->arrived[0];
  WpTick next;

  if (arrived != 0)
    {
      if (blocking == BLOCKING_NONE || accept < turn || (arrived & ~scheduler->want[row]) != 0)
        return turn;
      if (row == round->row)
        {
          shut_out (round, scheduler);
          accept = WP_TICK_LIMIT;
        }
    }
  next = wp_wake_list_get_next_of (scheduler);
  if (blocking != BLOCKING_NONE && arrived != 0)
    next = accept < next ? accept : next;
  return next > turn ? next : turn;
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
static INLINE void
issue (Round *round, WpScheduler *scheduler, uint32_t bit, const WpOp *op, const WpChoice choice,
       const Blocking blocking)
{
  WpSm *sm = round->sm;
  const WpTick turn = sm->now + sm->machine->interval;
  WpWarp *warp = scheduler->own_warps[bit];
  const uint32_t row = op->row;
  WpTick accept;

  note_choice (sm, scheduler, bit, choice);
  if (op->issues < WP_ISSUE_CHAINED || !issue_chained (sm, scheduler, bit, warp, op, blocking))
    wp_sm_issue_alone (sm, scheduler, bit, sm->now, blocking != BLOCKING_NONE);
  scheduler->turn = scheduler->slot_end = turn;
  accept = scheduler->own_accepts[row]->accept;
  if (blocking != BLOCKING_NONE && accept > turn && row != round->row)
    scheduler->closed |= sm->host->plan->own & UINT64_C (1) << row;
  set_retry (sm, scheduler->id, find_next_visit (round, scheduler, row, accept, turn, blocking));
}

/* BIT's warp, chosen, issues OP now, a barrier, which takes the one slot that there is. */
static INLINE void
issue_barrier (Round *round, WpScheduler *scheduler, uint32_t bit, const WpOp *op,
               const WpChoice choice, const Blocking blocking)
{
  WpSm *sm = round->sm;
  const WpTick turn = sm->now + sm->machine->interval;
  WpWarp *warp = scheduler->own_warps[bit];

  note_choice (sm, scheduler, bit, choice);
  scheduler->arrived[0] &= ~(UINT64_C (1) << bit);
  wp_scheduler_set_want (scheduler, bit, op->row, false);
  warp->barrier = warp->index++;
  warp->since = sm->now;
  wp_sm_step (sm, warp, op);
  scheduler->turn = scheduler->slot_end = turn;
  set_retry (sm, scheduler->id, find_next_visit (round, scheduler, op->row, 0, turn, blocking));
  wp_sm_arrive (sm, warp, op);
}

/* No warp of SCHEDULER can issue now, although it is its turn. Its pipelines accept none before
 * SOONEST. */
static INLINE void
put_off (Round *round, WpScheduler *scheduler, WpTick soonest, const Blocking blocking)
{
  WpTick retry;

  if (blocking != BLOCKING_NONE && round->shared != NULL && scheduler->arrived[0] != 0
      && (scheduler->arrived[0] & ~scheduler->want[round->row]) == 0)
    {
      shut_out (round, scheduler);
      soonest = WP_TICK_LIMIT;
    }
  retry = wp_wake_list_get_next_of (scheduler);
  set_retry (round->sm, scheduler->id, retry < soonest ? retry : soonest);
}

/* MODEL.md, section 5, can issue: of ARRIVED, those of SCHEDULER whose pipeline accepts now.
 * *SOONEST: none of them accepts another before. */
static INLINE uint64_t
find_open_now (Round *round, WpScheduler *scheduler, uint64_t arrived, WpTick *soonest)
{
  WpSm *sm = round->sm;
  uint64_t accepted = arrived, *closed = &scheduler->closed;

  if (*closed != 0)
    accepted = find_open (scheduler, arrived, sm->now, closed, soonest);
  if (UNLIKELY (round->several))
    return find_accepted (sm, scheduler, accepted, sm->now, sm->n_own_blocking, sm->n_blocking,
                          soonest);
  if (round->shared != NULL && round->shared->accept > sm->now)
    {
      uint64_t members = accepted & scheduler->want[round->row];
      WpTick accept = members != 0 ? round->shared->accept : WP_TICK_LIMIT;

      *soonest = accept < *soonest ? accept : *soonest;
      accepted ^= members;
    }
  return accepted;
}

/* One issue, or none, of SCHEDULER now. It is its turn: no retry is before. */
static INLINE bool
visit (Round *round, WpScheduler *scheduler, const WpChoice choice, const Blocking blocking)
{
  WpSm *sm = round->sm;
  WpTick soonest = WP_TICK_LIMIT;
  uint64_t arrived, accepted;
  const WpOp *op;
  uint32_t bit;

  arrived = accepted = scheduler->arrived[0] | wp_wake_list_take_of (scheduler, sm->now);
  scheduler->arrived[0] = arrived;
  if (blocking != BLOCKING_NONE)
    accepted = find_open_now (round, scheduler, arrived, &soonest);
  if (accepted == 0)
    {
      put_off (round, scheduler, soonest, blocking);
      return false;
    }
  bit = (uint32_t)choose (sm, scheduler, accepted, get_last (scheduler, choice), choice);
  op = scheduler->own_warps[bit]->op;
  if (op->issues < WP_ISSUE_OWN)
    {
      if (UNLIKELY (sm->now >= sm->gate) && op->meets)
        {
          set_retry (sm, scheduler->id, sm->now);
          sm->stands = true;
          return false;
        }
      if (round->barriers && op->row == sm->machine->n_pipelines && !op->posted && op->slots == 1
          && sm->now < sm->safe)
        {
          issue_barrier (round, scheduler, bit, op, choice, blocking);
          return true;
        }
      if (!is_plain (sm, scheduler, op))
        {
          if (blocking != BLOCKING_NONE)
            scheduler->closed = sm->own_blocking;
          return wp_sm_visit (sm, scheduler->id);
        }
    }
  issue (round, scheduler, bit, op, choice, blocking);
  return true;
}

/* The earliest of RETRY of N schedulers, and whose it is. */
static INLINE WpTick
find_earliest (const WpTick *retry, uint32_t n, uint64_t *first)
{
  WpTick time = retry[0];
  uint64_t set = 0;

  for (uint32_t i = 1; i < n; i++)
    time = retry[i] < time ? retry[i] : time;
  for (uint32_t i = 0; i < n; i++)
    set |= (uint64_t)(retry[i] == time) << i;
  *first = set;
  return time;
}

/* The same of four, as most SMs have. */
static INLINE WpTick
find_earliest_of_four (const WpTick *retry, uint64_t *first)
{
  WpTick a = retry[0], b = retry[1], c = retry[2], d = retry[3], ab = a < b ? a : b,
         cd = c < d ? c : d, time = ab < cd ? ab : cd;

  *first = (uint32_t)(a == time) | (uint32_t)(b == time) << 1 | (uint32_t)(c == time) << 2
           | (uint32_t)(d == time) << 3;
  return time;
}

static INLINE void
find_first (Round *round)
{
  const WpTick *retry = round->sm->retry;
  uint32_t n = round->sm->machine->n_schedulers;

  round->time = n == 4 ? find_earliest_of_four (retry, &round->first)
                       : find_earliest (retry, n, &round->first);
}

/* The scheduler of BIT has been visited, and is to be at RETRY the next time. */
static INLINE void
note_visit (Round *round, uint64_t bit, WpTick retry)
{
  if (retry < round->time)
    {
      round->time = retry;
      round->first = bit;
    }
  else if (retry == round->time)
    round->first |= bit;
  else if ((round->first & bit) != 0)
    {
      round->first ^= bit;
      if (round->first == 0)
        find_first (round);
    }
}

/* The next time at which schedulers are to be visited, and those that are. */
static INLINE WpTick
find_next (const Round *round, uint64_t *now, const Blocking blocking)
{
  WpTick accept;

  *now = round->first;
  if (blocking == BLOCKING_NONE || round->shut_out == 0)
    return round->time;
  accept = round->shared->accept;
  if (accept > round->time)
    return round->time;
  *now = accept < round->time ? round->shut_out : round->first | round->shut_out;
  return accept;
}

static INLINE void
begin (Round *round, WpSm *sm, const Blocking blocking)
{
  uint32_t n_others = 0;

  round->sm = sm;
  round->shut_out = 0;
  round->barriers = sm->machine->interval > 0 && sm->machine->issue_limit == 1;
  round->shared = NULL;
  round->row = sm->machine->n_pipelines;
  for (uint32_t i = 0; blocking != BLOCKING_NONE && i < sm->machine->n_schedulers; i++)
    sm->schedulers[i].closed = sm->own_blocking;
  for (uint32_t i = sm->n_own_blocking; blocking != BLOCKING_NONE && i < sm->n_blocking; i++)
    {
      n_others++;
      if (sm->machine->pipelines[sm->blocking[i]].per_scheduler)
        continue;
      round->row = sm->blocking[i];
      round->shared = sm->schedulers[0].own_accepts[round->row];
    }
  round->several = n_others > (round->shared != NULL);
  find_first (round);
}

/* What the rest of the SM is to know when the loop is left. */
static INLINE void
end (const Round *round)
{
  WpSm *sm = round->sm;

  for (uint32_t i = 0; i < sm->machine->n_schedulers; i++)
    {
      WpTick retry = sm->retry[i];

      if ((round->shut_out >> i & 1) != 0 && round->shared->accept < retry)
        retry = round->shared->accept;
      wp_sm_set_retry (sm, i, retry);
    }
}

static INLINE WpTick
issue_in_step (WpSm *sm, uint64_t *budget, const WpChoice choice, const Blocking blocking)
{
  Round round;
  uint64_t left = *budget, ahead = UINT64_MAX << sm->next_scheduler, now;
  WpTick time;

  begin (&round, sm, blocking);
  for (time = find_next (&round, &now, blocking); left > 0 && time < sm->limit;
       time = find_next (&round, &now, blocking))
    {
      uint64_t after = now & ahead, next = after != 0 ? after : now, bit = next & -next;
      uint32_t id = wp_lowest_bit (next);

      sm->now = time;
      round.shut_out &= ~bit;
      if (visit (&round, &sm->schedulers[id], choice, blocking))
        {
          ahead = -(bit << 1);
          left--;
        }
      else if (UNLIKELY (sm->stands))
        break;
      note_visit (&round, bit, sm->retry[id]);
    }
  sm->next_scheduler = ahead != 0 ? wp_lowest_bit (ahead) : 0;
  if (sm->next_scheduler == sm->machine->n_schedulers)
    sm->next_scheduler = 0;
  end (&round);
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
DEFINE_ISSUE (block_none, WP_CHOICE_BLOCK, BLOCKING_NONE)
DEFINE_ISSUE (block_all, WP_CHOICE_BLOCK, BLOCKING_ALL)
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
    [WP_CHOICE_BLOCK] = { block_none, block_all },
    [WP_CHOICE_PICK] = { pick_none, pick_all },
  };

  if (sm->machine->n_schedulers > 64)
    return wp_sm_issue (sm, budget);
  return issue_by[sm->policy->choice][sm->n_blocking > 0](sm, budget);
}
