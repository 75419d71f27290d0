/* SPDX-License-Identifier: MIT */
/* One SM over time. Private; plain C11. */
#pragma once

#include "sim/engine/core/wp-sm-state.h"

/* Whether SM can go on beyond the time that other SMs of its group have come to. */
bool wp_sm_can_stand (const WpSm *sm);

/* Goes on with time sm->next, and the times after it that are before UNTIL, while *BUDGET lasts:
 * true when the time that it has come to is finished, and sm->next is then the time of what is due
 * next. Stops short, too, once the host has noted an overflow; and, where wp_sm_can_stand(), when
 * what other SMs have to do with would issue at sm->gate or later: sm->next is then when. */
bool wp_sm_run (WpSm *sm, WpTick until, uint64_t *budget);
