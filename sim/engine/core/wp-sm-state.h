/* SPDX-License-Identifier: MIT */
/* What an SM is made of: warp slots, blocks, schedulers, pipelines (MODEL.md, sections 3 to 5), and
 * what follows from that at once. What happens to it is in the other files wp-sm-*, each of which
 * needs those above it only:
 *
 *   wp-wake-list        who waits until when
 *   wp-sm-setup, -copy  memory
 *   wp-sm-account       where a warp's time went                    section 9
 *   wp-tally            how often each instruction was issued       section 9
 *   wp-sm-step          where a warp is in its program              section 2
 *   wp-sm-ready.h       when its next instruction may issue         section 5
 *   wp-sm-cause         and why not before                          sections 5 and 9
 *   wp-sm-waited        the same, added up by instruction
 *   wp-sm-serve.h       contended memory                            section 11
 *   wp-sm-mix           which context of a mix                      section 13
 *   wp-sm-flow          dataflow order                              section 5
 *   wp-sm-wait          what a warp does next: wait, issue or end   sections 5 and 6
 *   wp-sm-block         launches, barriers, terminations            sections 4, 6 and 7
 *   wp-sm-issue         schedulers and issues                       sections 5 and 7
 *   wp-sm-fast          the same where most of it does not come up
 *   wp-sm-quiet         until when no warp ends
 *   wp-sm-told          the same where somebody listens to issues
 *   wp-sm-many          between the two: any number of warps, lists, dataflow order
 *   wp-sm               the order of things at one time             section 7
 *
 * When an instruction issues, all that follows from it in time is known: when its warp's next
 * instruction is ready, or when the warp ends. So a warp waits for one thing at a time. A warp that
 * is ready is in its scheduler's bitmask until it issues. Time jumps from one of these to the next.
 *
 * What each issue touches comes first in each structure; 64 warps and all that belongs to them fit
 * in a first-level cache. Private to the engine; plain C11.
 */
#pragma once

#include "sim/base/wp-compiler.h"
#include "sim/base/wp-key-list.h"
#include "sim/base/wp-key-queue.h"
#include "sim/base/wp-queue.h"
#include "sim/base/wp-ready-sets.h"
#include "sim/base/wp-slot-list.h"
#include "sim/base/wp-wheel.h"
#include "sim/engine/core/wp-flow.h"
#include "sim/engine/core/wp-pipeline.h"
#include "sim/engine/core/wp-plan.h"
#include "sim/engine/core/wp-policy-private.h"
#include "sim/engine/core/wp-sm-host.h"
#include "sim/machine/wp-observer.h"
#include "sim/machine/wp-random.h"
#include "sim/machine/wp-result.h"

#define WP_NEVER INT64_MIN /* a value that no instance has written; no latency makes it late */

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
  uint32_t last;        /* where waits are noted: the last instruction that issued, in instrs[] */
  uint32_t end_instr;   /* what `end` waits for, in instrs[]; WP_NO_INSTR: a barrier, or nothing */
  bool ends_at_release; /* held, but in the wheel for its end */
  WpTick memory_ready;  /* when its dependences on memory are complete; policies with lists only */
  WpTick released;      /* of the last barrier; WP_NEVER: none */
  WpTick release;       /* held at a barrier with a name: when it goes on; WP_TICK_LIMIT: nobody
                           knows yet */
  uint32_t held_at;     /* held: at which barrier, as WpOp has it */
  uint32_t held_by;     /* held: by which instruction */
  WpTick start;
  uint64_t age;               /* launch sequence number on this SM */
  uint64_t random;            /* wp_random_of_warp() */
  uint64_t end_index;         /* as end_instr, the dynamic instruction; WP_NO_PRODUCER: nothing */
  uint64_t barrier;           /* the last barrier, a dynamic instruction */
  WpTick stalls[WP_N_STALLS]; /* those that are kept: see wp_sm_find_stalls() */
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
  uint32_t n_busy;    /* warps that have not issued all */
  uint32_t n_arrived; /* at the barrier that they meet at now, while its release is not decided */
  uint64_t barrier;   /* how many releases have been decided */
  WpTick release;     /* of the barrier that waits for its time */
  uint32_t *slots;    /* [warps per block] */
  /* Barriers with names: */
  uint32_t *n_come; /* [n_barriers]: of all warps: those that have not terminated and are ahead; of
                       a number of warps: comings of the group that forms */
  WpTick *latest;   /* [n_barriers], of a number of warps: the latest coming of the group that forms
                       which lies ahead; 0: none */
  uint64_t *ahead;  /* [n_barriers][warps per block], of all warps: how often each has come since
                       the last release that is decided */
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
      last_bit;    /* the warp that it issued from last; n_slots - 1 at first: slot order from 0 */
  bool last_gone;  /* that warp has terminated, or there was none yet */
  bool left;       /* policies with lists: a warp has, since the last update */
  bool stale;      /* policies with lists: something has happened to a warp since the last update */
  uint64_t closed; /* fast loop: rows of its own that may refuse a warp now */
  uint64_t wake;   /* in step: no key of `near` and `far` is below */
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
  uint32_t *active;     /* policies with lists: local slots, in list order, as in the next */
  uint32_t *pending;    /* [2 n_slots]: from first_pending on */
  uint64_t *is_pending; /* [n_words]: those of pending[] */
  uint32_t n_active, n_pending, first_pending;
  void *outside;    /* of a policy from outside: its own */
  WpTick until;     /* of one that declines: it is asked again then; WP_TICK_LIMIT: it has not
                       said when */
  uint32_t *places; /* [n_slots]: policies with lists: of the eligible ones in active[] */
  /* Room for what is one word: what the loops work on that are for up to 64 warps. */
  WpWarp *own_warps[64];
  WpPipeline *own_accepts[WP_MAX_PIPELINES + 1]; /* for accepts[] always */
  uint64_t own_want[WP_MAX_PIPELINES + 1];
  uint64_t own_arrived, own_candidates;
  WpKeyList near, far;   /* of the wake list; fast loop only */
  WpReadySets ready;     /* wp-sm-many.c: warps that are ready, by class */
  WpKeyQueue soon, late; /* likewise: of the wake list */
  uint32_t chosen; /* the warp that issues at the next visit, where run_ahead() has stopped for it;
                      or WP_NO_BIT */
  uint32_t n_issued;                 /* running ahead: in issued[] */
  WpTick issued[1 + WP_MAX_STRETCH]; /* when it has issued in this stretch, from 1 on; [0] is -1 */
};

