/* SPDX-License-Identifier: MIT */
/* Ops on pairs of half precision in one register. Words of an operand say which half is which:
 * H0_H0 and H1_H1 take one half twice. H0_NH1 is the lower half as the upper one, and the upper
 * one negated as the lower: compilers multiply complex numbers with it, where the real part is
 * less im * im, and the imaginary one more im * re. */
#include "exec/machine/wp-ops-arith.h"
#include "exec/machine/wp-progression.h"

/* ---- Operands ---- */

/* A number of single precision (.F32) is cut to a half, which is taken twice: a compiler writes
 * HADD2 R0, R1.F32, -RZ.H0_H0 for a conversion towards zero. */
static const guint32 *
get_cut (const WpWarp *warp, const WpSource *source, guint32 *scratch)
{
  WpScratch singles;

  wp_row_cut_to_half (scratch, wp_lanes_single (warp, source, singles));
  for (guint lane = 0; lane < WP_LANES; lane++)
    scratch[lane] |= scratch[lane] << 16;
  return scratch;
}

/* The pairs of source K as the op reads them; SCRATCH where they are changed. */
static const guint32 *
get_pairs (const WpWarp *warp, const WpStep *step, guint k, guint32 *scratch)
{
  const WpSource *source = &step->sources[k];
  const guint32 *lanes = wp_lanes (warp, source, 0, scratch);
  guint32 keep = source->absolute ? 0x7fff7fff : 0xffffffff;
  guint32 flip = source->negate ? 0x80008000 : 0;

  if (source->words[0] == WP_WORD_F32)
    return get_cut (warp, source, scratch);
  if (source->words[0] == WP_WORD_H0_NH1)
    flip ^= 0x8000;
  if (keep == 0xffffffff && flip == 0 && source->words[0] == WP_WORD_NONE)
    return lanes;
  for (guint lane = 0; lane < WP_LANES; lane++)
    {
      guint32 low = lanes[lane] & 0xffff, high = lanes[lane] >> 16;
      guint32 pair = source->words[0] == WP_WORD_H0_H0    ? low | low << 16
                     : source->words[0] == WP_WORD_H1_H1  ? high | high << 16
                     : source->words[0] == WP_WORD_H0_NH1 ? high | low << 16
                                                          : lanes[lane];
      scratch[lane] = (pair & keep) ^ flip;
    }
  return scratch;
}

static gboolean
check_operands (const WpStep *step, guint n, gchar **problem)
{
  if (!wp_arith_check_sources (step, n, problem))
    return FALSE;
  for (guint k = 0; k < n; k++)
    switch (step->sources[k].words[0])
      {
      case WP_WORD_F32:
        if (wp_step_has (step, WP_WORD_BF16_V2))
          return wp_step_refuse (step, problem);
        break;
      case WP_WORD_NONE:
      case WP_WORD_H0_H0:
      case WP_WORD_H1_H1:
      case WP_WORD_H0_NH1:
        break;
      default:
        return wp_step_refuse (step, problem);
      }
  return TRUE;
}

static const guint32 *
all_lanes (guint32 *scratch, guint32 pair)
{
  for (guint lane = 0; lane < WP_LANES; lane++)
    scratch[lane] = pair;
  return scratch;
}

/* ---- HADD2, HMUL2, HFMA2 ---- */

/* mode[0]: flags; mode[1]: 1.0 twice in the op's format. */
static void
add_pairs (const WpWarp *warp, const WpStep *step, guint32 *to)
{
  WpScratch a, b, one;

  wp_row_half_fma (to, get_pairs (warp, step, 0, a), all_lanes (one, step->mode[1]),
                   get_pairs (warp, step, 1, b), step->mode[0]);
}

static void
fma_pairs (const WpWarp *warp, const WpStep *step, guint32 *to)
{
  WpScratch a, b, c;

  wp_row_half_fma (to, get_pairs (warp, step, 0, a), get_pairs (warp, step, 1, b),
                   get_pairs (warp, step, 2, c), step->mode[0]);
}

