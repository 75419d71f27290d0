/* SPDX-License-Identifier: MIT */
/* Schedulers go on in step, as in wp-sm-issue.c, but what costs there in proportion to pipelines
 * and words of warps does not here:
 *
 * - Warps that are ready are in sets by class of their pipeline: those that refuse nobody are one
 *   class, of the others each is one. A visit asks each class that is not empty whether it is open;
 *   warps that wait for a closed pipeline cost nothing, however many they are.
 * - Warps that are to be ready are in sorted lists of their scheduler, and the visit takes them
 *   out; only what no list takes is in the SM's wheel, which interrupts all schedulers.
 * - An issue that takes one slot (WP_ISSUE_SINGLE and above) leaves out what does not come up.
 */
#include "sim/engine/core/wp-sm-many.h"

#include "sim/engine/core/wp-sm-account.h"
#include "sim/engine/core/wp-sm-flow.h"
#include "sim/engine/core/wp-sm-issue.h"
#include "sim/engine/core/wp-sm-many-flow.h"
#include "sim/engine/core/wp-sm-path.h"
#include "sim/engine/core/wp-sm-ready.h"
#include "sim/engine/core/wp-sm-serve.h"
#include "sim/engine/core/wp-sm-step.h"
#include "sim/engine/core/wp-sm-wait.h"

/* What a function of this loop is made for, so that it asks for nothing else. */
typedef enum
{
  KIND_ROTATE, /* program order: the policies that wp-policy-private.h has a choice for, */
  KIND_GREEDY,
  KIND_PICK,  /* and the others */
  KIND_LISTS, /* program order, a policy with lists, up to 64 warps on a scheduler */
  KIND_FLOW,  /* dataflow order */
} Kind;

/* Whether the policy keeps lists. */
static INLINE bool
has_lists (const WpSm *sm, const Kind kind)
{
  return kind == KIND_LISTS || (kind == KIND_PICK && sm->policy->update != NULL);
}

/* Those of QUEUE with keys below LATER are ready. */
static INLINE void
take_due (WpSm *sm, WpScheduler *scheduler, WpKeyQueue *queue, uint64_t later, const Kind kind)
{
  while (*queue->first < later)
    {
      uint32_t bit = wp_key_queue_take (queue);
      WpWarp *warp = scheduler->warps[bit];

      if (kind != KIND_FLOW)
        wp_ready_sets_add (&scheduler->ready, sm->classes[warp->op->row], bit, kind == KIND_LISTS);
      else if (warp->state == WP_WARP_RUNNING) /* else it was to wake for what it has issued */
        wp_sm_wait_for_flow (sm, warp);
    }
}

/* MODEL.md, section 5, can issue: the classes of warps that are ready and whose pipeline accepts
 * now. *SOONEST: no other accepts before. */
static INLINE uint64_t
find_open (const WpSm *sm, const WpScheduler *scheduler, WpTick *soonest)
{
  uint64_t open = scheduler->ready.filled;

  for (uint64_t rest = open & ~UINT64_C (1); rest != 0; rest &= rest - 1)
    {
      WpTick accept = scheduler->own_accepts[sm->blocking[wp_lowest_bit (rest) - 1]]->accept;

      if (accept <= sm->now)
        continue;
      open &= ~(rest & -rest);
      *soonest = accept < *soonest ? accept : *soonest;
    }
  return open;
}

/* What pick() wants to see. Whether there is any. */
static INLINE bool
show_candidates (const WpSm *sm, WpScheduler *scheduler, uint64_t open, const Kind kind)
{
  uint64_t any = 0;

  for (uint32_t word = 0; kind == KIND_LISTS ? word == 0 : word < scheduler->n_words; word++)
    {
      uint64_t members = wp_ready_sets_get_word (&scheduler->ready, open, word);

      if (has_lists (sm, kind))
        members &= scheduler->eligible[word];
      scheduler->candidates[word] = members;
      any |= members;
    }
  return any != 0;
}

/* Whether the warp that SCHEDULER issued from last is in one of the classes OPEN. */
static INLINE bool
can_repeat (const WpScheduler *scheduler, uint64_t open)
{
  uint32_t last = scheduler->last_bit;

  return !scheduler->last_gone
         && (wp_ready_sets_get_word (&scheduler->ready, open, last / 64) >> last % 64 & 1) != 0;
}

