/* SPDX-License-Identifier: MIT */
/* Barriers in shared memory (mbarrier), as far as warps wait there: who arrives, who waits, and
 * whether warps that meet can stand for it.
 *
 * A warp that asks such a barrier in vain executes nothing until the phase is over, as if the one
 * instruction that asks had waited: how often it would have asked nobody knows. Only where nothing
 * else of the block can go on, its question is answered with no.
 *
 * Where all warps that arrive in a phase wait for it, and no others do, the wait is as a barrier
 * with a name that these warps meet at (doc/MODEL.md, section 14). A warp's trail then has a number
 * of its own before the instruction that has asked with success: wp_waits_decode(). Phases that no
 * warp waits for are nothing but their arrivals.
 *
 * Where the phase waits for bytes of copies in bulk, or for products into tensor memory (tcgen05),
 * the warp that made them waits for them before it meets the others. If nobody else has arrived, as
 * is usual, all warps of the block are to wait. Products are a queue of their own: UTCBAR ends a
 * group of them, whatever the warp copies meanwhile.
 *
 * What does not fit is a doubt: then no wait of the launch is to be simulated as such a barrier.
 * Where that is only who waits, or in which order, there is another way (wp-handoffs.h), which
 * takes more. Trails have both.
 *
 * The warps of a block also have to come to these barriers and to those of BAR in orders that do
 * not have them wait for each other: that is found out by having them meet, without times. */
#pragma once

#include "exec/machine/wp-block.h"
#include "exec/machine/wp-handoffs.h"

G_BEGIN_DECLS

typedef struct WpWaits WpWaits; /* of a block */

/* What a step has to do with waits. */
typedef enum
{
  WP_WAIT_NONE,
  WP_WAIT_CHECK, /* asks (SYNCS.PHASECHK) */
  WP_WAIT_LOAD,  /* loads the word of a barrier, about which... */
  WP_WAIT_TEST,  /* ...this one asks: up to sm_89 */
  WP_WAIT_LOOK   /* another load from shared memory: of a barrier it could ask unseen */
} WpWaitKind;

/* Why warps that meet do not stand for what waits. */
typedef enum
{
  WP_DOUBT_VAIN,   /* a warp went on that had asked in vain */
  WP_DOUBT_UNSEEN, /* a phase ended by something else than an arrival, unknown data, ... */
  WP_DOUBT_OTHERS, /* not those that arrive wait */
  WP_DOUBT_ORDER,  /* barriers are come to in different orders, or BAR is not met at by all */
  WP_DOUBT_MANY,   /* too many places, or copies that are under way */
  WP_N_DOUBTS
} WpDoubt;

/* Of all blocks that have ended. */
typedef struct
{
  gboolean is_used;            /* a warp has arrived, or asked */
  guint32 doubts[WP_N_DOUBTS]; /* the first step that each is about, + 1; 0: none */
  guint64 sets[WP_MAX_WARPS];  /* by their lowest warp: of warps that meet, not all of a block */
  WpHandoffsResult handoffs;   /* the other way to simulate it */
} WpWaitsResult;

/* A meeting, as a trail has it. */
typedef struct
{
  guint32 index; /* of the step that has asked */
  guint set;     /* which warps meet: WP_WAITS_ALL, WP_WAITS_ALONE, or that of a lowest warp */
  gint pending;  /* groups of copies of the warp that it does not wait for; -1: waits for none.
                  * ARRIVES ends a group, and a copy in bulk is one */
  WpHandoffQueue queue; /* ...of which these are */
} WpWaitsMeeting;

#define WP_WAITS_MOST_TURNS 1024 /* that a warp asks in, before its question is answered with no */
#define WP_DOUBT_NOWHERE G_MAXUINT32       /* in the place of a step + 1: blocks differ */
#define WP_WAITS_CLUSTER WP_NAMED_BARRIERS /* barrier.cluster, as a BAR of the block */
#define WP_WAITS_ALL WP_MAX_WARPS
#define WP_WAITS_ALONE (WP_MAX_WARPS + 1) /* the warp itself */

