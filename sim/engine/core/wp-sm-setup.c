/* SPDX-License-Identifier: MIT */
/* All that an SM needs is taken here, once: a run allocates nothing. */
#include "sim/engine/core/wp-sm-setup.h"

#include "sim/base/wp-measure.h"

#include <stdlib.h>
#include <string.h>

/* Warp slots of scheduler ID. */
static uint32_t
count_slots (const WpSm *sm, uint32_t id)
{
  uint32_t n = sm->machine->n_schedulers;

  return id < sm->n_slots ? (sm->n_slots - id + n - 1) / n : 0;
}

/* Words of its sets of warps. */
static size_t
count_words (const WpSm *sm, uint32_t id)
{
  size_t n_words = (count_slots (sm, id) + (size_t)63) / 64;

  if (n_words > 1 && sm->policy->by_age) /* bits are numbered anew once in as many warps */
    n_words *= 2;
  return n_words == 0 ? 1 : n_words;
}

static bool
init_scheduler (WpSm *sm, WpScheduler *scheduler, uint32_t id)
{
  uint32_t n_schedulers = sm->machine->n_schedulers, n_pipelines = sm->machine->n_pipelines;
  size_t n_words = count_words (sm, id);

  scheduler->id = id;
  scheduler->n_slots = count_slots (sm, id);
  scheduler->n_words = (uint32_t)n_words;
  scheduler->last_bit = scheduler->n_slots == 0 ? 0 : scheduler->n_slots - 1;
  scheduler->last_gone = true;
  scheduler->last_slot = UINT32_MAX;
  scheduler->until = WP_TICK_LIMIT;
  scheduler->accepts = scheduler->own_accepts;
  if (n_words == 1)
    {
      scheduler->arrived = &scheduler->own_arrived;
      scheduler->want = scheduler->own_want;
      scheduler->candidates = &scheduler->own_candidates;
      scheduler->warps = scheduler->own_warps;
    }
  else
    {
      scheduler->arrived = calloc (n_words, sizeof (uint64_t));
      scheduler->want = calloc ((n_pipelines + (size_t)1) * n_words, sizeof (uint64_t));
      scheduler->candidates = calloc (n_words, sizeof (uint64_t));
      scheduler->warps = calloc (64 * n_words, sizeof *scheduler->warps);
    }
  scheduler->live = calloc (n_words, sizeof (uint64_t));
  scheduler->eligible = calloc (n_words, sizeof (uint64_t));
  scheduler->aside = calloc (n_words, sizeof (uint64_t));
  scheduler->active = calloc (scheduler->n_slots + (size_t)1, sizeof (uint32_t));
  scheduler->pending = calloc (2 * (size_t)scheduler->n_slots + 1, sizeof (uint32_t));
  scheduler->is_pending = calloc (n_words, sizeof (uint64_t));
  scheduler->places = calloc (scheduler->n_slots + (size_t)1, sizeof (uint32_t));
  if (scheduler->arrived == NULL || scheduler->want == NULL || scheduler->candidates == NULL
      || scheduler->warps == NULL || scheduler->live == NULL || scheduler->eligible == NULL
      || scheduler->aside == NULL || scheduler->active == NULL || scheduler->pending == NULL
      || scheduler->is_pending == NULL || scheduler->places == NULL)
    return false;
  if (sm->many
      && (!wp_ready_sets_init (&scheduler->ready, sm->n_blocking + 1, scheduler->n_words)
          || !wp_key_queue_init (&scheduler->soon, 64 * scheduler->n_words)
          || !wp_key_queue_init (&scheduler->late, 64 * scheduler->n_words)))
    return false;
  wp_key_list_clear (&scheduler->near);
  wp_key_list_clear (&scheduler->far);
  scheduler->issued[0] = -1;
  for (uint32_t local = 0; local < scheduler->n_slots; local++)
    scheduler->warps[local] = &sm->warps[(size_t)local * n_schedulers + id];
  for (uint32_t p = 0; p < n_pipelines; p++)
    scheduler->accepts[p] = wp_sm_get_pipeline (sm, p, id);
  scheduler->accepts[n_pipelines] = &sm->barriers;
  return true;
}

