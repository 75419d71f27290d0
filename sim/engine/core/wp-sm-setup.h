/* SPDX-License-Identifier: MIT */
/* An SM's memory. Private; plain C11. */
#pragma once

#include "sim/engine/core/wp-sm-state.h"

/* What an SM is, but without memory: all that wp_sm_measure() looks at. It borrows the rest. */
void wp_sm_describe (WpSm *sm, WpSmHost *host, const WpMachine *machine, const WpPolicy *policy,
                     const WpUnrolled *unrolled, uint32_t id);

/* The bytes that wp_sm_init() takes for it. O(schedulers + pipelines). */
uint64_t wp_sm_measure (const WpSm *sm);

/* An SM at time 0 with nothing on it; it borrows the rest. False when memory is out: wp_sm_clear()
 * it all the same. */
bool wp_sm_init (WpSm *sm, WpSmHost *host, const WpMachine *machine, const WpPolicy *policy,
                 const WpUnrolled *unrolled, uint32_t id);
void wp_sm_clear (WpSm *sm);
