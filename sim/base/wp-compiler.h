/* SPDX-License-Identifier: MIT */
/* Compiler features beyond C11 that the engine uses, each with a plain fallback: the first and the
 * last bit of a word, forced inlining, none at all, and branch prediction hints. Private. */
#pragma once

#include <stdint.h>

#if defined(__GNUC__)
#define UNLIKELY(condition) __builtin_expect (condition, 0)
#define LIKELY(condition) __builtin_expect (condition, 1)
#define INLINE inline __attribute__ ((always_inline))
#define NOINLINE __attribute__ ((noinline))
#else
#define UNLIKELY(condition) (condition)
#define LIKELY(condition) (condition)
#define INLINE inline
#define NOINLINE
#endif

/* Sanitizers make so much code of each copy that one file took a minute to compile, of which its
 * copies are to save nanoseconds: they have none. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED
#endif
#endif
#ifdef SANITIZED
#undef INLINE
#define INLINE inline
#endif

/* Returns the index of the highest bit set; WORD must not be 0. */
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

/* Returns the index of the lowest bit set; WORD must not be 0. */
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
