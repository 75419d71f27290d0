/* SPDX-License-Identifier: MIT */
#include "exec/machine/wp-elements.h"
#include "exec/machine/wp-ops-arith.h"
#include "exec/machine/wp-rows-float.h"

/* ---- Elements ---- */

gint
wp_element_of_word (WpSassWord word)
{
  switch (word)
    {
    case WP_WORD_S8:
      return WP_S8;
    case WP_WORD_U8:
      return WP_U8;
    case WP_WORD_S4:
      return WP_ELEMENT_S4;
    case WP_WORD_U4:
      return WP_ELEMENT_U4;
    case WP_WORD_BF16:
      return WP_BF16;
    case WP_WORD_TF32:
      return WP_TF32;
    case WP_WORD_E4M3:
      return WP_E4M3;
    case WP_WORD_E5M2:
      return WP_E5M2;
    case WP_WORD_E3M2:
      return WP_E3M2;
    case WP_WORD_E2M3:
      return WP_E2M3;
    case WP_WORD_E2M1:
      return WP_E2M1;
    default:
      return -1;
    }
}

double
wp_element_read (guint type, guint64 bits)
{
  switch (type)
    {
    case WP_F16:
      return (double)wp_float (wp_half_to_float (bits & 0xffff));
    case WP_BF16:
      return (double)wp_float ((guint32)bits << 16);
    case WP_TF32: /* the low 13 bits are not looked at */
      return (double)wp_float ((guint32)bits & 0xffffe000);
    default: /* WP_E2M1 is in the middle of its byte */
      {
        guint64 own = type == WP_E2M1 ? bits >> 2 : bits;
        guint64 half
            = wp_number_write (WP_F16, wp_number_read ((WpType)type, own), WP_ROUND_NEAREST, FALSE);
        return (double)wp_float (wp_half_to_float ((guint32)half));
      }
    }
}

void
wp_elements_read (guint type, guint bits, const guint32 *row, guint j, guint32 *to)
{
  WpScratch part;

  for (guint lane = 0; lane < WP_LANES; lane++)
    part[lane] = row[lane] >> (j * bits % 32);
  if (type == WP_F16)
    wp_row_from_half (to, part);
  else
    for (guint lane = 0; lane < WP_LANES; lane++)
      to[lane] = type == WP_BF16   ? part[lane] << 16
                 : type == WP_TF32 ? part[lane] & 0xffffe000 /* the low digits are not looked at */
                                   : wp_float_bits ((float)wp_element_read (type, part[lane]));
}

/* The sign is brought to the front, and back. */
void
wp_elements_read_integers (guint type, guint bits, const guint32 *row, guint j, gint32 *to)
{
  guint left = 32 - bits * (j + 1), right = 32 - bits;
  gboolean is_signed = type == WP_S8 || type == WP_ELEMENT_S4;

  for (guint lane = 0; lane < WP_LANES; lane++)
    {
      guint32 front = row[lane] << left;
      to[lane] = is_signed ? (gint32)front >> right : (gint32)(front >> right);
    }
}

/* ---- Sums ---- */

/* Register R of C. */
static const guint32 *
get_row (const WpWarp *warp, const WpSums *sums, guint r)
{
  return warp->r[sums->from == WP_ROW_ZERO ? WP_ROW_ZERO : sums->from + r];
}

/* The lanes whose elements of D are unknown: rows ROW on, the two columns of each lane. */
static guint32
spread_unknown (guint32 rows, guint32 columns, guint row)
{
  guint32 unknown = 0;

  if (!rows && !columns)
    return 0;
  for (guint lane = 0; lane < WP_LANES; lane++)
    unknown |= (guint32)((rows >> (row + lane / 4) & 1) || (columns >> (lane % 4 * 2) & 3)) << lane;
  return unknown;
}

void
wp_sums_put (WpWarp *warp, const WpSums *sums, guint r, guint row, const guint32 *lanes,
             guint32 mask)
{
  guint32 own = sums->from == WP_ROW_ZERO ? 0 : warp->r_unknown[sums->from + r];

  wp_put (warp, sums->to + r, lanes, mask,
          own | spread_unknown (sums->unknown_rows, sums->unknown_columns, row), sums->tag);
}

void
wp_sums_read (const WpWarp *warp, const WpSums *sums, WpRealMatrices *matrices)
{
  for (guint row = 0; row < sums->rows; row += 8)
    for (guint lane = 0; lane < WP_LANES; lane++)
      {
        double *to = &matrices->d[row + lane / 4][lane % 4 * 2];
        if (sums->is_half)
          {
            guint32 pair = get_row (warp, sums, row / 8)[lane];
            to[0] = wp_element_read (WP_F16, pair);
            to[1] = wp_element_read (WP_F16, pair >> 16);
          }
        else
          for (guint j = 0; j < 2; j++)
            to[j] = (double)wp_float (get_row (warp, sums, row / 4 + j)[lane]);
      }
}

void
wp_sums_read_integers (const WpWarp *warp, const WpSums *sums, WpIntegerMatrices *matrices)
{
  for (guint row = 0; row < sums->rows; row += 8)
    for (guint j = 0; j < 2; j++)
      for (guint lane = 0; lane < WP_LANES; lane++)
        matrices->d[row + lane / 4][lane % 4 * 2 + j]
            = (gint32)get_row (warp, sums, row / 4 + j)[lane];
}

static guint32
half_bits (double number)
{
  return wp_float_to_half (wp_float_bits ((float)number));
}

void
wp_sums_write (WpWarp *warp, const WpSums *sums, const WpRealMatrices *matrices, guint32 mask)
{
  WpScratch to[2];

  for (guint row = 0; row < sums->rows; row += 8)
    {
      for (guint lane = 0; lane < WP_LANES; lane++)
        {
          const double *from = &matrices->d[row + lane / 4][lane % 4 * 2];
          for (guint j = 0; j < 2; j++)
            to[j][lane]
                = sums->is_half ? half_bits (from[j]) : wp_one_nan (wp_float_bits ((float)from[j]));
          if (sums->is_half)
            to[0][lane] |= to[1][lane] << 16;
        }
      for (guint j = 0; j < (sums->is_half ? 1 : 2); j++)
        wp_sums_put (warp, sums, sums->is_half ? row / 8 : row / 4 + j, row, to[j], mask);
    }
}

void
wp_sums_write_integers (WpWarp *warp, const WpSums *sums, const WpIntegerMatrices *matrices,
                        guint32 mask)
{
  WpScratch to;

  for (guint row = 0; row < sums->rows; row += 8)
    for (guint j = 0; j < 2; j++)
      {
        for (guint lane = 0; lane < WP_LANES; lane++)
          to[lane] = (guint32)matrices->d[row + lane / 4][lane % 4 * 2 + j];
        wp_sums_put (warp, sums, row / 4 + j, row, to, mask);
      }
}
