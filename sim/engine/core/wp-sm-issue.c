/* SPDX-License-Identifier: MIT */
/* Visits that issue nothing leave no trace, so a scheduler is looked at only when something may
 * have changed for it (`retry`); a policy that keeps lists sees every visit before which something
 * happened to its warps all the same. This is for all there is; most issues of most runs go through
 * wp-sm-fast.c.
 */
#include "sim/engine/core/wp-sm-issue.h"

#include "sim/engine/core/wp-sm-account.h"
#include "sim/engine/core/wp-sm-block.h"
#include "sim/engine/core/wp-sm-cause.h"
#include "sim/engine/core/wp-sm-flow.h"
#include "sim/engine/core/wp-sm-mix.h"
#include "sim/engine/core/wp-sm-path.h"
#include "sim/engine/core/wp-sm-ready.h"
#include "sim/engine/core/wp-sm-serve.h"
#include "sim/engine/core/wp-sm-step.h"
#include "sim/engine/core/wp-sm-wait.h"

#include <string.h>

/* What one issue of a scheduler takes along: up to dual-issue instructions of a warp. */
typedef struct
{
  WpScheduler *scheduler;
  WpWarp *warp;
  uint32_t slot;
  uint32_t n;     /* instructions issued before the present one */
  uint32_t slots; /* the largest `slots` of them */
  uint8_t turn;   /* of the last of them: as of a WpOp */
  bool careful;   /* times are so late that each must be looked at */
  bool implied;   /* what the warp waits for now need not be added up */
} Group;

static void
notify_issue (WpSm *sm, const Group *group, WpIssueEvent *event)
{
  WpWarp *warp = group->warp;

  event->time = sm->now;
  event->sm = sm->id;
  event->scheduler = group->scheduler->id;
  event->slot = group->slot;
  event->block = sm->blocks[warp->block].id;
  event->warp = warp->warp;
  event->follows = group->n > 0;
  event->ready = group->n > 0 ? sm->now : warp->ready;
  warp->previous = event->index;
  if (warp->writers != NULL)
    {
      const WpOp *op = &sm->ops[event->instr];

      if (UNLIKELY (op->kept > 1))
        wp_sm_shift_writers (sm, warp, op);
      warp->writers[op->value] = event->index;
    }
  WP_HOST_NOTIFY (sm->host, issue, event);
}

void
wp_sm_notify_passes (WpSm *sm, const WpIssueEvent *issue)
{
  const WpInstr *instr = &sm->machine->instrs[issue->instr];
  WpPassEvent event = { .time = issue->time,
                        .sm = issue->sm,
                        .scheduler = issue->scheduler,
                        .slot = issue->slot,
                        .block = issue->block,
                        .warp = issue->warp,
                        .index = issue->index,
                        .instr = issue->instr };

  for (uint32_t i = 0; i < instr->cost->n_passes; i++)
    {
      event.pass = instr->cost->first_pass + i;
      event.start = sm->host->begins[i];
      WP_HOST_NOTIFY (sm->host, pass, &event);
    }
}

/* Whether a time that follows from EVENT would be too late: it was accepted by PIPELINE, and its
 * results count from BASE. */
static bool
overflows (const WpSm *sm, const Group *group, const WpPipeline *pipeline,
           const WpIssueEvent *event, WpTick base)
{
  const WpInstr *instr = &sm->machine->instrs[event->instr];
  uint64_t block = sm->blocks[group->warp->block].id;

  return wp_sm_overflows (sm, pipeline->free_at, "the time at which a pipeline is free", block,
                          event->instr)
         || wp_sm_overflows (sm, base, "a completion", block, event->instr)
         || wp_sm_overflows (sm, base + instr->reach, "a completion", block, event->instr);
}

/* Contended memory: when it is served where times are so late that each must be looked at. */
static WpTick
serve_late (WpSm *sm, const Group *group, const WpOp *op, WpPipeline *pipeline,
            const WpIssueEvent *event)
{
  if (wp_sm_overflows (sm, pipeline->free_at, "the time at which a pipeline is free",
                       sm->blocks[group->warp->block].id, event->instr))
    return event->start;
  return wp_sm_serve (sm, group->warp, pipeline, op, event->index, event->start, true);
}

