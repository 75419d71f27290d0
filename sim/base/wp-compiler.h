/* SPDX-License-Identifier: MIT */
/* What the engine asks of a compiler beyond C11, with a plain version for those that do not know
 * it: the first and the last bit of a word, what is inlined whatever its size, and which way a
 * branch rarely goes. Private.
 */
#pragma once

#include <stdint.h>

#if defined(__GNUC__)
#define UNLIKELY(condition) __builtin_expect (condition, 0)
#define INLINE inline __attribute__ ((always_inline))
#else
#define UNLIKELY(condition) (condition)
#define INLINE inline
#endif

/* Index of the highest bit set; WORD must not be 0. */
static inline uint32_t
wp_highest_bit (uint64_t word)
{
#if defined(__GNUC__)
  return 63 - (uint32_t)__builtin_clzll (word);
#else
  uint32_t bit = 0;

  while (word >>= 1)
    bit++;
  return bit;
#endif
}

/* Index of the lowest bit set; WORD must not be 0. */
static inline uint32_t
wp_lowest_bit (uint64_t word)
{
#if defined(__GNUC__)
  return (uint32_t)__builtin_ctzll (word);
#else
  uint32_t bit = 0;

  for (; (word & 1) == 0; word >>= 1)
    bit++;
  return bit;
#endif
}
