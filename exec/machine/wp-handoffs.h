/* SPDX-License-Identifier: MIT */
/* Private to wp-waits.c: barriers in shared memory at which others wait than arrive, as where some
 * warps produce what others consume.
 *
 * Each warp that waits at such a barrier has one with a name of its own for it (doc/MODEL.md,
 * section 14), to which in each phase all come that arrive, by an arrive for each who waits, and it
 * itself. So it waits for all of them, and nobody waits for it. The four warps of a group that
 * multiplies matrices together (wgmma) share one, where they all wait.
 *
 * Who copies in bulk, or has copies or products arrive when they are done, does not wait for them:
 * a phase ends when the last of their bytes has come. Such a warp comes late, by an arrive that
 * issues when the phase waits for nothing but these copies, or before its warp waits for something
 * itself.
 *
 * Where others wait for one phase of a barrier than for the next, as warps that use the stages of a
 * ring in turn, it comes for those that wait for the phase. They are known when they have waited:
 * so it comes, as late as it can, before it waits for something itself that others can have done
 * only after they waited for these copies, also at BAR, or at its end. What others can have done
 * only after a phase is found by numbers: phases have them in the order in which they end, and
 * whoever has waited for one, or for a phase in which somebody arrived who had, has seen it. Trails
 * have both. */
#pragma once

#include "exec/machine/wp-block.h"

G_BEGIN_DECLS

#define WP_HANDOFF_BARRIERS 64 /* that are kept account of; by the order of their first use */
#define WP_HANDOFF_SETS 8      /* of warps that wait; number 0: all that ever do at the barrier */
#define WP_HANDOFF_PENDING 16  /* 0 to 14 groups of copies; the last: waits for none */

/* How a step arrives. */
typedef enum
{
  WP_ARRIVAL_NONE,
  WP_ARRIVAL_PLAIN,
  WP_ARRIVAL_LATE /* when copies are done: it makes them, or expects the bytes of some */
} WpArrivalKind;

/* What arrives for a warp when it is done, in groups that are counted apart. */
typedef enum
{
  WP_QUEUE_COPIES,
  WP_QUEUE_PRODUCTS, /* into tensor memory */
  WP_N_QUEUES
} WpHandoffQueue;

typedef struct WpHandoffs WpHandoffs; /* of a block */

/* Of all blocks that have ended. */
typedef struct
{
  guint32 doubt; /* the first step that cannot be so simulated, + 1; 0: all can */
  guint64 waiters[WP_HANDOFF_BARRIERS];
  guint32 comings[WP_HANDOFF_BARRIERS];    /* in a phase, of those that arrive; 0: nobody waits */
  gboolean is_fixed[WP_HANDOFF_BARRIERS];  /* comings can only be for all that ever wait */
  gboolean is_uneven[WP_HANDOFF_BARRIERS]; /* late comings are for sets from number 1 on; else 0 */
  guint32 parted[WP_HANDOFF_BARRIERS]; /* a bit for each group: not all of it waited for a phase */
  guint64 sets[WP_HANDOFF_SETS];
} WpHandoffsResult;

/* What a number of a trail means: its warp waits, or comes for others. */
typedef struct
{
  guint32 index; /* of the step that has asked, or arrived */
  guint barrier;
  gboolean arrives;
  gboolean is_late;
  guint set;    /* whom it arrives for */
  gint pending; /* as WpWaitsMeeting has it, and... */
  WpHandoffQueue queue;
} WpHandoff;

/* That of STEP, by which a warp arrives. O(1). */
WpHandoffQueue wp_handoffs_get_queue (const WpStep *step);

/* How many numbers of trails stand for handoffs. O(1). */
guint32 wp_handoffs_count_indices (const WpKernelCode *code);

/* What number INDEX of a trail, from code->first_handoff on, means. O(1). */
void wp_handoffs_decode (const WpKernelCode *code, guint32 index, WpHandoff *handoff);

/* The warps, WARP among them, that share a barrier with a name for BARRIER. O(1). */
guint64 wp_handoffs_get_sharers (const WpHandoffsResult *result, const WpKernelCode *code,
                                 guint barrier, guint warp);

/* COMMITS, of each queue and warp, are the groups that it has ended until now: the caller's, which
 * has to live as long. */
WpHandoffs *wp_handoffs_new (const WpBlock *block, const guint32 (*commits)[WP_MAX_WARPS]);
void wp_handoffs_free (WpHandoffs *handoffs);
/* Another block begins. */
void wp_handoffs_begin (WpHandoffs *handoffs);
/* The block has ended: the trails of its warps get what they do last, and what it came to joins
 * RESULT. */
void wp_handoffs_end (WpHandoffs *handoffs, WpHandoffsResult *result);

/* Lanes of WARP are about to arrive by one instruction. */
void wp_handoffs_begin_arrivals (WpHandoffs *handoffs, const WpWarp *warp);

/* One of them has, by STEP, at barrier number BARRIER, in the phase that is open. COPIES: the
 * groups of STEP's queue that the warp had ended, if it has some arrive there; 0: none. IS_LATE:
 * the phase waits for these, or for bytes that it has to expect from now on. */
void wp_handoffs_arrive (WpHandoffs *handoffs, WpWarp *warp, const WpStep *step, guint barrier,
                         guint32 copies, gboolean is_late);

/* The open phase of BARRIER has ended, as number ID, more than all before it. */
void wp_handoffs_end_phase (WpHandoffs *handoffs, guint barrier, guint32 id);

/* The open phase of BARRIER, which is about to end, waits for the copies that those who are to come
 * late have made by now, if they have made none for it. */
void wp_handoffs_borrow_copies (WpHandoffs *handoffs, guint barrier);

/* What waits there cannot be simulated so, by the step of INDEX. */
void wp_handoffs_add_doubt (WpHandoffs *handoffs, guint32 index);

/* BARRIER is set up again. */
void wp_handoffs_set_up (WpHandoffs *handoffs, guint barrier);

/* WARP waits by the lanes in MASK of STEP for the last phase of BARRIER that has ended. */
void wp_handoffs_wait (WpHandoffs *handoffs, WpWarp *warp, const WpStep *step, guint barrier,
                       guint32 mask);

/* WARP comes to BAR. */
void wp_handoffs_come_to_bar (WpHandoffs *handoffs, const WpWarp *warp);

/* Before that: whether WARP, which is to wait at BAR by the lanes in MASK of STEP, may have to come
 * to another barrier before that, so that the trail is to get STEP when it goes on. */
gboolean wp_handoffs_hold_bar (WpHandoffs *handoffs, WpWarp *warp, const WpStep *step,
                               guint32 mask);

/* WARP goes on from BAR: its trail gets what was held. */
void wp_handoffs_leave_bar (WpHandoffs *handoffs, WpWarp *warp);

G_END_DECLS
