/* SPDX-License-Identifier: MIT */
/* Issues that matter to their scheduler and their warp alone are a handful of words.
 *
 * An instruction's class (WpIssueClass in wp-plan.h) says what its issue leaves out. One that is
 * chained takes one slot, is on a pipeline that is its scheduler's own and is free whenever the
 * scheduler's turn comes, and is followed, straight on or round a loop, by one whose waiting is
 * known beforehand: it waits for this issue for `chain`, and for nothing else, since all else
 * that it depends on this one depended on, too, and has waited for.
 *
 * Nor need schedulers then go on in step. Whatever one of them does cannot matter to the others for
 * `lookahead`: not before a block that ends has been replaced, or, where that takes no time, not
 * before a warp can end (wp-sm-quiet.h). Kernels with barriers go on in step. So each runs ahead by
 * itself, from one issue that others may see to the next; those come in their order in time. What
 * is lost is who issued last, which counts where two schedulers come at one time: it is found in
 * the record of when each has issued.
 *
 *   scheduler 0   c c c c S c c c c c c c S c|       c: nobody else sees it; S: others may
 *   scheduler 1   c c c c c c c S c c c c c c|       runs up to S, and waits there for its turn
 *                 ^ the stretch begins      ^ and ends: at most `lookahead` later, before anything
 *                                             else happens
 */
#include "sim/engine/core/wp-sm-fast.h"

#include "sim/engine/core/wp-sm-account.h"
#include "sim/engine/core/wp-sm-choice.h"
#include "sim/engine/core/wp-sm-issue.h"
#include "sim/engine/core/wp-sm-lockstep.h"
#include "sim/engine/core/wp-sm-quiet.h"
#include "sim/engine/core/wp-sm-rotation.h"
#include "sim/engine/core/wp-sm-single.h"

/* A scheduler that runs ahead: what the loop works on, in variables. */
typedef struct
{
  uint64_t arrived;
  WpWakeCursor wakes;
} Runner;

/* What holds for a stretch, and what adds up in it. */
typedef struct
{
  uint32_t n;                        /* schedulers */
  WpTick interval;                   /* the machine's */
  uint32_t other;                    /* the row of a pipeline that others may close; mostly there is
                                        one; or that of barriers, which nobody wants here */
  const uint32_t *more, *end_others; /* the rows of the rest of them */
  uint64_t refused; /* for how long pipelines have refused warps: each for less than
                                        the SM's fast_limit */
} Stretch;

static INLINE void
begin_stretch (Stretch *stretch, const WpSm *sm)
{
  const uint32_t *row = sm->blocking + sm->n_own_blocking, *end = sm->blocking + sm->n_blocking;

  stretch->n = sm->machine->n_schedulers;
  stretch->interval = sm->machine->interval;
  stretch->other = row < end ? *row : sm->machine->n_pipelines;
  stretch->more = row < end ? row + 1 : end;
  stretch->end_others = end;
  stretch->refused = 0;
}

/* SCHEDULER's warps that want a pipeline which others may close. */
static INLINE uint64_t
find_wanting (const Stretch *stretch, const WpScheduler *scheduler)
{
  uint64_t wanting = scheduler->own_want[stretch->other];

  for (const uint32_t *row = stretch->more; UNLIKELY (row < stretch->end_others); row++)
    wanting |= scheduler->own_want[*row];
  return wanting;
}

/* find_let_in() of all pipelines that others may close. */
static INLINE uint64_t
find_let_in_by_others (const Stretch *stretch, const WpScheduler *scheduler, uint64_t accepted,
                       WpTick time, WpTick *soonest)
{
  uint64_t left = find_let_in (scheduler, stretch->other, accepted, time, soonest);

  for (const uint32_t *row = stretch->more; UNLIKELY (row < stretch->end_others); row++)
    left = find_let_in (scheduler, *row, left, time, soonest);
  return left;
}

static INLINE void
load (Runner *runner, const WpScheduler *scheduler)
{
  runner->arrived = scheduler->own_arrived;
  wp_wake_cursor_load (&runner->wakes, scheduler);
}

