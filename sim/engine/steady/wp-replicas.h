/* SPDX-License-Identifier: MIT */
/* Lanes: SMs that are in the same state are simulated once. Private to the engine; plain C11.
 *
 * Where blocks are alike, what an SM does depends on when it gets how many of them, not on which;
 * SMs that have got the same so far are in the same state. A WpSm then stands for `count` SMs with
 * consecutive numbers, a lane, from `id` on.
 */
#pragma once

#include "sim/engine/core/wp-device-core.h"

/* The first SMs, the one that gets a part of what it asks for, and the last. */
#define WP_MAX_REPLICAS 3

/* Whether the device's SMs can be simulated in lanes: they are several and alike, and nobody
 * observes (all is told in order, SM by SM). */
bool wp_replicas_will_do (const WpDevice *device);

/* Makes lanes of the device's SMs, which are new, and hands out the first blocks. */
void wp_replicas_hand_out_first (WpDevice *device);

/* SM, a lane of several, is about to ask for blocks: before the first request of each time. Keeps
 * its state where not all of its SMs may get what they ask for. */
void wp_replicas_ask (WpSmHost *host, WpSm *sm);

/* The time at which wp_replicas_ask() kept a state (device->parting) is over for the lane: parts
 * those SMs from it that have got less. The others are still at that time. O(state). */
void wp_replicas_part (WpDevice *device);
