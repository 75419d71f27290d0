/* SPDX-License-Identifier: MIT */
/* Dataflow order on an SM: which of a warp's instructions goes, and when the warp has something to
 * offer. Private; plain C11.
 *
 * A warp stands in its scheduler's bitmasks of all pipelines for which it has an available
 * instruction, and wakes when that may change by itself.
 */
#pragma once

#include "sim/engine/core/wp-sm-state.h"

/* Takes the instruction that WARP issues now on SCHEDULER, the earliest for a pipeline that accepts
 * it (there is one), and sets since when it was ready. Returns its dynamic number. */
uint32_t wp_sm_choose_from_flow (WpSm *sm, const WpScheduler *scheduler, WpWarp *warp);

/* Shows what the warp can offer now, and wakes it when that may change by itself. */
void wp_sm_wait_for_flow (WpSm *sm, WpWarp *warp);
