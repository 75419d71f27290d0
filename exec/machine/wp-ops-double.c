/* SPDX-License-Identifier: MIT */
/* Ops of double precision: numbers in two registers. */
#include "exec/machine/wp-ops-arith.h"

#include "exec/machine/wp-rows-float.h"

static const WpSassWord no_words[] = { WP_WORD_NONE };

static void
run_two (WpWarp *warp, const WpStep *step, guint32 mask)
{
  WpWideScratch to, a, b;

  wp_arith_get_wide (warp, step, 0, a);
  wp_arith_get_wide (warp, step, 1, b);
  wp_rounding_set (step->mode[0]);
  ((WpWide2)step->data) (to, a, b);
  wp_rounding_set (WP_ROUND_NEAREST);
  wp_arith_put_wide (warp, step, to, mask, 64);
}

static void
run_two_nearest (WpWarp *warp, const WpStep *step, guint32 mask)
{
  WpWideScratch to, a, b;

  wp_arith_get_wide (warp, step, 0, a);
  wp_arith_get_wide (warp, step, 1, b);
  ((WpWide2)step->data) (to, a, b);
  wp_arith_put_wide (warp, step, to, mask, 64);
}

static void
run_three (WpWarp *warp, const WpStep *step, guint32 mask)
{
  WpWideScratch to, a, b, c;

  wp_arith_get_wide (warp, step, 0, a);
  wp_arith_get_wide (warp, step, 1, b);
  wp_arith_get_wide (warp, step, 2, c);
  if (step->mode[0] != WP_ROUND_NEAREST)
    wp_rounding_set (step->mode[0]);
  ((WpWide3)step->data) (to, a, b, c);
  if (step->mode[0] != WP_ROUND_NEAREST)
    wp_rounding_set (WP_ROUND_NEAREST);
  wp_arith_put_wide (warp, step, to, mask, 64);
}

static gboolean
prepare_wide (WpStep *step, guint n, gchar **problem)
{
  WpRounding rounding;
  guint flags;

  if (!wp_arith_read_words (step, no_words, &rounding, &flags, problem)
      || !wp_arith_check_sources (step, n, problem))
    return FALSE;
  if (flags)
    return wp_step_refuse (step, problem);
  for (guint k = 0; k < n; k++)
    wp_arith_make_wide (step, k);
  step->mode[0] = rounding;
  return TRUE;
}

static gboolean
prepare_two (WpStep *step, WpWide2 wide, gchar **problem)
{
  if (!prepare_wide (step, 2, problem))
    return FALSE;
  step->data = wide;
  step->run = step->mode[0] == WP_ROUND_NEAREST ? run_two_nearest : run_two;
  return TRUE;
}

static gboolean
prepare_add (WpStep *step, gchar **problem)
{
  return prepare_two (step, wp_wide_add, problem);
}

static gboolean
prepare_multiply (WpStep *step, gchar **problem)
{
  return prepare_two (step, wp_wide_multiply, problem);
}

static gboolean
prepare_fma (WpStep *step, gchar **problem)
{
  step->data = wp_wide_get_fma ();
  step->run = run_three;
  return prepare_wide (step, 3, problem);
}

/* ---- DSETP ---- */

static guint32
unknown_data (const WpWarp *warp, const WpStep *step)
{
  return wp_unknown (warp, &step->sources[0]) | wp_unknown (warp, &step->sources[1]);
}

static void
run_setp (WpWarp *warp, const WpStep *step, guint32 mask)
{
  WpComparison comparison = wp_comparison_of (step);
  WpWideScratch a, b;
  WpOrder order;

  wp_arith_get_wide (warp, step, 0, a);
  wp_arith_get_wide (warp, step, 1, b);
  wp_wide_compare (&order, a, b);
  wp_comparison_put (warp, step, wp_comparison_holds (&comparison, &order),
                     unknown_data (warp, step), mask);
}

/* The number's place among all numbers: -0 is below 0. */
static gint64
place (guint64 bits)
{
  return (gint64)(bits ^ ((guint64)((gint64)bits >> 63) >> 1));
}

/* DSETP.MIN and .MAX come before a selection of two halves: the first predicate says that A is the
 * result, the second that neither is a number (the code then makes B a quiet NaN). */
