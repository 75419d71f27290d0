/* SPDX-License-Identifier: MIT */
/* Loops of machine code. They are natural ones (Aho, Lam, Sethi and Ullman, "Compilers", 2006,
 * section 9.6): a branch back to its head closes each, and what leads there without passing the
 * head is its body. So a block that the compiler has put elsewhere, and that jumps back, is part of
 * its loop. */
#pragma once

#include "exec/machine/wp-kernel-code.h"

G_BEGIN_DECLS

#define WP_NOWHERE G_MAXUINT32

/* Where threads go that take step I; WP_NOWHERE: they end, or it is in a register, or I is no
 * branch. O(1). */
guint32 wp_loops_get_target (const WpKernelCode *code, guint32 i);

/* Where threads go that do not take it; those that come back from a function, too. O(1). */
guint32 wp_loops_get_next (const WpKernelCode *code, guint32 i);

/* Whether step I closes a loop, from HEAD. O(1). */
gboolean wp_loops_close (const WpKernelCode *code, guint32 i, guint32 *head);

/* Sets BODY, a byte for each step of CODE, to 1 for those in the loop from HEAD that step LAST
 * closes, and to 0 for others. O(CODE) times how often the way in it goes back. */
void wp_loops_find_body (const WpKernelCode *code, guint32 head, guint32 last, guint8 *body);

/* Whether step I, in BODY, is where some threads stay and others leave. Asked of branches and of
 * what ends threads. O(1). */
gboolean wp_loops_leave (const WpKernelCode *code, guint32 i, const guint8 *body);

/* Whether I, in BODY, is such a branch or end with a guard or a predicate: a way out of the loop
 * for some threads. O(1). */
gboolean wp_loops_is_way_out (const WpKernelCode *code, guint32 i, const guint8 *body);

typedef enum
{
  WP_WAY_TAKEN, /* as far as is known */
  WP_WAY_AVOIDED,
  WP_WAY_AVOIDED_OFTEN
} WpWay;

/* Whether there is a loop of which no way out is taken and one is avoided often, as AVOIDED says, a
 * WpWay for each step; WAY receives that one. O(CODE times its loops). */
gboolean wp_loops_find_endless (const WpKernelCode *code, const guint8 *avoided, guint32 *way);

G_END_DECLS
