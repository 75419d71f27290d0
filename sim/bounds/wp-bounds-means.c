/* SPDX-License-Identifier: MIT */
/* A mean is rounded down to a tick, of which a cycle has 2^20 or more here. Where a mix passes a
 * pipeline in one of its contexts alone, its mean passes it for less time, each time.
 */
#include "sim/bounds/wp-bounds-means.h"

#include <stdlib.h>
#include <string.h>

#define MIN_TICKS_PER_CYCLE (INT64_C (1) << 20)

__extension__ typedef unsigned __int128 Wide;

/* A mix: its contexts, and how many finer ticks a tick is. */
typedef struct
{
  const WpMachine *machine;
  const WpInstr *first;
  int64_t scale;
} Mix;

/* A sum of times by weight: at most 2^31 x 2^62. */
typedef struct
{
  Wide sum;
} Sum;

static uint32_t
get_weight (const WpInstr *instr)
{
  return instr->cost->mix_upto - (instr->cost->mix_place > 0 ? instr[-1].cost->mix_upto : 0);
}

static void
add (Sum *sum, const WpInstr *instr, Wide time)
{
  sum->sum += get_weight (instr) * time;
}

/* MODEL.md, section 13: the mean, rounded down to a tick. */
static WpTick
get_mean (WpBoundsMeans *means, const Mix *mix, Sum sum)
{
  Wide mean = sum.sum * (Wide)mix->scale / mix->first[mix->first->cost->mix - 1].cost->mix_upto;

  means->overflow |= mean > (Wide)WP_TICK_LIMIT;
  return mean > (Wide)WP_TICK_LIMIT ? WP_TICK_LIMIT : (WpTick)mean;
}

/* TIME in finer ticks. */
static WpTick
scale (WpBoundsMeans *means, int64_t by, WpTick time)
{
  means->overflow |= time > WP_TICK_LIMIT / by;
  return time > WP_TICK_LIMIT / by ? WP_TICK_LIMIT : time * by;
}

/* ---- Mixes ---- */

/* Whether any context of the mix passes PIPELINE: then adds it to the mean's path, with the mean of
 * the sums of what they keep it for. */
static void
add_pass (WpBoundsMeans *means, const Mix *mix, uint32_t pipeline, WpCost *mean)
{
  Sum issue = { 0 }, last = { 0 };

  for (uint32_t i = 0; i < mix->first->cost->mix; i++)
    for (uint32_t k = 0; k < mix->first[i].cost->n_passes; k++)
      {
        const WpPass *pass = &mix->machine->passes[mix->first[i].cost->first_pass + k];

        if (pass->pipeline != pipeline)
          continue;
        add (&issue, &mix->first[i], (Wide)pass->issue);
        add (&last, &mix->first[i], (Wide)pass->issue_last);
      }
  means->passes[mean->first_pass + mean->n_passes++]
      = (WpPass){ .pipeline = pipeline,
                  .issue = get_mean (means, mix, issue),
                  .issue_last = get_mean (means, mix, last) };
}

/* The pipelines of all paths, each once, in the order in which they first come. */
static void
add_path (WpBoundsMeans *means, const Mix *mix, WpCost *mean)
{
  uint64_t seen = 0;

  mean->first_pass = means->machine.n_passes;
  mean->n_passes = 0;
  for (uint32_t i = 0; i < mix->first->cost->mix; i++)
    for (uint32_t k = 0; k < mix->first[i].cost->n_passes; k++)
      {
        uint32_t pipeline = mix->machine->passes[mix->first[i].cost->first_pass + k].pipeline;

        if ((seen >> pipeline & 1) == 0)
          add_pass (means, mix, pipeline, mean);
        seen |= UINT64_C (1) << pipeline;
      }
  means->machine.n_passes += mean->n_passes;
}

static Wide
get_slot_time (const WpMachine *machine, const WpInstr *instr)
{
  Wide time = (Wide)instr->cost->slots * (Wide)machine->interval;

  return time > (Wide)WP_TICK_LIMIT ? (Wide)WP_TICK_LIMIT : time;
}

static void
take_means (WpBoundsMeans *means, const Mix *mix, uint32_t at)
{
  WpCost *mean = &means->costs[at];
  Sum issue = { 0 }, last = { 0 }, completion = { 0 }, slots = { 0 };

  mean->posted = true;
  for (uint32_t i = 0; i < mix->first->cost->mix; i++)
    {
      const WpInstr *instr = &mix->first[i];

      add (&issue, instr, (Wide)instr->cost->issue);
      add (&last, instr, (Wide)instr->cost->issue_last);
      add (&completion, instr, instr->cost->posted ? 0 : (Wide)instr->cost->completion);
      add (&slots, instr, get_slot_time (mix->machine, instr));
      mean->posted &= instr->cost->posted;
    }
  mean->issue = get_mean (means, mix, issue);
  mean->issue_last = get_mean (means, mix, last);
  mean->completion = means->instrs[at].reach = get_mean (means, mix, completion);
  means->slots[at] = get_mean (means, mix, slots) - means->machine.interval;
  mean->slots = means->slots[at] > 0 ? 2 : 1; /* a mean above one interval counts as slots > 1 */
  add_path (means, mix, mean);
}