static INLINE void
store (const Runner *runner, WpScheduler *scheduler)
{
  scheduler->own_arrived = runner->arrived;
  wp_wake_cursor_store (&runner->wakes, scheduler);
}

/* What all chained issues have in common. MODEL.md, section 5: `ready` of the next instruction is
 * `chain` later, as wp-plan.c has found. */
static INLINE void
issue_chained (Runner *runner, WpPipeline *pipeline, uint64_t bit, WpWarp *warp, const WpOp *op,
               WpTick time, uint64_t *refused)
{
  WpTick late = pipeline->accept - warp->ready;

  runner->arrived ^= UINT64_C (1) << bit;
  *refused += late > 0 ? (uint64_t)late : 0;
  wp_pipeline_accept_at_once (pipeline, time, op->issue);
  warp->ready = time + op->chain;
}

/* Where STRETCH, to END, ends now. Nobody else has gone beyond what happens next where there is one
 * scheduler. */
static INLINE WpTick
find_end (const Stretch *stretch, const WpSm *sm, WpTick end)
{
  return UNLIKELY (stretch->n == 1) && sm->limit < end ? sm->limit : end;
}

/* BIT's warp issues OP to PIPELINE at TIME, where that matters to nobody else; else false, as where
 * others may close it. The stretch ends at *END; *CLOSED: what pairs may close is added. */
static INLINE bool
issue_own (Stretch *stretch, WpSm *sm, WpScheduler *scheduler, Runner *runner, uint64_t bit,
           const WpOp *op, WpPipeline *pipeline, WpTick time, WpTick *end, uint64_t *closed,
           const Blocking blocking)
{
  WpWarp *warp = scheduler->own_warps[bit];

  if (op->issues == WP_ISSUE_CHAINED_SELF && go_round (warp)) /* whose `chain` is not 0 */
    {
      issue_chained (runner, pipeline, bit, warp, op, time, &stretch->refused);
      wp_wake_cursor_put (&runner->wakes, warp->ready, (uint32_t)bit);
      return true;
    }
  if (op->issues != WP_ISSUE_CHAINED_SELF && go_on (scheduler, warp, op, time, blocking))
    {
      issue_chained (runner, pipeline, bit, warp, op, time, &stretch->refused);
      if (op->chain > 0)
        wp_wake_cursor_put (&runner->wakes, warp->ready, (uint32_t)bit);
      else
        runner->arrived |= UINT64_C (1) << bit;
      return true;
    }
  if (op->issues < WP_ISSUE_OWN && op->issues != WP_ISSUE_PAIR_OWN)
    return false;
  store (runner, scheduler);
  if (UNLIKELY (op->issues == WP_ISSUE_PAIR_OWN))
    {
      *closed |= find_closed (sm, op, true);
      wp_sm_issue_own_pair (sm, scheduler, (uint32_t)bit, time);
    }
  else if (blocking == BLOCKING_NONE)
    wp_sm_issue_own (sm, scheduler, (uint32_t)bit, time);
  else
    wp_sm_issue_own_wanted (sm, scheduler, (uint32_t)bit, time);
  load (runner, scheduler);
  *end = find_end (stretch, sm, *end);
  return true;
}

/* SCHEDULER's latest issue of a stretch was LAST's; its slot, of one issue, lasts until TURN. */
static INLINE void
note_last (const WpSm *sm, WpScheduler *scheduler, uint64_t last, WpTick turn,
           const WpChoice choice)
{
  scheduler->turn = scheduler->slot_end = turn;
  scheduler->last_bit = is_greedy (choice) ? wp_lowest_bit (last) : (uint32_t)last;
  scheduler->last_gone = false;
  if (choice == WP_CHOICE_BLOCK)
    scheduler->last_slot = wp_sm_get_slot (sm, scheduler->own_warps[last]);
}

/* SCHEDULER has issued to ROW, its own, which accepts another at ACCEPT, later than its TURN.
 * Returns when the scheduler may issue again: warps that wake before and want ROW, too, are as good
 * as ready, as nobody can take them earlier. Where others wake, the row is noted in *CLOSED. */
