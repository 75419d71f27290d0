/* SPDX-License-Identifier: MIT */
/* One instance of a pipeline: when it accepts, and when what it accepted starts (MODEL.md, section
 * 5). Private; plain C11.
 *
 *   queue 1, lambda 4:   accept       0    0    4    8          (the warp waits no longer than
 * this) start        0    4    8   12 in service   [----)[----)[----)[----)
 *
 * Starts never fall, so "fewer than `queue` accepted instructions have not started yet" is the same
 * as "the queue-th last accepted has started": a ring of the last `queue` starts is all that there
 * is to know.
 *
 * A pipeline that limits how many are in flight, that turns around, or that instructions pass by a
 * path (section 12), is special: wp-sm-path.c has the long way into it. Nothing else changes
 * those.
 */
#pragma once

#include "sim/base/wp-compiler.h"
#include "sim/machine/wp-machine.h"

/* What is in flight is looked at only where it may matter.
 *
 * `accept` is the later one of when the queue accepts another, which never falls, and of the
 * n_ends-th latest end. So ends up to the queue's time are all alike, and where fewer than n_ends
 * are later, none of them matters. Ends are put into a bag as they come; when there are n_ends of
 * them, those that do not matter any more are thrown out. As long as fewer than n_ends are in the
 * bag, `accept` is the queue's time.
 *
 * Where nearly all that are in the bag then do matter, they are kept exactly, until fewer do: in
 * order, in up to WP_END_RUNS runs, as stores, hits and misses end in order among themselves. Where
 * one would have to go between others of its run, as with contended memory, all of them become a
 * heap. */
#define WP_END_RUNS 4

/* Ends in a ring, none earlier than the one before it. */
typedef struct
{
  WpTick *ends; /* [n_ends of the pipeline] */
  uint32_t first, n;
  WpTick last; /* 0 where it is empty */
} WpEndRun;

typedef struct
{
  WpTick accept;  /* the earliest time at which it accepts one more, given those that it accepted */
  WpTick free_at; /* the next instruction may start */
  uint32_t queue; /* WP_NO_QUEUE_LIMIT: accepts at any time */
  uint32_t oldest;  /* in starts[]: the queue-th last accepted */
  WpTick *starts;   /* [queue]; 0 before any */
  WpTick *channels; /* [desc->channels]: when each is free; NULL without */
  WpTick latest;    /* all of them are free from then on */
  /* Special ones only: */
  bool special;
  bool passed, wrote; /* something has passed it; that was a write */
  bool shared;        /* SMs have it together */
  bool refuses;       /* `accept` may be later than 0 */
  bool passes_simply; /* none of that comes up where something passes it by a path */
  bool last;          /* fewer than others of its kind: see wp_machine_is_last_group() */
  WpTick turnaround, channel_issue;
  WpSum busy;        /* shared: the sum of issue latencies */
  WpSum turned;      /* for how long instructions waited because it turned around */
  uint32_t n_ends;   /* how many may be in flight; 0: any number */
  WpTick held;       /* the earliest of the n_ends latest times at which those that it accepted are
                      complete; 0 before there are so many */
  uint32_t holder;   /* the run that begins with it */
  uint32_t n_runs;   /* only so many are not empty; where it is 1, the first has all, in order */
  bool heaped;       /* the first has all, the earliest first, as a heap; n_runs is more than 1 */
  bool bag;          /* the first has n_bag ends in any order, the others none; held is 0 */
  uint32_t n_bag;    /* fewer than n_ends */
  uint32_t bag_room; /* n_bag below which one more needs no look; 0 without a bag */
  uint32_t n_exact; /* no bag: how many ends have come since it was looked at whether one will do */
  WpEndRun runs[WP_END_RUNS]; /* together those n_ends times; 0 before any */
} WpPipeline;

/* SPECIAL: whether it is; LAST: as the field. False when memory is out. */
bool wp_pipeline_init (WpPipeline *pipeline, const WpPipelineDesc *desc, bool special, bool last);
void wp_pipeline_clear (WpPipeline *pipeline);

/* The bytes that wp_pipeline_init() takes. */
uint64_t wp_pipeline_measure (const WpPipelineDesc *desc);

/* When its queue accepts one more; this never falls. */
static inline WpTick
wp_pipeline_get_queue_accept (const WpPipeline *pipeline)
{
  if (pipeline->starts != NULL)
    return pipeline->starts[pipeline->oldest];
  return pipeline->queue == 0 ? pipeline->free_at : 0;
}

/* Special: sets `accept`. */
static inline void
wp_pipeline_find_accept (WpPipeline *pipeline)
{
  WpTick accept = wp_pipeline_get_queue_accept (pipeline);

  pipeline->accept = pipeline->held > accept ? pipeline->held : accept;
}

/* Special: what it accepted starts at T. */
static inline void
wp_pipeline_note_start (WpPipeline *pipeline, WpTick t)
{
  if (pipeline->starts == NULL)
    return;
  pipeline->starts[pipeline->oldest] = t;
  pipeline->oldest = pipeline->oldest + 1 == pipeline->queue ? 0 : pipeline->oldest + 1;
}

/* wp_pipeline_note_end() where the bag is full with T, or there is none. O(n_ends) once in n_ends /
 * 8 times; else O(1) while WP_END_RUNS runs are enough, then O(log n_ends). */
