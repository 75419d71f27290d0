/* SPDX-License-Identifier: MIT */
/* The fast loop where what a scheduler does may matter to the others at once. Private; plain C11.
 */
#pragma once

#include "sim/engine/core/wp-sm-state.h"

/* Does what wp_sm_issue() does, on an SM whose `fast` is true. */
WpTick wp_sm_issue_in_step (WpSm *sm, uint64_t *budget);
