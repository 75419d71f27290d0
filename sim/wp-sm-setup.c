/* SPDX-License-Identifier: MIT */
/* All that an SM needs is taken here, once: a run allocates nothing. */
#include "sim/wp-device-private.h"

#include <stdlib.h>
#include <string.h>

static bool
init_scheduler (WpSm *sm, WpScheduler *scheduler, uint32_t id)
{
  uint32_t n_schedulers = sm->machine->n_schedulers;
  size_t n_words;

  scheduler->id = id;
  scheduler->n_slots = id < sm->n_slots ? (sm->n_slots - id + n_schedulers - 1) / n_schedulers : 0;
  n_words = (scheduler->n_slots + (size_t)63) / 64;
  n_words = n_words == 0 ? 1 : n_words;
  scheduler->n_words = (uint32_t)n_words;
  scheduler->last_slot = scheduler->n_slots == 0 ? 0 : scheduler->n_slots - 1;
  scheduler->last_age = UINT64_MAX;
  scheduler->ready = calloc ((sm->machine->n_pipelines + (size_t)1) * n_words, sizeof (uint64_t));
  scheduler->candidates = calloc (n_words, sizeof (uint64_t));
  scheduler->eligible = calloc (n_words, sizeof (uint64_t));
  scheduler->active = calloc (scheduler->n_slots + (size_t)1, sizeof (uint32_t));
  scheduler->pending = calloc (scheduler->n_slots + (size_t)1, sizeof (uint32_t));
  if (scheduler->ready == NULL || scheduler->candidates == NULL || scheduler->eligible == NULL
      || scheduler->active == NULL || scheduler->pending == NULL)
    return false;
  if (sm->policy->update == NULL)
    memset (scheduler->eligible, 0xff, n_words * sizeof (uint64_t));
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

      sm->pipelines[p] = calloc (n, sizeof **sm->pipelines);
      if (sm->pipelines[p] == NULL)
        return false;
      for (uint32_t i = 0; i < n; i++)
        if (!wp_pipeline_init (&sm->pipelines[p][i], &m->pipelines[p]))
          return false;
    }
  return true;
}

/* Warps' values and counters lie in one piece each, behind the first warp's pointer. */
static bool
init_warps (WpSm *sm)
{
  const WpMachine *m = sm->machine;
  size_t n_values = 1, depth = 1;
  WpTick *values;
  uint32_t *counters;

  for (uint32_t i = 0; i < m->n_programs; i++)
    {
      n_values = m->programs[i].n_values > n_values ? m->programs[i].n_values : n_values;
      depth = m->programs[i].depth > depth ? m->programs[i].depth : depth;
    }
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
      warp->scheduler = slot % m->n_schedulers;
      warp->local = slot / m->n_schedulers;
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
  return true;
}

static bool
init_flows (WpSm *sm)
{
  const WpMachine *m = sm->machine;

  sm->flows = calloc (sm->n_slots, sizeof *sm->flows);
  if (sm->flows == NULL)
    return false;
  for (uint32_t slot = 0; slot < sm->n_slots; slot++)
    if (!wp_flow_init (&sm->flows[slot], sm->unrolled, m->n_programs, m->n_pipelines))
      return false;
  return true;
}

bool
wp_sm_init (WpSm *sm, WpDevice *device, const WpMachine *machine, const WpPolicy *policy,
            const WpUnrolled *unrolled, uint32_t id)
{
  *sm = (WpSm){ .machine = machine, .policy = policy, .device = device, .id = id };
  sm->result = device->result;
  sm->unrolled = unrolled;
  sm->n_blocks = machine->resident_blocks;
  sm->n_slots = machine->resident_blocks * machine->warps_per_block;
  sm->schedulers = calloc (machine->n_schedulers, sizeof *sm->schedulers);
  if (sm->schedulers == NULL)
    return false;
  for (uint32_t i = 0; i < machine->n_schedulers; i++)
    if (!init_scheduler (sm, &sm->schedulers[i], i))
      return false;
  return init_pipelines (sm) && init_warps (sm) && init_blocks (sm)
         && wp_heap_init (&sm->ends, sm->n_slots) && wp_heap_init (&sm->wakes, sm->n_slots)
         && init_queue (&sm->launches, sm->n_blocks) && init_queue (&sm->releases, sm->n_blocks)
         && (!machine->dataflow || init_flows (sm));
}

static void
clear_pipelines (WpSm *sm)
{
  for (uint32_t p = 0; sm->pipelines != NULL && p < sm->machine->n_pipelines; p++)
    {
      uint32_t n = sm->machine->pipelines[p].per_scheduler ? sm->machine->n_schedulers : 1;

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
      free (sm->schedulers[i].ready);
      free (sm->schedulers[i].candidates);
      free (sm->schedulers[i].eligible);
      free (sm->schedulers[i].active);
      free (sm->schedulers[i].pending);
    }
  free (sm->schedulers);
  clear_pipelines (sm);
  if (sm->warps != NULL)
    {
      free (sm->warps[0].values);
      free (sm->warps[0].counters);
    }
  if (sm->blocks != NULL)
    free (sm->blocks[0].slots);
  for (uint32_t slot = 0; sm->flows != NULL && slot < sm->n_slots; slot++)
    wp_flow_clear (&sm->flows[slot]);
  free (sm->flows);
  free (sm->warps);
  free (sm->taken);
  free (sm->blocks);
  free (sm->free_blocks);
  free (sm->ended);
  wp_heap_clear (&sm->ends);
  wp_heap_clear (&sm->wakes);
  free (sm->launches.entries);
  free (sm->releases.entries);
}