/* MODEL.md, sections 5 and 11: the instruction starts in its pipeline; sets start and served of
 * EVENT. Returns whether times are so late that what follows must be looked at. */
static INLINE bool
start (WpSm *sm, Group *group, const WpOp *op, WpPipeline *pipeline, WpIssueEvent *event)
{
  bool late;

  event->start = event->served = wp_pipeline_accept (pipeline, sm->now, op->issue);
  late = event->start >= sm->safe;
  if (UNLIKELY (op->random))
    {
      late |= pipeline->latest >= sm->safe;
      event->served
          = late ? serve_late (sm, group, op, pipeline, event)
                 : wp_sm_serve (sm, group->warp, pipeline, op, event->index, event->start, false);
    }
  return late;
}

/* The same where it passes others, too (MODEL.md, section 12). */
static bool
start_on_path (WpSm *sm, Group *group, const WpOp *op, WpIssueEvent *event)
{
  return !wp_sm_take_path (sm, group->scheduler, group->warp, op, event->index, &event->start,
                           &event->served)
         || event->start >= sm->safe || event->served >= sm->safe;
}

/* MODEL.md, sections 5, 6, 11 and 12: the instruction starts in its pipeline; sets start, served
 * and complete of EVENT. False: a time overflowed. */
static bool
enter_pipeline (WpSm *sm, Group *group, const WpOp *op, WpPipeline *pipeline, WpIssueEvent *event)
{
  WpWarp *warp = group->warp;
  WpTick base;
  bool late;

  late = UNLIKELY (op->special) ? start_on_path (sm, group, op, event)
                                : start (sm, group, op, pipeline, event);
  base = wp_sm_get_base (op, event->served, sm->now);
  if (UNLIKELY (late))
    {
      group->careful = true;
      if (sm->host->failed || overflows (sm, group, pipeline, event, base))
        return false;
    }
  if (UNLIKELY (op->kept > 1))
    wp_sm_shift_values (sm, warp, op);
  warp->values[op->value] = base;
  event->complete = base + op->completion;
  if (sm->flows != NULL)
    wp_flow_issued (&sm->flows[group->slot], sm->machine, (uint32_t)event->index, event->instr,
                    base, event->complete, sm->now);
  wp_sm_complete (warp, event);
  return true;
}

/* MODEL.md, section 14: an arrive is complete when it issues. */
static void
arrive (const WpSm *sm, const Group *group, WpIssueEvent *event)
{
  event->complete = sm->now;
  wp_sm_complete (group->warp, event);
  if (sm->flows != NULL)
    wp_flow_arrived (&sm->flows[group->slot], sm->machine, sm->now);
}

/* Issues OP, dynamic instruction K of its warp; PIPELINE would have taken it from ACCEPT on. */
static void
issue_one (WpSm *sm, Group *group, const WpOp *op, uint64_t k, WpPipeline *pipeline, WpTick accept)
{
  uint32_t index = (uint32_t)(op - sm->ops);
  WpIssueEvent event = { .index = k, .instr = index, .accept = accept, .start = sm->now };

  event.served = sm->now;
  event.complete = -1;
  if (UNLIKELY (sm->host->observes_issues))
    {
      event.reason = WP_REASON_PAIR;
      event.producer = WP_NO_PRODUCER;
      event.producer_instr = WP_NO_INSTR;
      if (group->n == 0)
        wp_sm_find_cause (sm, group->warp, op, &event);
    }
  if (group->n == 0)
    wp_sm_note_issue (sm, group->warp, op, k, sm->now, accept);
  else
    wp_sm_note_follower (sm, group->warp, op);
  if (UNLIKELY (op->row == sm->machine->n_pipelines))
    {
      group->careful |= sm->now >= sm->safe;
      if (op->posted)
        arrive (sm, group, &event);
      else
        group->warp->barrier = k;
    }
  else if (!enter_pipeline (sm, group, op, pipeline, &event))
    return;
  if (UNLIKELY (op->mixed || sm->flows != NULL)) /* see wp-tally.h */
    sm->result->counts[index]++;
  group->warp->index++;
  if (sm->host->observes_issues)
    notify_issue (sm, group, &event);
  if (UNLIKELY (op->special) && sm->host->observes_passes)
    wp_sm_notify_passes (sm, &event);
  if (op->slots > group->slots)
    group->slots = op->slots;
}

