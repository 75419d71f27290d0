/* SPDX-License-Identifier: MIT */
/* Issue (MODEL.md, section 7, step 3): the visits to the schedulers, what goes out together, where it goes, and where
 * the warp's time went until then.
 *
 * Visits that issue nothing leave no trace, so only a scheduler with something ready is looked at; a policy that keeps
 * lists sees every visit all the same.
 */
#include "sim/wp-device-private.h"

/* What one issue of a scheduler takes along: up to dual-issue instructions of a warp. */
typedef struct
{
  WpScheduler *scheduler;
  WpWarp *warp;
  uint32_t n;                       /* instructions issued so far */
  uint32_t slots;                   /* the largest `slots` of them */
  uint32_t pipelines[WP_MAX_GROUP]; /* [n]: that they use */
} WpGroup;

/* When the warp was ready for its dynamic instruction K, INSTR, in dataflow order. */
static void
find_flow_ready (const WpSm *sm, WpWarp *warp, const WpInstr *instr, uint32_t k)
{
  const WpFlow *flow = &sm->flows[wp_sm_get_slot (sm, warp)];
  bool barrier = instr->pipeline == WP_NO_PIPELINE;
  WpTick complete = barrier ? warp->end : flow->ready[k];

  warp->ready = warp->index == 0 ? warp->start : warp->since + sm->machine->ilp_latency;
  warp->cause = WP_STALL_ILP;
  if (complete >= warp->ready)
    {
      warp->ready = complete;
      warp->cause = WP_STALL_DEPENDENCY;
      warp->cause_pipeline = barrier ? warp->end_pipeline : flow->producer[k];
    }
  if (warp->released >= warp->ready && warp->released > 0)
    {
      warp->ready = warp->released;
      warp->cause = WP_STALL_BARRIER;
    }
}