static bool
init_queue (WpQueue *queue, uint32_t size)
{
  queue->size = size;
  queue->entries = calloc (size, sizeof *queue->entries);
  return queue->entries != NULL;
}

static bool
init_pipelines (WpSm *sm)
{
  const WpMachine *m = sm->machine;

  sm->pipelines = calloc (m->n_pipelines + (size_t)1, sizeof *sm->pipelines);
  if (sm->pipelines == NULL)
    return false;
  for (uint32_t p = 0; p < m->n_pipelines; p++)
    {
      uint32_t n = m->pipelines[p].per_scheduler ? m->n_schedulers : 1;

      if (!wp_sm_keeps_pipeline (sm, p)) /* the one that does lies before it */
        {
          sm->pipelines[p] = (sm - wp_sm_get_keeper (sm, p))->pipelines[p];
          continue;
        }
      sm->pipelines[p] = calloc (n, sizeof **sm->pipelines);
      if (sm->pipelines[p] == NULL)
        return false;
      for (uint32_t i = 0; i < n; i++)
        if (!wp_pipeline_init (&sm->pipelines[p][i], &m->pipelines[p],
                               (sm->host->plan->special >> p & 1) != 0,
                               wp_machine_is_last_group (m, p, sm->id)))
          return false;
    }
  return true;
}

/* Whether somebody listens to issues, who is told which instructions they waited for. */
static bool
keeps_writers (const WpSm *sm)
{
  return sm->host->observes_issues && !sm->machine->dataflow;
}

/* Which instruction wrote each value. */
static bool
init_writers (WpSm *sm)
{
  size_t n_values = sm->host->plan->n_values;
  uint64_t *writers;

  if (!keeps_writers (sm))
    return true;
  writers = calloc (sm->n_slots, n_values * sizeof *writers);
  for (uint32_t slot = 0; writers != NULL && slot < sm->n_slots; slot++)
    sm->warps[slot].writers = writers + slot * n_values;
  return writers != NULL;
}

/* Warps' values and counters lie in one piece each, behind the first warp's pointer. */
static bool
init_warps (WpSm *sm)
{
  size_t n_values = sm->host->plan->n_values, depth = sm->host->plan->depth;
  uint32_t n_schedulers = sm->machine->n_schedulers;
  WpTick *values;
  uint32_t *counters;

  sm->warps = calloc (sm->n_slots, sizeof *sm->warps);
  sm->taken = calloc (sm->n_slots, sizeof *sm->taken);
  if (sm->warps == NULL || sm->taken == NULL)
    return false;
  values = calloc (sm->n_slots, n_values * sizeof *values);
  counters = calloc (sm->n_slots, depth * sizeof *counters);
  sm->warps[0].values = values;
  sm->warps[0].counters = counters;
  if (values == NULL || counters == NULL)
    return false;
  for (uint32_t slot = 0; slot < sm->n_slots; slot++)
    {
      WpWarp *warp = &sm->warps[slot];

      warp->values = values + slot * n_values;
      warp->counters = counters + slot * depth;
      warp->scheduler = slot % n_schedulers;
      warp->bit = slot / n_schedulers;
    }
  return true;
}

static bool
init_schedulers (WpSm *sm)
{
  uint32_t n = sm->machine->n_schedulers;

  sm->schedulers = calloc (n, sizeof *sm->schedulers);
  sm->retry = calloc (n, 2 * sizeof *sm->retry);
  if (sm->schedulers == NULL || sm->retry == NULL)
    return false;
  for (uint32_t i = 0; i < n; i++)
    {
      wp_sm_set_retry (sm, i, WP_TICK_LIMIT);
      if (!init_scheduler (sm, &sm->schedulers[i], i))
        return false;
    }
  return true;
}

