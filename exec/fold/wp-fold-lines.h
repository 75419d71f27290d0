/* SPDX-License-Identifier: MIT */
/* Private to exec/fold: accesses by source line. */
#pragma once

#include "exec/fold/wp-fold-input.h"
#include "idg/kernel/idg-kernel.h"

G_BEGIN_DECLS

/* Returns what INPUT's counts come to for each source line, of IdgLineAccesses, by file and line.
 * Instructions without a line are left out. O(instructions x entries). */
GArray *wp_fold_add_up_lines (const WpFoldInput *input);

G_END_DECLS
