/* SPDX-License-Identifier: MIT */
/* Pairs of half precision. A product of two halves is exact in the next larger format. The sum is
 * rounded there *to odd* (Boldo and Melquiond, 2008): if it is not exact its last digit is made 1,
 * so that rounding it once more gives what rounding the exact sum would. */
#include "exec/machine/wp-rows-float.h"

#ifdef WP_HAS_F16C
#include <immintrin.h>
#endif

#define HALF_NAN 0x7fffu

/* ---- float16, by way of single precision ---- */

WP_INLINE guint32
half_flush (guint32 half)
{
  return half & 0x7c00 ? half : half & 0x8000;
}

WP_INLINE float
half_take (guint32 half, guint flags)
{
  return wp_float (wp_half_to_float (flags & WP_ROW_FTZ ? half_flush (half) : half));
}

/* X + Y. */
WP_INLINE guint32
add_to_odd (float x, float y)
{
  float sum = x + y, part = sum - x;
  float error = (x - (sum - part)) + (y - part);
  guint32 bits = wp_float_bits (sum);
  guint32 away = (error > 0.0f) == (sum > 0.0f) ? 1 : ~0u;
  guint32 is_inexact = (error < 0.0f) | (error > 0.0f);

  return bits + (is_inexact & ~bits & 1 ? away : 0);
}

WP_INLINE guint32
half_give (guint32 half, guint flags)
{
  guint32 size = half & 0x7fff;
  gboolean is_nan = size > 0x7c00, is_below = (half >> 15) & !is_nan;

  half = is_nan ? HALF_NAN : half;
  if (flags & WP_ROW_FTZ)
    half = half_flush (half);
  if (flags & WP_ROW_RELU)
    half = is_below ? 0 : half;
  if (flags & WP_ROW_SAT)
    {
      half = is_below || is_nan ? 0 : half;
      half = half > 0x3c00 ? 0x3c00 : half;
    }
  return half;
}

WP_INLINE guint32
half_fma (guint32 a, guint32 b, guint32 c, guint flags)
{
  float product = half_take (a, flags) * half_take (b, flags);

  return half_give (wp_float_to_half (add_to_odd (product, half_take (c, flags))), flags);
}

WP_INLINE void
half_fma_row (guint32 *restrict to, const guint32 *a, const guint32 *b, const guint32 *c,
              guint flags)
{
  for (guint k = 0; k < WP_ROW_LANES; k++)
    to[k] = half_fma (a[k] & 0xffff, b[k] & 0xffff, c[k] & 0xffff, flags)
            | half_fma (a[k] >> 16, b[k] >> 16, c[k] >> 16, flags) << 16;
}

/* ---- bfloat16, by way of double precision ---- */

WP_INLINE guint32
bfloat_give (guint32 half, guint flags)
{
  guint32 size = half & 0x7fff;
  gboolean is_nan = size > 0x7f80, is_below = (half >> 15) & !is_nan;

  half = is_nan ? HALF_NAN : half;
  if (flags & WP_ROW_FTZ)
    half = half & 0x7f80 ? half : half & 0x8000;
  if (flags & WP_ROW_RELU)
    half = is_below ? 0 : half;
  if (flags & WP_ROW_SAT)
    {
      half = is_below || is_nan ? 0 : half;
      half = half > 0x3f80 ? 0x3f80 : half;
    }
  return half;
}

WP_INLINE double
bfloat_take (guint32 half, guint flags)
{
  return (double)wp_float (flags & WP_ROW_FTZ ? wp_flush (half << 16) : half << 16);
}

/* To single precision, to odd. */
WP_INLINE guint32
narrow_to_odd (double number)
{
  float near = (float)number;
  guint32 bits = wp_float_bits (near);
  guint32 is_above = number > (double)near, is_below = number < (double)near;
  guint32 away = is_above == (number > 0.0) ? 1 : ~0u;

  return bits + ((is_above | is_below) & ~bits & 1 ? away : 0);
}

WP_INLINE double
add_doubles_to_odd (double x, double y)
{
  double sum = x + y, part = sum - x;
  double error = (x - (sum - part)) + (y - part);
  guint64 bits = wp_double_bits (sum);
  guint64 away = (error > 0.0) == (sum > 0.0) ? 1 : ~G_GUINT64_CONSTANT (0);
  guint64 is_inexact = (error < 0.0) | (error > 0.0);

  return wp_double (bits + (is_inexact & ~bits & 1 ? away : 0));
}

