/* SPDX-License-Identifier: MIT */
/* What a run tells: the callbacks that recorders attach to. Plain C11.
 *
 * An observer sees all that happens, in the order in which it happens: times never fall; at one
 * time SM 0 comes first, then SM 1, and so on. Every callback may be NULL. Events are borrowed for
 * the call. A callback may not touch the device; a recorder that fails remembers it, and whoever
 * drives the run (wp-device.h) looks.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "sim/base/wp-macros.h"
#include "sim/base/wp-time.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where a warp's time goes (MODEL.md, section 9), in the order of the lifetimes table. */
typedef enum
{
  WP_STALL_BARRIER,
  WP_STALL_DEPENDENCY,
  WP_STALL_ILP,
  WP_STALL_PIPELINE,
  WP_STALL_NOT_SELECTED,
  WP_STALL_DRAIN,
  WP_N_STALLS
} WpStall;

/* What set the time at which a warp was ready for an instruction (MODEL.md, sections 5 and 9): the
 * latest of all that it had to wait for. Of several at the same time a barrier goes before a
 * dependence, and a dependence before the ILP latency; of several dependences the one named first
 * in `after`, in dataflow order the one whose producer issued first. */
typedef enum
{
  WP_REASON_START,      /* the warp's own start: nothing of it has issued before */
  WP_REASON_BARRIER,    /* the release of the last barrier that it issued */
  WP_REASON_DEPENDENCY, /* a result; in dataflow order a barrier waits for all instructions before
                           it */
  WP_REASON_ILP,        /* its last issue, and the ILP latency after it */
  WP_REASON_PAIR,       /* nothing: it follows another instruction in the same issue */
  WP_N_REASONS
} WpReason;

#define WP_NO_PRODUCER UINT64_MAX
#define WP_NO_INSTR UINT32_MAX

typedef struct
{
  WpTick time;
  uint32_t sm;
  uint64_t block;
} WpBlockEvent;

typedef struct
{
  WpTick time; /* of the issue */
  uint32_t sm, scheduler, slot;
  uint64_t block;
  uint32_t warp;   /* of the block */
  uint64_t index;  /* dynamic instruction of the warp, from 0 */
  uint32_t instr;  /* in the machine's instrs[] */
  bool follows;    /* dual-issued behind an earlier instruction of the same issue */
  bool replayed;   /* of a period that recurs and is not simulated again */
  WpTick ready;    /* when the warp was ready for it (of a follower: time) */
  WpTick accept;   /* when its pipeline would have accepted it; at most time */
  WpTick start;    /* in the pipeline; of a barrier: time */
  WpTick served;   /* start; with contended memory what its channels and spread make of it */
  WpTick complete; /* served + Lambda; of a posted op: time. A barrier: -1, see `release` */
  WpReason reason; /* what set `ready` */
  uint32_t
      producer_instr; /* DEPENDENCY: the producer, in the machine's instrs[]; else WP_NO_INSTR */
  /* The dynamic instruction of the same warp that the reason comes from, which issued before this
   * one: BARRIER: the barrier; DEPENDENCY: the producer, whose result was there at `ready`; ILP:
   * the last that issued. START and PAIR: WP_NO_PRODUCER. Whoever follows it from event to event
   * walks back along what the warp's time went to, up to its start. */
  uint64_t producer;
} WpIssueEvent;

typedef struct
{
  WpTick time;    /* when it was decided: the last arrival, or the termination that stood for it */
  WpTick release; /* when the warps may go on */
  uint32_t sm;
  uint64_t block;
  uint64_t barrier; /* which of the block's barriers, from 0 */
} WpReleaseEvent;

typedef struct
{
  uint32_t sm, slot, scheduler;
  uint64_t block;
  uint32_t warp; /* of the block */
  uint64_t age;  /* launch sequence number on this SM */
  WpTick start, end;
  uint64_t issued; /* dynamic instructions, barriers included */
  WpTick stalls[WP_N_STALLS];
  /* The dynamic instruction that `end` waited for: the one that was complete last; of several a
   * barrier, else the one that issued first. WP_NO_PRODUCER: there is none. */
  uint64_t producer;
  uint32_t producer_instr; /* in the machine's instrs[]; WP_NO_INSTR: a barrier, or none */
} WpWarpEvent;

typedef struct
{
  void *data; /* passed to every callback */
  void (*block_launch) (void *data, const WpBlockEvent *event);
  void (*issue) (void *data, const WpIssueEvent *event);
  void (*barrier_release) (void *data, const WpReleaseEvent *event);
  void (*warp_end) (void *data, const WpWarpEvent *event);
  void (*block_end) (void *data, const WpBlockEvent *event);
} WpObserver;

#ifdef __cplusplus
}
#endif