/* MODEL.md, section 5, dual issue: whether the warp's next instruction may go out in the same
 * issue, behind those on ROWS. */
static bool
can_follow (const WpSm *sm, const Group *group, const uint32_t *rows)
{
  const WpMachine *m = sm->machine;
  const WpWarp *warp = group->warp;
  const WpOp *op = warp->op;

  if (group->n == m->dual_issue || op == NULL || sm->host->failed || op->row == m->n_pipelines
      || group->scheduler->accepts[op->row]->accept > sm->now)
    return false;
  if (!wp_sm_is_complete (warp, op, sm->now))
    return false;
  for (uint32_t i = 0; m->pipelines[op->row].pairing_never && i < group->n; i++)
    if (rows[i] == op->row)
      return false;
  return true;
}

static bool
stalls (const WpSm *sm, const WpOp *op)
{
  return sm->machine->instrs[op - sm->ops].cost->stall > 0;
}

/* Program order: OP, which takes random numbers, is the warp's next instruction. Moves it on, and
 * returns what issues: of a mix one of those that are one as written. */
static const WpOp *
prepare (WpSm *sm, WpWarp *warp, const WpOp *op)
{
  const WpOp *drawn = sm->drawn;

  if (sm->fast && drawn == NULL) /* which has not counted all */
    warp->index = wp_sm_find_index (sm, warp, op);
  wp_sm_step (sm, warp, op);
  if (drawn == NULL)
    return op->mixed ? wp_sm_take_context (sm, warp, op, warp->index) : op;
  sm->drawn = NULL;
  return drawn;
}

/* MODEL.md, section 5, dual issue: those that follow FIRST at once. Nothing follows an instruction
 * that stalls its warp. */
static void
issue_followers (WpSm *sm, Group *group, const WpOp *first)
{
  uint32_t rows[WP_MAX_GROUP];
  const WpOp *op = first;

  rows[0] = first->row;
  for (group->n = 1; !stalls (sm, op) && can_follow (sm, group, rows); group->n++)
    {
      op = group->warp->op;

      rows[group->n] = op->row;
      group->turn = op->turn;
      group->implied = sm->implies && wp_sm_is_implied (group->warp, op);
      if (UNLIKELY (op->random))
        op = prepare (sm, group->warp, op);
      else
        wp_sm_step (sm, group->warp, op);
      issue_one (sm, group, op, group->warp->index, group->scheduler->accepts[op->row], sm->now);
    }
  sm->n_followers += group->n - 1;
}

/* Program order: the warp has issued from ROW; what does it wait for now? */
static void
go_on_in_order (WpSm *sm, Group *group, uint32_t row)
{
  WpWarp *warp = group->warp;
  const WpOp *next = warp->op;

  if (UNLIKELY (next == NULL))
    {
      wp_scheduler_set_want (group->scheduler, warp->bit, row, false);
      wp_sm_drain (sm, warp);
      return;
    }
  if (next->row != row)
    {
      wp_scheduler_set_want (group->scheduler, warp->bit, row, false);
      wp_scheduler_set_want (group->scheduler, warp->bit, next->row, true);
    }
  wp_sm_find_ready (sm, warp, next, sm->now + sm->turns[group->turn], true, false);
  wp_sm_note (sm, group->scheduler, warp);
  if (!group->implied)
    wp_sm_add_wait (sm, warp, warp->since);
  wp_sm_wait_in_order (sm, group->scheduler, warp);
}

