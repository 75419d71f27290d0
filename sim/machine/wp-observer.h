/* SPDX-License-Identifier: MIT */
/* What a run tells: the callbacks that recorders attach to. Plain C11.
 *
 * An observer sees all that happens, in the order in which it happens: times never fall; at one
 * time SM 0 comes first, then SM 1, and so on. Every callback may be NULL. Events are borrowed for
 * the call. A callback may not touch the device; a recorder that fails remembers it, and whoever
 * drives the run (wp-device.h) looks.
 *
 * Long runs come into steady states: what happened in the last period happens again, many times
 * over. The device does not simulate these rounds. An observer without `repeat` sees each of their
 * events all the same; one with it gets one call for all of them, and takes from it what it needs:
 *
 *   events      launch issue issue | issue issue issue end launch |            issue ...
 *                                    the round that was seen        repeat ()
 *                                                                   10^6 more times
 *
 * From one round to the next all times of an event move by the period (but `accept` of a pipeline
 * that accepts at any time), and so do names: a block that was launched in the round, by as many
 * blocks as each round launches; the age of a warp that ended, likewise; `index`, `producer` and
 * `barrier` of what stays on the SM, by as much as it advances in a round. Nothing else changes: a
 * warp that ends in a round has lived as long, and waited for the same, as the one of the round
 * before. wp_repeat_unfold() does these sums.
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
  uint32_t instr;  /* in the machine's instrs[]: of a mix the one of the context that it takes */
  bool follows;    /* dual-issued behind an earlier instruction of the same issue */
  bool replayed;   /* of a period that recurs and is not simulated again */
  WpTick ready;    /* when the warp was ready for it (of a follower: time) */
  WpTick accept;   /* when its pipeline would have accepted it; at most time */
  WpTick start;    /* in the pipeline; of a barrier: time */
  WpTick served;   /* start; with contended memory what its channels and spread make of it */
  WpTick complete; /* served + Lambda; of a posted op and an arrive: time. A barrier: -1, see
                      `release` */
  WpReason reason; /* what set `ready` */
  uint32_t
      producer_instr; /* DEPENDENCY: the producer, in the machine's instrs[] (of a mix the first
                         that completes as it does); else WP_NO_INSTR */
  /* The dynamic instruction of the same warp that the reason comes from, which issued before this
   * one: BARRIER: the barrier; DEPENDENCY: the producer, whose result was there at `ready`; ILP:
   * the last that issued. START and PAIR: WP_NO_PRODUCER. Whoever follows it from event to event
   * walks back along what the warp's time went to, up to its start. */
  uint64_t producer;
} WpIssueEvent;

/* An instruction with a path passes a further pipeline (MODEL.md, section 12). There is one for
 * each of its path, in order, right behind the event of its issue. */
typedef struct
{
  WpTick time; /* of the issue */
  uint32_t sm, scheduler, slot;
  uint64_t block;
  uint32_t warp;  /* of the block */
  uint64_t index; /* as of the issue */
  uint32_t instr; /* in the machine's instrs[] */
  uint32_t pass;  /* in the machine's passes[] */
  WpTick start;   /* when it begins in that pipeline, which it keeps for the pass's issue latency */
} WpPassEvent;

#define WP_ALL_WARPS UINT32_MAX

/* Of a barrier with a name there is one for each warp that waits at it. */
typedef struct
{
  WpTick time;    /* the last arrival, or the termination that stood for it: when it was decided,
                     but for a late arrival, of which it is known before */
  WpTick release; /* when the warps may go on */
  uint32_t sm;
  uint64_t block;
  uint64_t barrier; /* which of the block's without a name, from 0; with a name: 0 */
  uint32_t name; /* 0: the barrier without a name; else 1 + its place in the machine's barriers[] */
  uint32_t warp; /* of the block: who may go on; WP_ALL_WARPS: all that wait at that barrier */
} WpReleaseEvent;

/* Whether EVENT lets WARP of its block go on, which waits at the barrier NAME. */
static inline bool
wp_release_is_of (const WpReleaseEvent *event, uint32_t name, uint32_t warp)
{
  return event->name == name && (event->warp == WP_ALL_WARPS || event->warp == warp);
}

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

/* A round that recurs. Valid within the call only. */
typedef struct WpRepeat WpRepeat;

typedef struct
{
  void *data; /* passed to every callback */
  void (*block_launch) (void *data, const WpBlockEvent *event);
  void (*issue) (void *data, const WpIssueEvent *event);
  void (*pass) (void *data, const WpPassEvent *event);
  void (*barrier_release) (void *data, const WpReleaseEvent *event);
  void (*warp_end) (void *data, const WpWarpEvent *event);
  void (*block_end) (void *data, const WpBlockEvent *event);
  /* What was seen last recurs; NULL: the observer sees every event. */
  void (*repeat) (void *data, const WpRepeat *repeat);
  /* How many of the rounds of REPEAT the observer can take by one call of `repeat`, which may come
   * with fewer; 0: it is to see the events of the next ones. Changes nothing. NULL: all of them,
   * always, so that rounds may have such repeats in them, too. */
  uint64_t (*can_repeat) (void *data, const WpRepeat *repeat);
  /* Of warps that end it wants to know who, and from when to when. Where all observers do with
   * that, and none listens to issues, passes or releases, the run takes little longer than without
   * observers; `issued`, `stalls` and the producer are then not known, and 0 or none. */
  bool lives_only;
  /* Of warps that end it does not want to know the producer, which is then WP_NO_PRODUCER. Where
   * all observers of ends do with that, and none listens to issues, passes or releases, the run
   * takes little longer, too. */
  bool no_producer;
} WpObserver;

/* How many more times the round recurs, at least 1. */
WP_API uint64_t wp_repeat_get_times (const WpRepeat *repeat);

/* From a round to the next one, in ticks: > 0. */
WP_API WpTick wp_repeat_get_period (const WpRepeat *repeat);

/* When the round that was seen ended: nothing that comes happens at that time or before. */
WP_API WpTick wp_repeat_get_start (const WpRepeat *repeat);

/* Shows OBSERVER the events of N rounds from round FIRST on (1: the first one that was not seen; 0:
 * the one that was). A repeat within a round is shown as such to an OBSERVER with `repeat`,
 * whatever its `can_repeat` would say. O(events shown). */
WP_API void wp_repeat_unfold (const WpRepeat *repeat, uint64_t first, uint64_t n,
                              const WpObserver *observer);

#ifdef __cplusplus
}
#endif