/* The warp of the classes OPEN, one at least, that the policy chooses, or WP_NO_BIT. */
static INLINE uint32_t
choose (WpSm *sm, WpScheduler *scheduler, uint64_t open, const Kind kind)
{
  const WpReadySets *ready = &scheduler->ready;
  WpChoice choice = kind == KIND_ROTATE   ? WP_CHOICE_ROTATE
                    : kind == KIND_GREEDY ? WP_CHOICE_GREEDY
                    : kind == KIND_LISTS  ? WP_CHOICE_PICK
                                          : sm->policy->choice;

  if (choice == WP_CHOICE_ROTATE)
    return wp_ready_sets_get_next (ready, open, scheduler->last_bit);
  if ((choice == WP_CHOICE_GREEDY || choice == WP_CHOICE_GREEDY_HIGHEST)
      && can_repeat (scheduler, open))
    return scheduler->last_bit;
  if (choice == WP_CHOICE_GREEDY || choice == WP_CHOICE_LOWEST)
    return wp_ready_sets_get_lowest (ready, open);
  if (choice == WP_CHOICE_GREEDY_HIGHEST)
    return wp_ready_sets_get_highest (ready, open);
  return show_candidates (sm, scheduler, open, kind) ? sm->policy->pick (sm, scheduler) : WP_NO_BIT;
}

/* No visit to SCHEDULER before its turn, nor before TIME, unless a warp is to be ready. */
static INLINE void
set_retry (WpSm *sm, WpScheduler *scheduler, WpTick time, const Kind kind)
{
  WpTick next;

  if (time > scheduler->turn)
    {
      next = wp_wake_list_get_next_of_many (scheduler);
      time = next < time ? next : time;
    }
  time = scheduler->turn > time ? scheduler->turn : time;
  if (has_lists (sm, kind) && scheduler->stale)
    time = sm->now;
  wp_sm_set_retry (sm, scheduler->id, time);
}

/* SCHEDULER has issued: no visit before its turn, nor, where a visit is dear, before the first
 * pipeline accepts again that a warp that is ready wants. */
static INLINE void
set_retry_behind (WpSm *sm, WpScheduler *scheduler, const Kind kind)
{
  uint64_t filled = scheduler->ready.filled, rest;
  WpTick soonest = filled != 0 ? sm->now : WP_TICK_LIMIT;

  if (kind == KIND_LISTS && (filled & 1) == 0)
    soonest = WP_TICK_LIMIT;
  for (rest = kind == KIND_LISTS ? filled & ~UINT64_C (1) : 0;
       rest != 0 && soonest > scheduler->turn; rest &= rest - 1)
    {
      WpTick accept = scheduler->own_accepts[sm->blocking[wp_lowest_bit (rest) - 1]]->accept;

      soonest = accept < soonest ? accept : soonest;
    }
  set_retry (sm, scheduler, soonest, kind);
}

/* WARP, whose next instruction is known to be ready at `ready`, is ready or waits. */
static INLINE void
wait (WpSm *sm, WpScheduler *scheduler, WpWarp *warp, const Kind kind)
{
  wp_sm_add_wait_for_all (sm, warp, sm->now);
  if (warp->ready <= sm->now)
    wp_ready_sets_add (&scheduler->ready, sm->classes[warp->op->row], warp->bit,
                       kind == KIND_LISTS);
  else if (!wp_key_queue_put (warp->ready - sm->now > sm->near ? &scheduler->late
                                                               : &scheduler->soon,
                              warp->ready, warp->bit))
    wp_wake_list_put_end (sm, warp, warp->ready);
}

/* WARP has issued OP now: what it waits for. */
static INLINE void
go_on (WpSm *sm, WpScheduler *scheduler, WpWarp *warp, const WpOp *op, const Kind kind)
{
  const bool lists = has_lists (sm, kind);

  if (warp->op == NULL)
    {
      warp->state = WP_WARP_DRAINING;
      wp_sm_note (sm, scheduler, warp);
      wp_sm_end_at (sm, warp, warp->end);
      return;
    }
  wp_sm_find_ready (sm, warp, warp->op, sm->now + sm->turns[op->turn], lists, false);
  if (!lists || warp->memory_ready <= sm->now) /* it was active, and so not set aside */
    {
      wait (sm, scheduler, warp, kind);
      return;
    }
  wp_sm_note (sm, scheduler, warp);
  wp_sm_add_wait_for_all (sm, warp, sm->now);
  wp_wake_list_put_end (sm, warp, warp->memory_ready);
}

