/* SPDX-License-Identifier: MIT */
/* One walk serves to take, compare, subtract and move, so that none of them can forget a field.
 * What tells two states apart soonest comes first. Left out is what follows from the rest: the
 * warps in the wake list and among the arrived (program order), retries, what is due next;
 * and what nobody will read again, as an empty slot's warp. Places in blocks[] and bits by age are
 * names that nothing depends on: blocks go by the slots of their warps, bits by their order.
 */
#include "sim/engine/steady/wp-snapshot.h"

#include "sim/engine/core/wp-device-core.h"
#include "sim/engine/core/wp-sm-cause.h"
#include "sim/engine/core/wp-wake-list.h"

#include <string.h>

/* A number that must be the same. */
static bool
walk_same (WpWalk *w, uint64_t x)
{
  int64_t *was = w->word++;

  if (w->mode == WP_SNAPSHOT_COMPARE)
    return *was == (int64_t)x;
  if (w->mode == WP_SNAPSHOT_TAKE)
    *was = (int64_t)x;
  return true;
}

/* A time, which counts with at most LATENCY after it. */
static bool
walk_time (WpWalk *w, WpTick *x, WpTick latency)
{
  int64_t *was = w->word++;

  switch (w->mode)
    {
    case WP_SNAPSHOT_TAKE:
      *was = *x;
      break;
    case WP_SNAPSHOT_COMPARE:
      w->latest = *x > w->latest ? *x : w->latest;
      return *x == *was + (w->now - w->then) || (*x == *was && *was + latency <= w->then);
    case WP_SNAPSHOT_SUBTRACT:
      *was = *x - *was;
      break;
    case WP_SNAPSHOT_MOVE:
      *x += *was * (int64_t)w->times;
      break;
    }
  return true;
}

/* A number that may grow by any amount; returns by how much it has grown, of COMPARE and SUBTRACT.
 */
static uint64_t
walk_count (WpWalk *w, uint64_t *x)
{
  int64_t *was = w->word++;
  uint64_t growth = *x - (uint64_t)*was;

  switch (w->mode)
    {
    case WP_SNAPSHOT_COMPARE:
      return growth;
    case WP_SNAPSHOT_SUBTRACT:
      *was = (int64_t)growth;
      return growth;
    case WP_SNAPSHOT_TAKE:
      *was = (int64_t)*x;
      break;
    case WP_SNAPSHOT_MOVE:
      *x += (uint64_t)*was * w->times;
      break;
    }
  return 0;
}

/* A number that may grow if WHETHER. */
static bool
walk_growth (WpWalk *w, uint64_t *x, bool whether)
{
  return walk_count (w, x) == 0 || whether;
}

/* A name, of which STEP new ones are given away in a period. *STAYS, of COMPARE and SUBTRACT: it is
 * the same. */
static bool
walk_name (WpWalk *w, uint64_t *x, uint64_t step, bool *stays)
{
  uint64_t growth = walk_count (w, x);

  *stays = growth == 0;
  return w->mode != WP_SNAPSHOT_COMPARE || growth == step || growth == 0;
}

static void
walk_sum (WpWalk *w, WpSum *x)
{
  WpSum was = { (uint64_t)w->word[0], (uint64_t)w->word[1] };

  if (w->mode == WP_SNAPSHOT_MOVE)
    wp_sum_add_times (x, was, w->times);
  if (w->mode == WP_SNAPSHOT_TAKE)
    was = *x;
  if (w->mode == WP_SNAPSHOT_SUBTRACT)
    was = wp_sum_subtract (*x, was);
  w->word[0] = (int64_t)was.hi;
  w->word[1] = (int64_t)was.lo;
  w->word += 2;
}

/* N of them, which nothing depends on. */
static void
walk_sums (WpWalk *w, WpSum *sums, size_t n)
{
  w->n_free += 2 * (uint64_t)n;
  if (w->mode == WP_SNAPSHOT_COMPARE)
    w->word += 2 * n;
  for (size_t i = 0; w->mode != WP_SNAPSHOT_COMPARE && i < n; i++)
    walk_sum (w, &sums[i]);
}

