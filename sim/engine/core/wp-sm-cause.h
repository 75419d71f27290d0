/* SPDX-License-Identifier: MIT */
/* What a warp has waited for, for those who listen to issues. Private; plain C11. */
#pragma once

#include "sim/engine/core/wp-sm-state.h"

/* Sets reason and producer of EVENT, which is about to issue WARP's next instruction OP:
 * instruction `index`. Where nobody listens to issues, not which instance the producer is. */
void wp_sm_find_cause (const WpSm *sm, const WpWarp *warp, const WpOp *op, WpIssueEvent *event);

/* WARP has started. */
void wp_sm_forget_writers (const WpSm *sm, WpWarp *warp);
