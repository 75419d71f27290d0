/* SPDX-License-Identifier: MIT */
/* Replicas: SMs that are in the same state are simulated once. Private to the engine; plain C11.
 *
 * Where blocks are alike, what an SM does depends on when it gets how many of them, not on which;
 * SMs that have got the same so far are in the same state. A WpSm is then simulated for `count` SMs
 * with consecutive numbers from `id` on, its replicas. SMs that share pipelines are simulated
 * together, for `count` groups of as many; the last group, where it is smaller, for itself.
 */
#pragma once

#include "sim/engine/core/wp-device-core.h"

/* The first SMs, the one that gets a part of what it asks for, and the last. */
#define WP_MAX_REPLICAS 3

/* Whether one of the device's SMs can be simulated for others: they are several and alike, and
 * nobody observes (observers are called in order, SM by SM). */
bool wp_replicas_will_do (const WpDevice *device);

/* SMs that sms[] must have room for where SMs are replicas. */
uint32_t wp_replicas_count_room (const WpDevice *device);

/* The first number that SM I of sms[] may have: it says which pipelines it shares, and whether
 * these are those of the last group. */
uint32_t wp_replicas_get_first_id (const WpDevice *device, uint32_t i);

/* Divides the device's SMs, which are new, into those that are alike, and hands out the first
 * blocks. */
void wp_replicas_hand_out_first (WpDevice *device);

/* SM, which has replicas, is about to ask for blocks: before the first request of each time. Keeps
 * its state where not all of them may get what they ask for. */
void wp_replicas_ask (WpSmHost *host, WpSm *sm);

/* The time at which wp_replicas_ask() kept a state (device->splitting) is over: splits off the
 * replicas that have got less. Those are still at that time. O(state). */
void wp_replicas_split (WpDevice *device);

/* Of the groups that G of the device's groups stands for, each of which asks for as many blocks
 * now, the first N_SERVED get all, the next, if PARTLY, some, and the others none: splits off
 * those. Returns the one that the next is in. O(state). */
uint32_t wp_replicas_divide (WpDevice *device, uint32_t g, uint32_t n_served, bool partly);
