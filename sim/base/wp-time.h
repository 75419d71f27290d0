/* SPDX-License-Identifier: MIT */
/* Exact time (MODEL.md, section 1).
 *
 * Inputs are rational numbers of clock cycles (WpCycles). A run counts in ticks, whole parts of a
 * cycle small enough that every time it uses is a whole number of them (WpTick); sums over warps
 * need more than 64 bits (WpSum). Nothing here rounds but the functions that print. Plain C11; no
 * GLib, no floating point except in wp_sum_to_double(), which serves reports only.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/base/wp-macros.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A number of ticks. Every time that a run computes stays below WP_TICK_LIMIT, so that the sum of
 * any two fits. */
typedef int64_t WpTick;
#define WP_TICK_LIMIT (INT64_C (1) << 62)

/* The largest number of ticks per cycle with which a run is not refused: 2^31. */
#define WP_MAX_TICKS_PER_CYCLE (INT64_C (1) << 31)

/* A rational number of cycles, in lowest terms, den >= 1. Negative only in a spread's `add`. */
typedef struct
{
  int64_t num;
  int64_t den;
} WpCycles;

/* Reads "12.3", "7" or "1/6" (with SIGNED also "-4") into VALUE. At most 18 digits in all on either
 * side of the stroke, leading zeros not counted. Returns NULL, or what is wrong as a static phrase.
 */
WP_API const char *wp_cycles_parse (const char *text, bool is_signed, WpCycles *value);

/* The greatest common divisor; of 0 and A it is A. */
WP_API uint64_t wp_gcd (uint64_t a, uint64_t b);

/* A whole number of cycles. */
WP_API WpCycles wp_cycles_whole (int64_t cycles);

/* Negative, zero or positive as A is less than, equal to or greater than B. Exact. */
WP_API int wp_cycles_compare (WpCycles a, WpCycles b);

/* For ratios in reports. */
WP_API double wp_cycles_to_double (WpCycles value);

/* A + TIMES x B into SUM; false if it does not fit in 63 bits either side of the stroke. */
WP_API bool wp_cycles_add_times (WpCycles a, WpCycles b, uint64_t times, WpCycles *sum);

/* The least common multiple of LCM and DEN into LCM; false (LCM unchanged) above
 * WP_MAX_TICKS_PER_CYCLE. */
WP_API bool wp_ticks_per_cycle_join (int64_t *lcm, int64_t den);

/* VALUE in ticks; TICKS_PER_CYCLE must be a multiple of its denominator. Values beyond
 * +-WP_TICK_LIMIT are returned as +-WP_TICK_LIMIT: a run that adds such a value to any time stops,
 * as with the value itself. */
WP_API WpTick wp_cycles_to_ticks (WpCycles value, int64_t ticks_per_cycle);

/* An unsigned sum of ticks: hi x 2^64 + lo. Wraps at 2^128, which no run can reach: it adds fewer
 * than 2^64 terms below 2^62. */
typedef struct
{
  uint64_t hi;
  uint64_t lo;
} WpSum;

static inline void
wp_sum_add (WpSum *sum, uint64_t value)
{
  sum->lo += value;
  sum->hi += sum->lo < value;
}

/* SUM += A x B. */
WP_API void wp_sum_add_product (WpSum *sum, uint64_t a, uint64_t b);
/* SUM += OTHER. */
WP_API void wp_sum_add_sum (WpSum *sum, WpSum other);
/* SUM += OTHER x TIMES. */
WP_API void wp_sum_add_times (WpSum *sum, WpSum other, uint64_t times);
/* A - B, which must not be the greater. */
WP_API WpSum wp_sum_subtract (WpSum a, WpSum b);
WP_API int wp_sum_compare (WpSum a, WpSum b);
/* For ratios in reports; correctly rounded to within one unit in the last place. */
WP_API double wp_sum_to_double (WpSum sum);

/* Room for any number that wp_sum_format() and wp_tick_format() write, with the final NUL. */
#define WP_TIME_CHARS 64

/* Writes SUM ticks in cycles: a decimal with at most six digits after the point, rounded to
 * nearest, half up, trailing zeros dropped. Returns BUFFER. */
WP_API char *wp_sum_format (WpSum sum, int64_t ticks_per_cycle, char buffer[WP_TIME_CHARS]);
WP_API char *wp_tick_format (WpTick ticks, int64_t ticks_per_cycle, char buffer[WP_TIME_CHARS]);

/* Writes VALUE as it would be written in a file: "7", "12.3" where the decimal is exact, else
 * "1/6". */
WP_API char *wp_cycles_format (WpCycles value, char buffer[WP_TIME_CHARS]);

#ifdef __cplusplus
}
#endif