WP_INLINE guint32
bfloat_fma (guint32 a, guint32 b, guint32 c, guint flags)
{
  double product = bfloat_take (a, flags) * bfloat_take (b, flags);
  double sum = add_doubles_to_odd (product, bfloat_take (c, flags));

  return bfloat_give (wp_float_to_bfloat (narrow_to_odd (sum)), flags);
}

WP_INLINE void
bfloat_fma_row (guint32 *restrict to, const guint32 *a, const guint32 *b, const guint32 *c,
                guint flags)
{
  for (guint k = 0; k < WP_ROW_LANES; k++)
    to[k] = bfloat_fma (a[k] & 0xffff, b[k] & 0xffff, c[k] & 0xffff, flags)
            | bfloat_fma (a[k] >> 16, b[k] >> 16, c[k] >> 16, flags) << 16;
}

/* ---- bfloat16 by way of single precision, where no product leaves its range ---- */

/* Tells whether the product of A and B is a zero of finite numbers, or a normal number of single
 * precision by its exponent; both are exact. */
WP_INLINE guint32
is_plain (guint32 a, guint32 b)
{
  guint32 x = a >> 7 & 0xff, y = b >> 7 & 0xff, sum = x + y;
  guint32 is_zero = ((a & 0x7fff) == 0) | ((b & 0x7fff) == 0);
  guint32 is_finite = (x != 255) & (y != 255);

  return is_finite & (is_zero | ((x != 0) & (y != 0) & (sum > 150) & (sum < 370)));
}

WP_INLINE guint32
all_plain (const guint32 *a, const guint32 *b)
{
  guint32 plain = 1;

  for (guint k = 0; k < WP_ROW_LANES; k++)
    plain &= is_plain (a[k] & 0xffff, b[k] & 0xffff) & is_plain (a[k] >> 16, b[k] >> 16);
  return plain;
}

WP_INLINE guint32
plain_fma (guint32 a, guint32 b, guint32 c)
{
  float product = wp_float (a << 16) * wp_float (b << 16);

  return wp_float_to_bfloat (add_to_odd (product, wp_float (c << 16)));
}

WP_INLINE void
plain_fma_row (guint32 *restrict to, const guint32 *a, const guint32 *b, const guint32 *c)
{
  for (guint k = 0; k < WP_ROW_LANES; k++)
    to[k] = plain_fma (a[k] & 0xffff, b[k] & 0xffff, c[k] & 0xffff)
            | plain_fma (a[k] >> 16, b[k] >> 16, c[k] >> 16) << 16;
}

/* ---- What programs do without a word, compiled for itself ---- */

WP_INLINE void
fma_common (guint32 *restrict to, const guint32 *a, const guint32 *b, const guint32 *c, guint flags)
{
  if (flags == 0)
    half_fma_row (to, a, b, c, 0);
  else if (all_plain (a, b))
    plain_fma_row (to, a, b, c);
  else
    bfloat_fma_row (to, a, b, c, 0);
}

#ifdef WP_HAS_F16C
/* Float16 with the host's own conversions: 8 numbers at a time, as they lie in memory. */
WP_TARGET_FMA static void
half_fma_fast (guint32 *restrict to, const guint32 *a, const guint32 *b, const guint32 *c)
{
  const __m256 nan = _mm256_castsi256_ps (_mm256_set1_epi32 (0x7fffe000));
  const __m256i one = _mm256_set1_epi32 (1);
  const __m256 zero = _mm256_setzero_ps ();

  for (guint k = 0; k < WP_ROW_LANES; k += 4)
    {
      __m256 x = _mm256_mul_ps (_mm256_cvtph_ps (_mm_loadu_si128 ((const __m128i *)(a + k))),
                                _mm256_cvtph_ps (_mm_loadu_si128 ((const __m128i *)(b + k))));
      __m256 y = _mm256_cvtph_ps (_mm_loadu_si128 ((const __m128i *)(c + k)));
      /* As add_to_odd(). */
      __m256 sum = _mm256_add_ps (x, y), part = _mm256_sub_ps (sum, x);
      __m256 error
          = _mm256_add_ps (_mm256_sub_ps (x, _mm256_sub_ps (sum, part)), _mm256_sub_ps (y, part));
      __m256i bits = _mm256_castps_si256 (sum);
      __m256i inexact = _mm256_castps_si256 (_mm256_or_ps (
          _mm256_cmp_ps (error, zero, _CMP_LT_OQ), _mm256_cmp_ps (error, zero, _CMP_GT_OQ)));
      __m256i differ = _mm256_srai_epi32 (_mm256_xor_si256 (_mm256_castps_si256 (error), bits),
                                          31); /* -1: towards zero */
      __m256i away = _mm256_or_si256 (differ, one);
      __m256i even = _mm256_cmpeq_epi32 (_mm256_and_si256 (bits, one), _mm256_setzero_si256 ());
      bits = _mm256_add_epi32 (bits, _mm256_and_si256 (away, _mm256_and_si256 (inexact, even)));
      sum = _mm256_castsi256_ps (bits);
      sum = _mm256_blendv_ps (sum, nan, _mm256_cmp_ps (sum, sum, _CMP_UNORD_Q));
      _mm_storeu_si128 ((__m128i *)(to + k), _mm256_cvtps_ph (sum, _MM_FROUND_TO_NEAREST_INT));
    }
}
#endif

