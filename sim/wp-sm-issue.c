/* SPDX-License-Identifier: MIT */
/* Issue (MODEL.md, section 7, step 3): the visits to the schedulers, what goes out together, where it goes, and where
 * the warp's time went until then.
 *
 * Nearly all of a run's time is spent here, so that this is inline in a loop over times, and what runs
 * have that most do without (observers, more than 64 warps for a scheduler, policies with lists, contended memory,
 * dataflow order) is compiled away in a copy of that loop for the others: LEAN is a constant wherever it is passed.
 */
#include "sim/wp-device-private.h"
#include "sim/wp-sm-flow.h"
#include "sim/wp-sm-wait.h"

/* What one issue of a scheduler takes along: up to dual-issue instructions of a warp. */
typedef struct
{
  WpScheduler *scheduler;
  WpWarp *warp;
  uint32_t slot;
  uint32_t n;     /* instructions issued before the present one */
  uint32_t slots; /* the largest `slots` of them */
  bool careful;   /* times are so late that each must be looked at */
} Group;

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

/* MODEL.md, section 9: where the time since the last issue went. */
static INLINE void
account (WpSm *sm, WpWarp *warp, WpTick accept, const bool lean)
{
  WpTick waited = warp->ready - warp->since;
  WpTick from = warp->ready;

  wp_sum_add (&sm->waits[warp->wait], (uint64_t)waited);
  if (UNLIKELY (accept > from))
    {
      wp_sum_add (&sm->result->stalls[WP_STALL_PIPELINE], (uint64_t)(accept - from));
      from = accept;
    }
  wp_sum_add (&sm->result->stalls[WP_STALL_NOT_SELECTED], (uint64_t)(sm->now - from));
  if (lean)
    return;
  warp->stalls[get_cause (sm, warp)] += waited;
  warp->stalls[WP_STALL_PIPELINE] += from - warp->ready;
  warp->stalls[WP_STALL_NOT_SELECTED] += sm->now - from;
}

/* Contended memory: when an instruction that starts at START is served (MODEL.md, section 11). */
static WpTick
serve (WpSm *sm, const WpWarp *warp, WpPipeline *pipeline, const WpInstr *instr, uint64_t k,
       WpTick start)
{
  const WpPipelineDesc *desc = &sm->machine->pipelines[instr->pipeline];
  WpTick served = start;

  for (uint32_t j = 0; desc->channels > 0 && j < instr->transactions; j++)
    {
      uint64_t i = wp_draw (warp->draws, k, j) * (uint64_t)desc->channels >> 32;
      WpTick begin = pipeline->channels[i] > start ? pipeline->channels[i] : start;

      pipeline->channels[i] = begin + desc->channel_issue;
      if (wp_device_overflows (sm->device, pipeline->channels[i],
                               "the time at which a channel is free", sm->id,
                               sm->blocks[warp->block].id, (uint32_t)(instr - sm->machine->instrs)))
        return served;
      served = begin > served ? begin : served;
    }
  if (instr->spread != WP_NO_SPREAD)
    served += wp_draw_spread (&sm->machine->spreads[instr->spread],
                              wp_draw (warp->draws, k, WP_DRAW_SPREAD));
  return served;
}

static void
tell_issue (WpSm *sm, const Group *group, WpIssueEvent *event)
{
  const WpWarp *warp = group->warp;

  event->time = sm->now;
  event->sm = sm->id;
  event->scheduler = group->scheduler->id;
  event->slot = group->slot;
  event->block = sm->blocks[warp->block].id;
  event->warp = warp->warp;
  event->follows = group->n > 0;
  event->ready = group->n > 0 ? sm->now : warp->ready;
  wp_device_tell_issue (sm->device, event);
}

/* Whether a time that follows from EVENT would be too late: it was accepted by PIPELINE, and its results count from BASE. */
static bool
overflows (const WpSm *sm, const Group *group, const WpPipeline *pipeline,
           const WpIssueEvent *event, WpTick base)
{
  const WpInstr *instr = &sm->machine->instrs[event->instr];
  uint64_t block = sm->blocks[group->warp->block].id;

  return wp_device_overflows (sm->device, pipeline->free_at, "the time at which a pipeline is free",
                              sm->id, block, event->instr)
         || wp_device_overflows (sm->device, base, "a completion", sm->id, block, event->instr)
         || wp_device_overflows (sm->device, base + instr->reach, "a completion", sm->id, block,
                                 event->instr);
}

