/* SPDX-License-Identifier: MIT */
/* Exact means: sums divided by counts, as fractions. Plain C11. */
#pragma once

#include "sim/base/wp-time.h"

#ifdef __cplusplus
extern "C" {
#endif

/* num / den of some unit (ticks, instructions); 1 <= den < 2^63. */
typedef struct
{
  WpSum num;
  uint64_t den;
} WpMean;

/* Returns a negative value, zero or a positive value if A is less than, equal to or greater than B.
 * Exact. */
WP_API int wp_mean_compare (WpMean a, WpMean b);

/* Return MEAN x NUM / DEN, and A + B. Results must keep den below 2^63 and num within 128 bits. */
WP_API WpMean wp_mean_multiply (WpMean mean, uint64_t num, uint64_t den);
WP_API WpMean wp_mean_add (WpMean a, WpMean b);

/* Returns MEAN as a number for reports, accurate to two units in the last place. */
WP_API double wp_mean_to_double (WpMean mean);

/* Writes MEAN, a number of ticks, in cycles, formatted like wp_sum_format(). For a mean of anything
 * else, pass TICKS_PER_CYCLE 1. den x TICKS_PER_CYCLE must be below 2^63, and num below 2^108.
 * Returns BUFFER. */
WP_API char *wp_mean_format (WpMean mean, int64_t ticks_per_cycle, char buffer[WP_TIME_CHARS]);

#ifdef __cplusplus
}
#endif