/* Program order: the warp's next instruction, and those that may follow it at once. */
static void
issue_in_order (WpSm *sm, Group *group)
{
  const WpMachine *m = sm->machine;
  WpWarp *warp = group->warp;
  const WpOp *op = warp->op;
  uint32_t row = op->row;
  WpPipeline *pipeline = group->scheduler->accepts[row];
  WpTick accept = pipeline->accept;

  group->turn = op->turn;
  group->implied = sm->implies && wp_sm_is_implied (warp, op);
  wp_sm_add_refusal (sm, warp, accept);
  if (UNLIKELY (op->random))
    op = prepare (sm, warp, op);
  else
    wp_sm_step (sm, warp, op);
  issue_one (sm, group, op, warp->index, pipeline, accept);
  if (UNLIKELY (m->dual_issue > 1) && row != m->n_pipelines)
    issue_followers (sm, group, op);
  warp->since = sm->now;
  if (UNLIKELY (row == m->n_pipelines))
    {
      if (!op->posted)
        wp_scheduler_set_want (group->scheduler, warp->bit, row, false);
      wp_sm_arrive (sm, warp, op);
      if (!op->posted)
        return;
    }
  if (!sm->host->failed)
    go_on_in_order (sm, group, row);
}

/* Dataflow order: the warp has issued OP; what does it wait for now? */
static void
go_on_in_flow (WpSm *sm, WpWarp *warp, const WpOp *op)
{
  WpFlow *flow = &sm->flows[wp_sm_get_slot (sm, warp)];
  WpScheduler *scheduler = &sm->schedulers[warp->scheduler];

  if (op->row == sm->machine->n_pipelines && !op->posted)
    {
      flow->barrier_ready = WP_TICK_LIMIT;
      wp_scheduler_set_want (scheduler, warp->bit, op->row, false);
      wp_sm_arrive (sm, warp, op);
      return;
    }
  if (op->row == sm->machine->n_pipelines)
    wp_sm_arrive (sm, warp, op);
  if (wp_sm_is_through (sm, warp))
    wp_scheduler_set_want (scheduler, warp->bit, op->row, false);
  wp_sm_go_on_in_flow (sm, warp);
}

/* Dataflow order: dynamic instruction K, which the warp has given away. */
static void
issue_from_flow (WpSm *sm, Group *group, uint32_t k)
{
  WpWarp *warp = group->warp;
  const WpOp *op = sm->ops + sm->flows[group->slot].unrolled->instrs[k];
  WpPipeline *pipeline = group->scheduler->accepts[op->row];
  WpTick accept = pipeline->accept;

  wp_sm_add_refusal (sm, warp, accept);
  if (UNLIKELY (op->mixed))
    op = wp_sm_take_context (sm, warp, op, k);
  issue_one (sm, group, op, k, pipeline, accept);
  warp->since = sm->now;
  group->turn = sm->flows[group->slot].turn = op->turn;
  if (!sm->host->failed)
    go_on_in_flow (sm, warp, op);
}

/* Later than anything that is safe: the times of the slot, one by one. What has overflowed ends the
 * loop. */
static void
check_slot (WpSm *sm, const Group *group)
{
  uint64_t block = sm->blocks[group->warp->block].id;

  if (!wp_sm_overflows (sm, group->scheduler->slot_end, "the end of an issue slot", block,
                        UINT32_MAX))
    wp_sm_overflows (sm, sm->now + sm->turns[group->turn], "a warp's earliest next issue", block,
                     UINT32_MAX);
  if (sm->host->failed)
    sm->limit = sm->now;
}

/* MODEL.md, section 5: the issue of an op with slots > 1 fills its slot and makes it last. */
static void
stretch_slot (WpSm *sm, Group *group)
{
  const WpMachine *m = sm->machine;
  WpScheduler *scheduler = group->scheduler;
  WpTick time
      = m->interval > WP_TICK_LIMIT / group->slots ? WP_TICK_LIMIT : m->interval * group->slots;

  scheduler->slot_room = 0;
  if (sm->now + time > scheduler->slot_end)
    scheduler->slot_end = sm->now + time;
  group->careful |= sm->now + time >= WP_TICK_LIMIT;
  sm->result->issues++;
  wp_sum_add_product (&sm->result->slot_time, (uint64_t)time, m->issue_limit);
}

