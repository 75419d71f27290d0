/* SPDX-License-Identifier: MIT */
#include "exec/machine/wp-rows-matrix.h"
#include "exec/machine/wp-rows-float.h"

#include <math.h>

WP_INLINE void
accumulate (WpRealMatrices *restrict matrices, guint rows, guint first, guint last)
{
  for (guint row = 0; row < rows; row++)
    {
      double sums[WP_MATRIX_COLUMNS];
      memcpy (sums, matrices->d[row], sizeof sums);
      for (guint k = first; k < last; k++)
        for (guint column = 0; column < WP_MATRIX_COLUMNS; column++)
          sums[column] += matrices->a[row][k] * matrices->b[k][column];
      memcpy (matrices->d[row], sums, sizeof sums);
    }
}

static void
accumulate_plain (WpRealMatrices *matrices, guint rows, guint first, guint last)
{
  accumulate (matrices, rows, first, last);
}

WP_TARGET_FMA static void
accumulate_fast (WpRealMatrices *matrices, guint rows, guint first, guint last)
{
  accumulate (matrices, rows, first, last);
}

void
wp_matrix_accumulate (WpRealMatrices *matrices, guint rows, guint first, guint last)
{
  (wp_host_has_fma () ? accumulate_fast : accumulate_plain) (matrices, rows, first, last);
}

void
wp_matrix_fma (WpRealMatrices *matrices, guint rows, guint depth)
{
  for (guint row = 0; row < rows; row++)
    for (guint column = 0; column < WP_MATRIX_COLUMNS; column++)
      for (guint k = 0; k < depth; k++)
        matrices->d[row][column]
            = fma (matrices->a[row][k], matrices->b[k][column], matrices->d[row][column]);
}

/* Rounding to nearest may have gone away from zero: then one step back, which the bits of a number
 * show. What is too large stays infinite. */
WP_INLINE double
cut (double number)
{
  float near = (float)number;
  gboolean is_far = fabs ((double)near) > fabs (number);
  guint32 bits = wp_float_bits (near) - (is_far && !isinf (near) ? 1 : 0);

  return (double)wp_float (bits);
}

void
wp_matrix_cut (WpRealMatrices *matrices, guint rows)
{
  for (guint row = 0; row < rows; row++)
    for (guint column = 0; column < WP_MATRIX_COLUMNS; column++)
      matrices->d[row][column] = cut (matrices->d[row][column]);
}

/* By way of single precision, to odd (wp-rows-half.c). */
WP_INLINE double
round_half (double number)
{
  guint32 cut_bits = wp_float_bits ((float)cut (number));
  guint32 odd = cut_bits | ((double)wp_float (cut_bits) != number && number == number ? 1 : 0);

  return (double)wp_float (wp_half_to_float (wp_float_to_half (odd)));
}

void
wp_matrix_round_halves (WpRealMatrices *matrices, guint rows)
{
  for (guint row = 0; row < rows; row++)
    for (guint column = 0; column < WP_MATRIX_COLUMNS; column++)
      matrices->d[row][column] = round_half (matrices->d[row][column]);
}

double
wp_sum_cut (double sum)
{
  return cut (sum);
}

double
wp_sum_round_half (double sum)
{
  return round_half (sum);
}

/* Elements have 8 bits at most: 64 products fit 32. */
WP_INLINE void
add_integers (WpIntegerMatrices *restrict matrices, guint rows, guint depth, gboolean is_saturated)
{
  for (guint row = 0; row < rows; row++)
    {
      gint32 sums[WP_MATRIX_COLUMNS] = { 0 };
      for (guint k = 0; k < depth; k++)
        for (guint column = 0; column < WP_MATRIX_COLUMNS; column++)
          sums[column] += matrices->a[row][k] * matrices->b[k][column];
      for (guint column = 0; column < WP_MATRIX_COLUMNS; column++)
        {
          gint64 sum = (gint64)sums[column] + matrices->d[row][column];
          matrices->d[row][column]
              = is_saturated ? (gint32)CLAMP (sum, G_MININT32, G_MAXINT32) : (gint32)(guint32)sum;
        }
    }
}

static void
integers_plain (WpIntegerMatrices *matrices, guint rows, guint depth, gboolean is_saturated)
{
  add_integers (matrices, rows, depth, is_saturated);
}

WP_TARGET_FMA static void
integers_fast (WpIntegerMatrices *matrices, guint rows, guint depth, gboolean is_saturated)
{
  add_integers (matrices, rows, depth, is_saturated);
}

void
wp_matrix_integers (WpIntegerMatrices *matrices, guint rows, guint depth, gboolean is_saturated)
{
  (wp_host_has_fma () ? integers_fast : integers_plain) (matrices, rows, depth, is_saturated);
}
