/* SPDX-License-Identifier: MIT */
/* One SM: warp slots, schedulers, pipelines, barriers, and the order of things at one time
 * (MODEL.md, sections 4 to 9). Private to the engine; plain C11.
 *
 * When an instruction issues, all that follows from it in time is known: when its warp's next
 * instruction is ready, or when the warp ends. So a warp waits for one thing at a time: until it is
 * ready, in a short list of its scheduler (short loop: wp-sm-lean.c) or in the SM's timing wheel,
 * as until it ends. A warp that is ready stands in its scheduler's bitmask until it issues. Time
 * jumps from one of these to the next.
 *
 * What each issue touches comes first in each structure; 64 warps and all that belongs to them fit
 * in a first-level cache.
 */
#pragma once

#include "sim/base/wp-heap.h"
#include "sim/base/wp-queue.h"
#include "sim/base/wp-wheel.h"
#include "sim/engine/policy/wp-policy-private.h"
#include "sim/engine/wp-flow.h"
#include "sim/engine/wp-pipeline.h"
#include "sim/engine/wp-plan.h"
#include "sim/machine/wp-observer.h"
#include "sim/machine/wp-random.h"
#include "sim/machine/wp-result.h"

#define WP_NEVER INT64_MIN /* a value that no instance has written; no latency makes it late */

/* Up to here a time and a bit of a set fit in one word. */
#define WP_LEAN_LIMIT (INT64_C (1) << 56)
#define WP_WAKE_LIST_ROOM 96

/* Warps that will be ready, by time x 64 + bit, between a key below and a key above all others. */
typedef struct
{
  uint64_t *first, *end; /* *end is the key above all others */
  uint64_t keys[WP_WAKE_LIST_ROOM];
} WpWakeList;

#define WP_WAKE_NEVER UINT64_MAX
#define WP_NO_BIT UINT32_MAX

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
  const WpOp *op; /* the next instruction, or NULL (dataflow order keeps its own) */
  WpTick ready;   /* when it may issue */
  WpTick since;   /* the last issue, or the start */
  WpTick end;     /* the latest completion so far */
  WpTick *values; /* [n_values of the largest program + 1]: when each last started (was served) */
  uint32_t *counter;  /* iterations left of the innermost open repeat */
  uint64_t index;     /* dynamic instructions issued */
  uint32_t wait;      /* what sets `ready`, as a place in the SM's waits[] */
  uint32_t bit;       /* what the warp is called in its scheduler's sets */
  uint32_t scheduler; /* whose slot this is; never changes */
  WpWarpState state;
  uint32_t *counters; /* [depth of the deepest program + 1]: of open repeats, from 1 on */
  const WpCode *code; /* of its program */
  uint32_t n_code;
  uint32_t program;     /* in the machine's programs[] */
  uint32_t block;       /* place in the SM's blocks[] */
  uint32_t warp;        /* of the block */
  uint32_t end_instr;   /* what `end` waits for, in instrs[]; WP_NO_INSTR: a barrier, or nothing */
  bool ends_at_release; /* held, but in the wheel for its end */
  WpTick memory_ready;  /* when its dependences on memory are complete; policies with lists only */
  WpTick released;      /* of the last barrier; WP_NEVER: none */
  WpTick start;
  uint64_t age;               /* launch sequence number on this SM */
  uint64_t random;            /* wp_random_of_warp() */
  uint64_t end_index;         /* as end_instr, the dynamic instruction; WP_NO_PRODUCER: nothing */
  uint64_t barrier;           /* the last barrier, a dynamic instruction */
  WpTick stalls[WP_N_STALLS]; /* kept where somebody observes */
  /* Kept where somebody listens to issues: dynamic instructions. */
  uint64_t previous; /* the last that issued */
  uint64_t
      *writers; /* [n_values of the largest program + 1]: which issued last; program order only */
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
  WpTick turn;       /* it can issue from then on */
  uint64_t *arrived; /* [n_words]: warps that are ready; only those of `want` count */
  uint64_t *want;    /* [n_pipelines + 1][n_words]: warps by the pipeline of what they wait for */
  uint64_t *candidates; /* [n_words]: those that can issue, as found by the visit */
  WpPipeline *
      *accepts; /* [n_pipelines + 1]: the instances that it issues to; barriers: one always free */
  WpWarp **warps; /* [64 n_words]: the warp of each bit */
  uint32_t
      last_bit;   /* the warp that it issued from last; n_slots - 1 at first: slot order from 0 */
  bool last_gone; /* that warp has terminated, or there was none yet */
  bool left;      /* policies with lists: a warp has, since the last update */
  bool stale;     /* policies with lists: something has happened to a warp since the last update */
  uint32_t n_words;   /* of a set of warps */
  uint32_t slot_room; /* issues that are left in the current issue slot */
  WpTick slot_end;    /* which lasts until here */
  uint32_t last_slot; /* the SM's slot of that warp; UINT32_MAX at first */
  uint32_t id;
  uint32_t n_slots;   /* warp slots id, id + S, id + 2 S, ...: local slots 0 .. n_slots - 1 */
  uint32_t n_bits;    /* bits by age: handed out */
  uint64_t *live;     /* [n_words]: bits by age whose warp has not terminated */
  uint64_t *eligible; /* [n_words]: those that a policy with lists may choose: the active ones */
  uint64_t *aside; /* [n_words]: those that are set aside (wp_sm_is_aside()); policies with lists */
  uint32_t *active, *pending; /* policies with lists: local slots, in list order */
  uint32_t n_active, n_pending;
  WpWarp *own_warps[64];       /* room for warps[] of one word */
  WpPipeline *own_accepts[64]; /* room for accepts[] */
  WpWakeList near, far;        /* short loop only */
  uint32_t chosen; /* the warp that issues at the next visit, where run_ahead() has stopped for it;
                      or WP_NO_BIT */
  uint32_t n_issued;               /* running ahead: in issued[] */
  uint32_t n_known;                /* of these: what next_scheduler knows of */
  WpTick issued[WP_MAX_AHEAD + 2]; /* when it has issued in this stretch */
};