/* What blocks keep of barriers with names: in one piece each, behind the first block's pointer. */
static bool
init_barriers (WpSm *sm)
{
  size_t n = sm->machine->n_barriers, n_warps = sm->machine->warps_per_block;
  uint32_t *n_come;
  WpTick *latest;
  uint64_t *ahead;

  if (n == 0)
    return true;
  n_come = calloc (sm->n_blocks, n * sizeof *n_come);
  latest = calloc (sm->n_blocks, n * sizeof *latest);
  ahead = calloc (sm->n_blocks, n * n_warps * sizeof *ahead);
  sm->blocks[0].n_come = n_come;
  sm->blocks[0].latest = latest;
  sm->blocks[0].ahead = ahead;
  if (n_come == NULL || latest == NULL || ahead == NULL)
    return false;
  for (uint32_t i = 0; i < sm->n_blocks; i++)
    {
      sm->blocks[i].n_come = n_come + i * n;
      sm->blocks[i].latest = latest + i * n;
      sm->blocks[i].ahead = ahead + i * n * n_warps;
    }
  return true;
}

static bool
init_blocks (WpSm *sm)
{
  size_t n_warps = sm->machine->warps_per_block;
  uint32_t *slots;

  sm->blocks = calloc (sm->n_blocks, sizeof *sm->blocks);
  sm->free_blocks = calloc (sm->n_blocks, sizeof *sm->free_blocks);
  sm->ended = calloc (sm->n_blocks, sizeof *sm->ended);
  if (sm->blocks == NULL || sm->free_blocks == NULL || sm->ended == NULL)
    return false;
  slots = calloc (sm->n_blocks, n_warps * sizeof *slots);
  sm->blocks[0].slots = slots;
  if (slots == NULL)
    return false;
  for (uint32_t i = 0; i < sm->n_blocks; i++)
    {
      sm->blocks[i].slots = slots + i * n_warps;
      sm->free_blocks[i] = sm->n_blocks - 1 - i;
    }
  sm->n_free_blocks = sm->n_blocks;
  return init_barriers (sm);
}

static bool
init_flows (WpSm *sm)
{
  const WpMachine *m = sm->machine;

  sm->flows = calloc (sm->n_slots, sizeof *sm->flows);
  if (sm->flows == NULL)
    return false;
  for (uint32_t slot = 0; slot < sm->n_slots; slot++)
    if (!wp_flow_init (&sm->flows[slot], sm->unrolled, m->n_programs, m->n_pipelines,
                       sm->host->plan->arrives, sm->host->plan->mixed != NULL))
      return false;
  return true;
}

/* What a policy from outside keeps. */
static bool
attach_policy (WpSm *sm)
{
  for (uint32_t i = 0; sm->policy->attach != NULL && i < sm->machine->n_schedulers; i++)
    if (!sm->policy->attach (sm, &sm->schedulers[i], &sm->host->problem))
      return false;
  return true;
}

/* Whether the fast loop of wp-sm-fast.c will do, or that of wp-sm-told.c where somebody wants to
 * know more. */
static bool
is_fast (const WpSm *sm)
{
  const WpMachine *m = sm->machine;

  return sm->policy->update == NULL && !sm->policy->declines && !m->dataflow
         && sm->n_slots <= 64 * (uint64_t)m->n_schedulers;
}

/* Whether the loop of wp-sm-many.c will do; and then the classes of pipelines. */
static bool
is_many (WpSm *sm)
{
  for (uint32_t i = 0; i < sm->n_blocking; i++)
    sm->classes[sm->blocking[i]] = (uint8_t)(i + 1);
  return !sm->fast && sm->host->n_observers == 0 && !sm->policy->declines
         && sm->machine->kinds == NULL;
}

