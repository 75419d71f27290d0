/* SPDX-License-Identifier: MIT */
/* Stretches of time in which SMs need nothing of one another: what wp-device.h offers to those who
 * run them apart. Private to the engine; plain C11.
 */
#pragma once

#include "sim/engine/core/wp-device-private.h"

/* Takes what windows need, where there can be any: several SMs, each for itself, that nobody
 * observes. False when memory is out: wp_window_clear() it all the same. */
bool wp_window_init (WpDevice *device);
void wp_window_clear (WpDevice *device);