struct WpSm
{
  const WpMachine *machine;
  const WpPolicy *policy;
  struct WpDevice *device;
  WpTick now;
  WpTick limit;  /* nothing but issues happens before */
  WpTick *retry; /* [2 n_schedulers], each twice: no visit before can issue; WP_TICK_LIMIT: none, as
                    things are */
  WpScheduler *schedulers; /* [n_schedulers] */
  const WpOp *ops;         /* [n_instrs]: the plan's, as `blocking`, `lookahead` and `safe` */
  WpSum *waits; /* [n_pipelines + 3]: where time went until warps were ready; see WP_WAIT_ */
  uint32_t
      n_blocking; /* rows whose pipeline may refuse a warp when the scheduler's turn has come */
  const uint32_t *blocking; /* [n_blocking] */
  WpTick lean_limit;        /* when the short loop is left */
  int64_t *n_fast;          /* [n_instrs]: issues that are counted nowhere else yet */
  bool ahead;               /* schedulers run ahead of one another */
  WpTick near;              /* WP_NEAR_CYCLES in ticks; 0: no short lists */
  WpTick safe;              /* what begins before cannot reach WP_TICK_LIMIT */
  WpTick lookahead;         /* what a scheduler does cannot matter to others earlier than that: see
                               wp-sm-lean.c */
  uint32_t next_scheduler;  /* the rotation goes on from here */
  uint32_t n_ending;        /* bits in ending[] */
  uint64_t n_issues;        /* of one slot each; the others are in the result */
  WpResult *result;
  WpWarp *warps;    /* [n_slots] */
  WpTick next;      /* the next time at which something is due; WP_TICK_LIMIT: nothing ever */
  WpTick due;       /* the first of launches and releases */
  bool lean;        /* the short loop will do: see wp-sm-lean.c */
  bool marked;      /* to be looked at once this time is finished: see wp-skip.h */
  uint64_t *ending; /* a bit for each slot whose warp terminates now */
  uint32_t first_ending, last_ending; /* words of it that are not 0 lie between these */
  uint32_t id;
  uint32_t n_slots, n_blocks; /* warp slots, and blocks resident at a time */
  uint64_t n_launched;        /* blocks, for their order */
  uint64_t n_aged;            /* warps, for their age */
  uint32_t n_live;            /* warps started and not terminated */
  WpTick occupied_since;      /* n_live holds since */
  uint32_t lowest_free;       /* no free slot is below this */
  bool *taken;           /* [n_slots]: held by a block, whether its warp has terminated or not */
  WpBlock *blocks;       /* [n_blocks] */
  uint32_t *free_blocks; /* places in blocks[] that are free */
  uint32_t n_free_blocks;
  uint32_t *ended; /* places of blocks whose last warp has terminated in this round */
  uint32_t n_ended;
  WpPipeline **pipelines; /* [n_pipelines]: its instance, or the first of one for each scheduler */
  WpPipeline barriers;    /* accepts at any time */
  WpWheel wheel;          /* warps by when they are ready (dataflow order: not these) or end */
  WpHeap wakes;           /* dataflow order only: warps by when they may have something to offer */
  WpQueue launches, releases;
  WpFlow *flows;              /* [n_slots], dataflow order only */
  const WpUnrolled *unrolled; /* [n_programs], dataflow order only; borrowed */
  /* The search for steady states: see wp-skip.h. */
  uint64_t n_taken;      /* issues so far, about */
  uint64_t mark_from;    /* issues before which the SM is not marked; UINT64_MAX: nobody looks */
  WpTick mark_room;      /* how long a run goes on for once the SM is marked: 1, to the end of this
                            time; 0, not even that (wp_device_new_eager()) */
  uint64_t look_at;      /* every how many launches are worth a look */
  const WpWarp *watched; /* whose long repeats mark the SM; NULL: of the next that goes round */