static INLINE WpTick
close (Runner *runner, WpScheduler *scheduler, uint32_t row, WpTick accept, WpTick turn,
       uint64_t *closed)
{
  uint64_t want = scheduler->own_want[row];

  if ((runner->arrived & ~want) == 0 && LIKELY (accept < WP_WAKE_CURSOR_NEVER)) /* or no key says */
    {
      if (wp_wake_cursor_has_one_at_most (&runner->wakes, want, accept))
        return accept;
      runner->arrived |= wp_wake_cursor_take_wanting (&runner->wakes, scheduler, want, accept - 1);
      if (wp_wake_cursor_get_next (&runner->wakes) >= accept)
        return accept;
    }
  *closed |= UINT64_C (1) << row;
  return turn;
}

/* In a stretch the retries are not kept twice. */
static INLINE void
set_retry (WpSm *sm, const WpScheduler *scheduler, WpTick time)
{
  sm->retry[scheduler->id] = time;
}

/* STRETCH ends, or stops until other SMs have come further. */
static void
stop_stretch (const Stretch *stretch, WpSm *sm)
{
  sm->ahead = false;
  wp_sum_add (&sm->result->stalls[WP_STALL_PIPELINE], stretch->refused);
  for (uint32_t i = 0; i < stretch->n; i++)
    wp_sm_set_retry (sm, i, sm->retry[i]);
}

/* Issues of SCHEDULER from TURN to END that matter to nobody else, up to the first that may, or
 * that others may close the pipeline for. A pipeline that refuses one now does so until `accept` at
 * least, whatever others do. One that others may close matters where a warp for it is chosen only:
 * whom a policy that is built in chooses among some it chooses among fewer of them, too. So the
 * warp chosen stays the one, unless its own pipeline has been closed when its time has come. */
static INLINE void
run_ahead (Stretch *stretch, WpSm *sm, WpScheduler *scheduler, WpTick turn, WpTick end,
           const WpChoice choice, const Blocking blocking)
{
  WpTick time;
  uint32_t n_issued = scheduler->n_issued;
  uint64_t last = get_last (scheduler, choice), closed = scheduler->closed;
  Runner runner;

  scheduler->chosen = WP_NO_BIT;
  load (&runner, scheduler);
  for (;;)
    {
      uint64_t bit, accepted, wanting = 0;
      WpPipeline *pipeline;
      const WpOp *op;
      uint32_t row;

      time = runner.arrived == 0 ? wp_wake_cursor_get_next (&runner.wakes) : turn;
      time = time < turn ? turn : time;
      if (time >= end)
        break;
      runner.arrived = wp_wake_cursor_take (&runner.wakes, scheduler, time, runner.arrived);
      accepted = runner.arrived;
      if (blocking != BLOCKING_NONE)
        wanting = find_wanting (stretch, scheduler);
      if (blocking != BLOCKING_NONE && UNLIKELY (closed != 0 || (accepted & wanting) != 0))
        {
          WpTick soonest = WP_TICK_LIMIT, next = wp_wake_cursor_get_next (&runner.wakes);

          if (blocking == BLOCKING_ALL)
            accepted = find_open (scheduler, accepted, time, &closed, &soonest);
          if ((accepted & wanting) != 0)
            accepted = find_let_in_by_others (stretch, scheduler, accepted, time, &soonest);
          if (accepted == 0)
            {
              if (next == WP_WAKE_CURSOR_NEVER) /* which is a time: a pipeline may open later */
                next = WP_TICK_LIMIT;
              turn = next < soonest ? next : soonest; /* later than it was: the scheduler waits */
              continue;
            }
        }
      if (choice == WP_CHOICE_PICK && blocking != BLOCKING_NONE && (accepted & wanting) != 0)
        break; /* nothing is known of whom it chooses among fewer */
      bit = choose (sm, scheduler, accepted, last, choice);
      op = scheduler->own_warps[bit]->op;
      row = op->row;
      pipeline = scheduler->own_accepts[row];
      if (!issue_own (stretch, sm, scheduler, &runner, bit, op, pipeline, time, &end, &closed,
                      blocking))
        {
          scheduler->chosen = (uint32_t)bit;
          break;
        }
      last = is_greedy (choice) ? UINT64_C (1) << bit : bit;
      if (choice == WP_CHOICE_PICK)
        {
          scheduler->last_bit = (uint32_t)bit;
          scheduler->last_gone = false;
          scheduler->last_slot = wp_sm_get_slot (sm, scheduler->own_warps[bit]);
        }
      scheduler->issued[++n_issued] = time;
      turn = time + stretch->interval;
      if (blocking == BLOCKING_ALL && pipeline->accept > turn)
        turn = close (&runner, scheduler, row, pipeline->accept, turn, &closed);
    }
  store (&runner, scheduler);
  if (blocking == BLOCKING_ALL)
    scheduler->closed = closed;
  if (n_issued != scheduler->n_issued)
    note_last (sm, scheduler, last, scheduler->issued[n_issued] + stretch->interval, choice);
  scheduler->n_issued = n_issued;
  if (runner.arrived == 0 && wp_wake_cursor_get_next (&runner.wakes) == WP_WAKE_CURSOR_NEVER)
    time = WP_TICK_LIMIT;
  set_retry (sm, scheduler, time);
}

