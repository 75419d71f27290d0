/* SPDX-License-Identifier: MIT */
/* Issues that somebody listens to, where sm->fast. Private; plain C11. */
#pragma once

#include "sim/engine/core/wp-sm-state.h"

/* As wp_sm_issue() (wp-sm-issue.h). */
WpTick wp_sm_issue_told (WpSm *sm, uint64_t *budget);