  /* Lanes (wp-lanes.h): it stands for `count` SMs from `id` on. */
  uint32_t count;
  WpTick asked_at;     /* when they last asked for blocks; -1 at first */
  uint64_t asked_from; /* the first block that the first SM could get then */
  uint64_t n_asked;    /* blocks that it got then */
};

/* Places in waits[]: 0 .. n_pipelines - 1: dependences on instructions of that pipeline; and then
 */
#define WP_WAIT_BARRIER 0 /* n_pipelines + ... */
#define WP_WAIT_ILP 1
#define WP_N_WAITS 2

/* An SM at time 0 with nothing on it. False when memory is out: wp_sm_clear() it all the same. */
bool wp_sm_init (WpSm *sm, struct WpDevice *device, const WpMachine *machine,
                 const WpPolicy *policy, const WpUnrolled *unrolled, uint32_t id);
void wp_sm_clear (WpSm *sm);

/* Makes TO the same as FROM, at the same time: both were made by wp_sm_init() for the same device.
 * O(state). */
void wp_sm_copy (WpSm *to, const WpSm *from);

/* Hands BLOCK to the SM, to launch at TIME. There must be room: one block for each that has ended.
 */
void wp_sm_hand_out (WpSm *sm, uint64_t block, WpTick time);

/* Goes on with time sm->next, and the times after it that are before UNTIL, while *BUDGET lasts:
 * true when the time that it has come to is finished, and sm->next is then the time of what is due
 * next. Stops short, too, once the device has noted an overflow. */
bool wp_sm_run (WpSm *sm, WpTick until, uint64_t *budget);

/* The instance of PIPELINE that SCHEDULER issues to. */
static inline WpPipeline *
wp_sm_get_pipeline (const WpSm *sm, uint32_t pipeline, uint32_t scheduler)
{
  return sm->pipelines[pipeline] + (sm->machine->pipelines[pipeline].per_scheduler ? scheduler : 0);
}

static inline uint32_t
wp_sm_get_slot (const WpSm *sm, const WpWarp *warp)
{
  return (uint32_t)(warp - sm->warps);
}

/* Something has happened that may come again: lets the run stop once this time is finished, unless
 * it has just done so. */
static inline void
wp_sm_mark (WpSm *sm)
{
  if (sm->n_taken < sm->mark_from)
    return;
  sm->marked = true;
  if (sm->limit > sm->now + sm->mark_room)
    sm->limit = sm->now + sm->mark_room;
}

