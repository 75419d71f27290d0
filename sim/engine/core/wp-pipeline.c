/* SPDX-License-Identifier: MIT */
/* Only what allocates is here: accepting is inline in the header, on the path of every issue.
 */
#include "sim/engine/core/wp-pipeline.h"

#include "sim/base/wp-compiler.h"
#include "sim/base/wp-measure.h"

#include <stdlib.h>

uint64_t
wp_pipeline_measure (const WpPipelineDesc *desc)
{
  uint64_t bytes = 0;

  if (desc->inflight > 0)
    bytes += wp_measure ((uint64_t)desc->inflight * WP_END_RUNS, sizeof (WpTick));
  if (desc->queue != 0 && desc->queue != WP_NO_QUEUE_LIMIT)
    bytes += wp_measure (desc->queue, sizeof (WpTick));
  if (desc->channels > 0)
    bytes += wp_measure (desc->channels, sizeof (WpTick));
  return bytes;
}

static void
set_bag (WpPipeline *pipeline, bool bag)
{
  pipeline->bag = bag;
  pipeline->bag_room = bag ? pipeline->n_ends - 1 : 0;
}

bool
wp_pipeline_init (WpPipeline *pipeline, const WpPipelineDesc *desc, bool special, bool last)
{
  *pipeline = (WpPipeline){ .queue = desc->queue,
                            .special = special,
                            .shared = desc->shared > 1,
                            .refuses = desc->queue != WP_NO_QUEUE_LIMIT || desc->inflight > 0,
                            .last = last,
                            .turnaround = last ? desc->turnaround_last : desc->turnaround,
                            .channel_issue = last ? desc->channel_issue_last : desc->channel_issue,
                            .n_ends = desc->inflight };
  pipeline->passes_simply = !pipeline->shared && !pipeline->refuses && pipeline->turnaround == 0;
  if (desc->inflight > 0)
    {
      WpTick *ends = calloc (desc->inflight, WP_END_RUNS * sizeof *ends);

      if (ends == NULL)
        return false;
      for (uint32_t i = 0; i < WP_END_RUNS; i++)
        pipeline->runs[i].ends = ends + (size_t)i * desc->inflight;
      set_bag (pipeline, true);
    }
  if (desc->queue != 0 && desc->queue != WP_NO_QUEUE_LIMIT)
    {
      pipeline->starts = calloc (desc->queue, sizeof *pipeline->starts);
      if (pipeline->starts == NULL)
        return false;
    }
  if (desc->channels > 0)
    {
      pipeline->channels = calloc (desc->channels, sizeof *pipeline->channels);
      if (pipeline->channels == NULL)
        return false;
    }
  return true;
}

void
wp_pipeline_clear (WpPipeline *pipeline)
{
  free (pipeline->starts);
  free (pipeline->channels);
  free (pipeline->runs[0].ends);
}

static INLINE void
drop_earliest (WpPipeline *pipeline)
{
  WpEndRun *run = &pipeline->runs[pipeline->holder];

  run->first = run->first + 1 == pipeline->n_ends ? 0 : run->first + 1;
  if (--run->n == 0)
    run->last = 0;
}

static INLINE void
append (WpPipeline *pipeline, WpEndRun *run, WpTick t)
{
  *wp_pipeline_get_end (pipeline, run, run->n++) = run->last = t;
}

/* The first run whose last is not later than T; WP_END_RUNS: none is. */
static INLINE uint32_t
find_run (const WpPipeline *pipeline, WpTick t)
{
  uint32_t i = 0;

  while (i < WP_END_RUNS && pipeline->runs[i].last > t)
    i++;
  return i;
}

static INLINE void
find_earliest (WpPipeline *pipeline)
{
  WpTick held = WP_TICK_LIMIT;
  uint32_t n = pipeline->n_runs;

  for (uint32_t i = 0; i < n; i++)
    {
      const WpEndRun *run = &pipeline->runs[i];

      if (run->n == 0 || run->ends[run->first] >= held)
        continue;
      held = run->ends[run->first];
      pipeline->holder = i;
    }
  pipeline->held = held;
}

