/* SPDX-License-Identifier: MIT */
/* A device for runs of few warps that are short except for what recurs, as bounds are. Private;
 * plain C11. */
#pragma once

#include "sim/engine/wp-device.h"

/* The same as wp_device_new(), but steady states are looked for at each round of each repeat, which
 * would cost other runs too much; also within a time, so that rounds that take no time are skipped:
 * the period of such a repeat is 0. For one SM only. */
WpDevice *wp_device_new_eager (const WpMachine *machine, const WpPolicy *policy,
                               const WpObserver *const *observers, size_t n_observers,
                               const char **problem);