/* MODEL.md, section 5: the issue that GROUP made opens a slot, or takes room in the current one. */
static void
use_slot (WpSm *sm, Group *group)
{
  const WpMachine *m = sm->machine;
  WpScheduler *scheduler = group->scheduler;

  if (sm->now >= scheduler->slot_end)
    {
      scheduler->slot_end = sm->now + m->interval;
      scheduler->slot_room = m->issue_limit;
    }
  scheduler->slot_room--;
  if (UNLIKELY (group->slots > 1))
    stretch_slot (sm, group);
  if (UNLIKELY (group->careful))
    check_slot (sm, group);
  scheduler->turn = scheduler->slot_room > 0 ? sm->now : scheduler->slot_end;
}

/* MODEL.md, section 5, can issue: puts into candidates the warps of SCHEDULER that are ready and
 * whose pipeline accepts now (section 8: of the active ones).
 * Returns the earliest time at which it may take a warp that has arrived. */
static WpTick
find_candidates (WpSm *sm, WpScheduler *scheduler)
{
  uint32_t n_words = scheduler->n_words;
  bool narrowed = sm->policy->update != NULL;
  WpTick soonest = WP_TICK_LIMIT;
  uint64_t any = 0;

  for (uint32_t word = 0; word < n_words; word++)
    scheduler->candidates[word] = 0;
  for (uint32_t row = 0; row <= sm->machine->n_pipelines; row++)
    {
      WpTick accept = scheduler->accepts[row]->accept;
      const uint64_t *want = scheduler->want + (size_t)row * n_words;
      uint64_t some = 0;

      for (uint32_t word = 0; word < n_words; word++)
        {
          uint64_t members = want[word] & scheduler->arrived[word];

          if (narrowed)
            members &= scheduler->eligible[word];
          some |= members;
          if (accept > sm->now)
            continue;
          any |= members;
          scheduler->candidates[word] |= members;
        }
      if (some != 0 && accept < soonest)
        soonest = accept;
    }
  return any != 0 ? sm->now : soonest;
}

/* The same where all are in a word. */
static WpTick
find_candidates_of_word (const WpSm *sm, WpScheduler *scheduler)
{
  uint64_t arrived = scheduler->arrived[0], candidates = 0;
  WpTick soonest = WP_TICK_LIMIT;

  if (sm->policy->update != NULL)
    arrived &= scheduler->eligible[0];
  for (uint32_t row = 0; arrived != 0 && row <= sm->machine->n_pipelines; row++)
    {
      uint64_t members = scheduler->want[row] & arrived;
      WpTick accept;

      if (members == 0)
        continue;
      accept = scheduler->accepts[row]->accept;
      candidates |= accept > sm->now ? 0 : members;
      soonest = accept < soonest ? accept : soonest;
    }
  scheduler->candidates[0] = candidates;
  return candidates != 0 ? sm->now : soonest;
}

/* The same where all are in a word, and only pipelines that may refuse a warp keep track of who
 * wants them. */
static WpTick
find_candidates_in_word (WpSm *sm, WpScheduler *scheduler)
{
  uint64_t candidates = scheduler->arrived[0];
  WpTick soonest = WP_TICK_LIMIT;

  for (uint32_t i = 0; i < sm->n_blocking; i++)
    {
      uint64_t members = scheduler->arrived[0] & scheduler->want[sm->blocking[i]];
      WpTick accept = scheduler->accepts[sm->blocking[i]]->accept;

      if (members == 0 || accept <= sm->now)
        continue;
      candidates &= ~members;
      soonest = accept < soonest ? accept : soonest;
    }
  scheduler->candidates[0] = candidates;
  return candidates != 0 ? sm->now : soonest;
}

/* The scheduler's next visit: no warp that has arrived can be taken before SOONEST. */
static void
find_retry (WpSm *sm, WpScheduler *scheduler, WpTick soonest)
{
  WpTick retry = sm->fast ? wp_wake_list_get_next_of (scheduler) : WP_TICK_LIMIT;

  retry = retry < soonest ? retry : soonest;
  if (retry < scheduler->turn)
    retry = scheduler->turn;
  if (scheduler->stale)
    retry = sm->now;
  wp_sm_set_retry (sm, scheduler->id, retry);
}

void
wp_sm_issue_from (WpSm *sm, WpScheduler *scheduler, uint32_t bit)
{
  uint32_t k = 0;

  if (sm->flows != NULL)
    k = wp_sm_choose_from_flow (sm, scheduler, scheduler->warps[bit]);
  wp_sm_issue_chosen (sm, scheduler, bit, k);
}

