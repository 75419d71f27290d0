/* SPDX-License-Identifier: MIT */
/* The conversions that programs do all the time, as loops; wp-number.c has all others. */
#include "exec/machine/wp-rows-float.h"

void
wp_row_from_signed (guint32 *restrict to, const guint32 *a)
{
  for (guint k = 0; k < WP_ROW_LANES; k++)
    to[k] = wp_float_bits ((float)(gint32)a[k]);
}

void
wp_row_from_unsigned (guint32 *restrict to, const guint32 *a)
{
  for (guint k = 0; k < WP_ROW_LANES; k++)
    to[k] = wp_float_bits ((float)a[k]);
}

/* NEAREST, which comes from EXACT, or the number above it where that is below EXACT. */
WP_INLINE guint32
round_up (float nearest, double exact)
{
  const guint32 bits = wp_float_bits (nearest);
  const guint32 below = (guint32)((double)nearest < exact);

  return bits + (nearest < 0 ? -below : below);
}

void
wp_row_from_signed_up (guint32 *restrict to, const guint32 *a)
{
  for (guint k = 0; k < WP_ROW_LANES; k++)
    to[k] = round_up ((float)(gint32)a[k], (gint32)a[k]);
}

void
wp_row_from_unsigned_up (guint32 *restrict to, const guint32 *a)
{
  for (guint k = 0; k < WP_ROW_LANES; k++)
    to[k] = round_up ((float)a[k], a[k]);
}

void
wp_wide_from_signed (guint64 *restrict to, const guint32 *a)
{
  for (guint k = 0; k < WP_ROW_LANES; k++)
    to[k] = wp_double_bits ((double)(gint32)a[k]);
}

void
wp_wide_from_unsigned (guint64 *restrict to, const guint32 *a)
{
  for (guint k = 0; k < WP_ROW_LANES; k++)
    to[k] = wp_double_bits ((double)a[k]);
}

/* A NaN keeps its sign and its digits, and is a quiet one. */
void
wp_wide_from_single (guint64 *restrict to, const guint32 *a)
{
  for (guint k = 0; k < WP_ROW_LANES; k++)
    {
      guint64 sign = (guint64)(a[k] >> 31) << 63;
      guint64 nan
          = sign | G_GUINT64_CONSTANT (0x7ff8000000000000) | (guint64)(a[k] & 0x7fffff) << 29;
      guint64 bits = wp_double_bits ((double)wp_float (a[k]));
      to[k] = wp_is_nan (a[k]) ? nan : bits;
    }
}

void
wp_row_from_double (guint32 *restrict to, const guint64 *a)
{
  for (guint k = 0; k < WP_ROW_LANES; k++)
    to[k] = wp_one_nan (wp_float_bits ((float)wp_double (a[k])));
}

/* What is too large is replaced before it is converted, since C leaves that open. */
void
wp_row_to_signed (guint32 *restrict to, const guint32 *a)
{
  for (guint k = 0; k < WP_ROW_LANES; k++)
    {
      float x = wp_float (a[k]);
      gboolean is_inside = (a[k] & 0x7fffffff) < 0x4f000000; /* 2^31 */
      guint32 limit = a[k] >> 31 ? 0x80000000 : 0x7fffffff;
      guint32 outside = wp_is_nan (a[k]) ? 0 : limit;
      guint32 inside = (guint32)(gint32)(is_inside ? x : 0.0f);
      to[k] = is_inside ? inside : outside;
    }
}

void
wp_row_to_unsigned (guint32 *restrict to, const guint32 *a)
{
  for (guint k = 0; k < WP_ROW_LANES; k++)
    {
      float x = wp_float (a[k]);
      gboolean is_inside = a[k] < 0x4f800000; /* 0 to 2^32 */
      guint32 outside = a[k] > 0x7f800000 ? 0 : 0xffffffff;
      guint32 inside = (guint32)(gint64)(is_inside ? x : 0.0f);
      to[k] = is_inside ? inside : outside;
    }
}

void
wp_row_from_half (guint32 *restrict to, const guint32 *a)
{
  for (guint k = 0; k < WP_ROW_LANES; k++)
    to[k] = wp_half_to_float (a[k]);
}

void
wp_row_to_half (guint32 *restrict to, const guint32 *a)
{
  for (guint k = 0; k < WP_ROW_LANES; k++)
    to[k] = wp_float_to_half (a[k]);
}

/* The nearest half, or the one before it where that is larger. */
void
wp_row_cut_to_half (guint32 *restrict to, const guint32 *a)
{
  for (guint k = 0; k < WP_ROW_LANES; k++)
    {
      guint32 near = wp_float_to_half (a[k]);
      guint32 back = wp_half_to_float (near) & 0x7fffffff, size = a[k] & 0x7fffffff;
      gboolean is_far = back > size && size <= 0x7f800000;
      to[k] = near - (is_far ? 1 : 0);
    }
}

void
wp_row_from_bfloat (guint32 *restrict to, const guint32 *a)
{
  for (guint k = 0; k < WP_ROW_LANES; k++)
    to[k] = wp_one_nan (a[k] << 16);
}

void
wp_row_to_bfloat (guint32 *restrict to, const guint32 *a)
{
  for (guint k = 0; k < WP_ROW_LANES; k++)
    to[k] = wp_float_to_bfloat (a[k]);
}
