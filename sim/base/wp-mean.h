/* SPDX-License-Identifier: MIT */
/* Exact means: a sum shared out over a number of things. Plain C11. */
#pragma once

#include "sim/base/wp-time.h"

#ifdef __cplusplus
extern "C" {
#endif

/* num / den of something (ticks, instructions); 1 <= den < 2^63. */
typedef struct
{
  WpSum num;
  uint64_t den;
} WpMean;

/* Negative, zero or positive as A is less than, equal to or greater than B. Exact. */
WP_API int wp_mean_compare (WpMean a, WpMean b);

/* MEAN x NUM / DEN, and A + B. The results must stay within the bounds above and sums within 128
 * bits. */
WP_API WpMean wp_mean_multiply (WpMean mean, uint64_t num, uint64_t den);
WP_API WpMean wp_mean_add (WpMean a, WpMean b);

/* For ratios in reports; within two units in the last place. */
WP_API double wp_mean_to_double (WpMean mean);

/* Writes MEAN, a number of ticks, in cycles as wp_sum_format() does. A mean number of things:
 * TICKS_PER_CYCLE 1. den x TICKS_PER_CYCLE must stay below 2^63, and num below 2^108. Returns
 * BUFFER. */
WP_API char *wp_mean_format (WpMean mean, int64_t ticks_per_cycle, char buffer[WP_TIME_CHARS]);

#ifdef __cplusplus
}
#endif