/* N numbers that must be the same, two in a word. */
static bool
walk_list (WpWalk *w, const uint32_t *x, uint32_t n)
{
  int64_t *was = w->word;

  w->word += (n + (size_t)1) / 2;
  if (w->mode == WP_SNAPSHOT_COMPARE)
    return memcmp (was, x, n * sizeof *x) == 0;
  if (w->mode == WP_SNAPSHOT_TAKE)
    memcpy (was, x, n * sizeof *x);
  return true;
}

/* The counters of the repeats in which a warp is. Of a warp that STAYS, that of one open repeat may
 * fall, if no other changes: then the warp has not left that repeat, nor any around it, and each
 * further period goes round as often. */
static bool
walk_counters (WpWalk *w, WpWarp *warp, bool stays)
{
  uint32_t depth = (uint32_t)(warp->counter - warp->counters), n_falling = 0;

  w->falling = 0;
  if (!walk_same (w, depth))
    return false;
  for (uint32_t i = 1; i <= depth; i++)
    {
      int64_t *was = w->word++, x = warp->counters[i];

      if (w->mode == WP_SNAPSHOT_TAKE)
        *was = x;
      else if (w->mode == WP_SNAPSHOT_SUBTRACT)
        *was = x - *was;
      else if (w->mode == WP_SNAPSHOT_MOVE)
        warp->counters[i] = (uint32_t)(x + *was * (int64_t)w->times);
      else if (x != *was)
        {
          uint64_t most = x < *was ? (uint64_t)(x - 1) / (uint64_t)(*was - x) : 0;

          w->most = most < w->most ? most : w->most;
          w->falling = i;
          if (!stays || ++n_falling > 1 || most < w->least)
            return false;
        }
    }
  return true;
}

/* Program order, where somebody listens to issues, or waits are noted: what the warp's next issue
 * waits for. That is its reason and its producer as written; which instance of that,
 * walk_writers() has. */
static bool
walk_cause (WpWalk *w, const WpSm *sm, const WpWarp *warp)
{
  WpIssueEvent event = { .index = warp->index };

  if (!sm->host->observes_issues && sm->waited == NULL)
    return true;
  w->n_free++;
  wp_sm_find_cause (sm, warp, warp->op, &event);
  return walk_same (w, (uint64_t)event.reason << 32 | event.producer_instr);
}

/* Where waits are noted: at which instruction a warp drains. */
static bool
walk_last (WpWalk *w, const WpSm *sm, const WpWarp *warp)
{
  if (sm->waited == NULL || warp->state != WP_WARP_DRAINING)
    return true;
  w->n_free++;
  return walk_same (w, warp->last);
}

/* Program order: where the warp is, and what it waits for if it runs. */
static bool
walk_next (WpWalk *w, const WpSm *sm, WpWarp *warp)
{
  if (warp->state == WP_WARP_DRAINING)
    return true;
  if (!walk_same (w, warp->op == NULL ? UINT64_MAX : (uint64_t)(warp->op - sm->ops)))
    return false;
  return warp->state != WP_WARP_RUNNING
         || (walk_time (w, &warp->ready, 0) && walk_same (w, warp->wait) && walk_cause (w, sm, warp)
             && (sm->policy->update == NULL || walk_time (w, &warp->memory_ready, 0)));
}

/* Where the repeat at DEPTH begins in which WARP is. */
static uint32_t
find_repeat (const WpWarp *warp, uint32_t depth)
{
  uint32_t pc = warp->op->after - 1;

  for (uint32_t d = (uint32_t)(warp->counter - warp->counters) + 1; d > depth;)
    if (warp->code[--pc].kind == WP_CODE_END)
      pc = warp->code[pc].arg;
    else if (warp->code[pc].kind == WP_CODE_REPEAT)
      d--;
  return pc;
}