/* MODEL.md, section 9: where the time since the last issue went. */
static void
account (WpSm *sm, WpWarp *warp, WpTick accept)
{
  WpTick from = accept > warp->ready ? accept : warp->ready;

  warp->stalls[warp->cause] += warp->ready - warp->since;
  warp->stalls[WP_STALL_PIPELINE] += from - warp->ready;
  warp->stalls[WP_STALL_NOT_SELECTED] += sm->now - from;
  if (warp->cause == WP_STALL_DEPENDENCY && warp->cause_pipeline != WP_NO_PIPELINE)
    wp_sum_add (&sm->result->waits[warp->cause_pipeline], (uint64_t)(warp->ready - warp->since));
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
tell_issue (WpSm *sm, const WpGroup *group, WpIssueEvent *event)
{
  const WpWarp *warp = group->warp;
  WpDevice *device = sm->device;

  if (device->n_observers == 0)
    return;
  event->time = sm->now;
  event->sm = sm->id;
  event->scheduler = group->scheduler->id;
  event->slot = wp_sm_get_slot (sm, warp);
  event->block = sm->blocks[warp->block].id;
  event->warp = warp->warp;
  event->follows = group->n > 0;
  event->ready = group->n > 0 ? sm->now : warp->ready;
  for (size_t i = 0; i < device->n_observers; i++)
    if (device->observers[i]->issue != NULL)
      device->observers[i]->issue (device->observers[i]->data, event);
}

/* The instruction starts in its pipeline; sets start, served and complete of EVENT. */
static void
enter_pipeline (WpSm *sm, WpGroup *group, const WpInstr *instr, WpIssueEvent *event)
{
  WpDevice *device = sm->device;
  WpWarp *warp = group->warp;
  uint64_t block = sm->blocks[warp->block].id;
  WpPipeline *pipeline = wp_sm_get_pipeline (sm, instr->pipeline, group->scheduler->id);

  event->start = wp_pipeline_accept (pipeline, sm->now, instr->issue);
  if (wp_device_overflows (device, pipeline->free_at, "the time at which a pipeline is free",
                           sm->id, block, event->instr))
    return;
  event->served = event->start;
  if (sm->machine->contended)
    event->served = serve (sm, warp, pipeline, instr, event->index, event->start);
  event->complete = instr->posted ? sm->now : event->served;
  if (wp_device_overflows (device, event->complete, "a completion", sm->id, block, event->instr)
      || wp_device_overflows (device, event->complete + instr->reach, "a completion", sm->id, block,
                              event->instr))
    return;
  if (instr->value != WP_NO_VALUE)
    warp->values[instr->value] = event->complete;
  if (sm->flows != NULL)
    wp_flow_issued (&sm->flows[event->slot], sm->machine, (uint32_t)event->index, event->complete,
                    sm->now);
  event->complete += instr->posted ? 0 : instr->completion;
  if (event->complete > warp->end)
    {
      warp->end = event->complete;
      warp->end_pipeline = instr->pipeline;
    }
}

/* Issues dynamic instruction K, as written instrs[INDEX]; its pipeline would have taken it from ACCEPT on. */
static void
issue_one (WpSm *sm, WpGroup *group, uint32_t index, uint64_t k, WpTick accept)
{
  const WpInstr *instr = &sm->machine->instrs[index];
  WpIssueEvent event = { .index = k, .instr = index, .accept = accept, .start = sm->now };
  WpWarp *warp = group->warp;

  event.served = sm->now;
  event.complete = -1;
  event.slot = wp_sm_get_slot (sm, warp);
  if (instr->pipeline != WP_NO_PIPELINE)
    enter_pipeline (sm, group, instr, &event);
  sm->result->counts[index]++;
  sm->result->issued++;
  warp->index++;
  tell_issue (sm, group, &event);
  group->pipelines[group->n++] = instr->pipeline;
  group->slots = instr->slots > group->slots ? instr->slots : group->slots;
}

/* Whether the warp's next instruction may go out in the same issue (MODEL.md, section 5, dual issue). */
static bool
can_follow (const WpSm *sm, const WpGroup *group)
{
  const WpMachine *m = sm->machine;
  const WpWarp *warp = group->warp;
  const WpInstr *instr;

  if (group->n == m->dual_issue || warp->next == WP_NO_INSTR)
    return false;
  instr = &m->instrs[warp->next];
  if (instr->pipeline == WP_NO_PIPELINE
      || wp_pipeline_get_accept (wp_sm_get_pipeline (sm, instr->pipeline, group->scheduler->id))
             > sm->now)
    return false;
  for (uint32_t i = 0; i < instr->n_deps; i++)
    {
      const WpDep *dep = &m->deps[instr->first_dep + i];

      if (warp->values[dep->value] != WP_NEVER && warp->values[dep->value] + dep->latency > sm->now)
        return false;
    }
  for (uint32_t i = 0; m->pipelines[instr->pipeline].pairing_never && i < group->n; i++)
    if (group->pipelines[i] == instr->pipeline)
      return false;
  return true;
}

static void
arrive (WpSm *sm, WpWarp *warp)
{
  WpBlock *block = &sm->blocks[warp->block];

  warp->state = WP_WARP_HELD;
  sm->schedulers[warp->scheduler].stale = true;
  if (++block->n_arrived == block->n_live)
    wp_sm_decide_release (sm, warp->block);
}

/* Program order: the warp's next instruction, and those that may follow it at once. */
static void
issue_in_order (WpSm *sm, WpGroup *group)
{
  const WpMachine *m = sm->machine;
  WpWarp *warp = group->warp;
  uint32_t pipeline = m->instrs[warp->next].pipeline;
  WpTick accept = 0;

  wp_sm_clear_ready (sm, warp, pipeline);
  if (pipeline != WP_NO_PIPELINE)
    accept = wp_pipeline_get_accept (wp_sm_get_pipeline (sm, pipeline, group->scheduler->id));
  account (sm, warp, accept);
  do
    {
      uint32_t index = warp->next;

      if (group->n > 0)
        accept = sm->now;
      wp_sm_step (sm, warp);
      issue_one (sm, group, index, warp->index, accept);
    }
  while (pipeline != WP_NO_PIPELINE && !sm->device->failed && can_follow (sm, group));
  warp->since = sm->now;
  if (pipeline == WP_NO_PIPELINE)
    arrive (sm, warp);
  else
    wp_sm_go_on (sm, warp);
}

/* Dataflow order: the earliest instruction that the warp has for a pipeline that accepts it. */
static void
issue_from_flow (WpSm *sm, WpGroup *group)
{
  const WpMachine *m = sm->machine;
  WpWarp *warp = group->warp;
  WpFlow *flow = &sm->flows[wp_sm_get_slot (sm, warp)];
  uint32_t k = WP_FLOW_NONE;
  uint32_t index;
  WpTick accept = 0;

  for (uint32_t p = 0; p < m->n_pipelines; p++)
    {
      uint32_t first = wp_flow_peek (flow, p);

      if (first < k
          && wp_pipeline_get_accept (wp_sm_get_pipeline (sm, p, group->scheduler->id)) <= sm->now)
        k = first;
    }
  if (k == WP_FLOW_NONE) /* then it is the barrier's turn */
    k = flow->stretch_end;
  index = flow->unrolled->instrs[k];
  find_flow_ready (sm, warp, &m->instrs[index], k);
  if (m->instrs[index].pipeline != WP_NO_PIPELINE)
    {
      accept = wp_pipeline_get_accept (
          wp_sm_get_pipeline (sm, m->instrs[index].pipeline, group->scheduler->id));
      wp_flow_take (flow, m->instrs[index].pipeline);
    }
  account (sm, warp, accept);
  issue_one (sm, group, index, k, accept);
  warp->since = sm->now;
  if (m->instrs[index].pipeline == WP_NO_PIPELINE)
    {
      flow->barrier_ready = WP_TICK_LIMIT;
      wp_sm_clear_ready (sm, warp, WP_NO_PIPELINE);
      arrive (sm, warp);
      return;
    }
  if (flow->n_left == 0 && flow->stretch_end < flow->unrolled->n)
    flow->barrier_ready = warp->end;
  if (wp_sm_is_through (sm, warp))
    wp_sm_clear_ready (sm, warp, m->instrs[index].pipeline);
  wp_sm_go_on (sm, warp);
}

/* The issue that GROUP made takes room in the scheduler's slot. */
static void
use_slot (WpSm *sm, const WpGroup *group)
{
  const WpMachine *m = sm->machine;
  WpScheduler *scheduler = group->scheduler;
  uint64_t block = sm->blocks[group->warp->block].id;
  WpTick time = m->interval;

  if (sm->now >= scheduler->slot_end)
    {
      scheduler->slot_end = sm->now + m->interval;
      scheduler->slot_room = m->issue_limit;
    }
  scheduler->slot_room--;
  if (group->slots > 1)
    {
      time
          = m->interval > WP_TICK_LIMIT / group->slots ? WP_TICK_LIMIT : m->interval * group->slots;
      scheduler->slot_room = 0;
      if (sm->now + time > scheduler->slot_end)
        scheduler->slot_end = sm->now + time;
    }
  wp_sum_add_product (&sm->result->slot_time, (uint64_t)time,
                      group->slots > 1 ? m->issue_limit : 1);
  sm->result->issues++;
  if (!wp_device_overflows (sm->device, scheduler->slot_end, "the end of an issue slot", sm->id,
                            block, UINT32_MAX))
    wp_device_overflows (sm->device, sm->now + m->ilp_latency, "a warp's earliest next issue",
                         sm->id, block, UINT32_MAX);
}

static bool
has_open_slot (const WpSm *sm, const WpScheduler *scheduler)
{
  return scheduler->slot_room > 0 || sm->now >= scheduler->slot_end;
}

/* When SCHEDULER's instance for ROW of its ready warps accepts one more: a pipeline, or barriers, at any time. */
static WpTick
get_accept (const WpSm *sm, const WpScheduler *scheduler, uint32_t row)
{
  return row == sm->machine->n_pipelines
             ? 0
             : wp_pipeline_get_accept (wp_sm_get_pipeline (sm, row, scheduler->id));
}

/* Puts into candidates the warps of SCHEDULER that can issue now; false if there are none. */
static bool
find_candidates (WpSm *sm, WpScheduler *scheduler)
{
  uint32_t n_words = scheduler->n_words;
  uint64_t any = 0;

  for (uint32_t word = 0; word < n_words; word++)
    scheduler->candidates[word] = 0;
  for (uint64_t rest = scheduler->wanted; rest != 0; rest &= rest - 1)
    {
      uint32_t row = wp_lowest_bit (rest);
      const uint64_t *ready = scheduler->ready + (size_t)row * n_words;

      if (get_accept (sm, scheduler, row) > sm->now)
        continue;
      for (uint32_t word = 0; word < n_words; word++)
        {
          scheduler->candidates[word] |= ready[word] & scheduler->eligible[word];
          any |= scheduler->candidates[word];
        }
    }
  return any != 0;
}

static bool
visit (WpSm *sm, WpScheduler *scheduler)
{
  WpGroup group; /* not cleared as a whole: pipelines[] is long, and this is every issue's path */
  uint32_t local;

  if (scheduler->stale && sm->policy->update != NULL)
    sm->policy->update (sm, scheduler);
  scheduler->stale = false;
  if (!has_open_slot (sm, scheduler) || !find_candidates (sm, scheduler))
    return false;
  local = sm->policy->pick (sm, scheduler);
  group.scheduler = scheduler;
  group.warp = wp_sm_get_warp (sm, scheduler, local);
  group.n = 0;
  group.slots = 1;
  scheduler->last_slot = local;
  scheduler->last_age = group.warp->age;
  if (sm->flows != NULL)
    issue_from_flow (sm, &group);
  else
    issue_in_order (sm, &group);
  use_slot (sm, &group);
  return true;
}

/* Visits the schedulers in rotation up to the first that issues; false if none does. */
bool
wp_sm_visit_schedulers (WpSm *sm)
{
  uint32_t n = sm->machine->n_schedulers;
  uint32_t id = sm->next_scheduler;

  for (uint32_t i = 0; i < n; i++)
    {
      uint32_t following = id + 1 == n ? 0 : id + 1;

      if ((sm->schedulers[id].wanted != 0 || sm->schedulers[id].stale)
          && visit (sm, &sm->schedulers[id]))
        {
          sm->next_scheduler = following;
          return true;
        }
      id = following;
    }
  return false;
}

/* The earliest time at which a ready warp of SCHEDULER can issue; WP_TICK_LIMIT: none is ready. */
WpTick
wp_sm_find_next_issue (const WpSm *sm, const WpScheduler *scheduler)
{
  WpTick next = WP_TICK_LIMIT;

  for (uint64_t rest = scheduler->wanted; rest != 0; rest &= rest - 1)
    {
      uint32_t row = wp_lowest_bit (rest);
      const uint64_t *ready = scheduler->ready + (size_t)row * scheduler->n_words;
      WpTick accept = get_accept (sm, scheduler, row);
      uint64_t any = 0;

      for (uint32_t word = 0; word < scheduler->n_words; word++)
        any |= ready[word] & scheduler->eligible[word];
      if (any != 0 && accept < next)
        next = accept;
    }
  if (next < WP_TICK_LIMIT && scheduler->slot_room == 0 && scheduler->slot_end > next)
    next = scheduler->slot_end;
  return next;
}
