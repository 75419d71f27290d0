/* SPDX-License-Identifier: MIT */
/* Private to exec/fold: copies out of shared memory (cp.async.bulk), waited for in groups. */
#pragma once

#include "exec/fold/wp-fold-input.h"

G_BEGIN_DECLS

/* Whether these groups are waited for where nothing of the warp is left to do alone: as a warp does
 * not end before its copies are done, such a wait costs nothing. A wait that comes before any group
 * is one for nothing. O(instructions). */
gboolean wp_fold_waits_late (const WpFoldInput *input);

G_END_DECLS