void wp_pipeline_insert_end (WpPipeline *pipeline, WpTick t);

/* Special, with n_ends > 0: what it accepted is complete at T. */
static inline void
wp_pipeline_note_end (WpPipeline *pipeline, WpTick t)
{
  if (LIKELY (pipeline->n_bag < pipeline->bag_room))
    pipeline->runs->ends[pipeline->n_bag++] = t;
  else
    wp_pipeline_insert_end (pipeline, t);
}

/* wp_pipeline_accept() where the pipeline limits how many are in flight: what it accepts is so for
 * IN_FLIGHT from its start on. */
static inline WpTick
wp_pipeline_accept_bounded (WpPipeline *pipeline, WpTick t, WpTick issue, WpTick in_flight)
{
  WpTick start = t > pipeline->free_at ? t : pipeline->free_at;

  wp_pipeline_note_start (pipeline, start);
  pipeline->free_at = start + issue;
  wp_pipeline_note_end (pipeline, start + in_flight);
  wp_pipeline_find_accept (pipeline);
  return start;
}

/* The I-th of RUN, one of PIPELINE's. */
static inline WpTick *
wp_pipeline_get_end (const WpPipeline *pipeline, const WpEndRun *run, uint32_t i)
{
  uint32_t at = run->first + i;

  return &run->ends[at < pipeline->n_ends ? at : at - pipeline->n_ends];
}

/* Puts all ends into the first run, in order, those that do not matter any more as the queue's
 * time: states are equal where these are. O(n_ends), and log n_ends times that where they are in a
 * bag or a heap. */
void wp_pipeline_merge_ends (WpPipeline *pipeline);

/* These have been moved there. */
void wp_pipeline_look_at_ends (WpPipeline *pipeline);

/* MODEL.md, section 5: accepts an instruction of issue latency ISSUE at T, which must not be before
 * its time. Returns its start. */
static inline WpTick
wp_pipeline_accept (WpPipeline *pipeline, WpTick t, WpTick issue)
{
  WpTick free_at = pipeline->queue == 0 ? pipeline->accept : pipeline->free_at;
  WpTick start = t > free_at ? t : free_at;

  pipeline->free_at = start + issue;
  if (pipeline->queue == 0)
    pipeline->accept = pipeline->free_at;
  else if (pipeline->starts != NULL)
    {
      pipeline->starts[pipeline->oldest] = start;
      pipeline->oldest = pipeline->oldest + 1 == pipeline->queue ? 0 : pipeline->oldest + 1;
      pipeline->accept = pipeline->starts[pipeline->oldest];
    }
  return start;
}

/* The same where it is known to start at T, when nothing else is in it: `direct` of WpPlan. */
static inline void
wp_pipeline_accept_at_once (WpPipeline *pipeline, WpTick t, WpTick issue)
{
  if (pipeline->queue == 0)
    pipeline->accept = t + issue;
  else
    wp_pipeline_accept (pipeline, t, issue);
}

/* ---- On a path: one behind another (MODEL.md, section 12) ---- */

/* When one that comes to PIPELINE at T begins there; WRITE: what it is. */
static INLINE WpTick
wp_pipeline_find_begin (WpPipeline *pipeline, bool write, WpTick t)
{
  WpTick free_at = pipeline->free_at;

  if (pipeline->turnaround > 0)
    {
      if (pipeline->passed && pipeline->wrote != write)
        {
          WpTick from = free_at > t ? free_at : t;

          free_at += pipeline->turnaround;
          if (free_at > from)
            wp_sum_add (&pipeline->turned, (uint64_t)(free_at - from));
        }
      pipeline->passed = true;
      pipeline->wrote = write;
    }
  return free_at > t ? free_at : t;
}

/* It has begun there at T, and keeps the pipeline for ISSUE, in the last group for ISSUE_LAST:
 * without what that does to `accept`. */
static INLINE void
wp_pipeline_hold (WpPipeline *pipeline, WpTick issue, WpTick issue_last, WpTick t)
{
  if (pipeline->shared)
    {
      issue = pipeline->last ? issue_last : issue;
      wp_sum_add (&pipeline->busy, (uint64_t)issue);
    }
  pipeline->free_at = t + issue;
}

/* The same with that. */
static INLINE void
wp_pipeline_keep (WpPipeline *pipeline, WpTick issue, WpTick issue_last, WpTick t)
{
  wp_pipeline_hold (pipeline, issue, issue_last, t);
  if (pipeline->refuses)
    wp_pipeline_find_accept (pipeline);
}

/* One that comes to PIPELINE at T, by a path, passes it, where no time is too late. Returns when it
 * begins there. */
static INLINE WpTick
wp_pipeline_pass_safely (WpPipeline *pipeline, const WpPass *pass, bool write, WpTick t)
{
  WpTick begin;

  if (pipeline->passes_simply)
    {
      begin = pipeline->free_at > t ? pipeline->free_at : t;
      pipeline->free_at = begin + pass->issue;
      return begin;
    }
  begin = wp_pipeline_find_begin (pipeline, write, t);
  wp_pipeline_keep (pipeline, pass->issue, pass->issue_last, begin);
  return begin;
}