/* The warp that SCHEDULER chooses now, when all others have come to this time, or WP_NO_BIT: none
 * can issue, and the scheduler's retry is set. */
static INLINE uint32_t
choose_now (WpSm *sm, WpScheduler *scheduler, const WpChoice choice)
{
  uint64_t accepted;
  WpTick soonest = WP_TICK_LIMIT, retry;

  scheduler->own_arrived |= wp_wake_list_take_of (scheduler, sm->now);
  accepted
      = find_accepted (sm, scheduler, scheduler->own_arrived, sm->now, 0, sm->n_blocking, &soonest);
  if (accepted != 0 && scheduler->turn <= sm->now)
    return (uint32_t)choose (sm, scheduler, accepted, get_last (scheduler, choice), choice);
  retry = accepted != 0 ? sm->now : wp_wake_list_get_next_of (scheduler);
  retry = retry < soonest ? retry : soonest;
  set_retry (sm, scheduler, retry > scheduler->turn ? retry : scheduler->turn);
  return WP_NO_BIT;
}

/* Whether the pipeline of what BIT's warp is to issue, if any, accepts now. */
static INLINE bool
is_open_for (const WpSm *sm, const WpScheduler *scheduler, uint32_t bit)
{
  return bit != WP_NO_BIT
         && scheduler->own_accepts[scheduler->own_warps[bit]->op->row]->accept <= sm->now;
}

/* SCHEDULER issues the long way now, or does not. */
static INLINE bool
visit_slowly (WpSm *sm, WpScheduler *scheduler)
{
  scheduler->closed = sm->own_blocking; /* of whatever goes out */
  return wp_sm_visit (sm, scheduler->id);
}

/* One visit at TIME, sm->now, after run_ahead() has stopped there. Where nothing is issued, the
 * scheduler's retry is set. */
static INLINE bool
visit (WpSm *sm, WpScheduler *scheduler, const WpChoice choice, const Blocking blocking)
{
  uint32_t bit = scheduler->chosen;
  const WpOp *op;
  bool pair;

  if (blocking == BLOCKING_NONE ? bit == WP_NO_BIT : !is_open_for (sm, scheduler, bit))
    {
      if (blocking == BLOCKING_NONE)
        return visit_slowly (sm, scheduler);
      bit = choose_now (sm, scheduler, choice);
    }
  if (bit == WP_NO_BIT)
    return false;
  op = scheduler->own_warps[bit]->op;
  if (UNLIKELY (sm->now >= sm->gate) && op->meets && !op->mixed)
    {
      scheduler->chosen = bit; /* nothing changes until it goes on */
      sm->stands = true;
      return false;
    }
  pair = is_plain_pair (sm, scheduler, op);
  if (!pair && !is_plain (sm, scheduler, op))
    return visit_slowly (sm, scheduler);
  scheduler->last_bit = bit;
  scheduler->last_gone = false;
  if (wants_slot (choice))
    scheduler->last_slot = wp_sm_get_slot (sm, scheduler->own_warps[bit]);
  if (blocking == BLOCKING_ALL)
    scheduler->closed |= find_closed (sm, op, pair);
  if (UNLIKELY (pair))
    wp_sm_issue_pair (sm, scheduler, bit, sm->now);
  else if (op->issues == WP_ISSUE_PATH)
    wp_sm_issue_on_path (sm, scheduler, bit, sm->now);
  else
    wp_sm_issue_single (sm, scheduler, bit, sm->now);
  scheduler->turn = scheduler->slot_end = sm->now + sm->machine->interval;
  return true;
}

