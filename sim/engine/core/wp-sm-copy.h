/* SPDX-License-Identifier: MIT */
/* One SM made the same as another. Private; plain C11. */
#pragma once

#include "sim/engine/core/wp-sm-state.h"

/* Makes TO the same as FROM, at the same time: both were made by wp_sm_init() for the same machine.
 * O(state). */
void wp_sm_copy (WpSm *to, const WpSm *from);
