/* SPDX-License-Identifier: MIT */
/* The special functions, in double precision by series that end below 2^-40, then rounded once. The
 * host's library would give other last digits on other hosts. */
#include "exec/machine/wp-rows-float.h"

#include <math.h>

#define INFINITE 0x7f800000u

WP_INLINE guint32
give (double result)
{
  return wp_flush (wp_one_nan (wp_float_bits ((float)result)));
}

WP_INLINE double
take (guint32 bits)
{
  return (double)wp_float (wp_flush (bits));
}

void
wp_row_rcp (guint32 *restrict to, const guint32 *a)
{
  for (guint k = 0; k < WP_ROW_LANES; k++)
    to[k] = give (1.0 / take (a[k]));
}

void
wp_row_sqrt (guint32 *restrict to, const guint32 *a)
{
  for (guint k = 0; k < WP_ROW_LANES; k++)
    to[k] = give (sqrt (take (a[k])));
}

void
wp_row_rsq (guint32 *restrict to, const guint32 *a)
{
  for (guint k = 0; k < WP_ROW_LANES; k++)
    to[k] = give (1.0 / sqrt (take (a[k])));
}

/* 2^x for |x| <= 200: 2^n by its exponent, 2^f for |f| <= 1/2 by 12 terms of the exponential
 * series. Adding and subtracting 1.5 * 2^52 rounds to a whole number. */
WP_INLINE double
power_of_two (double x)
{
  double whole = (x + 0x1.8p52) - 0x1.8p52;
  double y = (x - whole) * 0.69314718055994530942;
  double sum = 1.0 / 39916800.0;

  sum = sum * y + 1.0 / 3628800.0;
  sum = sum * y + 1.0 / 362880.0;
  sum = sum * y + 1.0 / 40320.0;
  sum = sum * y + 1.0 / 5040.0;
  sum = sum * y + 1.0 / 720.0;
  sum = sum * y + 1.0 / 120.0;
  sum = sum * y + 1.0 / 24.0;
  sum = sum * y + 1.0 / 6.0;
  sum = sum * y + 0.5;
  sum = sum * y + 1.0;
  sum = sum * y + 1.0;
  return sum * wp_double ((guint64)((gint64)(gint32)whole + 1023) << 52);
}

WP_INLINE double
clamp (double x, double limit)
{
  double below = x < limit ? x : limit; /* a NaN becomes the limit */
  return below > -limit ? below : -limit;
}

WP_INLINE void
row_ex2 (guint32 *restrict to, const guint32 *a)
{
  for (guint k = 0; k < WP_ROW_LANES; k++)
    {
      guint32 result = give (power_of_two (clamp (take (a[k]), 200.0)));
      to[k] = wp_is_nan (a[k]) ? WP_NAN : result;
    }
}

/* x = m * 2^e with m next to 1; log m = 2 artanh ((m - 1) / (m + 1)) by 8 terms. */
WP_INLINE void
row_lg2 (guint32 *restrict to, const guint32 *a)
{
  for (guint k = 0; k < WP_ROW_LANES; k++)
    {
      guint32 bits = wp_flush (a[k]);
      gint32 exponent = (gint32)(bits - 0x3f3504f3 /* sqrt (1/2) */) >> 23;
      double m = (double)wp_float (bits - ((guint32)exponent << 23));
      double s = (m - 1.0) / (m + 1.0), z = s * s;
      double sum = 1.0 / 15.0;
      sum = sum * z + 1.0 / 13.0;
      sum = sum * z + 1.0 / 11.0;
      sum = sum * z + 1.0 / 9.0;
      sum = sum * z + 1.0 / 7.0;
      sum = sum * z + 1.0 / 5.0;
      sum = sum * z + 1.0 / 3.0;
      sum = sum * z + 1.0;
      guint32 result = give (exponent + sum * s * (2.0 / 0.69314718055994530942));
      result = bits == INFINITE ? INFINITE : result;
      result = bits > INFINITE ? WP_NAN : result; /* negative ones too */
      to[k] = bits << 1 == 0 ? INFINITE | 0x80000000 : result;
    }
}

/* The sine of x turns, |x| <= 1/4, by 9 terms. */
WP_INLINE double
sine (double x)
{
  double y = x * 6.28318530717958647693, z = y * y;
  double sum = 1.0 / 355687428096000.0;

  sum = sum * z - 1.0 / 1307674368000.0;
  sum = sum * z + 1.0 / 6227020800.0;
  sum = sum * z - 1.0 / 39916800.0;
  sum = sum * z + 1.0 / 362880.0;
  sum = sum * z - 1.0 / 5040.0;
  sum = sum * z + 1.0 / 120.0;
  sum = sum * z - 1.0 / 6.0;
  return sum * z * y + y;
}