/* The schedulers that come first, at *TIME, as a set. For four, as most GPUs have,
 * and for one no loop. */
static INLINE uint64_t
find_first (const WpSm *sm, WpTick *time)
{
  const WpTick *retry = sm->retry;
  uint32_t n = sm->machine->n_schedulers;
  WpTick earliest = retry[0];
  uint64_t set = 0;

  if (n == 4)
    {
      WpTick a = retry[1] < retry[0] ? retry[1] : retry[0];
      WpTick b = retry[3] < retry[2] ? retry[3] : retry[2];

      *time = earliest = a < b ? a : b;
      return (uint64_t)(retry[0] == earliest) | (uint64_t)(retry[1] == earliest) << 1
             | (uint64_t)(retry[2] == earliest) << 2 | (uint64_t)(retry[3] == earliest) << 3;
    }
  if (n == 1)
    {
      *time = earliest;
      return 1;
    }
  for (uint32_t i = 1; i < n; i++)
    earliest = retry[i] < earliest ? retry[i] : earliest;
  for (uint32_t i = 0; i < n; i++)
    set |= (uint64_t)(retry[i] == earliest) << i;
  *time = earliest;
  return set;
}

/* The first in rotation of SET. */
static INLINE uint32_t
choose_scheduler (const WpSm *sm, uint64_t set)
{
  uint64_t rest = set & UINT64_MAX << sm->next_scheduler;

  return wp_lowest_bit (rest != 0 ? rest : set);
}

/* The scheduler that comes first, at *TIME; of several, *SET, the first in rotation. */
static uint32_t
find_next (WpSm *sm, WpTick *time, uint64_t *set)
{
  *set = find_first (sm, time);
  if ((*set & (*set - 1)) == 0 || *time == WP_TICK_LIMIT)
    return wp_lowest_bit (*set);
  wp_sm_find_rotation (sm, *time);
  return choose_scheduler (sm, *set);
}

/* The same once ID, of those that came at *TIME, has been visited: what it did has not brought
 * others forward, and the rotation does not go on before the next time. */
static INLINE uint32_t
find_next_behind (WpSm *sm, uint32_t id, WpTick *time, uint64_t *set)
{
  *set &= ~(UINT64_C (1) << id);
  if (*set == 0 || sm->retry[id] == *time)
    return find_next (sm, time, set);
  return choose_scheduler (sm, *set);
}

/* A stretch from BEGIN to END through which schedulers run ahead of one another, or the rest of one
 * that stopped for other SMs. */
