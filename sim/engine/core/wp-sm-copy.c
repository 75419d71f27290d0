/* SPDX-License-Identifier: MIT */
/* Each structure is copied whole and gets its own arrays back, so that a field that is added later,
 * and is no pointer, is copied too.
 */
#include "sim/engine/core/wp-sm-copy.h"

#include "sim/engine/core/wp-wake-list.h"

#include <string.h>

static void
copy_pipelines (WpSm *to, const WpSm *from)
{
  const WpMachine *m = from->machine;

  for (uint32_t p = 0; p < m->n_pipelines; p++)
    for (uint32_t i = 0; i < (m->pipelines[p].per_scheduler ? m->n_schedulers : 1); i++)
      {
        WpPipeline *pipeline = &to->pipelines[p][i], own = *pipeline;

        *pipeline = from->pipelines[p][i];
        pipeline->starts = own.starts;
        pipeline->channels = own.channels;
        for (uint32_t run = 0; run < WP_END_RUNS; run++)
          pipeline->runs[run].ends = own.runs[run].ends;
        if (own.n_ends > 0)
          memcpy (own.runs[0].ends, from->pipelines[p][i].runs[0].ends,
                  (size_t)own.n_ends * WP_END_RUNS * sizeof *own.runs->ends);
        if (own.starts != NULL)
          memcpy (own.starts, from->pipelines[p][i].starts, own.queue * sizeof *own.starts);
        if (own.channels != NULL)
          memcpy (own.channels, from->pipelines[p][i].channels,
                  m->pipelines[p].channels * sizeof *own.channels);
      }
}

static void
copy_warps (WpSm *to, const WpSm *from)
{
  size_t n_values = from->host->plan->n_values, depth = from->host->plan->depth;

  memcpy (to->warps[0].values, from->warps[0].values,
          to->n_slots * n_values * sizeof *to->warps->values);
  memcpy (to->warps[0].counters, from->warps[0].counters,
          to->n_slots * depth * sizeof *to->warps->counters);
  if (from->warps[0].writers != NULL)
    memcpy (to->warps[0].writers, from->warps[0].writers,
            to->n_slots * n_values * sizeof *to->warps->writers);
  memcpy (to->taken, from->taken, to->n_slots * sizeof *to->taken);
  for (uint32_t slot = 0; slot < to->n_slots; slot++)
    {
      WpWarp *warp = &to->warps[slot], own = *warp;
      const WpWarp *other = &from->warps[slot];

      *warp = *other;
      warp->values = own.values;
      warp->counters = own.counters;
      warp->writers = own.writers;
      if (other->counter != NULL)
        warp->counter = own.counters + (other->counter - other->counters);
    }
}

static void
copy_scheduler (WpSm *to, const WpSm *from, uint32_t i)
{
  WpScheduler *scheduler = &to->schedulers[i], own = *scheduler;
  const WpScheduler *other = &from->schedulers[i];
  size_t words = own.n_words * sizeof (uint64_t), list = own.n_slots * sizeof (uint32_t);

  *scheduler = *other;
  scheduler->outside = own.outside;
  scheduler->accepts = scheduler->own_accepts;
  scheduler->arrived = memcpy (own.arrived, other->arrived, words);
  scheduler->want = memcpy (own.want, other->want, (from->machine->n_pipelines + 1) * words);
  scheduler->candidates = memcpy (own.candidates, other->candidates, words);
  scheduler->live = memcpy (own.live, other->live, words);
  scheduler->eligible = memcpy (own.eligible, other->eligible, words);
  scheduler->aside = memcpy (own.aside, other->aside, words);
  scheduler->active = memcpy (own.active, other->active, list);
  scheduler->pending = memcpy (own.pending, other->pending, 2 * list);
  scheduler->is_pending = memcpy (own.is_pending, other->is_pending, words);
  scheduler->places = memcpy (own.places, other->places, list);
  for (uint32_t p = 0; p < from->machine->n_pipelines; p++)
    scheduler->accepts[p] = wp_sm_get_pipeline (to, p, i);
  scheduler->accepts[from->machine->n_pipelines] = &to->barriers;
  scheduler->ready = own.ready;
  scheduler->soon = own.soon; /* wp_wake_list_copy() has them */
  scheduler->late = own.late;
  if (from->many)
    wp_ready_sets_copy (&scheduler->ready, &other->ready);
  scheduler->warps = own.warps;
  for (uint32_t bit = 0; bit < 64 * own.n_words; bit++)
    if (other->warps[bit] != NULL)
      own.warps[bit] = to->warps + (other->warps[bit] - from->warps);
}

