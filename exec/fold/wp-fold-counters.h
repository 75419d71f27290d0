/* SPDX-License-Identifier: MIT */
/* Private to exec/fold: what the whole launch came to. */
#pragma once

#include "exec/fold/wp-fold-input.h"
#include "idg/kernel/idg-kernel.h"

G_BEGIN_DECLS

/* Returns the counters of INPUT's launch, whose counts are those of all blocks
 * (wp_fold_weigh_counts()). Free with g_free(). O(runs and items of all classes + entries of their
 * counts + ranges of blocks). */
IdgCounters *wp_fold_count (const WpFoldInput *input);

G_END_DECLS
