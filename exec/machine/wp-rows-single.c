/* SPDX-License-Identifier: MIT */
/* Single precision. What treats operands and results (FTZ, SAT) is known when the code is compiled:
 * each op has a function for each combination, since a warp runs few ops often. */
#include "exec/machine/wp-rows-float.h"

WP_INLINE guint32
take (guint32 bits, guint flags)
{
  return flags & WP_ROW_FTZ ? wp_flush (bits) : bits;
}

WP_INLINE guint32
give (float number, guint flags)
{
  guint32 bits = wp_one_nan (wp_float_bits (number));

  if (flags & WP_ROW_FTZ)
    bits = wp_flush (bits);
  return flags & WP_ROW_SAT ? wp_saturate (bits) : bits;
}

WP_INLINE void
add (guint32 *restrict to, const guint32 *a, const guint32 *b, guint flags)
{
  for (guint k = 0; k < WP_ROW_LANES; k++)
    to[k] = give (wp_float (take (a[k], flags)) + wp_float (take (b[k], flags)), flags);
}

WP_INLINE void
multiply (guint32 *restrict to, const guint32 *a, const guint32 *b, guint flags)
{
  for (guint k = 0; k < WP_ROW_LANES; k++)
    to[k] = give (wp_float (take (a[k], flags)) * wp_float (take (b[k], flags)), flags);
}

WP_INLINE void
fma_row (guint32 *restrict to, const guint32 *a, const guint32 *b, const guint32 *c, guint flags)
{
  for (guint k = 0; k < WP_ROW_LANES; k++)
    to[k] = give (__builtin_fmaf (wp_float (take (a[k], flags)), wp_float (take (b[k], flags)),
                                  wp_float (take (c[k], flags))),
                  flags);
}

/* The number's place among all numbers, as a whole number with a sign: -0 is below 0. */
WP_INLINE gint32
place (guint32 bits)
{
  return (gint32)(bits ^ ((guint32)((gint32)bits >> 31) >> 1));
}

WP_INLINE void
minimum (guint32 *restrict to, const guint32 *a, const guint32 *b, guint flags)
{
  for (guint k = 0; k < WP_ROW_LANES; k++)
    {
      guint32 x = take (a[k], flags), y = take (b[k], flags);
      gboolean less = flags & WP_ROW_MAX ? place (x) > place (y) : place (x) < place (y);
      guint32 best = less ? x : y;
      if (flags & WP_ROW_NAN)
        best = wp_is_nan (x) || wp_is_nan (y) ? WP_NAN : best;
      else
        {
          best = wp_is_nan (x) ? y : best;
          best = wp_is_nan (y) ? x : best;
        }
      to[k] = wp_one_nan (best);
    }
}

#define PAIR(OP, FLAGS)                                                                            \
  static void OP##_##FLAGS (guint32 *restrict to, const guint32 *a, const guint32 *b)              \
  {                                                                                                \
    OP (to, a, b, FLAGS);                                                                          \
  }
#define PAIRS(OP) PAIR (OP, 0) PAIR (OP, 1) PAIR (OP, 2) PAIR (OP, 3)

PAIRS (add)
PAIRS (multiply)
PAIR (minimum, 0)
PAIR (minimum, 1)
PAIR (minimum, 4)
PAIR (minimum, 5)
PAIR (minimum, 8)
PAIR (minimum, 9)
PAIR (minimum, 12)
PAIR (minimum, 13)

#define TRIPLE(FLAGS)                                                                              \
  static void fma_##FLAGS (guint32 *restrict to, const guint32 *a, const guint32 *b,               \
                           const guint32 *c)                                                       \
  {                                                                                                \
    fma_row (to, a, b, c, FLAGS);                                                                  \
  }                                                                                                \
  WP_TARGET_FMA static void fast_fma_##FLAGS (guint32 *restrict to, const guint32 *a,              \
                                              const guint32 *b, const guint32 *c)                  \
  {                                                                                                \
    fma_row (to, a, b, c, FLAGS);                                                                  \
  }

TRIPLE (0)
TRIPLE (1)
TRIPLE (2)
TRIPLE (3)

WpRow2
wp_row_get_add (guint flags)
{
  static const WpRow2 rows[] = { add_0, add_1, add_2, add_3 };
  return rows[flags & 3];
}

WpRow2
wp_row_get_multiply (guint flags)
{
  static const WpRow2 rows[] = { multiply_0, multiply_1, multiply_2, multiply_3 };
  return rows[flags & 3];
}

WpRow3
wp_row_get_fma (guint flags)
{
  static const WpRow3 rows[2][4]
      = { { fma_0, fma_1, fma_2, fma_3 }, { fast_fma_0, fast_fma_1, fast_fma_2, fast_fma_3 } };
  return rows[wp_host_has_fma () ? 1 : 0][flags & 3];
}

WpRow2
wp_row_get_minimum (guint flags)
{
  static const WpRow2 rows[2][2][2] = { { { minimum_0, minimum_1 }, { minimum_4, minimum_5 } },
                                        { { minimum_8, minimum_9 }, { minimum_12, minimum_13 } } };
  return rows[flags & WP_ROW_MAX ? 1 : 0][flags & WP_ROW_NAN ? 1 : 0][flags & WP_ROW_FTZ ? 1 : 0];
}

void
wp_row_multiply_scaled (guint32 *restrict to, const guint32 *a, const guint32 *b, double scale,
                        guint flags)
{
  for (guint k = 0; k < WP_ROW_LANES; k++)
    {
      double x = wp_float (take (a[k], flags)), y = wp_float (take (b[k], flags));
      to[k] = give ((float)(x * y * scale), flags);
    }
}

void
wp_row_flush (guint32 *restrict to, const guint32 *a)
{
  for (guint k = 0; k < WP_ROW_LANES; k++)
    to[k] = wp_flush (a[k]);
}

/* A bit for each lane, from a table: not all hosts can shift lanes by different amounts. */
static const guint32 bit_of_lane[WP_ROW_LANES] __attribute__ ((aligned (64))) = {
#define FOUR(K) 1u << (K), 2u << (K), 4u << (K), 8u << (K)
  FOUR (0), FOUR (4), FOUR (8), FOUR (12), FOUR (16), FOUR (20), FOUR (24), FOUR (28)
#undef FOUR
};

void
wp_row_compare (WpOrder *order, const guint32 *a, const guint32 *b)
{
  guint32 less = 0, equal = 0, greater = 0;

  for (guint k = 0; k < WP_ROW_LANES; k++)
    {
      float x = wp_float (a[k]), y = wp_float (b[k]);
      less |= x < y ? bit_of_lane[k] : 0;
      equal |= x == y ? bit_of_lane[k] : 0;
      greater |= x > y ? bit_of_lane[k] : 0;
    }
  *order = (WpOrder){ less, equal, greater };
}
