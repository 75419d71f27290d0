/* SPDX-License-Identifier: MIT */
/* What of a launch's execution rests on data that nobody gave: where branches by them decide how
 * often a loop runs, or much of what is executed, or much of what is asked of memory is where they
 * say, times are of an assumption, and the kernel says so. */
#pragma once

#include "exec/machine/wp-run.h"
#include "exec/memory/wp-memory.h"
#include "idg/kernel/idg-kernel.h"

G_BEGIN_DECLS

/* Returns for each branch of NOTES (of WpMachineNote) in CODE whether it decides if a loop goes
 * round again: on a way round a loop it is where one way stays in it, and one leaves it. Others
 * decide what is executed between there and where their ways meet: CAN_DIFFER (a byte for each step
 * of CODE) receives 1 for what is only on the way of those that do not take such a branch, 2 for
 * what is only on the way of those that do. Free with g_free(). O(CODE times (its loops + the
 * branches)). */
gboolean *wp_doubts_find_loops (const WpKernelCode *code, const GArray *notes, guint8 *can_differ);

/* Appends to KERNEL's warnings "addresses-assumed", where the addresses of over WP_MANY_DOUBTS of
 * the sectors that L1 lacks are unknown; and of those that take the place of a verdict "trips-
 * assumed" where a branch decides how often a loop runs, else "branches-assumed" where over
 * WP_MANY_DOUBTS of what RESULT executed might not have been, or as much might have been in its
 * place. A branch that --branch speaks of is no assumption. KERNEL's counters, if it has them, tell
 * how much that is, and whether memory is accessed there. MEMORY has the names of what nobody gave.
 * O(as above + the trails of all classes). */
void wp_doubts_warn (IdgKernel *kernel, const WpExecResult *result, const WpMemory *memory);
#define WP_MANY_DOUBTS 0.25

G_END_DECLS