/* Whether WARP has issued all of its instructions. */
static inline bool
wp_sm_is_through (const WpSm *sm, const WpWarp *warp)
{
  return sm->flows != NULL ? warp->index == sm->machine->programs[warp->program].n_dynamic
                           : warp->op == NULL;
}

/* No visit to SCHEDULER before TIME can issue. */
static inline void
wp_sm_set_retry (WpSm *sm, uint32_t scheduler, WpTick time)
{
  sm->retry[scheduler] = time;
  sm->retry[scheduler + sm->machine->n_schedulers] = time;
}

/* Whether WARP waits for memory, or at a barrier: a policy with lists sets such warps aside. */
static inline bool
wp_sm_is_aside (const WpSm *sm, const WpWarp *warp)
{
  return warp->state == WP_WARP_HELD
         || (warp->state == WP_WARP_RUNNING && warp->memory_ready > sm->now);
}

/* A policy with lists is to look at those of SCHEDULER at the next visit, which comes now. */
static inline void
wp_sm_invalidate (WpSm *sm, WpScheduler *scheduler)
{
  if (sm->policy->update == NULL)
    return;
  scheduler->stale = true;
  wp_sm_set_retry (sm, scheduler->id, sm->now);
}

/* WARP has got into another state: it may be set aside now, or no longer. */
static inline void
wp_sm_note (WpSm *sm, WpScheduler *scheduler, const WpWarp *warp)
{
  uint64_t *word = &scheduler->aside[warp->bit / 64], bit = UINT64_C (1) << warp->bit % 64;

  if (sm->policy->update == NULL || ((*word & bit) != 0) == wp_sm_is_aside (sm, warp))
    return;
  *word ^= bit;
  wp_sm_invalidate (sm, scheduler);
}

/* A warp of SCHEDULER can issue from TIME on: the visit that comes is no later than its turn then.
 */
static inline void
wp_sm_reschedule (WpSm *sm, const WpScheduler *scheduler, WpTick time)
{
  WpTick turn = scheduler->turn > time ? scheduler->turn : time;

  if (turn < sm->retry[scheduler->id])
    wp_sm_set_retry (sm, scheduler->id, turn);
}

/* The warp is ready. */
static inline void
wp_sm_set_arrived (WpSm *sm, WpScheduler *scheduler, const WpWarp *warp)
{
  scheduler->arrived[warp->bit / 64] |= UINT64_C (1) << warp->bit % 64;
  wp_sm_reschedule (sm, scheduler, sm->now);
}

static inline void
wp_wake_list_clear (WpWakeList *wakes)
{
  wakes->first = wakes->end = wakes->keys + 1;
  wakes->keys[0] = 0;
  *wakes->end = WP_WAKE_NEVER;
}

/* Moves what is left to the front. */
void wp_wake_list_make_room (WpWakeList *wakes);

/* Puts KEY, later than all that has been taken, where it belongs: mostly at the end. */
static inline void
wp_wake_list_put (WpWakeList *wakes, uint64_t key)
{
  uint64_t *place = wakes->end++;

  *wakes->end = WP_WAKE_NEVER;
  for (; place[-1] > key; place--)
    *place = place[-1];
  *place = key;
  if (wakes->end == wakes->keys + WP_WAKE_LIST_ROOM - 1)
    wp_wake_list_make_room (wakes);
}

/* When the first of those that will be ready is, or WP_TICK_LIMIT. */
static inline WpTick
wp_scheduler_get_next_wake (const WpScheduler *scheduler)
{
  uint64_t near = *scheduler->near.first, far = *scheduler->far.first;
  uint64_t key = near < far ? near : far;

  return key == WP_WAKE_NEVER ? WP_TICK_LIMIT : (WpTick)(key >> 6);
}

static inline uint64_t
wp_wake_list_take (WpWakeList *wakes, uint64_t key)
{
  uint64_t taken = 0;

  for (; *wakes->first < key; wakes->first++)
    taken |= UINT64_C (1) << *wakes->first % 64;
  return taken;
}