/* From the latest on, so that there is room behind those of INTO that are not there yet. */
static void
merge (WpPipeline *pipeline, WpEndRun *into, WpEndRun *from)
{
  uint32_t n = into->n;

  into->n += from->n;
  for (uint32_t to = into->n; from->n > 0; to--)
    {
      WpTick end = *wp_pipeline_get_end (pipeline, from, from->n - 1);

      if (n > 0 && *wp_pipeline_get_end (pipeline, into, n - 1) > end)
        end = *wp_pipeline_get_end (pipeline, into, --n);
      else
        from->n--;
      *wp_pipeline_get_end (pipeline, into, to - 1) = end;
    }
  from->last = 0;
}

void
wp_pipeline_look_at_ends (WpPipeline *pipeline)
{
  WpEndRun *run = &pipeline->runs[0];

  pipeline->n_runs = 1;
  pipeline->holder = 0;
  pipeline->held = run->ends[run->first];
  run->last = *wp_pipeline_get_end (pipeline, run, run->n - 1);
}

static void
merge_runs (WpPipeline *pipeline)
{
  for (uint32_t i = 1; i < pipeline->n_runs; i++)
    merge (pipeline, &pipeline->runs[0], &pipeline->runs[i]);
}

/* ---- The heap ---- */

/* Puts T into the place of the first of a heap of N. T is mostly among the latest: so the place
 * goes down all the way, and T then up from there. */
static void
replace_first (WpTick *heap, uint32_t n, WpTick t)
{
  uint32_t place = 0, child;

  for (child = 1; child + 1 < n; child = 2 * place + 1)
    {
      child += heap[child + 1] < heap[child];
      heap[place] = heap[child];
      place = child;
    }
  if (child < n)
    {
      heap[place] = heap[child];
      place = child;
    }
  for (; place > 0 && heap[(place - 1) / 2] > t; place = (place - 1) / 2)
    heap[place] = heap[(place - 1) / 2];
  heap[place] = t;
}

static void
reverse (WpTick *ticks, uint32_t n)
{
  for (uint32_t i = 0; i < n / 2; i++)
    {
      WpTick tick = ticks[i];

      ticks[i] = ticks[n - 1 - i];
      ticks[n - 1 - i] = tick;
    }
}

/* From the earliest on each goes behind those that are left of the heap, which is the other way
 * round. */
static void
sort_heap (WpTick *heap, uint32_t n)
{
  for (uint32_t left = n; left-- > 1;)
    {
      WpTick earliest = heap[0], last = heap[left];

      replace_first (heap, left, last);
      heap[left] = earliest;
    }
  reverse (heap, n);
}

/* Sorts N ENDS. */
static void
sort (WpTick *ends, uint32_t n)
{
  for (uint32_t i = 1; i < n; i++)
    {
      WpTick end = ends[i];
      uint32_t place = i;

      for (; place > 0 && ends[(place - 1) / 2] > end; place = (place - 1) / 2)
        ends[place] = ends[(place - 1) / 2];
      ends[place] = end;
    }
  sort_heap (ends, n);
}

/* Turns the ring that the first run is, so that it begins with the first of the array: which is a
 * heap then, too. */
static void
turn_ring (WpPipeline *pipeline)
{
  WpEndRun *run = &pipeline->runs[0];

  reverse (run->ends, run->first);
  reverse (run->ends + run->first, pipeline->n_ends - run->first);
  reverse (run->ends, pipeline->n_ends);
  run->first = 0;
}

static void
make_heap (WpPipeline *pipeline)
{
  merge_runs (pipeline);
  turn_ring (pipeline);
  pipeline->heaped = true;
}

/* ---- Either ---- */

static INLINE bool
append_to_run (WpPipeline *pipeline, WpTick t)
{
  uint32_t i = find_run (pipeline, t);

  if (i == WP_END_RUNS)
    return false;
  drop_earliest (pipeline);
  append (pipeline, &pipeline->runs[i], t);
  pipeline->n_runs = i < pipeline->n_runs ? pipeline->n_runs : i + 1;
  while (pipeline->runs[pipeline->n_runs - 1].n == 0)
    pipeline->n_runs--;
  find_earliest (pipeline);
  return true;
}

