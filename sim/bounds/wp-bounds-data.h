/* SPDX-License-Identifier: MIT */
/* What bounds are made of, as plain data: segments, the critical path, intervals. Plain C11. */
#pragma once

#include "sim/base/wp-mean.h"
#include "sim/machine/wp-machine.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Why an instruction issued when it did. */
typedef enum
{
  WP_EDGE_START,      /* the warp's first: at its start */
  WP_EDGE_DEPENDENCY, /* completion latency of the step before, for this one */
  WP_EDGE_ILP,        /* program order: ilp-latency after the step before */
  WP_EDGE_PAIR,       /* program order: in one issue with the step before */
  WP_EDGE_BARRIER, /* barrier latency after the step before, the last arrival at the barrier (of any
                      warp) */
  WP_N_EDGES
} WpEdge;

/* An item of a critical path, in order of time: a step, or (n_items > 0) the head of a group: the
 * next n_items items come `times` times over. Groups nest. */
typedef struct
{
  uint32_t n_items;
  uint64_t times;   /* of a group, >= 2 */
  uint32_t instr;   /* of a step: in machine.instrs[] */
  uint32_t segment; /* of a step: in WpBounds.segments[], whose warp it is */
  WpEdge edge;      /* by which it is reached from the step before */
  WpTick length;    /* of that edge */
} WpPathItem;

/* A run of instructions that one warp issues without waiting for a result, and the wait that ends
 * it (the "interval" of Huang et al. 2014). */
typedef struct
{
  uint64_t instructions;
  WpTick wait;       /* from its last issue to the next interval's first, or to the warp's end */
  uint32_t pipeline; /* of the result waited for; WP_NO_PIPELINE: a barrier's release */
  uint64_t times;
} WpInterval;

/* Warps of one program in one kind of block. All of them do the same at the same times, but where a
 * number of warps releases a barrier of the block: there each warp is a segment of its own. */
typedef struct
{
  uint32_t row;        /* in machine.rows[] */
  uint32_t first_warp; /* of the block */
  uint32_t n_warps;
  uint32_t program; /* in machine.programs[] */
  bool with_block;  /* the block has barriers: counts with its slowest warp */
  uint64_t blocks;  /* of the run, of this kind */
  WpTick latency;   /* from its start to its termination, alone with its block */
} WpBoundsSegment;

/* How a warp, alone with its block, comes to an instruction for the first time. */
typedef struct
{
  WpTick time; /* of its issue, from the warp's start; < 0: never */
  bool paired; /* in one issue with the instruction before it */
} WpFirstIssue;

typedef enum
{
  WP_BOUNDS_MORE,  /* there is more to run */
  WP_BOUNDS_DONE,  /* all figures are final */
  WP_BOUNDS_STUCK, /* warps, alone with their block, wait at barriers for one another for ever: see
                         wp_bounds_get_stuck() */
  WP_BOUNDS_OVERFLOW, /* a time or a sum beyond what can be represented: 2^62 ticks */
  WP_BOUNDS_NO_MEMORY,
} WpBoundsStatus;

/* Read freely once wp_bounds_run() has returned WP_BOUNDS_DONE. All of one SM, for each warp.
 * Where the machine has mixes (MODEL.md, section 13), `machine` is one of means, of which the first
 * instruction of each mix is the mix: it has the places of the other in all of its arrays but
 * passes[], and finer ticks, in which all times here are; no code leads to the others of a mix. */
typedef struct WpBounds
{
  const WpMachine *machine;

  WpMean latency; /* ticks, launch latency included */
  uint32_t n_segments;
  WpBoundsSegment *segments; /* by row, then by first warp */

  WpMean *counts;       /* [machine.n_instrs]: how often a warp issues it */
  WpFirstIssue *firsts; /* likewise; of the first segment that runs the program */
  WpMean *pipelines;    /* [machine.n_pipelines]: ticks that a warp uses it for, shared out over its
                           instances */
  WpMean scheduler;     /* ticks of issue slots, shared out over the schedulers */
  /* What `scheduler` is made of, for each warp: */
  WpMean single_issues, dual_issues; /* each interval / (issue limit x schedulers) */
  WpMean filled;       /* issues of those whose slot is filled: (1 - 1 / issue limit) x interval /
                      schedulers more */
  WpMean reissues;     /* each interval / schedulers; of means parts of one, too */
  WpMean reissue_time; /* ticks of these, to be shared out over the schedulers */

  uint32_t tightest; /* a pipeline, or n_pipelines: the schedulers */
  WpMean throughput; /* the largest of the above: ticks for each warp */

  /* The critical path of the slowest warp, segments[slowest]: from the start to the issue of the
   * instruction that completes last, and from there `completion` ticks to the end. */
  uint32_t slowest;
  uint32_t n_path;
  WpPathItem *path;
  WpTick completion;  /* of the last step (of a barrier: its latency); the warp's latency is the sum
                         of all lengths */
  WpTick path_begins; /* 0; else the path before this time was not kept, and `path` begins with what
                         came at it */

  /* How that warp's issues are divided. Empty where not all of its run was kept. */
  uint32_t n_intervals;
  WpInterval *intervals;
} WpBounds;

#ifdef __cplusplus
}
#endif
