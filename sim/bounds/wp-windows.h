/* SPDX-License-Identifier: MIT */
/* The time of work that has to pass one place, one after another, each with something that comes
 * before it and something behind. Private; plain C11.
 */
#pragma once

#include "sim/base/wp-time.h"

/* What passes: all instances of an instruction as written. */
typedef struct
{
  WpTick head; /* none begins earlier */
  WpTick tail; /* from the end of the last, to the end of all: may be negative */
  WpSum work;  /* how long they keep the place, times the denominator of a WpShare */
} WpUse;

/* The work, times this fraction, is how long a place is kept in ticks. */
typedef struct
{
  uint64_t num, places;
  uint64_t den;
} WpShare;

/* Puts USES in the order that wp_windows_find() needs. */
void wp_windows_sort (WpUse *uses, size_t n);

/* The largest of head + work + tail, over parts of USES with heads and tails from certain ones on;
 * 0 where there is none. False where a sum would reach 2^62. O(N), with a factor of 32 where N is
 * small. */
bool wp_windows_find (const WpUse *uses, size_t n, WpShare share, WpTick *time);