static void
copy_schedulers (WpSm *to, const WpSm *from)
{
  uint32_t n = from->machine->n_schedulers;

  memcpy (to->retry, from->retry, n * 2 * sizeof *to->retry);
  for (uint32_t i = 0; i < n; i++)
    copy_scheduler (to, from, i);
}

static void
copy_blocks (WpSm *to, const WpSm *from)
{
  size_t n = from->machine->n_barriers, n_ahead = n * from->machine->warps_per_block;

  memcpy (to->blocks[0].slots, from->blocks[0].slots,
          (size_t)to->n_blocks * from->machine->warps_per_block * sizeof (uint32_t));
  for (uint32_t i = 0; i < to->n_blocks; i++)
    {
      WpBlock own = to->blocks[i];

      to->blocks[i] = from->blocks[i];
      to->blocks[i].slots = own.slots;
      to->blocks[i].n_come = own.n_come;
      to->blocks[i].latest = own.latest;
      to->blocks[i].ahead = own.ahead;
      if (n > 0)
        {
          memcpy (own.n_come, from->blocks[i].n_come, n * sizeof *own.n_come);
          memcpy (own.latest, from->blocks[i].latest, n * sizeof *own.latest);
          memcpy (own.ahead, from->blocks[i].ahead, n_ahead * sizeof *own.ahead);
        }
    }
  memcpy (to->free_blocks, from->free_blocks, to->n_blocks * sizeof *to->free_blocks);
  memcpy (to->ended, from->ended, to->n_blocks * sizeof *to->ended);
}

static void
copy_queue (WpQueue *to, const WpQueue *from)
{
  memcpy (to->entries, from->entries, to->size * sizeof *to->entries);
  to->first = from->first;
  to->n = from->n;
}

static void
copy_flows (WpSm *to, const WpSm *from)
{
  const WpMachine *m = from->machine;

  for (uint32_t slot = 0; slot < to->n_slots; slot++)
    wp_flow_copy (&to->flows[slot], &from->flows[slot], from->unrolled, m->n_programs,
                  m->n_pipelines);
}

static void
copy_result (WpSm *to, const WpSm *from)
{
  wp_result_reset (to->result, from->machine);
  wp_result_add (to->result, from->result, 1, from->machine);
  memcpy (to->waits, from->waits,
          (from->machine->n_pipelines + (size_t)WP_N_WAITS) * sizeof *to->waits);
}

void
wp_sm_copy (WpSm *to, const WpSm *from)
{
  WpSm own = *to;

  *to = *from;
  to->retry = own.retry;
  to->schedulers = own.schedulers;
  to->waits = own.waits;
  to->watched = NULL;
  to->mark_from = UINT64_MAX;
  to->n_terminated = memcpy (own.n_terminated, from->n_terminated,
                             from->machine->n_programs * sizeof *to->n_terminated);
  to->result = own.result;
  to->waited = own.waited;
  to->warps = own.warps;
  to->ending = memcpy (own.ending, from->ending, (to->n_slots / 64 + 1) * sizeof *to->ending);
  to->taken = own.taken;
  to->blocks = own.blocks;
  to->free_blocks = own.free_blocks;
  to->ended = own.ended;
  to->pipelines = own.pipelines;
  to->wheel = own.wheel;
  to->ends = own.ends;
  to->launches = own.launches;
  to->releases = own.releases;
  to->flows = own.flows;
  copy_pipelines (to, from);
  copy_warps (to, from);
  copy_schedulers (to, from);
  copy_blocks (to, from);
  wp_wake_list_copy (to, from);
  copy_queue (&to->launches, &from->launches);
  copy_queue (&to->releases, &from->releases);
  if (from->flows != NULL)
    copy_flows (to, from);
  copy_result (to, from);
}