static void
run_add (WpWarp *warp, const WpStep *step, guint32 mask)
{
  WpScratch to;

  add_pairs (warp, step, to);
  wp_arith_put (warp, step, to, mask);
}

static void
run_multiply (WpWarp *warp, const WpStep *step, guint32 mask)
{
  WpScratch to, a, b, zero;

  wp_row_half_fma (to, get_pairs (warp, step, 0, a), get_pairs (warp, step, 1, b),
                   all_lanes (zero, 0x80008000), step->mode[0]);
  wp_arith_put (warp, step, to, mask);
}

static void
run_fma (WpWarp *warp, const WpStep *step, guint32 mask)
{
  WpScratch to;

  fma_pairs (warp, step, to);
  wp_arith_put (warp, step, to, mask);
}

/* HADD2.F32, HFMA2.F32: what the lower halves come to, rounded to a half, in single precision:
 * compilers write them for an operation and a conversion. */
static void
put_single (WpWarp *warp, const WpStep *step, const guint32 *pairs, guint32 mask)
{
  WpScratch to;

  wp_row_from_half (to, pairs);
  wp_arith_put (warp, step, to, mask);
}

static void
run_add_single (WpWarp *warp, const WpStep *step, guint32 mask)
{
  WpScratch pairs;

  add_pairs (warp, step, pairs);
  put_single (warp, step, pairs, mask);
}

static void
run_fma_single (WpWarp *warp, const WpStep *step, guint32 mask)
{
  WpScratch pairs;

  fma_pairs (warp, step, pairs);
  put_single (warp, step, pairs, mask);
}

/* -RZ, H: a conversion. A zero keeps its sign. */
static void
run_widen (WpWarp *warp, const WpStep *step, guint32 mask)
{
  WpScratch to, b;

  wp_row_from_half (to, get_pairs (warp, step, 1, b));
  for (guint lane = 0; lane < WP_LANES; lane++)
    to[lane] = (to[lane] & 0x7fffffff) > 0x7f800000 ? 0x7fffffff : to[lane];
  wp_arith_put (warp, step, to, mask);
}

static gboolean
is_zero (const WpStep *step, guint k)
{
  const WpSource *source = &step->sources[k];

  return source->from == WP_FROM_REGISTER && source->first == WP_ROW_ZERO;
}

/* The product of nothing and a sum with an immediate: how compilers load a constant by another
 * pipeline. */
static void
run_constant (WpWarp *warp, const WpStep *step, guint32 mask)
{
  const WpProgression all = { step->sources[2].row->lanes[0][0], 0 };

  if (mask == WP_ALL_LANES)
    wp_put_progression (warp, step->dest, all, 0);
  else
    wp_put (warp, step->dest, step->sources[2].row->lanes[0], mask, 0, 0);
}

static void
fold_constant (WpStep *step)
{
  WpScratch zeros, to;

  all_lanes (zeros, 0);
  if (!is_zero (step, 0) || !is_zero (step, 1) || !step->sources[2].is_immediate
      || step->sources[0].negate == step->sources[1].negate || step->is_uniform)
    return;
  WpConstantRow *row = step->sources[2].row;
  wp_row_half_fma (to, all_lanes (zeros, 0x80008000), all_lanes ((WpScratch){ 0 }, 0),
                   row->lanes[0], step->mode[0]);
  wp_step_set_value (step, 2, to[0]);
  step->run = run_constant;
}

/* The text has the two halves of an immediate as two operands, the upper one first. */
static void
join_halves (WpStep *step)
{
  for (guint k = 0; k + 1 < step->n_sources; k++)
    {
      guint64 upper, lower;
      if (!step->sources[k].is_immediate || !step->sources[k + 1].is_immediate
          || !wp_step_get_value (step, k, &upper) || !wp_step_get_value (step, k + 1, &lower))
        continue;
      wp_step_set_value (step, k, (upper & 0xffff) << 16 | (lower & 0xffff));
      for (guint j = k + 2; j < step->n_sources; j++)
        step->sources[j - 1] = step->sources[j];
      step->n_sources--;
    }
}