static INLINE void
issue_ahead (WpSm *sm, WpTick begin, WpTick end, uint64_t *budget, const WpChoice choice,
             const Blocking blocking)
{
  Stretch the_stretch, *const stretch = &the_stretch;
  uint64_t n_issued = 0, set = 0;
  WpTick time;
  uint32_t id;

  begin_stretch (stretch, sm);
  sm->ahead = true;
  if (sm->stretch_end == 0)
    sm->rotated = begin;
  for (uint32_t i = 0; sm->stretch_end == 0 && i < stretch->n; i++)
    {
      sm->schedulers[i].n_issued = 0;
      sm->schedulers[i].closed = sm->own_blocking;
      wp_wake_list_reserve (&sm->schedulers[i]);
      if (sm->retry[i] < end)
        run_ahead (stretch, sm, &sm->schedulers[i], sm->retry[i], end, choice, blocking);
      end = find_end (stretch, sm, end);
    }
  id = sm->stood;
  time = sm->next;
  if (sm->stretch_end == 0)
    id = find_next (sm, &time, &set);
  for (; time < end && !sm->host->failed; id = find_next_behind (sm, id, &time, &set))
    {
      WpScheduler *scheduler = &sm->schedulers[id];
      bool issues;

      sm->now = time;
      issues = visit (sm, scheduler, choice, blocking);
      if (issues)
        scheduler->issued[++scheduler->n_issued] = time;
      else if (UNLIKELY (sm->stands))
        {
          sm->stood = id;
          sm->stretch_begin = begin;
          sm->stretch_end = end;
          stop_stretch (stretch, sm);
          return;
        }
      end = find_end (stretch, sm, end);
      if (issues || sm->retry[id] < end)
        run_ahead (stretch, sm, scheduler, issues ? scheduler->turn : sm->retry[id], end, choice,
                   blocking);
      end = find_end (stretch, sm, end);
    }
  sm->stretch_end = 0;
  stop_stretch (stretch, sm);
  wp_sm_find_rotation (sm, WP_TICK_LIMIT);
  for (uint32_t i = 0; i < stretch->n; i++)
    n_issued += sm->schedulers[i].n_issued;
  sm->n_taken += n_issued;
  *budget -= n_issued < *budget ? n_issued : *budget;
  sm->now = begin; /* others have not come further, where there are any */
  if (stretch->n == 1 && n_issued > 0)
    sm->now = sm->schedulers[0].issued[n_issued];
}

static INLINE WpTick
issue_fast (WpSm *sm, uint64_t *budget, const WpChoice choice, const Blocking blocking)
{
  const WpTick lookahead = sm->lookahead > 0 ? sm->lookahead : sm->host->plan->ahead;
  WpTick time;

  if (sm->stretch_end > 0)
    issue_ahead (sm, sm->stretch_begin, sm->stretch_end, budget, choice, blocking);
  for (wp_sm_find_first (sm, &time); !sm->stands && *budget > 0 && time < sm->limit;
       wp_sm_find_first (sm, &time))
    issue_ahead (sm, time, sm->limit - time < lookahead ? sm->limit : time + lookahead, budget,
                 choice, blocking);
  return time;
}

/* A function for each, so that the compiler has the registers for one loop at a time. */
#define DEFINE_ISSUE(name, choice, blocking)                                                       \
  static NOINLINE WpTick name (WpSm *sm, uint64_t *budget)                                         \
  {                                                                                                \
    return issue_fast (sm, budget, choice, blocking);                                              \
  }
DEFINE_ISSUE (rotate_none, WP_CHOICE_ROTATE, BLOCKING_NONE)
DEFINE_ISSUE (rotate_others, WP_CHOICE_ROTATE, BLOCKING_OTHERS)
DEFINE_ISSUE (rotate_all, WP_CHOICE_ROTATE, BLOCKING_ALL)
DEFINE_ISSUE (lowest_none, WP_CHOICE_LOWEST, BLOCKING_NONE)
DEFINE_ISSUE (lowest_others, WP_CHOICE_LOWEST, BLOCKING_OTHERS)
DEFINE_ISSUE (lowest_all, WP_CHOICE_LOWEST, BLOCKING_ALL)
DEFINE_ISSUE (greedy_none, WP_CHOICE_GREEDY, BLOCKING_NONE)
DEFINE_ISSUE (greedy_others, WP_CHOICE_GREEDY, BLOCKING_OTHERS)
DEFINE_ISSUE (greedy_all, WP_CHOICE_GREEDY, BLOCKING_ALL)
DEFINE_ISSUE (highest_none, WP_CHOICE_GREEDY_HIGHEST, BLOCKING_NONE)
DEFINE_ISSUE (highest_others, WP_CHOICE_GREEDY_HIGHEST, BLOCKING_OTHERS)
DEFINE_ISSUE (highest_all, WP_CHOICE_GREEDY_HIGHEST, BLOCKING_ALL)
DEFINE_ISSUE (block_none, WP_CHOICE_BLOCK, BLOCKING_NONE)
DEFINE_ISSUE (block_others, WP_CHOICE_BLOCK, BLOCKING_OTHERS)
DEFINE_ISSUE (block_all, WP_CHOICE_BLOCK, BLOCKING_ALL)
DEFINE_ISSUE (pick_none, WP_CHOICE_PICK, BLOCKING_NONE)
DEFINE_ISSUE (pick_others, WP_CHOICE_PICK, BLOCKING_OTHERS)
DEFINE_ISSUE (pick_all, WP_CHOICE_PICK, BLOCKING_ALL)

