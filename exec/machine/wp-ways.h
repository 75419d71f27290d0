/* SPDX-License-Identifier: MIT */
/* Where a thread may come to after a step, as far as the code alone says. */
#pragma once

#include "exec/machine/wp-kernel-code.h"
#include "exec/machine/wp-ops.h"

G_BEGIN_DECLS

/* Whether the way goes on by an address in a register. O(1). */
gboolean wp_step_jumps_anywhere (const WpStep *step);

/* Whether a thread that executes STEP never comes to the next one. O(1). */
gboolean wp_step_always_leaves (const WpStep *step);

/* Sets `is_return` of the steps of CODE that a function may return to: those behind calls, and
 * where a constant before a call says, as compilers make the address to return to of one. Nothing
 * else is one, which whoever returns is held to. O(steps). */
void wp_ways_mark_returns (WpKernelCode *code);

G_END_DECLS