static void
fma_plain (guint32 *restrict to, const guint32 *a, const guint32 *b, const guint32 *c, guint flags)
{
  fma_common (to, a, b, c, flags);
}

WP_TARGET_FMA static void
fma_fast (guint32 *restrict to, const guint32 *a, const guint32 *b, const guint32 *c, guint flags)
{
#ifdef WP_HAS_F16C
  if (flags == 0)
    {
      half_fma_fast (to, a, b, c);
      return;
    }
#endif
  fma_common (to, a, b, c, flags);
}

void
wp_row_half_fma (guint32 *restrict to, const guint32 *a, const guint32 *b, const guint32 *c,
                 guint flags)
{
  if ((flags & ~(guint)WP_ROW_BFLOAT) == 0)
    (wp_host_has_fma () ? fma_fast : fma_plain) (to, a, b, c, flags);
  else if (flags & WP_ROW_BFLOAT)
    bfloat_fma_row (to, a, b, c, flags);
  else
    half_fma_row (to, a, b, c, flags);
}

/* ---- Minimum, comparison ---- */

WP_INLINE guint32
minimum (guint32 x, guint32 y, guint flags)
{
  guint32 infinite = flags & WP_ROW_BFLOAT ? 0x7f80 : 0x7c00;
  if (flags & WP_ROW_FTZ)
    {
      x = x & infinite ? x : x & 0x8000;
      y = y & infinite ? y : y & 0x8000;
    }
  gboolean nan_x = (x & 0x7fff) > infinite, nan_y = (y & 0x7fff) > infinite;
  gint32 place_x = x & 0x8000 ? -1 - (gint32)(x & 0x7fff) : (gint32)x;
  gint32 place_y = y & 0x8000 ? -1 - (gint32)(y & 0x7fff) : (gint32)y;
  guint32 best = (flags & WP_ROW_MAX ? place_x > place_y : place_x < place_y) ? x : y;

  if (flags & WP_ROW_NAN)
    return nan_x || nan_y ? HALF_NAN : best;
  best = nan_x ? y : best;
  best = nan_y ? x : best;
  return nan_x && nan_y ? HALF_NAN : best;
}

void
wp_row_half_minimum (guint32 *restrict to, const guint32 *a, const guint32 *b, guint flags)
{
  for (guint k = 0; k < WP_ROW_LANES; k++)
    to[k] = minimum (a[k] & 0xffff, b[k] & 0xffff, flags)
            | minimum (a[k] >> 16, b[k] >> 16, flags) << 16;
}

WP_INLINE guint32
widen (guint32 half, guint flags)
{
  if (flags & WP_ROW_BFLOAT)
    return flags & WP_ROW_FTZ ? wp_flush (half << 16) : half << 16;
  return wp_half_to_float (flags & WP_ROW_FTZ ? half_flush (half) : half);
}

void
wp_row_half_compare (WpOrder order[2], const guint32 *a, const guint32 *b, guint flags)
{
  guint32 x[WP_ROW_LANES], y[WP_ROW_LANES];

  for (guint half = 0; half < 2; half++)
    {
      for (guint k = 0; k < WP_ROW_LANES; k++)
        {
          x[k] = widen (a[k] >> (16 * half) & 0xffff, flags);
          y[k] = widen (b[k] >> (16 * half) & 0xffff, flags);
        }
      wp_row_compare (&order[half], x, y);
    }
}