/* Whether all pipelines of SM, and their channels, are free before WP_UNCHECKED_LIMIT. */
static bool
are_free_early (const WpSm *sm)
{
  const WpMachine *m = sm->machine;
  WpTick latest = 0;

  for (uint32_t p = 0; p < m->n_pipelines; p++)
    for (uint32_t i = 0; i < (m->pipelines[p].per_scheduler ? m->n_schedulers : 1); i++)
      {
        const WpPipeline *pipeline = &sm->pipelines[p][i];

        latest = pipeline->free_at > latest ? pipeline->free_at : latest;
        latest = pipeline->latest > latest ? pipeline->latest : latest;
      }
  return latest < WP_UNCHECKED_LIMIT;
}

/* A stretch and a run in step may go on for less than as many issues again. */
static NOINLINE void
look_at_times (WpSm *sm)
{
  sm->careful = sm->host->plan->careful || !are_free_early (sm);
  sm->unchecked = sm->n_taken + WP_UNCHECKED_ISSUES;
}

/* Whether no warp ends for so long that schedulers may run ahead: sm->limit is then when one may
 * end. */
static bool
becomes_quiet (WpSm *sm)
{
  WpTick least = wp_sm_find_least_quiet (sm), time, end;

  wp_sm_find_first (sm, &time);
  if (least == 0 || time >= sm->limit || sm->limit - time < least)
    return false;
  end = wp_sm_find_first_end (sm, time);
  if (end - time < least)
    return false;
  sm->limit = end < sm->limit ? end : sm->limit;
  return true;
}

/* Schedulers of SM go on in step, where they might run ahead as long as no warp ends: that is
 * looked at again soon. */
static WpTick
issue_for_a_while (WpSm *sm, uint64_t *budget)
{
  uint64_t some = WP_MAX_AHEAD < *budget ? WP_MAX_AHEAD : *budget;
  const uint64_t rest = *budget - some;
  WpTick next = wp_sm_issue_in_step (sm, &some);

  *budget = rest + some;
  return next;
}

WpTick
wp_sm_issue_fast (WpSm *sm, uint64_t *budget)
{
  static WpTick (*const issue[WP_N_CHOICES][3]) (WpSm *, uint64_t *) = {
    [WP_CHOICE_ROTATE] = { rotate_none, rotate_others, rotate_all },
    [WP_CHOICE_LOWEST] = { lowest_none, lowest_others, lowest_all },
    [WP_CHOICE_GREEDY] = { greedy_none, greedy_others, greedy_all },
    [WP_CHOICE_GREEDY_HIGHEST] = { highest_none, highest_others, highest_all },
    [WP_CHOICE_BLOCK] = { block_none, block_others, block_all },
    [WP_CHOICE_PICK] = { pick_none, pick_others, pick_all },
  };

  if (UNLIKELY (sm->n_taken >= sm->unchecked))
    look_at_times (sm);
  if (sm->lookahead == 0 && !sm->quietens)
    return wp_sm_issue_in_step (sm, budget);
  if (sm->lookahead == 0 && sm->stretch_end == 0 && !becomes_quiet (sm))
    return issue_for_a_while (sm, budget);
  return issue[sm->policy->choice][wp_sm_get_blocking (sm)](sm, budget);
}