/* Whether the issue of OP by SCHEDULER needs none of what issue_single() leaves out. */
static INLINE bool
is_plain (const WpSm *sm, const WpScheduler *scheduler, const WpOp *op)
{
  const WpPipeline *pipeline = scheduler->own_accepts[op->row];

  return op->issues >= WP_ISSUE_SINGLE && pipeline->free_at < sm->safe && sm->now < sm->safe
         && (op->issues >= WP_ISSUE_OWN || op->bounded
             || (pipeline->latest < sm->safe
                 && (!op->special || wp_sm_is_path_safe (sm, scheduler, op))));
}

/* The issue of WARP's OP where it takes one slot: as issue_in_order() of wp-sm-issue.c, without
 * what does not come up here. */
static INLINE void
issue_single (WpSm *sm, WpScheduler *scheduler, WpWarp *warp, const WpOp *op, const Kind kind)
{
  WpPipeline *pipeline = scheduler->own_accepts[op->row];
  WpTick start;

  wp_sm_add_refusal (sm, warp, pipeline->accept);
  if (op->bounded)
    start = wp_pipeline_accept_bounded (pipeline, sm->now, op->issue, op->in_flight);
  else if (op->special)
    start = wp_sm_take_safe_path (sm, scheduler, warp, op, warp->index);
  else
    start = wp_pipeline_accept (pipeline, sm->now, op->issue);
  if (op->random && !op->special)
    start = wp_sm_serve (sm, warp, pipeline, op, warp->index, start, false);
  start = wp_sm_get_base (op, start, sm->now);
  wp_sm_extend_end (warp, start + op->completion);
  warp->values[op->value] = start;
  warp->since = sm->now;
  warp->index++;
  wp_sm_step (sm, warp, op);
  go_on (sm, scheduler, warp, op, kind);
}

/* WARP goes on behind OP, which it issues now, where it is chained: true. */
static INLINE bool
go_on_chained (const WpSm *sm, WpWarp *warp, const WpOp *op, const Kind kind)
{
  if (op->issues < WP_ISSUE_CHAINED || (has_lists (sm, kind) && op->memory))
    return false;
  if (op->issues != WP_ISSUE_CHAINED) /* round a loop */
    {
      if (*warp->counter == 1)
        return false;
      --*warp->counter;
    }
  warp->op = op->next;
  return true;
}

/* The issue of WARP's OP, after which it has gone on. MODEL.md, section 5: `ready` of the next
 * instruction is `chain` later, as wp-plan.c has found; all else that it depends on is complete. */
static INLINE void
issue_chained (WpSm *sm, WpScheduler *scheduler, WpWarp *warp, const WpOp *op, const Kind kind)
{
  WpPipeline *pipeline = scheduler->own_accepts[op->row];
  WpTick now = sm->now;

  wp_sm_add_refusal (sm, warp, pipeline->accept);
  wp_pipeline_accept_at_once (pipeline, now, op->issue);
  pipeline->free_at = now + op->issue;
  wp_sm_extend_end (warp, now + op->completion);
  warp->values[op->value] = warp->since = now;
  warp->index++;
  warp->ready = now + op->chain;
  warp->wait = op->wait;
  warp->memory_ready = 0;
  wait (sm, scheduler, warp, kind);
}

/* SCHEDULER issues from the warp of BIT now, which is in no list nor set any more. */
static INLINE void
issue (WpSm *sm, WpScheduler *scheduler, uint32_t bit, const Kind kind)
{
  WpWarp *warp = scheduler->warps[bit];
  const WpOp *op = warp->op;

  if (sm->now < sm->safe && go_on_chained (sm, warp, op, kind))
    issue_chained (sm, scheduler, warp, op, kind);
  else if (is_plain (sm, scheduler, op))
    issue_single (sm, scheduler, warp, op, kind);
  else
    {
      wp_sm_issue_from (sm, scheduler, bit);
      return;
    }
  scheduler->last_bit = bit;
  scheduler->last_gone = false;
  if (kind == KIND_PICK)
    scheduler->last_slot = wp_sm_get_slot (sm, warp);
  scheduler->turn = scheduler->slot_end = sm->now + sm->machine->interval;
}

/* Dataflow order: SCHEDULER issues K, which is OP, from WARP in SLOT now; it is no more among those
 * that the warp has left. */