/* Whether another launch, or a barrier's release, comes later than the end that it comes of. */
static bool
ends_slowly (const WpMachine *m)
{
  bool meets = false;

  for (uint32_t i = 0; i < m->n_instrs; i++)
    meets |= wp_instr_is_barrier (&m->instrs[i]);
  return m->launch_latency > 0 && (m->barrier_latency > 0 || !meets);
}

/* Whether it matters to nobody when a warp terminates that is not its block's last: no scheduler is
 * told, none asks, and warps do not meet at barriers, where schedulers run ahead. */
static bool
may_defer (const WpSm *sm)
{
  return sm->fast && sm->lookahead > 0 && sm->host->n_observers == 0 && sm->policy->tell == NULL
         && sm->policy->leave == NULL && sm->policy->choice != WP_CHOICE_BLOCK
         && sm->policy->choice != WP_CHOICE_PICK;
}

/* When the fast loop is left: times that nobody checks are safe, and 64 warps of each scheduler
 * that have waited since the beginning have done so for less than 2^64 together. */
static WpTick
find_fast_limit (const WpMachine *m, WpTick safe)
{
  WpTick limit = (WpTick)(UINT64_MAX / 64 / m->n_schedulers);

  limit = limit < WP_FAST_LIMIT ? limit : WP_FAST_LIMIT;
  return safe < limit ? safe : limit;
}

void
wp_sm_describe (WpSm *sm, WpSmHost *host, const WpMachine *machine, const WpPolicy *policy,
                const WpUnrolled *unrolled, uint32_t id)
{
  const WpPlan *plan = host->plan;

  *sm = (WpSm){
    .machine = machine, .policy = policy, .host = host, .id = id, .count = 1, .asked_at = -1
  };
  sm->unrolled = unrolled;
  sm->n_blocks = machine->resident_blocks;
  sm->n_slots = machine->resident_blocks * machine->warps_per_block;
  sm->next = sm->due = WP_TICK_LIMIT;
  sm->ops = plan->ops;
  sm->turns = plan->turns;
  sm->wait_ilp = sm->machine->n_pipelines + WP_WAIT_ILP;
  sm->n_blocking = plan->n_blocking;
  sm->blocking = plan->blocking;
  sm->n_own_blocking = plan->n_own_blocking;
  for (uint32_t i = 0; i < plan->n_own_blocking; i++)
    sm->own_blocking |= UINT64_C (1) << plan->blocking[i];
  sm->safe = plan->safe;
  sm->lookahead = host->observes_stalls ? 0 : plan->lookahead; /* in step that is kept */
  sm->quietens = plan->ahead > 0 && machine->launch_latency == 0 && !host->observes_stalls;
  sm->near = WP_NEAR_CYCLES * machine->ticks_per_cycle;
  sm->fast_limit = find_fast_limit (machine, plan->safe);
  sm->fast = sm->implies = is_fast (sm);
  sm->ends_slowly = ends_slowly (machine);
  sm->defers = may_defer (sm);
  sm->many = is_many (sm);
  sm->keeps_stalls = host->observes_stalls;
  sm->mark_from = UINT64_MAX;
  sm->gate = WP_TICK_LIMIT;
  sm->mark_room = host->plan->eager ? 0 : 1;
  sm->look_at = 1;
}

bool
wp_sm_init (WpSm *sm, WpSmHost *host, const WpMachine *machine, const WpPolicy *policy,
            const WpUnrolled *unrolled, uint32_t id)
{
  wp_sm_describe (sm, host, machine, policy, unrolled, id);
  sm->result = wp_result_new_partial (machine, wp_sm_counts (sm));
  sm->waited = sm->result != NULL ? sm->result->waited : NULL;
  sm->n_terminated = calloc (machine->n_programs + (size_t)1, sizeof *sm->n_terminated);
  sm->waits = calloc (machine->n_pipelines + (size_t)WP_N_WAITS, sizeof *sm->waits);
  sm->ending = calloc (sm->n_slots / 64 + (size_t)1, sizeof *sm->ending);
  return sm->result != NULL && sm->waits != NULL && sm->n_terminated != NULL && sm->ending != NULL
         && init_pipelines (sm) && init_warps (sm) && init_writers (sm) && init_schedulers (sm)
         && init_blocks (sm) && wp_wheel_init (&sm->wheel, sm->n_slots)
         && wp_slot_list_init (&sm->ends, sm->n_slots) && init_queue (&sm->launches, sm->n_blocks)
         && init_queue (&sm->releases, machine->n_barriers > 0 ? sm->n_slots : sm->n_blocks)
         && (!machine->dataflow || init_flows (sm)) && attach_policy (sm);
}