/* Whether VALUE, or what it is moved to as its producer issues again, is what DEP reads. */
static bool
may_read (const WpSm *sm, const WpDep *dep, uint32_t value)
{
  return sm->machine->instrs[dep->producer].value <= value && value <= dep->value;
}

/* For how long VALUE counts for WARP, which goes round the repeat at DEPTH and does not leave it:
 * the longest latency of a dependence on it from there. */
static WpTick
find_reach (const WpSm *sm, const WpWarp *warp, uint32_t depth, uint32_t value)
{
  uint32_t begin = find_repeat (warp, depth);
  WpTick reach = 0;

  for (uint32_t pc = begin; pc < warp->code[begin].arg; pc++)
    if (warp->code[pc].kind == WP_CODE_INSTRUCTION)
      {
        const WpOp *op = sm->ops + warp->code[pc].arg;

        for (uint32_t d = 0; d < op->n_deps; d++)
          if (may_read (sm, &op->deps[d], value) && op->deps[d].latency > reach)
            reach = op->deps[d].latency;
      }
  return reach;
}

static bool
walk_values (WpWalk *w, const WpSm *sm, WpWarp *warp)
{
  uint32_t n = sm->machine->programs[warp->program].n_values;

  for (uint32_t i = 0; i < n; i++)
    if (!walk_time (w, &warp->values[i], w->longest)
        && !(sm->host->plan->eager && w->falling > 0 && w->word[-1] == warp->values[i]
             && warp->values[i] + find_reach (sm, warp, w->falling, i) <= w->then))
      return false;
  return true;
}

/* Where somebody observes: nothing but what a warp's end tells depends on them. */
static bool
walk_stalls (WpWalk *w, WpWarp *warp, bool stays)
{
  for (int i = 0; i < WP_N_STALLS; i++)
    {
      uint64_t stall = (uint64_t)warp->stalls[i];

      if (!walk_growth (w, &stall, stays))
        return false;
      warp->stalls[i] = (WpTick)stall;
    }
  return true;
}

/* The number of a dynamic instruction of a warp that has issued N_ISSUED since: it moves as the
 * warp does, or does not move. */
static bool
walk_index (WpWalk *w, uint64_t *x, uint64_t n_issued)
{
  uint64_t growth = walk_count (w, x);

  return w->mode != WP_SNAPSHOT_COMPARE || growth == n_issued || growth == 0;
}

/* Where somebody listens to issues: which instructions the warp's next ones may have waited for. */
static bool
walk_writers (WpWalk *w, const WpSm *sm, WpWarp *warp, uint64_t n_issued)
{
  uint32_t n = warp->writers == NULL ? 0 : sm->machine->programs[warp->program].n_values;

  for (uint32_t i = 0; i < n; i++)
    if (!walk_index (w, &warp->writers[i], n_issued))
      return false;
  return walk_index (w, &warp->previous, n_issued) && walk_index (w, &warp->barrier, n_issued);
}

/* Where somebody observes: what its events say and nothing else depends on. */
static bool
walk_observed (WpWalk *w, const WpSm *sm, WpWarp *warp, bool stays, uint64_t n_issued)
{
  const int64_t *begin;
  bool alike;

  if (sm->keeps_stalls && !walk_stalls (w, warp, stays))
    return false;
  if (!sm->host->observes_details)
    return true;
  begin = w->word;
  alike = walk_index (w, &warp->end_index, n_issued) && walk_same (w, warp->end_instr)
          && (!sm->host->observes_issues || walk_writers (w, sm, warp, n_issued));
  w->n_free += (uint64_t)(w->word - begin);
  return alike;
}

