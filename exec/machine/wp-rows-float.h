/* SPDX-License-Identifier: MIT */
/* Bits and numbers, for loops that compilers turn into vectors: no branches, no calls. */
#pragma once

#include "exec/machine/wp-rows.h"

#include <string.h>

G_BEGIN_DECLS

#define WP_INLINE static inline __attribute__ ((always_inline))

#define WP_NAN 0x7fffffffu /* of single precision, as the hardware writes it */

/* Functions that need the host's fused multiply-add to be fast exist twice where the compiler does
 * not take it for granted; wp_host_has_fma() says which to take. */
#if defined __x86_64__ && !defined __FMA__
#define WP_HAS_F16C /* all hosts with AVX2 have it */
#define WP_TARGET_FMA __attribute__ ((target ("avx2,fma,f16c")))
WP_INLINE gboolean
wp_host_has_fma (void)
{
  return __builtin_cpu_supports ("fma") && __builtin_cpu_supports ("avx2");
}
#else
#define WP_TARGET_FMA
WP_INLINE gboolean
wp_host_has_fma (void)
{
  return FALSE;
}
#endif

WP_INLINE float
wp_float (guint32 bits)
{
  float number;
  memcpy (&number, &bits, sizeof number);
  return number;
}

WP_INLINE guint32
wp_float_bits (float number)
{
  guint32 bits;
  memcpy (&bits, &number, sizeof bits);
  return bits;
}

WP_INLINE double
wp_double (guint64 bits)
{
  double number;
  memcpy (&number, &bits, sizeof number);
  return number;
}

WP_INLINE guint64
wp_double_bits (double number)
{
  guint64 bits;
  memcpy (&bits, &number, sizeof bits);
  return bits;
}

WP_INLINE gboolean
wp_is_nan (guint32 bits)
{
  return (bits & 0x7fffffff) > 0x7f800000;
}

/* A number of single precision without what is subnormal. */
WP_INLINE guint32
wp_flush (guint32 bits)
{
  return bits & ((bits & 0x7f800000) ? 0xffffffff : 0x80000000);
}

/* ...between 0 and 1: what is below 0 and what is no number become 0, by whole numbers since the
 * bits of positive numbers are in the order of the numbers. */
WP_INLINE guint32
wp_saturate (guint32 bits)
{
  guint32 below = bits > 0x3f800000 ? 0x3f800000 : bits;
  return bits > 0x7f800000 ? 0 : below;
}

/* The one NaN of single precision for any. */
WP_INLINE guint32
wp_one_nan (guint32 bits)
{
  return wp_is_nan (bits) ? WP_NAN : bits;
}

/* ---- Half precision ---- */

/* float16 in the low half of BITS to single precision. A subnormal one is a whole number of 2^-24:
 * no host then computes with subnormal numbers, which is slow. */
WP_INLINE guint32
wp_half_to_float (guint32 bits)
{
  guint32 sign = (bits & 0x8000) << 16, size = bits & 0x7fff;
  guint32 normal = (size << 13) + (112u << 23);
  guint32 small = wp_float_bits ((float)(gint32)size * 0x1p-24f);
  guint32 special = size > 0x7c00 ? WP_NAN : size << 13 | 0x7f800000;

  return sign | (size >= 0x7c00 ? special : size >= 0x400 ? normal : small);
}

/* ...and back, to nearest even. Below 2^-14 the digits that remain are those of a sum with 0.5,
 * whose last place is 2^-24. */
WP_INLINE guint32
wp_float_to_half (guint32 bits)
{
  guint32 sign = bits >> 16 & 0x8000, size = bits & 0x7fffffff;
  guint32 normal = (size + 0xfff + (size >> 13 & 1) - (112u << 23)) >> 13;
  guint32 small = wp_float_bits (wp_float (size) + 0.5f) - 0x3f000000;
  guint32 large = size > 0x7f800000 ? 0x7fff : 0x7c00;
  guint32 half = size >= 0x477ff000 /* 65520 */ ? large : size >= 0x38800000 ? normal : small;

  return size > 0x7f800000 ? 0x7fff : half | sign;
}

WP_INLINE guint32
wp_float_to_bfloat (guint32 bits)
{
  guint32 rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
  return wp_is_nan (bits) ? 0x7fff : rounded;
}

G_END_DECLS
