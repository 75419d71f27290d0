/* SPDX-License-Identifier: MIT */
/* A device for few warps whose runs are short but for what recurs, as those that bounds are made
 * of. Private; plain C11.
 *
 * Steady states are looked for at each round of each repeat, which other runs would pay too much
 * for; also within a time, so that rounds that take no time are skipped, too: their repeats have a
 * period of 0.
 */
#pragma once

#include "sim/engine/wp-device.h"

/* As wp_device_new(). One SM only. */
WpDevice *wp_device_new_eager (const WpMachine *machine, const WpPolicy *policy,
                               const WpObserver *const *observers, size_t n_observers,
                               const char **problem);