/* The instruction starts in its pipeline; sets start, served and complete of EVENT. False: a time overflowed. */
static INLINE bool
enter_pipeline (WpSm *sm, Group *group, const WpOp *op, WpPipeline *pipeline, WpIssueEvent *event,
                const bool lean)
{
  WpWarp *warp = group->warp;
  WpTick base;

  event->start = event->served = wp_pipeline_accept (pipeline, sm->now, op->issue);
  if (!lean && sm->machine->contended)
    {
      group->careful = true;
      if (wp_device_overflows (sm->device, pipeline->free_at,
                               "the time at which a pipeline is free", sm->id,
                               sm->blocks[warp->block].id, event->instr))
        return false;
      event->served = serve (sm, warp, pipeline, &sm->machine->instrs[event->instr], event->index,
                             event->start);
    }
  base = op->posted ? sm->now : event->served;
  if (UNLIKELY (event->start >= sm->safe))
    {
      group->careful = true;
      if (overflows (sm, group, pipeline, event, base))
        return false;
    }
  warp->values[op->value] = base;
  if (!lean && sm->flows != NULL)
    wp_flow_issued (&sm->flows[group->slot], sm->machine, (uint32_t)event->index, base, sm->now);
  event->complete = base + op->completion;
  if (event->complete > warp->end)
    {
      warp->end = event->complete;
      if (!lean)
        warp->end_pipeline = op->row;
    }
  return true;
}

/* Issues OP, dynamic instruction K of its warp; PIPELINE would have taken it from ACCEPT on. */
static INLINE void
issue_one (WpSm *sm, Group *group, const WpOp *op, uint64_t k, WpPipeline *pipeline, WpTick accept,
           const bool lean)
{
  uint32_t index = (uint32_t)(op - sm->ops);
  WpIssueEvent event = { .index = k, .instr = index, .accept = accept, .start = sm->now };

  event.served = sm->now;
  event.complete = -1;
  if (UNLIKELY (op->row == sm->machine->n_pipelines))
    group->careful |= sm->now >= sm->safe;
  else if (!enter_pipeline (sm, group, op, pipeline, &event, lean))
    return;
  sm->result->counts[index]++;
  group->warp->index++;
  if (!lean && sm->device->n_observers > 0)
    tell_issue (sm, group, &event);
  if (op->slots > group->slots)
    group->slots = op->slots;
}

/* Whether the warp's next instruction may go out in the same issue, behind those on ROWS (MODEL.md, section 5, dual
 * issue). */
static bool
can_follow (const WpSm *sm, const Group *group, const uint32_t *rows)
{
  const WpMachine *m = sm->machine;
  const WpWarp *warp = group->warp;
  const WpOp *op = warp->op;

  if (group->n == m->dual_issue || op == NULL || sm->device->failed || op->row == m->n_pipelines
      || group->scheduler->accepts[op->row]->accept > sm->now)
    return false;
  for (uint32_t i = 0; i < op->n_deps; i++)
    if (warp->values[op->deps[i].value] + op->deps[i].latency > sm->now)
      return false;
  for (uint32_t i = 0; m->pipelines[op->row].pairing_never && i < group->n; i++)
    if (rows[i] == op->row)
      return false;
  return true;
}

/* Those that follow the first, on ROW, at once. */
static void
issue_followers (WpSm *sm, Group *group, uint32_t row)
{
  uint32_t rows[WP_MAX_GROUP];

  rows[0] = row;
  for (group->n = 1; can_follow (sm, group, rows); group->n++)
    {
      const WpOp *op = group->warp->op;

      rows[group->n] = op->row;
      wp_sm_step (sm, group->warp, op);
      issue_one (sm, group, op, group->warp->index, group->scheduler->accepts[op->row], sm->now,
                 sm->lean);
    }
}

/* Program order: the warp has issued from ROW; what does it wait for now? */
static INLINE void
go_on_in_order (WpSm *sm, Group *group, uint32_t row, const bool lean)
{
  WpWarp *warp = group->warp;
  const WpOp *next = warp->op;

  if (UNLIKELY (next == NULL))
    {
      wp_scheduler_set_want (group->scheduler, warp->bit, row, false);
      warp->state = WP_WARP_DRAINING;
      wp_sm_end_at (sm, warp, warp->end);
      return;
    }
  if (next->row != row)
    {
      wp_scheduler_set_want (group->scheduler, warp->bit, row, false);
      wp_scheduler_set_want (group->scheduler, warp->bit, next->row, true);
    }
  wp_sm_find_ready (sm, warp, next, sm->now + sm->machine->ilp_latency, lean);
  wp_sm_wait_in_order (sm, group->scheduler, warp, lean);
}

