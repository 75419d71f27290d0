/* SPDX-License-Identifier: MIT */
/* One SM: warp slots, schedulers, pipelines, barriers, and the order of things at one time (MODEL.md, sections
 * 4 to 9). Private to the engine; plain C11.
 *
 * When an instruction issues, all that follows from it in time is known: when its warp's next instruction is ready,
 * or when the warp ends. So a warp waits for one thing at a time, and each SM has two heaps, of warps that will be
 * ready and of warps that will end. A warp that is ready stands in its scheduler's bitmask for the pipeline of its
 * next instruction, until it issues. Time jumps from one of these to the next.
 */
#pragma once

#include "sim/wp-draw.h"
#include "sim/wp-flow.h"
#include "sim/wp-heap.h"
#include "sim/wp-observer.h"
#include "sim/wp-pipeline.h"
#include "sim/wp-policy-private.h"
#include "sim/wp-queue.h"
#include "sim/wp-result.h"

#define WP_NO_INSTR UINT32_MAX
#define WP_NEVER INT64_MIN /* a value that no instance has written */

typedef enum
{
  WP_WARP_FREE,     /* the slot is empty, or its warp has terminated and its block has not */
  WP_WARP_RUNNING,  /* has an instruction to issue */
  WP_WARP_HELD,     /* has arrived at a barrier that is not released */
  WP_WARP_DRAINING, /* has issued all; `end` is when it terminates */
} WpWarpState;

/* What an SM keeps for each warp slot. */
typedef struct
{
  WpWarpState state;
  WpStall cause;           /* what sets `ready` */
  uint32_t cause_pipeline; /* where that is a dependency: the producer's pipeline */
  uint32_t next;           /* the next instruction, or WP_NO_INSTR (dataflow order keeps its own) */
  uint32_t pc;             /* where it stands in the program's code */
  uint32_t depth;          /* open repeats */
  uint32_t program;        /* in the machine's programs[] */
  uint32_t block;          /* place in the SM's blocks[] */
  uint32_t warp;           /* of the block */
  uint32_t scheduler, local; /* whose slot this is, and which of its slots; never change */
  WpTick ready;              /* when `next` may issue */
  WpTick memory_ready;   /* when its dependences on memory are complete: for two-level scheduling */
  WpTick since;          /* the last issue, or the start */
  WpTick released;       /* of the last barrier that it issued; 0: none yet */
  WpTick start, end;     /* end: the latest completion so far */
  uint32_t end_pipeline; /* what `end` waits for */
  uint64_t age;          /* launch sequence number on this SM */
  uint64_t index;        /* dynamic instructions issued */
  uint64_t draws;        /* wp_draw_warp() */
  WpTick stalls[WP_N_STALLS];
  uint32_t *counters; /* [depth of the deepest program]: iterations left */
  WpTick *values;     /* [n_values of the largest program]: when each last started (was served) */
} WpWarp;

typedef struct
{
  uint64_t id;
  uint64_t order;     /* launch sequence number on this SM */
  uint32_t n_live;    /* warps that have not terminated */
  uint32_t n_arrived; /* at the barrier that they meet at now, while its release is not decided */
  uint64_t barrier;   /* how many releases have been decided */
  WpTick release;     /* of the barrier that waits for its time */
  uint32_t *slots;    /* [warps per block] */
} WpBlock;

struct WpScheduler
{
  uint32_t id;
  uint32_t n_slots;   /* warp slots id, id + S, id + 2 S, ...: local slots 0 .. n_slots - 1 */
  uint32_t n_words;   /* of a set of local slots */
  WpTick slot_end;    /* the current issue slot lasts until here */
  uint32_t slot_room; /* issues that it has left */
  uint32_t
      last_slot; /* local slot of the warp that it issued from last; n_slots - 1 at first: slot order from 0 */
  uint64_t last_age;    /* that warp's age; UINT64_MAX at first */
  uint64_t wanted;      /* bit p: some warp is ready for pipeline p (barriers: bit n_pipelines) */
  uint64_t *ready;      /* [n_pipelines + 1][n_words]: the ready warps by the pipeline they want */
  uint64_t *candidates; /* [n_words]: those that can issue, as found by the visit */
  uint64_t *eligible; /* [n_words]: those that the policy may choose; all, unless it keeps lists */
  /* Policies with lists only. */
  bool stale; /* something has happened to a warp since the lists were brought up to date */
  uint32_t *active, *pending; /* local slots, in list order */
  uint32_t n_active, n_pending;
};

