/* SPDX-License-Identifier: MIT */
/* HMMA.884 of sm_70 (mma.m8n8k4 of halves): four products of 8x8x4, each by a quad pair, which is
 * lanes 4 I to 4 I + 3 of both halves of the warp, in steps that write two registers each. The
 * fragments are in the PTX ISA ("Matrix Fragments for mma.m8n8k4 with .f16"). */
#include "exec/machine/wp-ops-quads.h"
#include "exec/machine/wp-ops-arith.h"
#include "exec/machine/wp-rows-float.h"
#include "exec/machine/wp-rows-matrix.h"

typedef struct
{
  guint8 step;
  gboolean is_half; /* C and D are of half precision */
  guint a_is_column : 1, b_is_column : 1;
} Quads;

/* Row R of the lanes of source K. */
static const guint32 *
row_of (const WpWarp *warp, const WpStep *step, guint k, guint r)
{
  const WpSource *source = &step->sources[k];

  return warp->r[source->first == WP_ROW_ZERO ? WP_ROW_ZERO : source->first + r];
}

static double
half_value (guint32 bits)
{
  return (double)wp_float (wp_half_to_float (bits & 0xffff));
}

/* Of the 8 lanes of quad pair PAIR: four in the lower half of the warp, four in the upper. */
static guint
lane_of (guint pair, guint number)
{
  return pair * 4 + number % 4 + (number >= 4 ? 16 : 0);
}

static void
load_quad (const WpWarp *warp, const WpStep *step, const Quads *quads, guint pair, double a[8][4],
           double b[4][8])
{
  for (guint number = 0; number < 8; number++)
    for (guint j = 0; j < 4; j++)
      {
        guint lane = lane_of (pair, number), inner = number % 4, outer = number & 4;
        double x = half_value (row_of (warp, step, 0, j / 2)[lane] >> (j % 2 * 16));
        double y = half_value (row_of (warp, step, 1, j / 2)[lane] >> (j % 2 * 16));
        if (quads->a_is_column)
          a[outer + j][inner] = x;
        else
          a[number][j] = x;
        if (quads->b_is_column)
          b[j][number] = y;
        else
          b[inner][outer + j] = y;
      }
}

static double
add_quad (double a[8][4], double b[4][8], guint row, guint column, double sum)
{
  for (guint k = 0; k < 4; k++)
    sum += a[row][k] * b[k][column];
  return sum;
}

static guint32
step_of_lane (const Quads *quads, double a[8][4], double b[4][8], guint lane, guint j, guint32 c)
{
  guint outer = lane < 16 ? 0 : 4, i = 2 * quads->step + j;
  guint32 result = 0;

  if (!quads->is_half)
    {
      double sum = add_quad (a, b, (lane & 1) + (i & 2) + outer, (i & 4) + (lane & 2) + (i & 1),
                             (double)wp_float (c));
      return wp_one_nan (wp_float_bits ((float)wp_sum_cut (sum)));
    }
  for (guint half = 0; half < 2; half++)
    {
      double sum = add_quad (a, b, lane % 4 + outer, 2 * j + half + 4 * quads->step,
                             half_value (c >> (16 * half)));
      result |= wp_float_to_half (wp_float_bits ((float)wp_sum_round_half (sum))) << (16 * half);
    }
  return result;
}

static void
run_quads (WpWarp *warp, const WpStep *step, guint32 mask)
{
  Quads quads;
  WpScratch to[2];

  memcpy (&quads, step->mode, sizeof quads);
  for (guint pair = 0; pair < 4; pair++)
    {
      double a[8][4], b[4][8];
      load_quad (warp, step, &quads, pair, a, b);
      for (guint number = 0; number < 8; number++)
        for (guint j = 0; j < 2; j++)
          {
            guint lane = lane_of (pair, number);
            to[j][lane] = step_of_lane (&quads, a, b, lane, j, row_of (warp, step, 2, j)[lane]);
          }
    }
  guint32 unknown = wp_step_unknown (warp, step) ? WP_ALL_LANES : 0;
  for (guint j = 0; j < 2; j++)
    wp_put (warp, step->dest + j, to[j], mask, unknown, wp_step_tag (warp, step));
}

gboolean
wp_prepare_quads (WpStep *step, gchar **problem)
{
  static const WpSassWord words[] = { WP_WORD_884,   WP_WORD_F32,   WP_WORD_F16,   WP_WORD_STEP0,
                                      WP_WORD_STEP1, WP_WORD_STEP2, WP_WORD_STEP3, WP_WORD_NONE };
  Quads quads = { 0 };

  if (!wp_step_check_words (step, problem, words))
    return FALSE;
  if (step->n_sources != 3 || (wp_step_has (step, WP_WORD_F32) && wp_step_has (step, WP_WORD_F16)))
    return wp_step_refuse (step, problem);
  for (guint k = 1; k < 4; k++)
    if (wp_step_has (step, words[3 + k]))
      quads.step = k;
  quads.is_half = wp_step_has (step, WP_WORD_F16);
  quads.a_is_column = step->sources[0].words[0] == WP_WORD_COL;
  quads.b_is_column = step->sources[1].words[0] == WP_WORD_COL;
  for (guint k = 0; k < 3; k++)
    wp_step_set_words (step, k, 2);
  memcpy (step->mode, &quads, sizeof quads);
  step->run = run_quads;
  return TRUE;
}
