/* SPDX-License-Identifier: MIT */
/* Runs and bounds that stop before their end, in words (MODEL.md, section 14). */
#pragma once

#include <glib.h>

#include "sim/machine/wp-machine.h"
#include "sim/machine/wp-result.h"
#include "sim/machine/wp-stuck.h"

G_BEGIN_DECLS

/* Says who waits and where: "6 warps never end: the first, warp 2 of block 0 in slot 2 of SM 0,
 * waits at the barrier \"full\" (line 12)". Free with g_free(). */
gchar *wp_stuck_describe (const WpStuck *stuck, const WpMachine *machine);

/* What a policy from outside did: "chose warp 3 of block 7, in its place 5, which is not ready,"; a
 * cycle has TICKS_PER_CYCLE. Free with g_free(). */
gchar *wp_fault_describe (const WpPolicyFault *fault, gint64 ticks_per_cycle);

G_END_DECLS
