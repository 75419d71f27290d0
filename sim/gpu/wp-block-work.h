/* SPDX-License-Identifier: MIT */
/* How much blocks do, by the instructions of their warps. */
#pragma once

#include <glib.h>

#include "sim/machine/wp-machine.h"

G_BEGIN_DECLS

/* Returns the instructions of all blocks of MACHINE before END. O(its ranges of blocks). */
WP_API gdouble wp_block_work_count (const WpMachine *machine, guint64 end);

/* Returns whether blocks that execute SOME instructions are like those that execute MEAN: 5% more
 * or fewer are no matter. */
WP_API gboolean wp_block_work_is_alike (gdouble some, gdouble mean);

/* Returns the most instructions of a block of MACHINE before END; 0: there is none. Likewise. */
WP_API gdouble wp_block_work_get_most (const WpMachine *machine, guint64 end);

/* Returns the instructions of a block of RANGE of MACHINE's block_ranges. O(its segments). */
WP_API gdouble wp_block_work_of_range (const WpMachine *machine, guint32 range);

G_END_DECLS
