/* SPDX-License-Identifier: MIT */
/* What the engine does with a block on the unlimited machine, written down: every issue with the
 * step that it waited for on a trail, from which the critical path is read; how each warp's issues
 * go together; and its end. Private; plain C11.
 */
#pragma once

#include "sim/bounds/wp-bounds-trail.h"
#include "sim/bounds/wp-unlimited.h"
#include "sim/machine/wp-observer.h"

/* A latency that ends the warp, if none ends later: `at` is the step's position, `time` its end,
 * `length` from its issue (of a barrier: from the last arrival). */
typedef struct
{
  WpTick time; /* < 0: none */
  WpTick length;
  uint64_t at;
  uint32_t pipeline; /* or WP_NO_PIPELINE */
  uint32_t instr;    /* of the machine as a whole; of several at one time the first */
} WpEnd;

/* Issues so far. A group that goes out together counts once. */
typedef struct
{
  uint64_t singles, groups; /* of one instruction, of more */
  uint64_t filled;          /* with slots > 1 */
  WpSum reissues;           /* slots beyond the first, of those; where there are means, ticks */
  uint64_t n_issued;        /* instructions */
} WpIssueCounts;

/* How a warp fared. */
typedef struct
{
  WpEnd end;   /* its termination; end.time < 0: an empty program, at its start */
  WpTick last; /* issue */
  WpIssueCounts counts;
} WpWarpRecord;

typedef struct
{
  WpWarpRecord record;
  const WpProgram *program; /* of the unlimited machine */
  uint32_t segment;         /* in bounds->segments[] */
  bool has_issued, waits;   /* at a barrier */
  uint32_t waits_at;        /* which: as WpInstr has it */
  bool after_barrier;       /* the last issue was one */
  uint64_t last_position;
  WpTick turn;    /* how long after the last issue the next one may come */
  WpTick release; /* of the last barrier, -1: none */
  WpTick release_length;
  uint64_t release_position; /* of the step that it came from */
  uint32_t group;            /* instructions of the present issue */
  uint64_t more;             /* what its slot lasts beyond the first */
  /* Of each value that the warp keeps, when it was issued; in dataflow order of each dynamic
   * instruction. */
  WpTick *issued; /* -1: never */
  uint64_t *positions;
} WpBoundsWarp;

/* The last issue that came to a barrier with a name. */
typedef struct
{
  uint32_t name;
  WpTick time; /* < 0: none yet */
  uint64_t position;
} WpBoundsComing;

/* Comings to a barrier of a number of warps, since the last release there. */
typedef struct
{
  WpEnd latest;    /* of them; a late one is on the trail where what it depends on was issued */
  bool is_decided; /* they have been released: the next one is of another group */
} WpBoundsGroup;

typedef struct
{
  WpObserver observer;
  const WpUnlimited *unlimited;
  WpBoundsTrail *trail;
  WpFirstIssue *firsts; /* of the whole machine's instrs[] */
  const WpTick *slots;  /* likewise, where there are means: see wp-bounds-means.h; else NULL */
  uint32_t n;
  WpBoundsWarp *warps; /* [n] */
  bool replays;        /* a round that recurs: it is on the trail already */
  uint64_t position;   /* of its next step */
  uint64_t times;      /* it comes so often */
  WpBoundsComing coming;
  WpBoundsGroup *groups; /* [n_barriers] */
  uint32_t most_kept;    /* the largest distance of a dependence */
  uint64_t earliest;     /* the first position that a step has waited for; see unfold_first() */
  bool no_memory;
} WpBoundsRecorder;

/* For the N segments from FIRST_SEGMENT on, each a warp of UNLIMITED's block. All is borrowed.
 * False when memory is out: RECORDER is clear then. */
bool wp_bounds_recorder_init (WpBoundsRecorder *recorder, const WpUnlimited *unlimited, uint32_t n,
                              uint32_t first_segment, WpBoundsTrail *trail, WpFirstIssue *firsts,
                              const WpTick *slots);

/* Makes it one of no warps; so it is, too, where it is all 0. */
void wp_bounds_recorder_clear (WpBoundsRecorder *recorder);