/* Dataflow order: what is known of the warp's arrives. */
static bool
walk_arrives (WpWalk *w, WpFlow *flow)
{
  WpTick ready = flow->arrive_ready == WP_TICK_LIMIT ? WP_NEVER : flow->arrive_ready;

  if (flow->complete == NULL)
    return true;
  if (!walk_same (w, flow->arrive) || !walk_same (w, flow->n_before)
      || !walk_same (w, flow->arrive_producer) || !walk_same (w, flow->n_issued)
      || !walk_time (w, &ready, 0) || !walk_list (w, flow->issued, flow->unrolled->n))
    return false;
  if (ready != WP_NEVER)
    flow->arrive_ready = ready;
  for (uint32_t k = 0; k < flow->unrolled->n; k++)
    if (!walk_time (w, &flow->complete[k], 0))
      return false;
  return true;
}

/* Dataflow order: what is known of a warp's instructions. */
static bool
walk_flow (WpWalk *w, const WpSm *sm, WpFlow *flow)
{
  uint32_t n = flow->unrolled->n, n_pipelines = sm->machine->n_pipelines;
  WpTick barrier_ready = flow->barrier_ready == WP_TICK_LIMIT ? WP_NEVER : flow->barrier_ready;

  if (!walk_same (w, flow->n_left) || !walk_same (w, flow->stretch_end)
      || !walk_same (w, flow->n_timed) || !walk_time (w, &barrier_ready, 0)
      || !walk_list (w, flow->n_available, n_pipelines)
      || !walk_list (w, flow->timed, flow->n_timed) || !walk_list (w, flow->n_waiting, n)
      || !walk_list (w, flow->producer, n))
    return false;
  if (barrier_ready != WP_NEVER)
    flow->barrier_ready = barrier_ready;
  for (uint32_t p = 0; p < n_pipelines; p++)
    if (!walk_list (w, flow->available + flow->unrolled->pipeline_first[p], flow->n_available[p]))
      return false;
  for (uint32_t k = 0; k < n; k++)
    if (!walk_time (w, &flow->ready[k], 0))
      return false;
  return walk_arrives (w, flow);
}

/* Dataflow order: what the warp shows its scheduler. */
static bool
walk_offers (WpWalk *w, const WpSm *sm, const WpWarp *warp)
{
  const WpScheduler *scheduler = &sm->schedulers[warp->scheduler];
  uint32_t word = warp->bit / 64, bit = warp->bit % 64;

  if (sm->many) /* follows from what it has */
    return true;
  if (!walk_same (w, scheduler->arrived[word] >> bit & 1))
    return false;
  for (uint32_t row = 0; row <= sm->machine->n_pipelines; row++)
    if (!walk_same (w, scheduler->want[(size_t)row * scheduler->n_words + word] >> bit & 1))
      return false;
  return true;
}

/* Barriers with names: where a warp that is held is held, and until when. */
static bool
walk_held (WpWalk *w, const WpSm *sm, WpWarp *warp)
{
  bool held = sm->machine->n_barriers > 0 && warp->state == WP_WARP_HELD;
  WpTick release = warp->release == WP_TICK_LIMIT ? WP_NEVER : warp->release;

  if (!held)
    return true;
  if (!walk_same (w, warp->held_at) || !walk_time (w, &release, 0))
    return false;
  if (release != WP_NEVER)
    warp->release = release;
  return true;
}

/* Barriers with names: who has come to them. */
static bool
walk_barriers (WpWalk *w, const WpSm *sm, WpBlock *block)
{
  const WpMachine *m = sm->machine;
  uint64_t n_ahead = (uint64_t)m->n_barriers * m->warps_per_block;

  for (uint32_t i = 0; i < m->n_barriers; i++)
    if (!walk_same (w, block->n_come[i]) || !walk_time (w, &block->latest[i], 0))
      return false;
  for (uint64_t i = 0; i < n_ahead; i++)
    if (!walk_same (w, block->ahead[i]))
      return false;
  return true;
}