void
wp_sm_issue_chosen (WpSm *sm, WpScheduler *scheduler, uint32_t bit, uint32_t k)
{
  Group group = { .scheduler = scheduler, .warp = scheduler->warps[bit], .slots = 1 };

  group.slot = wp_sm_get_slot (sm, group.warp);
  scheduler->last_bit = bit;
  scheduler->last_gone = false;
  scheduler->last_slot = group.slot;
  scheduler->arrived[bit / 64] &= ~(UINT64_C (1) << bit % 64); /* unless it shows more at once */
  if (sm->flows != NULL)
    issue_from_flow (sm, &group, k);
  else
    issue_in_order (sm, &group);
  use_slot (sm, &group);
}

/* The policy has chosen none of SCHEDULER's: it is asked again when it said, or when a pipeline
 * opens for another warp that has arrived; else when something happens to a warp. */
static NOINLINE void
decline (WpSm *sm, WpScheduler *scheduler)
{
  WpTick next = scheduler->until;

  for (uint32_t row = 0; row <= sm->machine->n_pipelines; row++)
    for (uint32_t word = 0; word < scheduler->n_words; word++)
      {
        WpTick accept = scheduler->accepts[row]->accept;
        uint64_t want = scheduler->want[(size_t)row * scheduler->n_words + word];

        if ((want & scheduler->arrived[word]) != 0 && accept > sm->now && accept < next)
          next = accept;
      }
  find_retry (sm, scheduler, next);
}

/* What BIT's warp issues, and that it has. */
static NOINLINE void
issue_and_tell (WpSm *sm, WpScheduler *scheduler, uint32_t bit)
{
  const WpWarp *warp = scheduler->warps[bit];
  uint32_t instr = (uint32_t)(warp->op - sm->ops);
  uint64_t index = warp->index;

  wp_sm_issue_from (sm, scheduler, bit);
  if (!sm->host->failed)
    sm->policy->tell_issue (sm, scheduler, bit, instr, warp->index - index);
}

bool
wp_sm_visit (WpSm *sm, uint32_t id)
{
  WpScheduler *scheduler = &sm->schedulers[id];
  WpTick soonest;
  uint32_t bit;

  if (scheduler->stale)
    sm->policy->update (sm, scheduler);
  scheduler->stale = false;
  if (sm->fast)
    scheduler->arrived[0] |= wp_wake_list_take_of (scheduler, sm->now);
  if (sm->fast)
    soonest = find_candidates_in_word (sm, scheduler);
  else if (scheduler->n_words == 1)
    soonest = find_candidates_of_word (sm, scheduler);
  else
    soonest = find_candidates (sm, scheduler);
  if (soonest > sm->now || scheduler->turn > sm->now)
    {
      find_retry (sm, scheduler, soonest);
      return false;
    }
  bit = sm->policy->pick (sm, scheduler);
  if (UNLIKELY (bit == WP_NO_BIT))
    {
      decline (sm, scheduler);
      return false;
    }
  if (UNLIKELY (sm->now >= sm->gate) && wp_sm_meets (sm, scheduler->warps[bit]))
    {
      find_retry (sm, scheduler, sm->now);
      sm->stands = true;
      return false;
    }
  if (UNLIKELY (sm->policy->tell_issue != NULL))
    issue_and_tell (sm, scheduler, bit);
  else
    wp_sm_issue_from (sm, scheduler, bit);
  find_retry (sm, scheduler, wp_scheduler_has_arrived (scheduler) ? sm->now : WP_TICK_LIMIT);
  return true;
}

WpTick
wp_sm_issue (WpSm *sm, uint64_t *budget)
{
  WpTick time;
  uint32_t id;

  for (id = wp_sm_find_first (sm, &time); !sm->stands && *budget > 0 && time < sm->limit;
       id = wp_sm_find_first (sm, &time))
    {
      sm->now = time;
      if (!wp_sm_visit (sm, id))
        continue;
      sm->next_scheduler = wp_sm_get_scheduler_after (sm, id);
      sm->n_taken++;
      --*budget;
    }
  return time;
}
