/* SPDX-License-Identifier: MIT */
/* The compiler's own code for a division, a root or a sine of numbers that are very large, small or
 * none: functions that it calls, or what it has inlined; and the branches round that. */
#pragma once

#include "exec/machine/wp-kernel-code.h"

G_BEGIN_DECLS

/* Returns a byte for each step of CODE, 1 for a branch that goes forward over such code, by which
 * most numbers pass it. Free with g_free(). O(code + symbols of the cubin). */
guint8 *wp_slow_paths_find (const WpKernelCode *code);

G_END_DECLS