static void
run_extreme (WpWarp *warp, const WpStep *step, guint32 mask)
{
  WpWideScratch a, b;
  guint32 first = 0, unknown = unknown_data (warp, step);
  WpTag tag = wp_step_tag (warp, step);

  wp_arith_get_wide (warp, step, 0, a);
  wp_arith_get_wide (warp, step, 1, b);
  guint32 nan_a = wp_wide_nan (a), nan_b = wp_wide_nan (b);
  for (guint lane = 0; lane < WP_LANES; lane++)
    {
      gint64 x = place (a[lane]), y = place (b[lane]);
      first |= (guint32)(step->mode[1] == WP_WORD_MIN ? x <= y : x >= y) << lane;
    }
  wp_put_predicate (warp, step->dest_p, (first & ~nan_a) | (nan_b & ~nan_a), mask, unknown, tag);
  wp_put_predicate (warp, step->dest_p2, nan_a & nan_b, mask, unknown, tag);
}

static gboolean
prepare_setp (WpStep *step, gchar **problem)
{
  static const WpSassWord words[]
      = { WP_WORD_F,   WP_WORD_LT,  WP_WORD_EQ,  WP_WORD_LE,  WP_WORD_GT,  WP_WORD_NE,
          WP_WORD_GE,  WP_WORD_NUM, WP_WORD_NAN, WP_WORD_LTU, WP_WORD_EQU, WP_WORD_LEU,
          WP_WORD_GTU, WP_WORD_NEU, WP_WORD_GEU, WP_WORD_T,   WP_WORD_AND, WP_WORD_OR,
          WP_WORD_XOR, WP_WORD_MIN, WP_WORD_MAX, WP_WORD_NONE };
  gboolean is_min = wp_step_has (step, WP_WORD_MIN), is_max = wp_step_has (step, WP_WORD_MAX);

  if (!wp_step_check_words (step, problem, words) || !wp_arith_check_sources (step, 2, problem))
    return FALSE;
  wp_arith_make_wide (step, 0);
  wp_arith_make_wide (step, 1);
  if (is_min || is_max)
    {
      step->mode[1] = is_min ? WP_WORD_MIN : WP_WORD_MAX;
      step->run = run_extreme;
      /* With another predicate it is not known what they do. */
      return (wp_step_has (step, WP_WORD_AND) && step->source_p[0] == WP_PT)
             || wp_step_refuse (step, problem);
    }
  step->run = run_setp;
  return wp_comparison_read (step) || wp_step_refuse (step, problem);
}

/* DMNMX: the minimum where its predicate holds, else the maximum. */
static void
run_minimum (WpWarp *warp, const WpStep *step, guint32 mask)
{
  WpWideScratch to, a, b;
  guint32 least = wp_predicate (warp, step->source_p[0]);

  wp_arith_get_wide (warp, step, 0, a);
  wp_arith_get_wide (warp, step, 1, b);
  guint32 nan_a = wp_wide_nan (a), nan_b = wp_wide_nan (b);
  for (guint lane = 0; lane < WP_LANES; lane++)
    {
      gint64 x = place (a[lane]), y = place (b[lane]);
      gboolean first = nan_a >> lane & 1   ? FALSE
                       : nan_b >> lane & 1 ? TRUE
                       : least >> lane & 1 ? x <= y
                                           : x >= y;
      to[lane] = first ? a[lane] : b[lane];
      if ((nan_a & nan_b) >> lane & 1)
        to[lane] |= G_GUINT64_CONSTANT (0x0008000000000000);
    }
  wp_arith_put_wide (warp, step, to, mask, 64);
}

static gboolean
prepare_minimum (WpStep *step, gchar **problem)
{
  step->run = run_minimum;
  return prepare_wide (step, 2, problem);
}

const WpOpRule wp_rules_double[] = {
  { WP_SASS_DADD, prepare_add },      { WP_SASS_DFMA, prepare_fma },
  { WP_SASS_DMNMX, prepare_minimum }, { WP_SASS_DMUL, prepare_multiply },
  { WP_SASS_DSETP, prepare_setp },    { WP_SASS_NO_OP, NULL },
};
