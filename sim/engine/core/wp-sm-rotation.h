/* SPDX-License-Identifier: MIT */
/* Whose turn it is in rotation (MODEL.md, section 7) where schedulers run ahead of one another
 * (wp-sm-fast.c): found from the record of when each has issued. Private; plain C11.
 */
#pragma once

#include "sim/engine/core/wp-sm-state.h"

/* Brings next_scheduler to what it is at the beginning of TIME, all issues before which are on
 * record; WP_TICK_LIMIT: behind all that are. */
void wp_sm_find_rotation (WpSm *sm, WpTick time);