/* The dependence at place D, on the first of MIX: that of its consumer on each context. */
static void
take_mean_latency (WpBoundsMeans *means, const Mix *mix, uint32_t d)
{
  WpDep *dep = &means->deps[d];
  WpInstr *mean = &means->instrs[dep->producer];
  Sum latency = { 0 };

  for (uint32_t i = 0; i < mix->first->cost->mix; i++)
    add (&latency, &mix->first[i],
         (Wide)mix->machine->deps[d + wp_instr_get_set (&mix->first[i])].latency);
  dep->latency = get_mean (means, mix, latency);
  dep->pipeline = wp_instr_get_last_pipeline (&means->machine, mean);
  mean->reach = dep->latency > mean->reach ? dep->latency : mean->reach;
}

/* ---- All else ---- */

static void
scale_gpu (WpBoundsMeans *means, int64_t by)
{
  WpMachine *m = &means->machine;

  m->ticks_per_cycle *= by;
  m->interval = scale (means, by, m->interval);
  m->ilp_latency = scale (means, by, m->ilp_latency);
  m->launch_latency = scale (means, by, m->launch_latency);
  m->barrier_latency = scale (means, by, m->barrier_latency);
  for (uint32_t p = 0; p < m->n_pipelines; p++)
    {
      WpPipelineDesc *desc = &means->pipelines[p];

      /* Bounds know nothing of these. */
      desc->turnaround = desc->turnaround_last = 0;
      desc->channel_issue = desc->channel_issue_last = 0;
    }
}

static void
scale_instr (WpBoundsMeans *means, const WpMachine *machine, int64_t by, uint32_t i)
{
  WpInstr *instr = &means->instrs[i];
  WpCost *cost = &means->costs[i];
  WpTick more = (WpTick)(cost->slots - 1);

  cost->issue = scale (means, by, cost->issue);
  cost->issue_last = scale (means, by, cost->issue_last);
  cost->completion = scale (means, by, cost->completion);
  instr->reach = scale (means, by, instr->reach);
  cost->in_flight = 0;
  means->overflow |= more > 0 && means->machine.interval > WP_TICK_LIMIT / more;
  means->slots[i] = means->overflow ? 0 : means->machine.interval * more;
  cost->first_pass = means->machine.n_passes;
  for (uint32_t k = 0; k < cost->n_passes; k++)
    {
      WpPass pass = machine->passes[machine->instrs[i].cost->first_pass + k];

      pass.issue = scale (means, by, pass.issue);
      pass.issue_last = scale (means, by, pass.issue_last);
      means->passes[means->machine.n_passes++] = pass;
    }
}

static void
fill (WpBoundsMeans *means, const WpMachine *machine, int64_t by)
{
  scale_gpu (means, by);
  for (uint32_t i = 0; i < machine->n_instrs; i++)
    {
      const WpInstr *instr = &machine->instrs[i];
      Mix mix = { machine, instr, by };

      means->costs[i] = *instr->cost;
      means->instrs[i].cost = &means->costs[i];
      means->costs[i].stall = scale (means, by, instr->cost->stall);
      if (instr->cost->mix_place > 0)
        continue;
      if (wp_instr_is_mixed (instr))
        take_means (means, &mix, i);
      else
        scale_instr (means, machine, by, i);
      means->costs[i].mix = 0;
    }
  for (uint32_t d = 0; d < machine->n_deps; d++)
    {
      const WpInstr *producer = &machine->instrs[machine->deps[d].producer];
      Mix mix = { machine, producer, by };

      if (wp_instr_is_mixed (producer) && producer->cost->mix_place == 0)
        take_mean_latency (means, &mix, d);
      else
        means->deps[d].latency = scale (means, by, means->deps[d].latency);
    }
}

/* Instructions may share a path. */
static size_t
count_passes (const WpMachine *machine)
{
  size_t n = 1;

  for (uint32_t i = 0; i < machine->n_instrs; i++)
    n += machine->instrs[i].cost->n_passes;
  return n;
}

/* A copy of N elements of SIZE each; NULL when memory is out. */
static void *
copy (const void *from, size_t n, size_t size)
{
  void *to = calloc (n + 1, size);

  if (to != NULL && n > 0)
    memcpy (to, from, n * size);
  return to;
}

bool
wp_bounds_means_init (WpBoundsMeans *means, const WpMachine *machine)
{
  int64_t by = 1;

  *means = (WpBoundsMeans){ .machine = *machine };
  means->instrs = copy (machine->instrs, machine->n_instrs, sizeof *means->instrs);
  means->costs = calloc (machine->n_instrs + (size_t)1, sizeof *means->costs);
  means->deps = copy (machine->deps, machine->n_deps, sizeof *means->deps);
  means->passes = calloc (count_passes (machine), sizeof *means->passes);
  means->pipelines = copy (machine->pipelines, machine->n_pipelines, sizeof *means->pipelines);
  means->slots = calloc (machine->n_instrs + (size_t)1, sizeof *means->slots);
  if (means->instrs == NULL || means->costs == NULL || means->deps == NULL || means->passes == NULL
      || means->pipelines == NULL || means->slots == NULL)
    return false;
  means->machine.instrs = means->instrs;
  means->machine.deps = means->deps;
  means->machine.passes = means->passes;
  means->machine.pipelines = means->pipelines;
  means->machine.n_passes = 0;
  while (machine->ticks_per_cycle * by < MIN_TICKS_PER_CYCLE)
    by *= 2;
  fill (means, machine, by);
  return true;
}

void
wp_bounds_means_clear (WpBoundsMeans *means)
{
  free (means->instrs);
  free (means->costs);
  free (means->deps);
  free (means->passes);
  free (means->pipelines);
  free (means->slots);
  *means = (WpBoundsMeans){ 0 };
}