static bool
walk_warp (WpWalk *w, WpSm *sm, WpWarp *warp, uint64_t n_aged, WpSteps *steps)
{
  bool flows = sm->flows != NULL, stays;
  uint64_t n_issued;

  if (steps != NULL)
    *steps = (WpSteps){ false, 0 };
  if (!walk_same (w, warp->state))
    return false;
  if (warp->state == WP_WARP_FREE)
    return true;
  if (!walk_same (w, (uint64_t)warp->program << 32 | warp->warp) || !walk_last (w, sm, warp)
      || (!flows && !walk_next (w, sm, warp)) || !walk_name (w, &warp->age, n_aged, &stays)
      || (!flows && !walk_counters (w, warp, stays)) || !walk_time (w, &warp->since, 0)
      || !walk_time (w, &warp->start, 0) || !walk_time (w, &warp->end, 0)
      || !walk_time (w, &warp->released, 0) || !walk_same (w, warp->ends_at_release)
      || !walk_held (w, sm, warp) || (!flows && !walk_values (w, sm, warp))
      || (flows && !walk_same (w, warp->end_index))
      || (flows && !walk_flow (w, sm, &sm->flows[wp_sm_get_slot (sm, warp)]))
      || (flows && !walk_offers (w, sm, warp)))
    return false;
  n_issued = walk_count (w, &warp->index);
  if (steps != NULL)
    *steps = (WpSteps){ stays, n_issued };
  return (n_issued == 0 || (stays && !flows)) && walk_observed (w, sm, warp, stays, n_issued);
}

/* Dataflow order: when something changes for the warp by itself. */
static bool
walk_wake (WpWalk *w, WpSm *sm, const WpWarp *warp)
{
  bool wakes = warp->state == WP_WARP_RUNNING && wp_wake_list_has (sm, warp);

  return walk_same (w, wakes) && (!wakes || walk_time (w, wp_wake_list_get_time (sm, warp), 0));
}

static bool
walk_block (WpWalk *w, const WpSm *sm, WpBlock *block, uint64_t n_launched, WpSteps *steps)
{
  uint64_t barrier = block->barrier;
  bool stays;

  if (!walk_name (w, &block->id, w->blocks, &stays)
      || !walk_name (w, &block->order, n_launched, &stays) || !walk_same (w, block->n_live)
      || !walk_same (w, block->n_arrived)
      || !walk_list (w, block->slots, sm->machine->warps_per_block)
      || !walk_barriers (w, sm, block))
    return false;
  if (steps != NULL)
    *steps = (WpSteps){ stays, barrier - (uint64_t)*w->word };
  return walk_growth (w, &block->barrier, stays);
}

/* All slots, and the blocks of those whose first warp has its slot there. */
static bool
walk_slots (WpWalk *w, WpSm *sm, uint64_t n_launched, uint64_t n_aged)
{
  WpSteps *steps = w->steps == NULL ? NULL : w->steps + (size_t)sm->id * wp_snapshot_n_steps (sm);

  for (uint32_t slot = 0; slot < sm->n_slots; slot++)
    {
      WpWarp *warp = &sm->warps[slot];

      if (!walk_same (w, sm->taken[slot])
          || (sm->flows != NULL && !sm->many && !walk_wake (w, sm, warp)))
        return false;
      if (sm->taken[slot]
          && (!walk_warp (w, sm, warp, n_aged, steps == NULL ? NULL : &steps[slot])
              || !walk_same (w, warp->warp)
              || (warp->warp == 0
                  && !walk_block (w, sm, &sm->blocks[warp->block], n_launched,
                                  steps == NULL ? NULL : &steps[sm->n_slots + warp->block]))))
        return false;
    }
  return true;
}

/* The current issue slot, if it lasts: what has ended decides nothing. */
static bool
walk_issue_slot (WpWalk *w, WpScheduler *scheduler)
{
  bool lasts = scheduler->slot_end > w->now;
  WpTick end = lasts ? scheduler->slot_end : WP_NEVER;

  if (!walk_time (w, &end, 0) || !walk_same (w, lasts ? scheduler->slot_room : 0))
    return false;
  if (w->mode == WP_SNAPSHOT_MOVE && lasts)
    {
      scheduler->turn += end - scheduler->slot_end;
      scheduler->slot_end = end;
    }
  return true;
}

