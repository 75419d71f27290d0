/* SPDX-License-Identifier: MIT */
/* For how long no warp can end. Where blocks are replaced at once (a launch latency of 0), what
 * ends matters to all schedulers, and to other SMs, at that time: up to then they need not go on in
 * step. A warp that has n more instructions to issue ends no earlier than n - 1 turns from now.
 * Private; plain C11.
 */
#pragma once

#include "sim/engine/core/wp-sm-state.h"

/* How long no warp must end for that to be worth anything; 0 where nothing is known of it: a plan
 * without places (wp-plan.h), or warps that may issue at one time without end. */
WpTick wp_sm_find_least_quiet (const WpSm *sm);

/* The first time at which a warp of SM may end, or another start, as things are at FROM, before
 * which nothing issues; FROM where nothing is known of that. O(warp slots x repeats open). */
WpTick wp_sm_find_first_end (const WpSm *sm, WpTick from);
