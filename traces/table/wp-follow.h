/* SPDX-License-Identifier: MIT */
/* Follows the warps of a run: where the time of each went until each issue, and whose results it
 * used. Private.
 *
 * Events say when a warp was ready and what for; not since when it waited, nor all that it used.
 * That is kept here for the warps that are resident on the SMs that are shown: memory is
 * proportional to them. Of one block's warps all have the same slots from its launch to its end,
 * wpb of them in a row, where wpb is the warps of a block: a group.
 *
 *   slot     0 1 2 3   4 5 6 7   8 ...
 *   group       0         1
 */
#pragma once

#include <glib.h>

#include "sim/machine/wp-machine.h"
#include "sim/machine/wp-observer.h"

G_BEGIN_DECLS

typedef struct WpFollow WpFollow;

#define WP_FOLLOW_NO_RESULT G_MAXUINT64

/* A resident warp, or one that has just ended. */
typedef struct
{
  guint32 sm, slot, scheduler, warp; /* warp: of the block */
  guint64 block;
  WpTick start;
} WpFollowWarp;

/* FROM < TO. */
typedef struct
{
  WpStall stall;
  guint32 pipeline; /* dependency, drain: of the result; pipeline: the one that was taken. Else,
                       and of the drain of a warp that ends at a barrier: WP_NO_PIPELINE */
  WpTick from, to;
} WpFollowWait;

/* An instruction whose result was used. */
typedef struct
{
  guint64 index;  /* dynamic instruction of the same warp */
  guint64 result; /* see WpFollowIssue */
  guint32 instr;
  WpTick start;
} WpFollowOrigin;

typedef struct
{
  const WpFollowWarp *warp;
  WpTick since; /* its issue before, or its start */
  guint n_waits;
  WpFollowWait waits[3]; /* from `since` to the issue, without a gap */
  /* Where its result is kept, below wp_follow_get_room(): the warp's last instruction there is the
   * one that others wait for. WP_FOLLOW_NO_RESULT: no other uses it. */
  guint64 result;
  guint n_origins; /* 0 where they are not asked for */
  const WpFollowOrigin *origins;
} WpFollowIssue;

/* Everything is borrowed until the next call. ORIGINS: whether they are asked for. What happens
 * from TO on is not shown. */
WpFollow *wp_follow_new (const WpMachine *machine, gboolean origins, WpTick to);
void wp_follow_free (WpFollow *follow);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpFollow, wp_follow_free)

/* Places for results that a warp has at most. */
guint64 wp_follow_get_room (const WpFollow *follow);

#define WP_FOLLOW_FAILED G_MAXUINT32

/* Each launch, issue and end of an SM that is shown must be handed on, others must not. A block's
 * launch and end return its group; a launch WP_FOLLOW_FAILED with errno set where memory is out:
 * nothing more can be followed. O(1), with origins O(dependences); a launch O(warps of the block).
 */
guint32 wp_follow_launch (WpFollow *follow, const WpBlockEvent *event);
const WpFollowIssue *wp_follow_issue (WpFollow *follow, const WpIssueEvent *event);
/* Sets DRAIN to the last wait; false where it took no time. */
const WpFollowWarp *wp_follow_warp_end (WpFollow *follow, const WpWarpEvent *event,
                                        WpFollowWait *drain, gboolean *drained);
/* Sets START to the block's launch. */
guint32 wp_follow_block_end (WpFollow *follow, const WpBlockEvent *event, WpTick *start);

/* What happens from TO on is not shown after all; nothing may have happened then yet. */
void wp_follow_cut (WpFollow *follow, WpTick to);

/* Whether no event that may come says anything of what is shown: its time has passed, and the
 * blocks that were launched before have ended. */
gboolean wp_follow_is_over (const WpFollow *follow);

/* "waits for a result of memory". Free with g_free(). */
gchar *wp_follow_describe (const WpMachine *machine, const WpFollowWait *wait);

G_END_DECLS
