/* SPDX-License-Identifier: MIT */
/* Issues where nobody observes and wp-sm-fast.c will not do: more than 64 warps on a scheduler, a
 * policy with lists, dataflow order. Private; plain C11. */
#pragma once

#include "sim/engine/core/wp-sm-state.h"

/* As wp_sm_issue() (wp-sm-issue.h), where sm->many. */
WpTick wp_sm_issue_many (WpSm *sm, uint64_t *budget);