static INLINE void
issue_from_flow (WpSm *sm, WpScheduler *scheduler, WpWarp *warp, uint32_t slot, const WpOp *op,
                 uint32_t k)
{
  WpFlow *flow = &sm->flows[slot];

  if (flow->complete != NULL || flow->drawn != NULL || !is_plain (sm, scheduler, op))
    {
      wp_sm_issue_chosen (sm, scheduler, warp->bit, k);
      return;
    }
  scheduler->last_bit = warp->bit;
  scheduler->last_gone = false;
  scheduler->last_slot = slot;
  wp_sm_issue_single_of_flow (sm, scheduler, warp, flow, op, k);
  scheduler->turn = scheduler->slot_end = sm->now + sm->machine->interval;
}

/* Whether what BIT's warp of SCHEDULER takes without a choice has to do with other SMs. */
static INLINE bool
meets (const WpSm *sm, const WpScheduler *scheduler, uint32_t bit)
{
  const WpWarp *warp = scheduler->warps[bit];
  const WpFlow *flow;

  if (sm->flows == NULL)
    return warp->op->meets;
  flow = &sm->flows[wp_sm_get_slot (sm, warp)];
  return flow->n_timed > 0 && sm->ops[flow->unrolled->instrs[flow->timed[0]]].meets;
}

/* The warp that SCHEDULER takes without a choice, where no other is ready now, or WP_NO_BIT. LATER
 * is above all keys that are due. */
static INLINE uint32_t
find_only (const WpSm *sm, WpScheduler *scheduler, uint64_t later, const Kind kind)
{
  uint64_t key = *scheduler->soon.first;
  uint32_t bit = (uint32_t)(key & scheduler->soon.low);

  if (scheduler->ready.filled != 0 || key >= later || scheduler->soon.first[1] < later
      || *scheduler->late.first < later || scheduler->turn > sm->now
      || (UNLIKELY (sm->now >= sm->gate) && meets (sm, scheduler, bit)))
    return WP_NO_BIT;
  if (kind == KIND_FLOW)
    return bit;
  if (scheduler->own_accepts[scheduler->warps[bit]->op->row]->accept > sm->now
      || (has_lists (sm, kind) && (scheduler->eligible[bit / 64] >> bit % 64 & 1) == 0))
    return WP_NO_BIT;
  return bit;
}

/* Whether SCHEDULER issues now from the warp that it takes without a choice. LATER is above all
 * keys that are due. */
static INLINE bool
issue_only (WpSm *sm, WpScheduler *scheduler, uint64_t later, const Kind kind)
{
  uint32_t bit = find_only (sm, scheduler, later, kind), k;

  if (bit == WP_NO_BIT)
    return false;
  if (kind == KIND_FLOW)
    {
      WpWarp *warp = scheduler->warps[bit];
      uint32_t slot = wp_sm_get_slot (sm, warp);
      const WpOp *op;

      k = wp_sm_take_only_of_flow (sm, scheduler, warp, &sm->flows[slot], &op);
      if (k == WP_FLOW_NONE)
        return false;
      scheduler->soon.first++;
      issue_from_flow (sm, scheduler, warp, slot, op, k);
      return true;
    }
  scheduler->soon.first++;
  issue (sm, scheduler, bit, kind);
  return true;
}

/* SCHEDULER issues now from the warp of BIT, which it has chosen. */
static INLINE void
issue_chosen (WpSm *sm, WpScheduler *scheduler, uint32_t bit, const Kind kind)
{
  WpWarp *warp = scheduler->warps[bit];

  if (kind == KIND_FLOW)
    {
      uint32_t slot = wp_sm_get_slot (sm, warp), k;

      wp_sm_withdraw_from_flow (sm, warp);
      k = wp_sm_choose_from_flow (sm, scheduler, warp);
      issue_from_flow (sm, scheduler, warp, slot, sm->ops + sm->flows[slot].unrolled->instrs[k], k);
      return;
    }
  wp_ready_sets_remove (&scheduler->ready, sm->classes[warp->op->row], bit, kind == KIND_LISTS);
  issue (sm, scheduler, bit, kind);
}

/* Whether what BIT's warp of SCHEDULER, chosen, issues now has to do with other SMs, and others may
 * come first. */