/* ---- What that costs ---- */

static uint64_t
measure_scheduler (const WpSm *sm, uint32_t id)
{
  uint64_t n_words = count_words (sm, id), n_slots = count_slots (sm, id), bytes;

  bytes = 4 * wp_measure (n_words, sizeof (uint64_t))
          + 2 * wp_measure (n_slots + 1, sizeof (uint32_t))
          + wp_measure (2 * n_slots + 1, sizeof (uint32_t));
  if (n_words > 1)
    bytes += 2 * wp_measure (n_words, sizeof (uint64_t))
             + wp_measure ((sm->machine->n_pipelines + (uint64_t)1) * n_words, sizeof (uint64_t))
             + wp_measure (64 * n_words, sizeof (WpWarp *));
  if (sm->many)
    bytes += wp_ready_sets_measure (sm->n_blocking + 1, (uint32_t)n_words)
             + 2 * wp_key_queue_measure (64 * (uint32_t)n_words);
  return bytes;
}

static uint64_t
measure_schedulers (const WpSm *sm)
{
  uint32_t n = sm->machine->n_schedulers;
  uint64_t bytes = wp_measure (n, sizeof (WpScheduler)) + wp_measure (n, 2 * sizeof *sm->retry);

  for (uint32_t i = 0; i < n; i++)
    bytes += measure_scheduler (sm, i);
  return bytes;
}

static uint64_t
measure_pipelines (const WpSm *sm)
{
  const WpMachine *m = sm->machine;
  uint64_t bytes = wp_measure (m->n_pipelines + (uint64_t)1, sizeof *sm->pipelines);

  for (uint32_t p = 0; p < m->n_pipelines; p++)
    {
      uint32_t n = m->pipelines[p].per_scheduler ? m->n_schedulers : 1;

      if (wp_sm_keeps_pipeline (sm, p))
        bytes += wp_measure (n, sizeof (WpPipeline)) + n * wp_pipeline_measure (&m->pipelines[p]);
    }
  return bytes;
}

static uint64_t
measure_warps (const WpSm *sm)
{
  const WpPlan *plan = sm->host->plan;
  uint64_t n = sm->n_slots, bytes;

  bytes = wp_measure (n, sizeof (WpWarp)) + wp_measure (n, sizeof *sm->taken)
          + wp_measure (n * plan->n_values, sizeof (WpTick))
          + wp_measure (n * plan->depth, sizeof (uint32_t));
  if (keeps_writers (sm))
    bytes += wp_measure (n * plan->n_values, sizeof (uint64_t));
  if (sm->machine->dataflow)
    bytes += wp_measure (n, sizeof (WpFlow))
             + n
                   * wp_flow_measure (sm->unrolled, sm->machine->n_programs,
                                      sm->machine->n_pipelines, plan->arrives, plan->mixed != NULL);
  return bytes;
}

static uint64_t
measure_blocks (const WpSm *sm)
{
  const WpMachine *m = sm->machine;
  uint64_t n = sm->n_blocks, bytes;

  bytes = wp_measure (n, sizeof (WpBlock)) + 2 * wp_measure (n, sizeof (uint32_t))
          + wp_measure (n * m->warps_per_block, sizeof (uint32_t));
  if (m->n_barriers > 0)
    bytes += wp_measure (n * m->n_barriers, sizeof (uint32_t))
             + wp_measure (n * m->n_barriers * m->warps_per_block, sizeof (uint64_t));
  return bytes;
}