/* Moves those that are ready at NOW among the arrived. */
static inline void
wp_scheduler_take_woken (WpScheduler *scheduler, WpTick now)
{
  uint64_t key = (uint64_t)(now + 1) << 6; /* of later ones */

  scheduler->arrived[0]
      |= wp_wake_list_take (&scheduler->near, key) | wp_wake_list_take (&scheduler->far, key);
}

/* Whether BIT is among the warps that want ROW. */
static inline void
wp_scheduler_set_want (WpScheduler *scheduler, uint32_t bit, uint32_t row, bool wants)
{
  uint64_t *word = scheduler->want + (size_t)row * scheduler->n_words + bit / 64;

  *word &= ~(UINT64_C (1) << bit % 64);
  *word |= (uint64_t)wants << bit % 64;
}

/* Its last barrier's release may be what sets `ready`. */
static inline void
wp_sm_mind_release (const WpSm *sm, WpWarp *warp)
{
  if (warp->released >= warp->ready)
    {
      warp->ready = warp->released;
      warp->wait = sm->machine->n_pipelines + WP_WAIT_BARRIER;
    }
}

/* The warp's last barrier is complete at RELEASE. */
static inline void
wp_sm_complete_barrier (WpWarp *warp, WpTick release)
{
  if (release < warp->end)
    return;
  warp->end = release;
  warp->end_index = warp->barrier;
  warp->end_instr = WP_NO_INSTR;
}

/* The warp terminates at TIME: now, or later. */
void wp_sm_end_at (WpSm *sm, WpWarp *warp, WpTick time);

/* ---- wp-sm-block.c ---- */

/* Whether a round has anything to do now. */
static inline bool
wp_sm_is_due (const WpSm *sm)
{
  return sm->n_ending > 0 || sm->due <= sm->now;
}

/* One round of steps 1 and 2; returns how many things happened. */
uint64_t wp_sm_run_round (WpSm *sm);

/* The warp has arrived at a barrier. */
void wp_sm_arrive (WpSm *sm, WpWarp *warp);

/* Adds up the occupancy until NOW. */
void wp_sm_settle_occupancy (WpSm *sm, WpTick now);

/* ---- wp-sm-issue.c: step 3 ---- */

/* One visit to scheduler ID now: whether it issues. */
bool wp_sm_visit (WpSm *sm, uint32_t id);

/* The scheduler that is to be visited first, of several the first in rotation; *TIME: when. */
uint32_t wp_sm_find_first (const WpSm *sm, WpTick *time);

/* Visits schedulers, from time to time, while nothing else happens (sm->limit) and *BUDGET lasts.
 * Returns the time of the next visit. */
WpTick wp_sm_issue (WpSm *sm, uint64_t *budget);

/* ---- wp-sm-cause.c: for those who listen to issues ---- */

/* Sets reason and producer of EVENT, which is about to issue WARP's next instruction OP:
 * instruction `index`. */
void wp_sm_find_cause (const WpSm *sm, const WpWarp *warp, const WpOp *op, WpIssueEvent *event);

/* WARP has started. */
void wp_sm_forget_writers (const WpSm *sm, WpWarp *warp);

/* ---- wp-sm-lean.c ---- */

/* wp_sm_issue() where the short loop will do. */
WpTick wp_sm_issue_lean (WpSm *sm, uint64_t *budget);

/* Counts issues and waits that are in n_fast[] only where all others are. */
void wp_sm_flush (WpSm *sm);

/* Of loops of one instruction (WP_FAST_SELF) iterations are counted when the loop ends: counts
 * those of the loops that warps are in now (SIGN 1), or takes them back (SIGN -1). */
void wp_sm_count_open_loops (WpSm *sm, int sign);

/* ---- wp-sm.c ---- */

/* Adds up why the warp is not ready before it is. */
void wp_sm_account_wait (WpSm *sm, WpWarp *warp);

/* Time has moved on by BY, and with it all that is in the state, but for what follows from it: does
 * that. */
void wp_sm_move_on (WpSm *sm, WpTick by);

/* The warp has started, issued or been released: puts it where it waits for what comes next. */
void wp_sm_go_on (WpSm *sm, WpWarp *warp);
