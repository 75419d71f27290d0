/* SPDX-License-Identifier: MIT */
/* Where a thread may come to after a step, as far as the code alone says. */
#pragma once

#include "exec/machine/wp-ops.h"

G_BEGIN_DECLS

/* Whether the way goes on by an address in a register. O(1). */
gboolean wp_step_jumps_anywhere (const WpStep *step);

/* Whether a thread that executes STEP never comes to the next one. O(1). */
gboolean wp_step_always_leaves (const WpStep *step);

G_END_DECLS