static gboolean
prepare_arithmetic (WpStep *step, guint n, gchar **problem)
{
  static const WpSassWord words[]
      = { WP_WORD_MMA, WP_WORD_BF16_V2, WP_WORD_BF16, WP_WORD_F32, WP_WORD_RELU, WP_WORD_NONE };
  WpRounding rounding;
  guint flags;

  join_halves (step);
  if (!wp_arith_read_words (step, words, &rounding, &flags, problem)
      || !check_operands (step, n, problem))
    return FALSE;
  if (rounding || (n == 3 && step->n_predicates && step->source_p[0] != WP_PT))
    return wp_step_refuse (step, problem);
  if (wp_step_has (step, WP_WORD_BF16_V2) || wp_step_has (step, WP_WORD_BF16))
    flags |= WP_ROW_BFLOAT;
  if (wp_step_has (step, WP_WORD_RELU))
    flags |= WP_ROW_RELU;
  step->mode[0] = flags;
  step->mode[1] = flags & WP_ROW_BFLOAT ? 0x3f803f80 : 0x3c003c00;
  return TRUE;
}

static gboolean
prepare_add (WpStep *step, gchar **problem)
{
  step->run = run_add;
  if (!prepare_arithmetic (step, 2, problem))
    return FALSE;
  if (!wp_step_has (step, WP_WORD_F32) && step->instr->op != WP_SASS_HADD2_32)
    return TRUE;
  if (step->mode[0] & ~(guint32)(WP_ROW_FTZ | WP_ROW_SAT))
    return wp_step_refuse (step, problem);
  step->run = is_zero (step, 0) && step->sources[0].negate && step->mode[0] == 0 ? run_widen
                                                                                 : run_add_single;
  return TRUE;
}

static gboolean
prepare_multiply (WpStep *step, gchar **problem)
{
  step->run = run_multiply;
  return prepare_arithmetic (step, 2, problem)
         && (!wp_step_has (step, WP_WORD_F32) || wp_step_refuse (step, problem));
}

static gboolean
prepare_fma (WpStep *step, gchar **problem)
{
  step->run = run_fma;
  if (!prepare_arithmetic (step, 3, problem))
    return FALSE;
  if (wp_step_has (step, WP_WORD_F32))
    {
      step->run = run_fma_single;
      return !(step->mode[0] & ~(guint32)(WP_ROW_FTZ | WP_ROW_SAT))
             || wp_step_refuse (step, problem);
    }
  fold_constant (step);
  return TRUE;
}

/* ---- HMNMX2, HSETP2, HSET2 ---- */

static void
run_minimum (WpWarp *warp, const WpStep *step, guint32 mask)
{
  WpScratch least, most, a, b;
  const guint32 *x = get_pairs (warp, step, 0, a), *y = get_pairs (warp, step, 1, b);
  guint32 is_least = wp_predicate (warp, step->source_p[0]);

  wp_row_half_minimum (least, x, y, step->mode[0]);
  wp_row_half_minimum (most, x, y, step->mode[0] | WP_ROW_MAX);
  for (guint lane = 0; lane < WP_LANES; lane++)
    most[lane] = is_least >> lane & 1 ? least[lane] : most[lane];
  wp_arith_put (warp, step, most, mask);
}

static const WpSassWord comparison_words[]
    = { WP_WORD_F,   WP_WORD_LT,  WP_WORD_EQ,      WP_WORD_LE,  WP_WORD_GT,  WP_WORD_NE,
        WP_WORD_GE,  WP_WORD_NUM, WP_WORD_NAN,     WP_WORD_LTU, WP_WORD_EQU, WP_WORD_LEU,
        WP_WORD_GTU, WP_WORD_NEU, WP_WORD_GEU,     WP_WORD_T,   WP_WORD_AND, WP_WORD_OR,
        WP_WORD_XOR, WP_WORD_BF,  WP_WORD_BF16_V2, WP_WORD_NONE };