/* Program order: the warp's next instruction, and those that may follow it at once. */
static INLINE void
issue_in_order (WpSm *sm, Group *group, const bool lean)
{
  const WpMachine *m = sm->machine;
  WpWarp *warp = group->warp;
  const WpOp *op = warp->op;
  uint32_t row = op->row;
  WpPipeline *pipeline = group->scheduler->accepts[row];
  WpTick accept = pipeline->accept;

  account (sm, warp, accept, lean);
  wp_sm_step (sm, warp, op);
  issue_one (sm, group, op, warp->index, pipeline, accept, lean);
  if (UNLIKELY (m->dual_issue > 1) && row != m->n_pipelines)
    issue_followers (sm, group, row);
  warp->since = sm->now;
  if (!lean)
    wp_sm_touch (sm, group->scheduler);
  if (UNLIKELY (row == m->n_pipelines))
    {
      wp_scheduler_set_want (group->scheduler, warp->bit, row, false);
      wp_sm_arrive (sm, warp);
    }
  else if (lean || !sm->device->failed)
    go_on_in_order (sm, group, row, lean);
}

/* Dataflow order: the earliest instruction that the warp has for a pipeline that accepts it. */
static void
issue_from_flow (WpSm *sm, Group *group)
{
  WpWarp *warp = group->warp;
  uint32_t k = wp_sm_choose_from_flow (sm, group->scheduler, warp);
  const WpOp *op = sm->ops + sm->flows[group->slot].unrolled->instrs[k];
  WpPipeline *pipeline = group->scheduler->accepts[op->row];
  WpTick accept = pipeline->accept;

  account (sm, warp, accept, false);
  issue_one (sm, group, op, k, pipeline, accept, false);
  warp->since = sm->now;
  warp->released = 0;
  if (!sm->device->failed)
    wp_sm_go_on_from_flow (sm, warp, op);
}

/* Later than anything that is safe: the times of the slot, one by one. What has overflowed ends the loop. */
static void
check_slot (WpSm *sm, const Group *group)
{
  uint64_t block = sm->blocks[group->warp->block].id;

  if (!wp_device_overflows (sm->device, group->scheduler->slot_end, "the end of an issue slot",
                            sm->id, block, UINT32_MAX))
    wp_device_overflows (sm->device, sm->now + sm->machine->ilp_latency,
                         "a warp's earliest next issue", sm->id, block, UINT32_MAX);
  if (sm->device->failed)
    sm->limit = sm->now;
}

/* The issue of an op with slots > 1 fills its slot and makes it last. */
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
  sm->n_issues--;
  sm->result->issues++;
  wp_sum_add_product (&sm->result->slot_time, (uint64_t)time, m->issue_limit);
}

/* The issue that GROUP made takes room in the scheduler's slot. */
static INLINE void
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
  sm->n_issues++;
  if (UNLIKELY (group->slots > 1))
    stretch_slot (sm, group);
  if (UNLIKELY (group->careful))
    check_slot (sm, group);
  scheduler->turn = scheduler->slot_room > 0 ? sm->now : scheduler->slot_end;
}

/* Puts into candidates the warps of SCHEDULER that have arrived and whose pipeline accepts now. Returns the earliest time
 * at which it may take a warp that has arrived. */
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

/* The same where all are in a word: most pipelines cannot refuse (WpSm.blocking). */
static INLINE WpTick
find_candidates_in_word (WpSm *sm, WpScheduler *scheduler)
{
  uint64_t candidates = scheduler->arrived[0];

  for (uint32_t i = 0; i < sm->n_blocking; i++)
    if (scheduler->accepts[sm->blocking[i]]->accept > sm->now)
      candidates &= ~scheduler->want[sm->blocking[i]];
  scheduler->candidates[0] = candidates;
  return candidates != 0 ? sm->now : find_candidates (sm, scheduler);
}