/* Finds the steps of CODE that wait, all prepared: sets what WpKernelCode and WpStep say of them
 * (wp-wait-sites.c). O(steps). */
void wp_wait_sites_find (WpKernelCode *code);

/* Whether INSTR is BAR with its number, or how many threads it waits for, in a register. O(1). */
gboolean wp_wait_sites_is_odd_bar (const WpSassInstr *instr);

/* How many numbers of trails stand for meetings. O(1). */
guint32 wp_waits_count_indices (const WpKernelCode *code);

/* What number INDEX of a trail, from code->first_meeting on, means. O(1). */
void wp_waits_decode (const WpKernelCode *code, guint32 index, WpWaitsMeeting *meeting);

WpWaits *wp_waits_new (const WpBlock *block);
void wp_waits_free (WpWaits *waits);
/* Another block begins. */
void wp_waits_begin (WpWaits *waits);
/* BLOCK has ended: what it came to joins RESULT. */
void wp_waits_end (const WpBlock *block, WpWaitsResult *result);

/* The warp is about to execute STEP, whose `wait` is not WP_WAIT_NONE. TRUE: nothing is left to do,
 * as it was executed, or the warp has stepped back and another group of lanes is active, or it
 * waits (WP_WARP_ASKS). */
gboolean wp_waits_step (WpWarp *warp, const WpStep *step, guint32 mask);

/* Lanes of WARP are about to arrive by STEP, also for their copies until now, or for bytes that
 * they expect. */
void wp_waits_begin_arrivals (WpWarp *warp, const WpStep *step);

/* One of them has, at the barrier at ADDRESS, which is relative to WARP's block and may be in
 * another one of the cluster, as below. OLD is the word that was there. WITH_BYTES: it tells that
 * one of bytes that have come. O(barriers). */
void wp_waits_arrive (WpWarp *warp, const WpStep *step, guint32 address, guint64 old,
                      gboolean with_bytes);

/* The same, nobody knows where. */
void wp_waits_arrive_unseen (WpWarp *warp, const WpStep *step);

/* WARP has made a copy in bulk by STEP, whose bytes come next. */
void wp_waits_begin_copy (WpWarp *warp, const WpStep *step);

/* They have come at the barrier at such an ADDRESS. */
void wp_waits_copy (WpWarp *warp, const WpStep *step, guint32 address, guint64 old);

/* WARP has told another block of its cluster of bytes that have come, or its own by an asynchronous
 * store, at the barrier at such an ADDRESS; WITH_BYTES: not at once. What others do is not
 * simulated: all blocks of a cluster are taken to do the same at the same time, so that who waits
 * waits for what its own block does. O(barriers). */
void wp_waits_come_from_outside (const WpWarp *warp, const WpStep *step, guint32 address,
                                 guint64 old, gboolean with_bytes);

/* The barrier at ADDRESS is set up, by STEP. O(barriers). */
void wp_waits_set_up (WpWarp *warp, const WpStep *step, guint32 address);

/* WARP, which waits, goes back to STEP, and other lanes of it go on, as long as they get anywhere;
 * else it is to be asked again when others have gone on (WP_WARP_ASKS). */
void wp_waits_step_back (WpWarp *warp, const WpStep *step);

/* Whether the trail of WARP, which is about to wait at BAR by the lanes in MASK of STEP, is to get
 * STEP when it goes on; and that it does. */
gboolean wp_waits_hold_bar (WpWarp *warp, const WpStep *step, guint32 mask);
void wp_waits_leave_bar (WpWarp *warp);

/* The warp comes to BAR NUMBER of the block, which EXPECTED threads do (0: all); WAITS: it is no
 * BAR.ARV. */
void wp_waits_come_to_bar (WpWarp *warp, const WpStep *step, guint number, guint expected,
                           gboolean waits);

G_END_DECLS
