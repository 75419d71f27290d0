/* SPDX-License-Identifier: MIT */
/* Which lanes of a warp execute. Lanes that are at one place are a group; one group is active, the
 * others are in a stack.
 *
 * At a branch that some lanes take, those that do not go on first, and those that do wait in the
 * stack. A group that waits for others gives way to the one on top of the stack. So paths of
 * different lanes are executed one after the other, up to where they converge: BSYNC waits for all
 * lanes that executed the BSSY of its barrier, but for those that have left it by BREAK or EXIT.
 * The barriers are kept by lane, since each path may have its own BSSY of a barrier (of U.S. patent
 * application 2016/0019066, "Execution of divergent threads using a convergence barrier"; Jia et
 * al. 2018; what hardware does first is not documented).
 *
 * Threads make progress independently (CUDA C++ programming guide, "Independent Thread
 * Scheduling"): a group that has been going round and round without any change in its registers gives way to
 * other groups, and lets those go that wait for it. */
#pragma once

#include "exec/machine/wp-block.h"

G_BEGIN_DECLS

/* All lanes of WARP that have a thread begin at PC. */
void wp_warp_begin (WpWarp *warp, guint32 pc);

/* The lanes TAKEN, of the active ones, go to TARGET, the others on to warp->pc. */
void wp_warp_branch (WpWarp *warp, guint32 taken, guint32 target);

/* Each lane of MASK, of the active ones, goes to its own of TARGETS, the others on. */
void wp_warp_jump (WpWarp *warp, guint32 mask, const guint32 *targets);

/* Only the lanes of MASK stay active; the others go on later from where they are. */
void wp_warp_split (WpWarp *warp, guint32 mask);

/* The lanes LEAVE, of the active ones, have ended. */
void wp_warp_exit (WpWarp *warp, guint32 leave);

/* BSSY, BREAK, BSYNC of barrier B, by the lanes MASK. */
void wp_warp_converge_begin (WpWarp *warp, guint b, guint32 mask);
void wp_warp_converge_leave (WpWarp *warp, guint b, guint32 mask);
void wp_warp_converge (WpWarp *warp, guint b);

/* WARPSYNC: the active lanes wait for WANTED. */
void wp_warp_sync (WpWarp *warp, guint32 wanted);

/* The active lanes wait at barrier B of the block; wp_warp_release() lets those go that do, which
 * go on together where they are at one place. */
void wp_warp_wait (WpWarp *warp, guint b);
void wp_warp_release (WpWarp *warp, guint b);

/* YIELD: another group's turn, if there is one that is ready. FALSE: there is none. */
gboolean wp_warp_yield (WpWarp *warp);

/* The active group makes no progress by itself: other groups go on, those that wait for it, too;
 * if there are none, the warp's turn ends. */
void wp_warp_stall (WpWarp *warp);

/* Appends what the groups of a warp wait for: "lanes 0xff wait at k.cu:7 for ...". */
void wp_warp_describe (const WpWarp *warp, GString *text);

G_END_DECLS
