/* SPDX-License-Identifier: MIT */
/* Loops over the lanes of a warp, for hosts whose vectors are wider than those that every one of
 * their kind has. Such a loop is a WP_INLINE function that two others call, one of which is
 * WP_WIDE; wp_host_is_wide() says which of the two to take. Of whole numbers, so that results are
 * the same. */
#pragma once

#include <glib.h>

#ifndef WP_INLINE
#define WP_INLINE static inline __attribute__ ((always_inline))
#endif

#if defined __x86_64__ && !defined __AVX2__
#define WP_WIDE __attribute__ ((target ("avx2")))
#else
#define WP_WIDE
#endif

/* O(1), a few machine instructions. */
static inline gboolean
wp_host_is_wide (void)
{
#if defined __x86_64__ && !defined __AVX2__
  return __builtin_cpu_supports ("avx2") != 0;
#else
  return FALSE;
#endif
}