/* What is left of X without its whole turns, folded to a quarter where the sine is the same. A
 * number of single precision from 2^24 on is whole. */
WP_INLINE double
fold (double x)
{
  double rest = x - ((x + 0x1.8p52) - 0x1.8p52);
  double folded = rest > 0.25 ? 0.5 - rest : rest;

  return folded < -0.25 ? -0.5 - folded : folded;
}

WP_INLINE guint32
sine_of (guint32 bits, double ahead)
{
  gboolean is_large = (bits & 0x7fffffff) >= 0x4b800000; /* 2^24 */
  double x = is_large ? 0.0 : take (bits);
  guint32 result = give (sine (fold (x + ahead)));

  return (bits & 0x7fffffff) >= INFINITE ? WP_NAN : result;
}

WP_INLINE void
row_sin (guint32 *restrict to, const guint32 *a)
{
  for (guint k = 0; k < WP_ROW_LANES; k++)
    {
      guint32 bits = wp_flush (a[k]);
      guint32 result = sine_of (bits, 0.0);
      to[k] = bits << 1 == 0 ? bits : result;
    }
}

WP_INLINE void
row_cos (guint32 *restrict to, const guint32 *a)
{
  for (guint k = 0; k < WP_ROW_LANES; k++)
    to[k] = sine_of (a[k], 0.25);
}

WP_INLINE void
row_tanh (guint32 *restrict to, const guint32 *a)
{
  for (guint k = 0; k < WP_ROW_LANES; k++)
    {
      double x = (double)wp_float (a[k]);
      double e = power_of_two (clamp (x * (2.0 / 0.69314718055994530942), 100.0));
      double quotient = (e - 1.0) / (e + 1.0), small = x - x * x * x * (1.0 / 3.0);
      gboolean is_small = (a[k] & 0x7fffffff) < 0x3b000000; /* 2^-9 */
      guint32 result = wp_one_nan (wp_float_bits ((float)(is_small ? small : quotient)));
      result = (a[k] & 0x7fffffff) < 0x00800000 ? a[k] : result;
      to[k] = wp_is_nan (a[k]) ? WP_NAN : result;
    }
}

/* Each twice: wide vectors make them twice as fast. */
#define ROW(NAME)                                                                                  \
  WP_TARGET_FMA static void fast_##NAME (guint32 *restrict to, const guint32 *a)                   \
  {                                                                                                \
    row_##NAME (to, a);                                                                            \
  }                                                                                                \
  static void plain_##NAME (guint32 *restrict to, const guint32 *a) { row_##NAME (to, a); }        \
  void wp_row_##NAME (guint32 *restrict to, const guint32 *a)                                      \
  {                                                                                                \
    (wp_host_has_fma () ? fast_##NAME : plain_##NAME) (to, a);                                     \
  }

ROW (ex2)
ROW (lg2)
ROW (sin)
ROW (cos)
ROW (tanh)

/* ---- Of double precision ---- */

WP_INLINE guint32
high_word (double number)
{
  guint64 bits = wp_double_bits (number);
  gboolean is_special = (bits >> 52 & 0x7ff) == 0x7ff || (bits >> 52 & 0x7ff) == 0;

  /* The nearest; zeros (what is subnormal too), infinities and NaNs as they are. */
  if (is_special)
    return number != number            ? 0x7fffffff
           : (bits >> 52 & 0x7ff) == 0 ? (guint32)(bits >> 32) & 0x80000000
                                       : (guint32)(bits >> 32);
  return (guint32)((bits + 0x80000000) >> 32);
}

WP_INLINE double
take_high (guint32 high)
{
  guint32 flushed = high & 0x7ff00000 ? high : high & 0x80000000;
  return wp_double ((guint64)flushed << 32);
}

void
wp_row_rcp64h (guint32 *restrict to, const guint32 *a)
{
  for (guint k = 0; k < WP_ROW_LANES; k++)
    to[k] = high_word (1.0 / take_high (a[k]));
}

void
wp_row_rsq64h (guint32 *restrict to, const guint32 *a)
{
  for (guint k = 0; k < WP_ROW_LANES; k++)
    to[k] = high_word (1.0 / sqrt (take_high (a[k])));
}