/* By age: the warps in that order. */
static bool
walk_ages (WpWalk *w, const WpSm *sm, const WpScheduler *scheduler)
{
  bool gone = scheduler->last_gone;

  if (!walk_same (w, gone)
      || !walk_same (w, gone ? UINT64_MAX
                             : wp_sm_get_slot (sm, scheduler->warps[scheduler->last_bit])))
    return false;
  for (uint32_t word = 0; word < scheduler->n_words; word++)
    for (uint64_t rest = scheduler->live[word]; rest != 0; rest &= rest - 1)
      if (!walk_same (w, wp_sm_get_slot (sm, scheduler->warps[word * 64 + wp_lowest_bit (rest)])))
        return false;
  return true;
}

/* A policy from outside that says what it remembers: that, and until when it wants nobody. */
static bool
walk_outside (WpWalk *w, const WpSm *sm, WpScheduler *scheduler)
{
  bool waits = scheduler->until > w->now && scheduler->until < WP_TICK_LIMIT;
  WpTick until = waits ? scheduler->until : WP_NEVER;
  uint64_t words[WP_DIGEST_WORDS] = { 0 };
  size_t n = 0;

  if (!walk_time (w, &until, 0))
    return false;
  if (w->mode == WP_SNAPSHOT_MOVE && waits)
    scheduler->until = until;
  if (w->mode == WP_SNAPSHOT_TAKE || w->mode == WP_SNAPSHOT_COMPARE)
    n = sm->policy->digest (scheduler, words, WP_DIGEST_WORDS);
  if (!walk_same (w, n) || (w->mode == WP_SNAPSHOT_COMPARE && n > WP_DIGEST_WORDS))
    return false;
  for (uint32_t i = 0; i < WP_DIGEST_WORDS; i++)
    if (!walk_same (w, i < n ? words[i] : 0))
      return false;
  return true;
}

static bool
walk_scheduler (WpWalk *w, const WpSm *sm, WpScheduler *scheduler)
{
  if (!walk_issue_slot (w, scheduler) || !walk_same (w, scheduler->last_slot)
      || !walk_same (w, scheduler->stale))
    return false;
  if (sm->policy->digest != NULL && !walk_outside (w, sm, scheduler))
    return false;
  if (sm->policy->by_age)
    return walk_ages (w, sm, scheduler);
  if (!walk_same (w, scheduler->last_bit) || !walk_same (w, scheduler->last_gone))
    return false;
  if (sm->policy->update == NULL)
    return true;
  for (uint32_t word = 0; word < scheduler->n_words; word++)
    if (!walk_same (w, scheduler->eligible[word]))
      return false;
  return walk_same (w, scheduler->n_active) && walk_same (w, scheduler->n_pending)
         && walk_list (w, scheduler->active, scheduler->n_active)
         && walk_list (w, scheduler->pending + scheduler->first_pending, scheduler->n_pending);
}

/* In the order in which they were accepted. All move, or none: one that happens to be the same as
 * the one before it was is not the same. */
static bool
walk_starts (WpWalk *w, WpPipeline *pipeline)
{
  uint32_t n_moved = 0;

  for (uint32_t i = 0, at = pipeline->oldest; i < pipeline->queue; i++)
    {
      n_moved += w->mode == WP_SNAPSHOT_COMPARE && pipeline->starts[at] != *w->word;
      if (!walk_time (w, &pipeline->starts[at], 0))
        return false;
      at = at + 1 == pipeline->queue ? 0 : at + 1;
    }
  return n_moved == 0 || n_moved == pipeline->queue;
}