/* The earliest gives way. */
static INLINE void
insert_exactly (WpPipeline *pipeline, WpTick t)
{
  if (t <= pipeline->held || (!pipeline->heaped && append_to_run (pipeline, t)))
    return;
  if (!pipeline->heaped)
    make_heap (pipeline);
  replace_first (pipeline->runs[0].ends, pipeline->n_ends, t);
  pipeline->held = pipeline->runs[0].ends[0];
}

/* ---- The bag ---- */

/* Of the N first of ENDS those that are later than ACCEPT come first then. Returns how many. */
static uint32_t
throw_out (WpTick *ends, uint32_t n, WpTick accept)
{
  uint32_t kept = 0;

  for (uint32_t i = 0; i < n; i++)
    {
      WpTick end = ends[i];

      ends[kept] = end;
      kept += end > accept;
    }
  return kept;
}

/* Whether N ends that matter leave enough room in a bag. */
static bool
fit_into_bag (const WpPipeline *pipeline, uint32_t n)
{
  return n + pipeline->n_ends / 8 < pipeline->n_ends;
}

/* There is no bag: makes one, if that will do. */
static void
look_for_bag (WpPipeline *pipeline)
{
  WpTick *ends = pipeline->runs[0].ends, accept = wp_pipeline_get_queue_accept (pipeline);
  uint32_t n = 0;

  pipeline->n_exact = 0;
  if (!pipeline->heaped)
    {
      merge_runs (pipeline);
      wp_pipeline_look_at_ends (pipeline);
    }
  for (uint32_t i = 0; i < pipeline->n_ends; i++)
    n += ends[i] > accept;
  if (!fit_into_bag (pipeline, n))
    return;
  pipeline->n_bag = throw_out (ends, pipeline->n_ends, accept);
  set_bag (pipeline, true);
  pipeline->heaped = false;
  pipeline->held = 0;
}

/* Keeps exactly what is in the bag. */
static void
open_bag (WpPipeline *pipeline, WpTick accept)
{
  WpEndRun *run = &pipeline->runs[0];
  uint32_t n = pipeline->n_bag;

  sort (run->ends, n);
  for (uint32_t i = n; i < pipeline->n_ends; i++)
    run->ends[i] = accept;
  run->first = n == pipeline->n_ends ? 0 : n;
  run->n = pipeline->n_ends;
  set_bag (pipeline, false);
  pipeline->n_exact = 0;
  wp_pipeline_look_at_ends (pipeline);
}

void
wp_pipeline_insert_end (WpPipeline *pipeline, WpTick t)
{
  WpTick accept = wp_pipeline_get_queue_accept (pipeline), *ends = pipeline->runs[0].ends;

  if (!pipeline->bag)
    {
      insert_exactly (pipeline, t);
      if (++pipeline->n_exact >= pipeline->n_ends)
        look_for_bag (pipeline);
      return;
    }
  ends[pipeline->n_bag] = t;
  pipeline->n_bag = throw_out (ends, pipeline->n_bag + 1, accept);
  if (!fit_into_bag (pipeline, pipeline->n_bag))
    open_bag (pipeline, accept);
}

void
wp_pipeline_merge_ends (WpPipeline *pipeline)
{
  WpTick accept = wp_pipeline_get_queue_accept (pipeline);

  if (pipeline->bag)
    {
      pipeline->n_bag = throw_out (pipeline->runs[0].ends, pipeline->n_bag, accept);
      open_bag (pipeline, accept);
    }
  else if (pipeline->heaped)
    sort_heap (pipeline->runs[0].ends, pipeline->n_ends);
  else
    merge_runs (pipeline);
  pipeline->heaped = false;
  for (uint32_t i = 0; i < pipeline->n_ends; i++)
    {
      WpTick *end = wp_pipeline_get_end (pipeline, pipeline->runs, i);

      *end = *end > accept ? *end : accept;
    }
  wp_pipeline_look_at_ends (pipeline);
  pipeline->n_exact = pipeline->n_ends;
}
