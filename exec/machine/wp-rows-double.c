/* SPDX-License-Identifier: MIT */
/* Double precision, and how arithmetic rounds. */
#include "exec/machine/wp-rows-float.h"

#include <fenv.h>

#define QUIET G_GUINT64_CONSTANT (0x0008000000000000)
#define NO_NUMBER G_GUINT64_CONSTANT (0xfff8000000000000) /* of 0 / 0 and the like */

WP_INLINE guint64
quiet (guint64 bits, guint64 otherwise)
{
  double number = wp_double (bits);
  return number != number ? bits | QUIET : otherwise;
}

/* Hosts differ in which NaN they pass on, so those of a row are written anew: rarely there are any.
 */
static void
settle (guint64 *to, const guint64 *a, const guint64 *b, const guint64 *c)
{
  for (guint k = 0; k < WP_ROW_LANES; k++)
    if (wp_double (to[k]) != wp_double (to[k]))
      to[k] = quiet (a[k], quiet (b[k], quiet (c[k], NO_NUMBER)));
}

WP_INLINE gboolean
has_nan (const guint64 *a)
{
  guint64 nan = 0;

  for (guint k = 0; k < WP_ROW_LANES; k++)
    nan |= wp_double (a[k]) != wp_double (a[k]) ? ~G_GUINT64_CONSTANT (0) : 0;
  return nan != 0;
}

static const guint64 zeros[WP_ROW_LANES];

void
wp_wide_add (guint64 *restrict to, const guint64 *a, const guint64 *b)
{
  for (guint k = 0; k < WP_ROW_LANES; k++)
    to[k] = wp_double_bits (wp_double (a[k]) + wp_double (b[k]));
  if (has_nan (to))
    settle (to, a, b, zeros);
}

void
wp_wide_multiply (guint64 *restrict to, const guint64 *a, const guint64 *b)
{
  for (guint k = 0; k < WP_ROW_LANES; k++)
    to[k] = wp_double_bits (wp_double (a[k]) * wp_double (b[k]));
  if (has_nan (to))
    settle (to, a, b, zeros);
}

WP_INLINE void
fma_wide (guint64 *restrict to, const guint64 *a, const guint64 *b, const guint64 *c)
{
  for (guint k = 0; k < WP_ROW_LANES; k++)
    to[k] = wp_double_bits (__builtin_fma (wp_double (a[k]), wp_double (b[k]), wp_double (c[k])));
  if (has_nan (to))
    settle (to, a, b, c);
}

static void
fma_plain (guint64 *restrict to, const guint64 *a, const guint64 *b, const guint64 *c)
{
  fma_wide (to, a, b, c);
}

WP_TARGET_FMA static void
fma_fast (guint64 *restrict to, const guint64 *a, const guint64 *b, const guint64 *c)
{
  fma_wide (to, a, b, c);
}

WpWide3
wp_wide_get_fma (void)
{
  return wp_host_has_fma () ? fma_fast : fma_plain;
}

/* A bit for each lane, as wide as the numbers, so that compilers make vectors of it. */
static const guint64 bit_of_lane[WP_ROW_LANES] __attribute__ ((aligned (64))) = {
#define FOUR(K)                                                                                    \
  G_GUINT64_CONSTANT (1) << (K), G_GUINT64_CONSTANT (2) << (K), G_GUINT64_CONSTANT (4) << (K),     \
      G_GUINT64_CONSTANT (8) << (K)
  FOUR (0), FOUR (4), FOUR (8), FOUR (12), FOUR (16), FOUR (20), FOUR (24), FOUR (28)
#undef FOUR
};

void
wp_wide_compare (WpOrder *order, const guint64 *a, const guint64 *b)
{
  guint64 less = 0, equal = 0, greater = 0;

  for (guint k = 0; k < WP_ROW_LANES; k++)
    {
      double x = wp_double (a[k]), y = wp_double (b[k]);
      less |= x < y ? bit_of_lane[k] : 0;
      equal |= x == y ? bit_of_lane[k] : 0;
      greater |= x > y ? bit_of_lane[k] : 0;
    }
  *order = (WpOrder){ (guint32)less, (guint32)equal, (guint32)greater };
}

guint32
wp_wide_nan (const guint64 *a)
{
  guint32 nan = 0;

  for (guint k = 0; k < WP_ROW_LANES; k++)
    nan |= (guint32)(wp_double (a[k]) != wp_double (a[k])) << k;
  return nan;
}

void
wp_rounding_set (WpRounding rounding)
{
  static const int modes[] = { [WP_ROUND_NEAREST] = FE_TONEAREST,
                               [WP_ROUND_DOWN] = FE_DOWNWARD,
                               [WP_ROUND_UP] = FE_UPWARD,
                               [WP_ROUND_ZERO] = FE_TOWARDZERO };
  fesetround (modes[rounding]);
}
