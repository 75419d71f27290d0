/* SPDX-License-Identifier: MIT */
/* MUFU: the special functions, of single precision and of a half. */
#include "exec/machine/wp-ops-arith.h"

static void
run_single (WpWarp *warp, const WpStep *step, guint32 mask)
{
  WpScratch to, a;

  ((WpRow1)step->data) (to, wp_lanes_single (warp, &step->sources[0], a));
  wp_arith_put (warp, step, to, mask);
}

/* From a half to the lower half of the result. */
static void
run_half (WpWarp *warp, const WpStep *step, guint32 mask)
{
  WpScratch to, a;

  wp_arith_get_half (warp, step, 0, step->mode[1], to);
  ((WpRow1)step->data) (a, to);
  (step->mode[1] ? wp_row_to_bfloat : wp_row_to_half) (to, a);
  wp_arith_put (warp, step, to, mask);
}

static WpRow1
find_function (const WpStep *step)
{
  static const struct
  {
    WpSassWord word;
    WpRow1 row;
  } functions[] = {
    { WP_WORD_RCP, wp_row_rcp },       { WP_WORD_RSQ, wp_row_rsq },
    { WP_WORD_SQRT, wp_row_sqrt },     { WP_WORD_EX2, wp_row_ex2 },
    { WP_WORD_LG2, wp_row_lg2 },       { WP_WORD_SIN, wp_row_sin },
    { WP_WORD_COS, wp_row_cos },       { WP_WORD_TANH, wp_row_tanh },
    { WP_WORD_RCP64H, wp_row_rcp64h }, { WP_WORD_RSQ64H, wp_row_rsq64h },
  };

  for (guint k = 0; k < G_N_ELEMENTS (functions); k++)
    if (wp_step_has (step, functions[k].word))
      return functions[k].row;
  return NULL;
}

static gboolean
prepare_mufu (WpStep *step, gchar **problem)
{
  static const WpSassWord words[]
      = { WP_WORD_RCP, WP_WORD_RSQ,  WP_WORD_SQRT, WP_WORD_EX2,    WP_WORD_LG2,
          WP_WORD_SIN, WP_WORD_COS,  WP_WORD_TANH, WP_WORD_RCP64H, WP_WORD_RSQ64H,
          WP_WORD_F16, WP_WORD_BF16, WP_WORD_NONE };
  WpRow1 row = find_function (step);

  if (!wp_step_check_words (step, problem, words) || !wp_arith_check_sources (step, 1, problem))
    return FALSE;
  if (!row)
    return wp_step_refuse (step, problem);
  step->data = row;
  step->mode[1] = wp_step_has (step, WP_WORD_BF16);
  if (!step->mode[1] && !wp_step_has (step, WP_WORD_F16))
    {
      step->run = run_single;
      wp_step_fold_singles (step);
      return TRUE;
    }
  step->run = run_half;
  return TRUE;
}

const WpOpRule wp_rules_mufu[] = {
  { WP_SASS_MUFU, prepare_mufu },
  { WP_SASS_NO_OP, NULL },
};
