/* SPDX-License-Identifier: MIT */
/* Private to exec/fold. */
#pragma once

#include "idg/kernel/idg-kernel.h"

G_BEGIN_DECLS

/* Makes an issue slot, and no more, of each arrive of KERNEL at a barrier at which no warp waits: a
 * kernel must not name such a one. O(nodes). */
void wp_fold_drop_arrives (IdgKernel *kernel);

G_END_DECLS
