/* SPDX-License-Identifier: MIT */
/* Accesses to shared memory without data (wp-needed.h) in a row: nothing between them is executed
 * that could change an address. So where the registers are as they were when the warp was here
 * last, all of them come to what they came to then, and only how often is counted. */
#pragma once

#include "exec/machine/wp-kernel-code.h"

G_BEGIN_DECLS

/* Finds the stretches of CODE, whose steps know what is left of them: the first step of each stands
 * for all of it, where nothing comes to pass between them but what is left. O(steps). */
void wp_stretches_find (WpKernelCode *code);

/* Adds to the log of WARP what its stretches have counted, which may be of many turns: when its
 * block ends, or where somebody wants to know before that. */
void wp_stretches_flush (WpWarp *warp);

/* Forgets what they have counted: WARP is another one from now on. */
void wp_stretches_restart (WpWarp *warp);

G_END_DECLS