struct WpSm
{
  const WpMachine *machine;
  const WpPolicy *policy;
  struct WpDevice *device;
  uint32_t id;
  uint32_t n_slots, n_blocks; /* warp slots, and blocks resident at a time */
  uint32_t next_scheduler;    /* the rotation goes on from here */
  WpTick now;
  WpTick next;           /* the next time at which something is due; WP_TICK_LIMIT: nothing ever */
  uint64_t n_launched;   /* blocks, for their order */
  uint64_t n_aged;       /* warps, for their age */
  uint32_t n_live;       /* warps started and not terminated */
  WpTick occupied_since; /* n_live holds since */
  uint32_t lowest_free;  /* no free slot is below this */
  WpWarp *warps;         /* [n_slots] */
  bool *taken;           /* [n_slots]: held by a block, whether its warp has terminated or not */
  WpBlock *blocks;       /* [n_blocks] */
  uint32_t *free_blocks; /* places in blocks[] that are free */
  uint32_t n_free_blocks;
  uint32_t *ended; /* places of blocks whose last warp has terminated in this round */
  uint32_t n_ended;
  WpScheduler *schedulers; /* [n_schedulers] */
  WpPipeline **pipelines;  /* [n_pipelines]: its instance, or the first of one for each scheduler */
  WpHeap ends, wakes;
  WpQueue launches, releases;
  WpFlow *flows;              /* [n_slots], dataflow order only */
  const WpUnrolled *unrolled; /* [n_programs], dataflow order only; borrowed */
  WpResult *result;           /* borrowed */
};

/* An SM at time 0 with nothing on it. False when memory is out: wp_sm_clear() it all the same. */
bool wp_sm_init (WpSm *sm, struct WpDevice *device, const WpMachine *machine,
                 const WpPolicy *policy, const WpUnrolled *unrolled, uint32_t id);
void wp_sm_clear (WpSm *sm);

/* Hands BLOCK to the SM, to launch at TIME. There must be room: one block for each that has ended. */
void wp_sm_hand_out (WpSm *sm, uint64_t block, WpTick time);

/* Goes on with time sm->next until it is finished or *BUDGET is used up; true when finished: sm->next is then the
 * time of what is due next. Stops short, too, once the device has noted an overflow. */
bool wp_sm_run (WpSm *sm, uint64_t *budget);

/* The instance of PIPELINE that SCHEDULER issues to. */
static inline WpPipeline *
wp_sm_get_pipeline (const WpSm *sm, uint32_t pipeline, uint32_t scheduler)
{
  return sm->pipelines[pipeline] + (sm->machine->pipelines[pipeline].per_scheduler ? scheduler : 0);
}

/* The warp in local slot LOCAL of SCHEDULER. */
static inline WpWarp *
wp_sm_get_warp (const WpSm *sm, const WpScheduler *scheduler, uint32_t local)
{
  return &sm->warps[(uint64_t)local * sm->machine->n_schedulers + scheduler->id];
}

static inline uint32_t
wp_sm_get_slot (const WpSm *sm, const WpWarp *warp)
{
  return (uint32_t)(warp - sm->warps);
}

/* Whether WARP has issued all of its instructions. */
static inline bool
wp_sm_is_through (const WpSm *sm, const WpWarp *warp)
{
  return warp->index == sm->machine->programs[warp->program].n_dynamic;
}

/* ---- wp-sm-wait.c ---- */

/* Program order: moves the warp to its next instruction. No repeat is empty (the machine was checked). */
void wp_sm_step (const WpSm *sm, WpWarp *warp);

/* The warp has started, issued or been released: puts it where it waits for what comes next. */
void wp_sm_go_on (WpSm *sm, WpWarp *warp);

/* The warp is no longer ready for PIPELINE (WP_NO_PIPELINE: a barrier). */
void wp_sm_clear_ready (WpSm *sm, const WpWarp *warp, uint32_t pipeline);

/* Makes those ready that are due. */
void wp_sm_wake_warps (WpSm *sm);

/* ---- wp-sm-block.c ---- */

/* Whether a round has anything to do now. */
bool wp_sm_is_due (const WpSm *sm);

/* One round of steps 1 and 2; returns how many things happened. */
uint64_t wp_sm_run_round (WpSm *sm);

/* All warps of the block in PLACE that have not terminated are at the barrier. */
void wp_sm_decide_release (WpSm *sm, uint32_t place);

/* ---- wp-sm-issue.c ---- */

/* Visits the schedulers in rotation up to the first that issues; false if none does. */
bool wp_sm_visit_schedulers (WpSm *sm);

/* The earliest time at which a ready warp of SCHEDULER can issue; WP_TICK_LIMIT: none is ready. */
WpTick wp_sm_find_next_issue (const WpSm *sm, const WpScheduler *scheduler);
