/* SPDX-License-Identifier: MIT */
#include "sim/engine/core/wp-sm-single.h"

void
wp_sm_issue_single (WpSm *sm, WpScheduler *scheduler, uint32_t bit, WpTick time)
{
  wp_sm_issue_alone (sm, scheduler, bit, time, sm->n_blocking > 0);
}
