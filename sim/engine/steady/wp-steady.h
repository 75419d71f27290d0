/* SPDX-License-Identifier: MIT */
/* Steady states: recognises when the state of all SMs is like one that it was in before, and moves
 * on by whole periods at once. Private; plain C11.
 *
 * It looks at the ends of times at which a block launched on the first SM, or a warp of it went
 * round a long repeat, and keeps the state of one of them to compare the later ones with. Which one
 * follows Brent (1980): the 1st, the 2nd, the 4th, the 8th and so on, so that a period is found
 * within three times its own length and that of what came before.
 *
 *   level 0   x . x . . . x . . . . =>  K periods    looks as above; x: the state is kept
 *   level 1                        x ... x ... =>    looks only after level 0 has skipped: a
 * longer period with shorter ones in it, as of a repeat around another; and so on
 *
 * Most looks find a difference among the first numbers. One that compares more, or keeps a state,
 * is followed by a break that is long enough to pay for it.
 */
#pragma once

#include "sim/engine/core/wp-device-core.h"

typedef struct WpSteady WpSteady;

/* Something to find steady states of DEVICE with, which is at time 0. *STEADY is NULL where there
 * can be none, or none at a reasonable price (random numbers; too much memory). False when memory
 * is out. */
bool wp_steady_new (WpDevice *device, WpSteady **steady);

/* The bytes that it takes for a device whose SMs are as SM is (of which nothing is looked at but
 * what wp_sm_describe() has set). */
uint64_t wp_steady_measure (const WpDevice *device, const WpSm *sm);
void wp_steady_free (WpSteady *steady);

/* The first SM was marked, and all SMs are done with that time: looks. */
void wp_steady_look (WpDevice *device);

/* Whether periods wait to be skipped: observers get them a few at a time. */
bool wp_steady_is_busy (const WpSteady *steady);

/* Skips some, and takes the events that observers got off *BUDGET. */
void wp_steady_go_on (WpDevice *device, uint64_t *budget);

/* Nobody observes any more: skips what waits to be skipped, without an event. */
void wp_steady_stop_observing (WpDevice *device);

/* Ticks skipped so far. */
WpTick wp_steady_get_time (const WpSteady *steady);

/* The states kept so far are no longer of use: the device has got other SMs. */
void wp_steady_forget (WpSteady *steady);