struct WpSm
{
  const WpMachine *machine;
  const WpPolicy *policy;
  WpSmHost *host;
  WpTick now;
  WpTick limit;  /* nothing but issues happens before */
  WpTick *retry; /* [2 n_schedulers], each twice: no visit before can issue; WP_TICK_LIMIT: none, as
                    things are */
  WpScheduler *schedulers; /* [n_schedulers] */
  const WpOp *ops;         /* [n_instrs]: the plan's, as `blocking`, `lookahead` and `safe` */
  const WpTick *turns;     /* the plan's */
  uint32_t wait_ilp;       /* n_pipelines + WP_WAIT_ILP */
  WpSum *waited;           /* the result's: see wp-sm-waited.h */
  WpSum *waits; /* [n_pipelines + 3]: where time went until warps were ready; see WP_WAIT_ */
  uint32_t
      n_blocking; /* rows whose pipeline may refuse a warp when the scheduler's turn has come */
  const uint32_t *blocking; /* [n_blocking] */
  uint32_t n_own_blocking;  /* of these, the first ones: see WpPlan */
  uint64_t own_blocking;    /* these as a set */
  WpTick fast_limit;        /* when the fast loop is left */
  uint64_t *n_terminated;   /* [n_programs]: warps of it; see wp-tally.h */
  bool implies; /* what chained instructions wait for is not added up, but follows from how often
                   they issue: see wp-tally.h */
  bool ahead;   /* schedulers run ahead of one another */
  WpTick near;  /* WP_NEAR_CYCLES in ticks */
  WpTick safe;  /* what begins before cannot reach WP_TICK_LIMIT */
  bool careful; /* fast loop: what an issue begins with may not be safe */
  uint64_t unchecked; /* likewise: that need not be found out again before so many issues */
  WpTick lookahead;   /* what a scheduler does cannot matter to others earlier than that: see
                               wp-sm-fast.c */
  bool quietens;      /* that is 0, but while no warp can end schedulers run ahead all the same: see
                         wp-sm-quiet.h */
  /* Where other SMs share its pipelines: */
  WpTick gate;          /* what they pass may issue before only, as others may come first then */
  bool stands;          /* an issue has come to the gate, and the run stops for it */
  const WpOp *drawn;    /* what the issue that comes next is of a mix, if that is known; or NULL */
  uint32_t stood;       /* the scheduler of that issue, in a stretch */
  WpTick stretch_begin; /* schedulers run ahead of one another since then, and will go on so, */
  WpTick stretch_end;   /* until then; 0: they do not, but where `ahead` says so */
  uint64_t shut_out;    /* schedulers whom the loop in step left waiting for what all share */
  uint32_t next_scheduler; /* the rotation goes on from here */
  WpTick rotated;          /* where schedulers run ahead: at the beginning of this time, not of a
                              later one in the stretch */
  uint32_t n_ending;       /* bits in ending[] */
  uint64_t n_followers;    /* instructions that went out behind another one in one issue */
  WpResult *result;
  WpWarp *warps;     /* [n_slots] */
  WpTick next;       /* the next time at which something is due; WP_TICK_LIMIT: nothing ever */
  WpTick due;        /* the first of launches and releases */
  bool fast;         /* the fast loop will do: see wp-sm-fast.c */
  bool ends_slowly;  /* nothing comes of a warp's end at that time but the ends of others */
  bool defers;       /* warps terminate when their block ends: see wp_sm_drain() */
  bool many;         /* the loop of wp-sm-many.c does */
  bool keeps_stalls; /* of each warp, but for what is implied: see wp_sm_find_stalls() */
  bool marked;       /* to be looked at once this time is finished: see wp-steady.h */
  uint64_t *ending;  /* a bit for each slot whose warp terminates now */
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
  WpWheel wheel;          /* of the wake list: see wp-wake-list.h */
  WpSlotList ends;        /* likewise */
  WpQueue launches, releases; /* releases: place in blocks[], and from bit 32 on which barrier */
  uint8_t classes[WP_MAX_PIPELINES + 1]; /* of each row, in `ready`: 0, it refuses nobody; else 1
                                            more than its place in blocking[] */
  WpFlow *flows;                         /* [n_slots], dataflow order only */
  const WpUnrolled *unrolled;            /* [n_programs], dataflow order only; borrowed */
  /* The search for steady states: see wp-steady.h. */
  uint64_t n_taken;      /* issues so far, about */
  uint64_t mark_from;    /* issues before which the SM is not marked; UINT64_MAX: nobody looks */
  WpTick mark_room;      /* how long a run goes on for once the SM is marked: 1, to the end of this
                            time; 0, not even that (wp_device_new_eager()) */
  uint64_t look_at;      /* every how many launches are worth a look */
  const WpWarp *watched; /* whose long repeats mark the SM; NULL: of the next that goes round */

