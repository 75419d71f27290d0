/* SPDX-License-Identifier: MIT */
/* wp_sm_issue() where much of what may come up does not. Private; plain C11. */
#pragma once

#include "sim/engine/core/wp-sm-state.h"

/* Does what wp_sm_issue() does, on an SM whose `fast` is true. */
WpTick wp_sm_issue_fast (WpSm *sm, uint64_t *budget);