uint64_t
wp_sm_measure (const WpSm *sm)
{
  const WpMachine *m = sm->machine;
  const WpQueue *queue = &sm->launches;

  return wp_result_measure (m, wp_sm_counts (sm))
         + wp_measure (m->n_programs + (uint64_t)1, sizeof *sm->n_terminated)
         + wp_measure (m->n_pipelines + (uint64_t)WP_N_WAITS, sizeof *sm->waits)
         + wp_measure (sm->n_slots / 64 + (uint64_t)1, sizeof *sm->ending) + measure_pipelines (sm)
         + measure_warps (sm) + measure_schedulers (sm) + measure_blocks (sm)
         + wp_wheel_measure (sm->n_slots) + wp_slot_list_measure (sm->n_slots)
         + wp_measure (sm->n_blocks, sizeof *queue->entries)
         + wp_measure (m->n_barriers > 0 ? sm->n_slots : sm->n_blocks, sizeof *queue->entries);
}

static void
clear_pipelines (WpSm *sm)
{
  for (uint32_t p = 0; sm->pipelines != NULL && p < sm->machine->n_pipelines; p++)
    {
      uint32_t n = sm->machine->pipelines[p].per_scheduler ? sm->machine->n_schedulers : 1;

      if (!wp_sm_keeps_pipeline (sm, p))
        continue;
      for (uint32_t i = 0; sm->pipelines[p] != NULL && i < n; i++)
        wp_pipeline_clear (&sm->pipelines[p][i]);
      free (sm->pipelines[p]);
    }
  free (sm->pipelines);
}

void
wp_sm_clear (WpSm *sm)
{
  for (uint32_t i = 0; sm->schedulers != NULL && i < sm->machine->n_schedulers; i++)
    {
      if (sm->schedulers[i].outside != NULL)
        sm->policy->detach (&sm->schedulers[i]);
      if (sm->schedulers[i].warps != sm->schedulers[i].own_warps)
        {
          free (sm->schedulers[i].arrived);
          free (sm->schedulers[i].want);
          free (sm->schedulers[i].candidates);
          free (sm->schedulers[i].warps);
        }
      free (sm->schedulers[i].live);
      free (sm->schedulers[i].eligible);
      free (sm->schedulers[i].aside);
      free (sm->schedulers[i].active);
      free (sm->schedulers[i].pending);
      free (sm->schedulers[i].is_pending);
      free (sm->schedulers[i].places);
      wp_ready_sets_clear (&sm->schedulers[i].ready);
      wp_key_queue_clear (&sm->schedulers[i].soon);
      wp_key_queue_clear (&sm->schedulers[i].late);
    }
  free (sm->schedulers);
  wp_result_free (sm->result);
  free (sm->waits);
  free (sm->n_terminated);
  free (sm->retry);
  free (sm->ending);
  clear_pipelines (sm);
  if (sm->warps != NULL)
    {
      free (sm->warps[0].values);
      free (sm->warps[0].counters);
      free (sm->warps[0].writers);
    }
  if (sm->blocks != NULL)
    {
      free (sm->blocks[0].slots);
      free (sm->blocks[0].n_come);
      free (sm->blocks[0].latest);
      free (sm->blocks[0].ahead);
    }
  for (uint32_t slot = 0; sm->flows != NULL && slot < sm->n_slots; slot++)
    wp_flow_clear (&sm->flows[slot]);
  free (sm->flows);
  free (sm->warps);
  free (sm->taken);
  free (sm->blocks);
  free (sm->free_blocks);
  free (sm->ended);
  wp_wheel_clear (&sm->wheel);
  wp_slot_list_clear (&sm->ends);
  free (sm->launches.entries);
  free (sm->releases.entries);
}
