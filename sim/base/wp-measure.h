/* SPDX-License-Identifier: MIT */
/* What memory costs before it is taken. Beside each function that takes some of it for a device
 * stands one, ..._measure(), that says how much, so that a run can be refused that would need more
 * than there is. Private; plain C11. */
#pragma once

#include <stdint.h>

/* The bytes of N things of SIZE bytes each in one piece, with what malloc() keeps besides: 8 bytes,
 * in steps of 16, 32 at least, as that of the GNU C library does. N x SIZE must be below 2^63. */
static inline uint64_t
wp_measure (uint64_t n, uint64_t size)
{
  uint64_t bytes = (n * size + 8 + 15) / 16 * 16;

  return bytes < 32 ? 32 : bytes;
}