/* From the earliest on, likewise. */
static bool
walk_ends (WpWalk *w, WpPipeline *pipeline)
{
  uint32_t n_moved = 0;

  if (pipeline->n_ends == 0)
    return true;
  if (w->mode != WP_SNAPSHOT_MOVE)
    wp_pipeline_merge_ends (pipeline);
  for (uint32_t i = 0; i < pipeline->n_ends; i++)
    {
      WpTick *end = wp_pipeline_get_end (pipeline, pipeline->runs, i);

      n_moved += w->mode == WP_SNAPSHOT_COMPARE && *end != *w->word;
      if (!walk_time (w, end, 0))
        return false;
    }
  wp_pipeline_look_at_ends (pipeline);
  return n_moved == 0 || n_moved == pipeline->n_ends;
}

/* What MODEL.md, section 12, adds to a pipeline's state. */
static bool
walk_special (WpWalk *w, WpPipeline *pipeline)
{
  if (pipeline->shared)
    walk_sum (w, &pipeline->busy);
  if (pipeline->turnaround > 0)
    walk_sum (w, &pipeline->turned);
  return !pipeline->special
         || (walk_same (w, (uint64_t)pipeline->passed << 1 | pipeline->wrote)
             && walk_ends (w, pipeline));
}

static bool
walk_pipelines (WpWalk *w, WpSm *sm)
{
  const WpMachine *m = sm->machine;

  for (uint32_t p = 0; p < m->n_pipelines; p++)
    {
      uint32_t n = m->pipelines[p].per_scheduler ? m->n_schedulers : 1;

      if (!wp_sm_keeps_pipeline (sm, p))
        continue;
      for (uint32_t i = 0; i < n; i++)
        {
          WpPipeline *pipeline = &sm->pipelines[p][i];

          /* What does not matter any more follows from times that move. */
          if (w->mode == WP_SNAPSHOT_MOVE && pipeline->n_ends > 0)
            wp_pipeline_merge_ends (pipeline);
          if (!walk_time (w, &pipeline->free_at, 0) || !walk_time (w, &pipeline->accept, 0)
              || (pipeline->starts != NULL && !walk_starts (w, pipeline))
              || !walk_special (w, pipeline))
            return false;
        }
    }
  return true;
}

/* Blocks that have been handed out and not launched, and releases that are decided. */
static bool
walk_queues (WpWalk *w, WpSm *sm)
{
  WpQueue *launches = &sm->launches, *releases = &sm->releases;
  const WpMachine *m = sm->machine;
  bool stays;

  if (!walk_same (w, launches->n) || !walk_same (w, releases->n))
    return false;
  for (uint32_t i = 0; i < launches->n; i++)
    {
      uint32_t at = (uint32_t)((launches->first + (uint64_t)i) % launches->size);
      const WpRow *row = wp_machine_get_row (m, launches->entries[at].block);

      if (!walk_same (w, (uint64_t)(row - m->rows))
          || !walk_name (w, &launches->entries[at].block, w->blocks, &stays)
          || !walk_time (w, &launches->entries[at].time, 0))
        return false;
    }
  for (uint32_t i = 0; i < releases->n; i++)
    {
      uint32_t at = (uint32_t)((releases->first + (uint64_t)i) % releases->size);
      uint64_t entry = releases->entries[at].block, name = entry >> 32;
      WpBlock *block = &sm->blocks[(uint32_t)entry];

      if (!walk_same (w, block->slots[0] | name << 32)
          || !walk_time (w, &releases->entries[at].time, 0))
        return false;
      if (name == 0)
        block->release = releases->entries[at].time;
    }
  return true;
}

