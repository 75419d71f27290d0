/* SPDX-License-Identifier: MIT */
/* How unevenly the SMs that are simulated share the work of blocks (wp-block-work.h). The engine's
 * sums are those of all SMs together. */
#pragma once

#include "sim/gpu/wp-block-work.h"
#include "sim/gpu/wp-resolve.h"
#include "sim/machine/wp-result.h"

G_BEGIN_DECLS

/* Returns how many blocks the simulated SM with the most has in RESULT, which is complete, at
 * least: where some were left out, their number divided by that of the SMs, rounded up. */
guint64 wp_block_work_get_most_blocks (const WpMachine *machine, const WpResult *result);

/* Returns how many times the mean of the simulated SMs' work that SM has at least. 1 where that
 * says nothing of the work, since a block is not like their mean. O(the machine's ranges of
 * blocks). */
gdouble wp_block_work_get_fullest (const WpMachine *machine, const WpResult *result);

G_END_DECLS
