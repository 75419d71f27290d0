/* SPDX-License-Identifier: MIT */
/* A warp runs until its turn is over. */
#pragma once

#include "exec/machine/wp-block.h"

G_BEGIN_DECLS

/* Runs WARP, whose state is WP_WARP_RUNS, until it is another one: it waits for a barrier of its
 * block, has ended, has failed, or its turn is over: after QUANTUM accesses to memory (somewhat
 * more: at the next branch back), where it sleeps, or where it goes round and round without any
 * change. */
void wp_warp_run (WpWarp *warp, guint quantum);

/* A hash of the registers of WARP and of where it is. O(registers). */
guint64 wp_warp_get_fingerprint (const WpWarp *warp);

/* Tells whether nothing has changed in the registers of WARP since the last call. O(registers). */
gboolean wp_warp_is_idle (WpWarp *warp);

G_END_DECLS
