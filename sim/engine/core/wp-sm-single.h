/* SPDX-License-Identifier: MIT */
/* The fast loop's issue of one instruction that is not chained. Private; plain C11. */
#pragma once

#include "sim/engine/core/wp-sm-state.h"

/* The issue of BIT's warp of SCHEDULER at TIME where it takes one slot and nobody else is in the
 * way: as issue_in_order() of wp-sm-issue.c, without what does not come up here. */
void wp_sm_issue_single (WpSm *sm, WpScheduler *scheduler, uint32_t bit, WpTick time);
