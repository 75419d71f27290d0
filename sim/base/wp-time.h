/* SPDX-License-Identifier: MIT */
/* Exact time (MODEL.md, section 1).
 *
 * Inputs are rational numbers of clock cycles (WpCycles). A run counts in ticks (WpTick): a tick is
 * a fraction of a cycle, small enough that every time of the run is a whole number of ticks. Sums
 * over warps need more than 64 bits (WpSum). Only the functions that print round. Plain C11; no
 * GLib, and no floating point except in the _to_double() functions, which serve reports only. */
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

/* The maximum number of ticks per cycle: 2^31. Runs that need more are rejected. */
#define WP_MAX_TICKS_PER_CYCLE (INT64_C (1) << 31)

/* A rational number of cycles, in lowest terms, den >= 1. Negative only in a spread's `add`. */
typedef struct
{
  int64_t num;
  int64_t den;
} WpCycles;

/* Parses "12.3", "7" or "1/6" (with IS_SIGNED also "-4") into VALUE. Either side of the slash may
 * have at most 18 digits, not counting leading zeros. Returns NULL, or a static phrase that says
 * what is wrong. */
WP_API const char *wp_cycles_parse (const char *text, bool is_signed, WpCycles *value);

/* Returns the greatest common divisor; that of 0 and A is A. */
WP_API uint64_t wp_gcd (uint64_t a, uint64_t b);

/* Returns a whole number of cycles. */
WP_API WpCycles wp_cycles_whole (int64_t cycles);

/* Returns a negative value, zero or a positive value if A is less than, equal to or greater than B.
 * Exact. */
WP_API int wp_cycles_compare (WpCycles a, WpCycles b);

/* For ratios in reports. */
WP_API double wp_cycles_to_double (WpCycles value);

/* Stores A + TIMES x B in SUM. Returns false if numerator or denominator do not fit in 63 bits. */
WP_API bool wp_cycles_add_times (WpCycles a, WpCycles b, uint64_t times, WpCycles *sum);

/* Stores A x B in PRODUCT. Returns false if numerator or denominator do not fit in 63 bits. */
WP_API bool wp_cycles_multiply (WpCycles a, WpCycles b, WpCycles *product);

/* Returns 1 / VALUE, which must be above 0. */
WP_API WpCycles wp_cycles_invert (WpCycles value);

/* Returns VALUE, which must not be negative, in whole hundredths of a cycle: the nearest, half up,
 * but at least one where VALUE is above 0. */
WP_API WpCycles wp_cycles_round (WpCycles value);

/* Stores VALUE x NUM / DEN in SCALED; NUM and DEN are at least 1. Returns false if numerator or
 * denominator do not fit in 63 bits. */
WP_API bool wp_cycles_scale (WpCycles value, uint32_t num, uint32_t den, WpCycles *scaled);

/* Replaces LCM by the least common multiple of LCM and DEN. Returns false, with LCM unchanged, if
 * that is above WP_MAX_TICKS_PER_CYCLE. */
WP_API bool wp_ticks_per_cycle_join (int64_t *lcm, int64_t den);

/* Returns VALUE in ticks; TICKS_PER_CYCLE must be a multiple of its denominator. Values beyond
 * +-WP_TICK_LIMIT become +-WP_TICK_LIMIT, which is enough: a run that adds such a value to any time
 * stops, as it would with the exact value. */
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
/* Returns A - B; B must not be greater than A. */
WP_API WpSum wp_sum_subtract (WpSum a, WpSum b);
WP_API int wp_sum_compare (WpSum a, WpSum b);
/* For ratios in reports. The result is within one unit in the last place. */
WP_API double wp_sum_to_double (WpSum sum);

/* Size of a buffer for any number that the functions below write, including the final NUL. */
#define WP_TIME_CHARS 64

/* Write a number of ticks in cycles: as a decimal with at most six digits after the point, rounded
 * to nearest, half up, without trailing zeros. Return BUFFER. */
WP_API char *wp_sum_format (WpSum sum, int64_t ticks_per_cycle, char buffer[WP_TIME_CHARS]);
WP_API char *wp_tick_format (WpTick ticks, int64_t ticks_per_cycle, char buffer[WP_TIME_CHARS]);

/* For tables of many rows: write what wp_tick_format() does, or a whole number, at AT, but no NUL.
 * Return the end of it, at most WP_TIME_CHARS - 1 characters on. */
WP_API char *wp_tick_write (WpTick ticks, int64_t ticks_per_cycle, char *at);
WP_API char *wp_whole_write (uint64_t number, char *at);

/* Writes VALUE in the syntax of input files: "7", "12.3" if the decimal is exact, else "1/6".
 * Returns BUFFER. */
WP_API char *wp_cycles_format (WpCycles value, char buffer[WP_TIME_CHARS]);

#ifdef __cplusplus
}
#endif
