/* SPDX-License-Identifier: MIT */
/* Runs and bounds that stop before their end, in words (MODEL.md, section 14). */
#pragma once

#include <glib.h>

#include "sim/machine/wp-machine.h"
#include "sim/machine/wp-stuck.h"

G_BEGIN_DECLS

/* Says who waits and where: "6 warps never end: the first, warp 2 of block 0 in slot 2 of SM 0,
 * waits at the barrier \"full\" (line 12)". Free with g_free(). */
gchar *wp_stuck_describe (const WpStuck *stuck, const WpMachine *machine);

G_END_DECLS