static gboolean
prepare_minimum (WpStep *step, gchar **problem)
{
  static const WpSassWord words[] = { WP_WORD_NAN, WP_WORD_BF16_V2, WP_WORD_NONE };
  WpRounding rounding;
  guint flags;

  join_halves (step);
  if (!wp_arith_read_words (step, words, &rounding, &flags, problem)
      || !check_operands (step, 2, problem))
    return FALSE;
  if (rounding || flags & WP_ROW_SAT)
    return wp_step_refuse (step, problem);
  step->mode[0] = flags | (wp_step_has (step, WP_WORD_NAN) ? WP_ROW_NAN : 0)
                  | (wp_step_has (step, WP_WORD_BF16_V2) ? WP_ROW_BFLOAT : 0);
  step->run = run_minimum;
  return TRUE;
}

/* What the comparison says of the lower and the upper halves. */
static void
compare (const WpWarp *warp, const WpStep *step, guint32 holds[2])
{
  WpComparison comparison = wp_comparison_of (step);
  WpScratch a, b;
  WpOrder order[2];

  wp_row_half_compare (order, get_pairs (warp, step, 0, a), get_pairs (warp, step, 1, b),
                       step->mode[1]);
  for (guint half = 0; half < 2; half++)
    holds[half] = wp_comparison_join (&comparison, wp_comparison_holds (&comparison, &order[half]),
                                      wp_predicate (warp, step->source_p[0]));
}

static void
run_setp (WpWarp *warp, const WpStep *step, guint32 mask)
{
  guint32 holds[2], unknown = wp_step_unknown (warp, step);
  WpTag tag = wp_step_tag (warp, step);

  compare (warp, step, holds);
  wp_put_predicate (warp, step->dest_p, holds[0], mask, unknown, tag);
  wp_put_predicate (warp, step->dest_p2, holds[1], mask, unknown, tag);
}

static void
run_set (WpWarp *warp, const WpStep *step, guint32 mask)
{
  guint32 holds[2];
  WpScratch low, high;

  compare (warp, step, holds);
  wp_arith_spread (low, holds[0], step->mode[2]);
  wp_arith_spread (high, holds[1], step->mode[2] << 16);
  for (guint lane = 0; lane < WP_LANES; lane++)
    low[lane] |= high[lane];
  wp_arith_put (warp, step, low, mask);
}

static gboolean
prepare_comparison (WpStep *step, gchar **problem)
{
  gboolean is_bfloat = wp_step_has (step, WP_WORD_BF16_V2);
  WpRounding rounding;
  guint flags;

  join_halves (step);
  if (!wp_arith_read_words (step, comparison_words, &rounding, &flags, problem)
      || !check_operands (step, 2, problem))
    return FALSE;
  if (rounding || flags & WP_ROW_SAT || !wp_comparison_read (step))
    return wp_step_refuse (step, problem);
  step->mode[1] = flags | (is_bfloat ? WP_ROW_BFLOAT : 0);
  step->mode[2] = !wp_step_has (step, WP_WORD_BF) ? 0xffff : is_bfloat ? 0x3f80 : 0x3c00;
  return TRUE;
}

static gboolean
prepare_setp (WpStep *step, gchar **problem)
{
  step->run = run_setp;
  return prepare_comparison (step, problem);
}

static gboolean
prepare_set (WpStep *step, gchar **problem)
{
  step->run = run_set;
  return prepare_comparison (step, problem);
}

const WpOpRule wp_rules_half[] = {
  { WP_SASS_HADD2, prepare_add },      { WP_SASS_HADD2_32, prepare_add },
  { WP_SASS_HFMA2, prepare_fma },      { WP_SASS_HMNMX2, prepare_minimum },
  { WP_SASS_HMUL2, prepare_multiply }, { WP_SASS_HSET2, prepare_set },
  { WP_SASS_HSETP2, prepare_setp },    { WP_SASS_NO_OP, NULL },
};
