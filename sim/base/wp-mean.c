/* SPDX-License-Identifier: MIT */
/* Exact means by long division, bit by bit: that is fast enough for a few dozen numbers of a
 * report. */
#include "sim/base/wp-mean.h"

/* Returns NUM / DEN, and the remainder. DEN must be below 2^63, so that twice the remainder fits in
 * a word. */
static WpSum
divide (WpSum num, uint64_t den, uint64_t *rest)
{
  WpSum quotient = { 0, 0 };

  *rest = 0;
  for (int bit = 127; bit >= 0; bit--)
    {
      uint64_t word = bit >= 64 ? num.hi : num.lo;

      *rest = *rest << 1 | (word >> (bit & 63) & 1);
      if (*rest < den)
        continue;
      *rest -= den;
      if (bit >= 64)
        quotient.hi |= UINT64_C (1) << (bit - 64);
      else
        quotient.lo |= UINT64_C (1) << bit;
    }
  return quotient;
}

int
wp_mean_compare (WpMean a, WpMean b)
{
  uint64_t rest_a, rest_b;
  int whole = wp_sum_compare (divide (a.num, a.den, &rest_a), divide (b.num, b.den, &rest_b));
  WpSum one = { 0, 0 }, other = { 0, 0 };

  if (whole != 0)
    return whole;
  wp_sum_add_product (&one, rest_a, b.den);
  wp_sum_add_product (&other, rest_b, a.den);
  return wp_sum_compare (one, other);
}

WpMean
wp_mean_multiply (WpMean mean, uint64_t num, uint64_t den)
{
  uint64_t common = wp_gcd (num, den);
  WpMean product = { { 0, 0 }, mean.den };

  num /= common;
  den /= common;
  common = wp_gcd (num, mean.den);
  wp_sum_add_times (&product.num, mean.num, num / common);
  product.den = mean.den / common * den;
  return product;
}

WpMean
wp_mean_add (WpMean a, WpMean b)
{
  uint64_t common = wp_gcd (a.den, b.den);
  WpMean sum = { { 0, 0 }, a.den / common * b.den };

  wp_sum_add_times (&sum.num, a.num, b.den / common);
  wp_sum_add_times (&sum.num, b.num, a.den / common);
  return sum;
}

double
wp_mean_to_double (WpMean mean)
{
  return wp_sum_to_double (mean.num) / (double)mean.den;
}

char *
wp_mean_format (WpMean mean, int64_t ticks_per_cycle, char buffer[WP_TIME_CHARS])
{
  uint64_t den = mean.den * (uint64_t)ticks_per_cycle, rest;
  WpSum whole = divide (mean.num, den, &rest);
  WpSum doubled = { 0, den }, millionths = { 0, 0 };

  /* Rounds half up: floor ((2 x rest x 10^6 + den) / den / 2). */
  wp_sum_add_product (&doubled, rest, 2000000);
  doubled = divide (doubled, den, &rest);
  doubled.lo = doubled.lo >> 1;
  wp_sum_add_times (&millionths, whole, 1000000);
  wp_sum_add_sum (&millionths, doubled);
  return wp_sum_format (millionths, 1000000, buffer);
}
