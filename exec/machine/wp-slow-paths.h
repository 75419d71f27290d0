/* SPDX-License-Identifier: MIT */
/* The compiler's own functions for a division or a root of numbers that are very large, small or
 * none, and the branches round their calls. */
#pragma once

#include "exec/machine/wp-kernel-code.h"

G_BEGIN_DECLS

/* Returns a byte for each step of CODE, 1 for a branch that goes forward over the call of such a
 * function, by which most numbers pass it. Free with g_free(). O(code + symbols of the cubin). */
guint8 *wp_slow_paths_find (const WpKernelCode *code);

G_END_DECLS
