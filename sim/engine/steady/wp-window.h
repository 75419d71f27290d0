/* SPDX-License-Identifier: MIT */
/* Stretches of time in which SMs need nothing of one another: what wp-device.h offers to those who
 * run them on several cores, and explains. Private to the engine; plain C11.
 */
#pragma once

#include "sim/engine/core/wp-device-core.h"

/* Takes what windows need, where there can be any: several SMs, each for itself, that nobody
 * observes. False when memory is out: wp_window_clear() it all the same. */
bool wp_window_init (WpDevice *device);

/* The bytes that it takes with N SMs. */
uint64_t wp_window_measure (const WpDevice *device, uint32_t n);
void wp_window_clear (WpDevice *device);

bool wp_window_is_open (const WpDevice *device);

/* As wp_device_open_window(), wp_device_run_in_window() and wp_device_close_window(). */
bool wp_window_open (WpDevice *device, WpTick length);
bool wp_window_run (WpDevice *device, uint32_t i, uint64_t *budget);
void wp_window_close (WpDevice *device);
