/* SPDX-License-Identifier: MIT */
/* How often the search for steady states (wp-steady.h) looks at the state: at every n-th launch of
 * a block on the first SM, and at every n-th round of a long repeat of one of its warps. What comes
 * again after a period comes again after as many of these, so that looks fall on it. Here, as the
 * plan of a run needs it before there is a search. Private; plain C11.
 */
#pragma once

#include "sim/machine/wp-machine.h"

/* Issues between two looks, about, such that looking takes some percent of the run at most. Repeats
 * of fewer dynamic instructions of a warp than WP_LONG_REPEAT are not looked into. */
#ifdef WP_STEADY_EAGERLY /* tests, whose runs are short: nearly everything is looked at */
#define WP_ISSUES_PER_LOOK 1
#define WP_LONG_REPEAT 1
#else
#define WP_ISSUES_PER_LOOK 256
#define WP_LONG_REPEAT 4096
#endif

/* Every how many launches of blocks are worth a look. Each costs as much as some issues of each
 * warp. */
static inline uint64_t
wp_look_get_launch_distance (const WpMachine *m)
{
  uint64_t least = WP_ISSUES_PER_LOOK;

  for (uint32_t i = 0; i < m->n_programs; i++)
    least = m->programs[i].n_dynamic < least ? m->programs[i].n_dynamic : least;
  return WP_ISSUES_PER_LOOK / ((least + 4) * m->warps_per_block) + 1;
}

/* Every how many of events that come once in N_ISSUES issues of a warp are worth a look. */
static inline uint32_t
wp_look_get_distance (const WpMachine *m, uint64_t n_issues)
{
  uint64_t n_blocks = m->n_blocks / m->simulated_sms, n_warps = m->warps_per_block;

  n_warps *= n_blocks < m->resident_blocks ? n_blocks + 1 : m->resident_blocks;
  return n_issues > WP_ISSUES_PER_LOOK / n_warps
             ? 1
             : (uint32_t)(WP_ISSUES_PER_LOOK / (n_warps * (n_issues + 1)) + 1);
}
