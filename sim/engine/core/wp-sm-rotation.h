/* SPDX-License-Identifier: MIT */
/* Whose turn it is in rotation (MODEL.md, section 7) where schedulers run ahead of one another
 * (wp-sm-fast.c): found from the record of when each has issued. Private; plain C11.
 */
#pragma once

#include "sim/engine/core/wp-sm-state.h"

/* wp_sm_find_rotation(), always. */
void wp_sm_find_rotation_at (WpSm *sm, WpTick time);

/* Brings next_scheduler to what it is at the beginning of TIME, all issues before which are on
 * record; WP_TICK_LIMIT, at the end of each stretch: behind all that are. Several schedulers that
 * come at one time ask one after another; in between nothing is added before that time. */
static inline void
wp_sm_find_rotation (WpSm *sm, WpTick time)
{
  if (time != sm->rotated || time == WP_TICK_LIMIT)
    wp_sm_find_rotation_at (sm, time);
}