/* What nothing depends on. */
static bool
walk_totals (WpWalk *w, WpSm *sm)
{
  WpResult *result = sm->result;
  const WpMachine *m = sm->machine;

  if (!walk_time (w, &result->elapsed, 0))
    return false;
  walk_count (w, &sm->n_followers);
  walk_count (w, &result->issues);
  walk_count (w, &result->blocks);
  walk_count (w, &result->warps);
  walk_sum (w, &result->lifetimes);
  walk_sum (w, &result->occupied);
  walk_sum (w, &result->slot_time);
  for (int i = 0; i < WP_N_STALLS; i++)
    walk_sum (w, &result->stalls[i]);
  for (uint32_t i = 0; i < m->n_programs; i++)
    walk_count (w, &sm->n_terminated[i]);
  for (uint32_t i = 0; result->counts != NULL && i < m->n_instrs; i++)
    walk_count (w, &result->counts[i]);
  for (uint32_t i = 0; i < m->n_pipelines + WP_N_WAITS; i++)
    walk_sum (w, &sm->waits[i]);
  if (sm->waited != NULL)
    walk_sums (w, sm->waited, wp_result_count_waited (m));
  w->n_free -= 2; /* looking has always been held to cost so much */
  return true;
}

static bool
walk_sm (WpWalk *w, WpSm *sm)
{
  uint64_t n_launched = walk_count (w, &sm->n_launched), n_aged = walk_count (w, &sm->n_aged);

  if (w->steps != NULL)
    w->steps[(sm->id + (size_t)1) * wp_snapshot_n_steps (sm) - 1].count = n_aged;
  if (!walk_same (w, sm->n_live) || !walk_same (w, sm->next_scheduler)
      || !walk_slots (w, sm, n_launched, n_aged))
    return false;
  for (uint32_t i = 0; i < sm->machine->n_schedulers; i++)
    if (!walk_scheduler (w, sm, &sm->schedulers[i]))
      return false;
  return walk_pipelines (w, sm) && walk_queues (w, sm) && walk_totals (w, sm);
}

bool
wp_snapshot_walk (WpDevice *device, WpWalk *w)
{
  w->blocks = walk_count (w, &device->next_block);
  for (uint32_t i = 0; i < device->n_sms; i++)
    if (!walk_sm (w, &device->sms[i]))
      return false;
  return true;
}

/* Words for a slot whose warp is of the largest program, and begins a block. */
static double
count_for_slot (const WpMachine *m)
{
  double values = 0, depth = 0, flow = 0;

  for (uint32_t i = 0; i < m->n_programs; i++)
    {
      const WpProgram *program = &m->programs[i];

      values = program->n_values > values ? program->n_values : values;
      depth = program->depth > depth ? program->depth : depth;
      flow = m->dataflow && (double)program->n_dynamic > flow ? (double)program->n_dynamic : flow;
    }
  flow *= m->n_barriers > 0 ? 5 : 3; /* arrives have names */
  return 40 + WP_N_STALLS + values + depth + flow + (m->dataflow ? 3.0 * m->n_pipelines : 0);
}

size_t
wp_snapshot_count (const WpSm *sm, uint32_t n_sms)
{
  const WpMachine *m = sm->machine;
  double observed = !sm->host->observes_details ? 0 : 6.0 + (double)sm->host->plan->n_values;
  double n = 64 + m->n_programs + 2.0 * m->n_pipelines + 5.0 * sm->n_blocks;

  n += wp_sm_counts (sm) ? m->n_instrs : 0;
  n += sm->waited != NULL ? 2.0 * (double)wp_result_count_waited (m) : 0;
  n += sm->n_slots * (count_for_slot (m) + observed) + m->n_schedulers * 16.0;
  if (sm->policy->digest != NULL)
    n += m->n_schedulers * (2.0 + WP_DIGEST_WORDS);
  if (m->n_barriers > 0)
    n += 3.0 * sm->n_slots + (double)sm->n_blocks * m->n_barriers * (2.0 + m->warps_per_block);
  for (uint32_t p = 0; p < m->n_pipelines; p++)
    n += (m->pipelines[p].per_scheduler ? m->n_schedulers : 1.0)
         * (5.0 + m->pipelines[p].inflight
            + (m->pipelines[p].queue == WP_NO_QUEUE_LIMIT ? 0 : m->pipelines[p].queue));
  n = n * n_sms + 1;
  return n > 1e9 ? SIZE_MAX : (size_t)n; /* a size_t may have 32 bits */
}