static INLINE bool
has_to_stand (const WpSm *sm, const WpScheduler *scheduler, uint32_t bit, const Kind kind)
{
  const WpWarp *warp = scheduler->warps[bit];

  if (kind == KIND_FLOW)
    {
      const WpFlow *flow = &sm->flows[wp_sm_get_slot (sm, warp)];

      return sm->ops[flow->unrolled->instrs[wp_sm_find_in_flow (sm, scheduler, warp)]].meets;
    }
  return warp->op->meets;
}

/* One visit to SCHEDULER now: whether it issues. */
static INLINE bool
visit (WpSm *sm, WpScheduler *scheduler, const Kind kind)
{
  uint64_t later = wp_key_queue_make_later (&scheduler->soon, sm->now), open;
  WpTick soonest = WP_TICK_LIMIT;
  uint32_t bit;

  if (has_lists (sm, kind) && scheduler->stale)
    {
      sm->policy->update (sm, scheduler);
      scheduler->stale = false;
    }
  if (issue_only (sm, scheduler, later, kind))
    {
      set_retry_behind (sm, scheduler, kind);
      return true;
    }
  take_due (sm, scheduler, &scheduler->soon, later, kind);
  take_due (sm, scheduler, &scheduler->late, later, kind);
  open = find_open (sm, scheduler, &soonest);
  if (open == 0 || scheduler->turn > sm->now)
    {
      set_retry (sm, scheduler, open == 0 ? soonest : sm->now, kind);
      return false;
    }
  bit = choose (sm, scheduler, open, kind);
  if (kind >= KIND_PICK && bit == WP_NO_BIT)
    {
      set_retry (sm, scheduler, soonest, kind);
      return false;
    }
  if (UNLIKELY (sm->now >= sm->gate) && has_to_stand (sm, scheduler, bit, kind))
    {
      wp_sm_set_retry (sm, scheduler->id, sm->now);
      sm->stands = true;
      return false;
    }
  issue_chosen (sm, scheduler, bit, kind);
  set_retry_behind (sm, scheduler, kind);
  return true;
}

/* MODEL.md, section 7, step 3: as wp_sm_find_first(), when a scheduler has just been
 * visited: the next one may have the same time; and for four without a loop. */
static INLINE uint32_t
find_next (const WpSm *sm, WpTick *time)
{
  const WpTick *retry = sm->retry + sm->next_scheduler;
  uint32_t first, second, id;

  if (retry[0] == sm->now)
    {
      *time = sm->now;
      return sm->next_scheduler;
    }
  if (sm->machine->n_schedulers != 4)
    return wp_sm_find_first (sm, time);
  first = retry[1] < retry[0];
  second = 2 + (retry[3] < retry[2]);
  id = retry[second] < retry[first] ? second : first;
  *time = retry[id];
  return (sm->next_scheduler + id) % 4;
}

static INLINE WpTick
issue_many (WpSm *sm, uint64_t *budget, const Kind kind)
{
  uint64_t left = *budget;
  WpTick time;
  uint32_t id;

  for (id = wp_sm_find_first (sm, &time); !sm->stands && left > 0 && time < sm->limit;
       id = find_next (sm, &time))
    {
      sm->now = time;
      if (!visit (sm, &sm->schedulers[id], kind))
        continue;
      sm->next_scheduler = wp_sm_get_scheduler_after (sm, id);
      sm->n_taken++;
      left--;
    }
  *budget = left;
  return time;
}

/* A function for each, so that the compiler has the registers for one loop at a time. */
#define DEFINE_ISSUE(name, kind)                                                                   \
  static NOINLINE WpTick name (WpSm *sm, uint64_t *budget) { return issue_many (sm, budget, kind); }
DEFINE_ISSUE (issue_rotating, KIND_ROTATE)
DEFINE_ISSUE (issue_greedily, KIND_GREEDY)
DEFINE_ISSUE (issue_picked, KIND_PICK)
DEFINE_ISSUE (issue_listed, KIND_LISTS)
DEFINE_ISSUE (issue_flowing, KIND_FLOW)

WpTick
wp_sm_issue_many (WpSm *sm, uint64_t *budget)
{
  if (sm->flows != NULL)
    return issue_flowing (sm, budget);
  if (sm->policy->update != NULL && sm->n_slots <= 64 * (uint64_t)sm->machine->n_schedulers)
    return issue_listed (sm, budget);
  if (sm->policy->choice == WP_CHOICE_ROTATE)
    return issue_rotating (sm, budget);
  return sm->policy->choice == WP_CHOICE_GREEDY ? issue_greedily (sm, budget)
                                                : issue_picked (sm, budget);
}
