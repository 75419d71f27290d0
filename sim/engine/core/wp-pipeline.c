/* SPDX-License-Identifier: MIT */
/* Only what allocates is here: accepting is inline in the header, on the path of every issue.
 */
#include "sim/engine/core/wp-pipeline.h"

#include "sim/base/wp-compiler.h"

#include <stdlib.h>

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
  if (desc->inflight > 0)
    {
      WpTick *ends = calloc (desc->inflight, WP_END_RUNS * sizeof *ends);

      if (ends == NULL)
        return false;
      for (uint32_t i = 0; i < WP_END_RUNS; i++)
        pipeline->runs[i].ends = ends + (size_t)i * desc->inflight;
      pipeline->runs[0].n = desc->inflight;
      pipeline->n_runs = 1;
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

/* Puts T, which is earlier than the last of RUN, behind those that are not later. */
static void
insert (WpPipeline *pipeline, WpEndRun *run, WpTick t)
{
  uint32_t i = run->n++;

  for (; i > 0; i--)
    {
      WpTick end = *wp_pipeline_get_end (pipeline, run, i - 1);

      if (end <= t)
        break;
      *wp_pipeline_get_end (pipeline, run, i) = end;
    }
  *wp_pipeline_get_end (pipeline, run, i) = t;
}

/* The first run whose last is not later than T; where there is none, the last run of all. */
static INLINE uint32_t
find_run (const WpPipeline *pipeline, WpTick t)
{
  uint32_t i = 0;

  while (i < WP_END_RUNS - 1 && pipeline->runs[i].last > t)
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

/* The earliest gives way. */
void
wp_pipeline_insert_end (WpPipeline *pipeline, WpTick t)
{
  uint32_t i;

  if (t <= pipeline->held)
    return;
  drop_earliest (pipeline);
  i = find_run (pipeline, t);
  if (pipeline->runs[i].last <= t)
    append (pipeline, &pipeline->runs[i], t);
  else
    insert (pipeline, &pipeline->runs[i], t);
  pipeline->n_runs = i < pipeline->n_runs ? pipeline->n_runs : i + 1;
  while (pipeline->runs[pipeline->n_runs - 1].n == 0)
    pipeline->n_runs--;
  find_earliest (pipeline);
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

void
wp_pipeline_merge_ends (WpPipeline *pipeline)
{
  for (uint32_t i = 1; i < pipeline->n_runs; i++)
    merge (pipeline, &pipeline->runs[0], &pipeline->runs[i]);
  wp_pipeline_look_at_ends (pipeline);
}