  /* Replicas (wp-replicas.h): this is `count` SMs from `id` on. */
  uint32_t count;
  WpTick asked_at;     /* when they last asked for blocks; -1 at first */
  uint64_t asked_from; /* the first block that the first SM could get then */
  uint64_t n_asked;    /* blocks that it got then */
};

/* Whether SM counts its issues by instruction itself: wp-tally.h finds them out otherwise. */
static inline bool
wp_sm_counts (const WpSm *sm)
{
  return sm->machine->dataflow || sm->host->plan->mixed != NULL;
}

/* The SM before SM that keeps PIPELINE for it, as how far before: 0, it keeps it itself. Of those
 * that SMs share (MODEL.md, section 12) the first SM of each k does; of one that no instruction
 * passes each SM keeps one. */
static inline uint32_t
wp_sm_get_keeper (const WpSm *sm, uint32_t pipeline)
{
  if ((sm->host->plan->shared >> pipeline & 1) == 0)
    return 0;
  return sm->id % sm->machine->pipelines[pipeline].shared;
}

static inline bool
wp_sm_keeps_pipeline (const WpSm *sm, uint32_t pipeline)
{
  return wp_sm_get_keeper (sm, pipeline) == 0;
}

/* The instance of PIPELINE that SCHEDULER issues to. */
static inline WpPipeline *
wp_sm_get_pipeline (const WpSm *sm, uint32_t pipeline, uint32_t scheduler)
{
  return sm->pipelines[pipeline] + (sm->machine->pipelines[pipeline].per_scheduler ? scheduler : 0);
}

/* Whether a warp of SCHEDULER has all that it waited for in the warp itself. */
static inline bool
wp_scheduler_has_arrived (const WpScheduler *scheduler)
{
  uint64_t any = 0;

  for (uint32_t word = 0; word < scheduler->n_words; word++)
    any |= scheduler->arrived[word];
  return any != 0;
}

static inline uint32_t
wp_sm_get_slot (const WpSm *sm, const WpWarp *warp)
{
  return (uint32_t)(warp - sm->warps);
}

/* Whether TIME may not be: then notes WHAT it was to be, of BLOCK and INSTR, and the run is over.
 */
static inline bool
wp_sm_overflows (const WpSm *sm, WpTick time, const char *what, uint64_t block, uint32_t instr)
{
  if (time < WP_TICK_LIMIT)
    return false;
  wp_sm_host_fail (sm->host, sm->now,
                   (WpOverflow){ .what = what, .sm = sm->id, .block = block, .instr = instr });
  return true;
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

/* Whether WARP waits at the barrier NAME. */
static inline bool
wp_sm_is_held_at (const WpWarp *warp, uint32_t name)
{
  return warp->state == WP_WARP_HELD && warp->held_at == name;
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
  uint64_t *word, bit;

  if (sm->policy->update == NULL)
    return;
  word = &scheduler->aside[warp->bit / 64];
  bit = UINT64_C (1) << warp->bit % 64;
  if (((*word & bit) != 0) == wp_sm_is_aside (sm, warp))
    return;
  *word ^= bit;
  wp_sm_invalidate (sm, scheduler);
}

/* A warp of SCHEDULER can issue from TIME on: the visit that comes is no later than its turn then.
 */
static INLINE void
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
  if (sm->many)
    wp_ready_sets_add (&scheduler->ready, sm->classes[warp->op->row], warp->bit, false);
  else
    scheduler->arrived[warp->bit / 64] |= UINT64_C (1) << warp->bit % 64;
  wp_sm_reschedule (sm, scheduler, sm->now);
}

/* Whether BIT is among the warps that want ROW. */
static inline void
wp_scheduler_set_want (WpScheduler *scheduler, uint32_t bit, uint32_t row, bool wants)
{
  uint64_t *word = scheduler->want + (size_t)row * scheduler->n_words + bit / 64;

  *word &= ~(UINT64_C (1) << bit % 64);
  *word |= (uint64_t)wants << bit % 64;
}