/* Moves those of the short list that are ready among the arrived. */
static INLINE void
take_near (WpScheduler *scheduler, WpTick now)
{
  uint32_t first = scheduler->near_first;
  uint64_t key = (uint64_t)(now + 1) << 6; /* of later ones */

  for (; first != scheduler->near_end && scheduler->near[first % 64] < key; first++)
    scheduler->arrived[0] |= UINT64_C (1) << scheduler->near[first % 64] % 64;
  scheduler->near_first = first;
}

/* When the first of the short list is ready, or WP_TICK_LIMIT. */
static INLINE WpTick
get_near (const WpScheduler *scheduler)
{
  return scheduler->near_first == scheduler->near_end
             ? WP_TICK_LIMIT
             : (WpTick)(scheduler->near[scheduler->near_first % 64] >> 6);
}

/* The scheduler's next visit: no warp that has arrived can be taken before SOONEST. */
static INLINE void
find_retry (WpSm *sm, WpScheduler *scheduler, WpTick soonest, const bool lean)
{
  WpTick near = lean ? get_near (scheduler) : WP_TICK_LIMIT;
  WpTick retry = near < soonest ? near : soonest;

  if (retry < scheduler->turn)
    retry = scheduler->turn;
  if (!lean && scheduler->stale)
    retry = sm->now;
  wp_sm_set_retry (sm, scheduler->id, retry);
}

static INLINE bool
has_arrived (const WpScheduler *scheduler, const bool lean)
{
  uint64_t any = scheduler->arrived[0];

  for (uint32_t word = 1; !lean && word < scheduler->n_words; word++)
    any |= scheduler->arrived[word];
  return any != 0;
}

/* One visit: whether it issues. */
static INLINE bool
visit (WpSm *sm, uint32_t id, const bool lean)
{
  WpScheduler *scheduler = &sm->schedulers[id];
  Group group;
  WpTick soonest;

  if (lean)
    take_near (scheduler, sm->now);
  if (!lean && scheduler->stale)
    sm->policy->update (sm, scheduler);
  if (!lean)
    scheduler->stale = false;
  soonest = lean ? find_candidates_in_word (sm, scheduler) : find_candidates (sm, scheduler);
  if (soonest > sm->now || scheduler->turn > sm->now)
    {
      find_retry (sm, scheduler, soonest, lean);
      return false;
    }
  scheduler->last_bit = sm->policy->pick (sm, scheduler);
  scheduler->last_gone = false;
  group.scheduler = scheduler;
  group.warp = scheduler->warps[scheduler->last_bit];
  group.slot = scheduler->last_slot = wp_sm_get_slot (sm, group.warp);
  group.n = 0;
  group.slots = 1;
  group.careful = false;
  if (!lean && sm->flows != NULL)
    issue_from_flow (sm, &group);
  else
    {
      scheduler->arrived[lean ? 0 : scheduler->last_bit / 64]
          &= ~(UINT64_C (1) << scheduler->last_bit % 64);
      issue_in_order (sm, &group, lean);
    }
  use_slot (sm, &group);
  find_retry (sm, scheduler, has_arrived (scheduler, lean) ? sm->now : WP_TICK_LIMIT, lean);
  return true;
}

/* The scheduler that can be visited first, the first in rotation of those; *TIME: when. */
static INLINE uint32_t
find_first (const WpSm *sm, WpTick *time)
{
  uint32_t n = sm->machine->n_schedulers;
  const WpTick *retry = sm->retry + sm->next_scheduler;
  WpTick best = retry[0];
  uint32_t first = 0;

  for (uint32_t i = 1; i < n; i++)
    if (retry[i] < best)
      {
        best = retry[i];
        first = i;
      }
  *time = best;
  first += sm->next_scheduler;
  return first >= n ? first - n : first;
}

static INLINE WpTick
issue_all (WpSm *sm, uint64_t *budget, const bool lean)
{
  uint64_t left = *budget;
  WpTick time;
  uint32_t id;

  for (id = find_first (sm, &time); left > 0 && time < sm->limit; id = find_first (sm, &time))
    {
      sm->now = time;
      if (!visit (sm, id, lean))
        continue;
      sm->next_scheduler = id + 1 == sm->machine->n_schedulers ? 0 : id + 1;
      left--;
    }
  *budget = left;
  return time;
}

WpTick
wp_sm_issue (WpSm *sm, uint64_t *budget)
{
  return sm->lean ? issue_all (sm, budget, true) : issue_all (sm, budget, false);
}
