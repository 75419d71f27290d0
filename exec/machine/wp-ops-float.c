/* SPDX-License-Identifier: MIT */
/* Ops of single precision, those of uniform registers too. Preparing picks the function on rows
 * (wp-rows.h), so that running is reading rows, one call, and writing a row. */
#include "exec/machine/wp-ops-arith.h"

#include "exec/machine/wp-rows-float.h"

#include <math.h>

static const WpSassWord no_words[] = { WP_WORD_NONE };

/* ---- FADD, FMUL, FFMA ---- */

/* Where no lane of the result will be known, which UNKNOWN lanes of the sources tell, says so to
 * the destination, and returns TRUE: nothing has to be computed. So is most of what a kernel
 * computes whose data nobody gave. */
static inline gboolean
put_unknown (WpWarp *warp, const WpStep *step, guint32 mask, guint32 unknown)
{
  WpTag tag;

  if (step->is_uniform || (unknown & mask) != mask)
    return FALSE;
  tag = wp_step_tag (warp, step);
  if (!wp_stand_in_result (warp, step, mask, unknown, tag, FALSE, 32))
    wp_put_unknown (warp, step->dest, mask, tag);
  return TRUE;
}

static void
run_pair (WpWarp *warp, const WpStep *step, guint32 mask)
{
  const guint32 unknown = wp_step_unknown (warp, step);
  WpScratch to, a, b;

  if (put_unknown (warp, step, mask, unknown))
    return;
  ((WpRow2)step->data) (to, wp_lanes_single (warp, &step->sources[0], a),
                        wp_lanes_single (warp, &step->sources[1], b));
  wp_arith_put_marked (warp, step, to, mask, unknown);
}

static void
run_pair_rounded (WpWarp *warp, const WpStep *step, guint32 mask)
{
  wp_rounding_set (step->mode[0]);
  run_pair (warp, step, mask);
  wp_rounding_set (WP_ROUND_NEAREST);
}

static void
run_triple (WpWarp *warp, const WpStep *step, guint32 mask)
{
  const guint32 unknown = wp_step_unknown (warp, step);
  WpScratch to, a, b, c;

  if (put_unknown (warp, step, mask, unknown))
    return;
  ((WpRow3)step->data) (to, wp_lanes_single (warp, &step->sources[0], a),
                        wp_lanes_single (warp, &step->sources[1], b),
                        wp_lanes_single (warp, &step->sources[2], c));
  wp_arith_put_marked (warp, step, to, mask, unknown);
}

static void
run_triple_rounded (WpWarp *warp, const WpStep *step, guint32 mask)
{
  wp_rounding_set (step->mode[0]);
  run_triple (warp, step, mask);
  wp_rounding_set (WP_ROUND_NEAREST);
}

/* Prepares an op of N_SOURCES numbers that has a loop for each set of FLAGS, which the caller sets
 * in step->data, and runs as NEAREST or, with another rounding, as ROUNDED. */
static gboolean
prepare_numbers (WpStep *step, guint n_sources, guint *flags, WpStepRun nearest, WpStepRun rounded,
                 gchar **problem)
{
  WpRounding rounding;

  if (!wp_arith_read_words (step, no_words, &rounding, flags, problem)
      || !wp_arith_check_sources (step, n_sources, problem))
    return FALSE;
  step->mode[0] = rounding;
  step->run = rounding == WP_ROUND_NEAREST ? nearest : rounded;
  wp_step_fold_singles (step);
  return TRUE;
}

static gboolean
prepare_pair (WpStep *step, WpRow2 (*get) (guint flags), gchar **problem)
{
  guint flags;

  if (!prepare_numbers (step, 2, &flags, run_pair, run_pair_rounded, problem))
    return FALSE;
  step->data = get (flags);
  return TRUE;
}

static gboolean
prepare_add (WpStep *step, gchar **problem)
{
  return prepare_pair (step, wp_row_get_add, problem);
}

/* FMUL.D2 and the like divide or multiply the product by a power of two, mode[2] as an exponent. */
static void
run_scaled (WpWarp *warp, const WpStep *step, guint32 mask)
{
  WpScratch to, a, b;

  wp_rounding_set (step->mode[0]);
  wp_row_multiply_scaled (to, wp_lanes_single (warp, &step->sources[0], a),
                          wp_lanes_single (warp, &step->sources[1], b),
                          ldexp (1.0, (gint32)step->mode[2]), step->mode[1]);
  wp_rounding_set (WP_ROUND_NEAREST);
  wp_arith_put (warp, step, to, mask);
}

static gint
find_scale (const WpStep *step)
{
  static const struct
  {
    WpSassWord word;
    gint exponent;
  } scales[] = { { WP_WORD_D2, -1 }, { WP_WORD_D4, -2 }, { WP_WORD_D8, -3 },
                 { WP_WORD_M2, 1 },  { WP_WORD_M4, 2 },  { WP_WORD_M8, 3 } };

  for (guint k = 0; k < G_N_ELEMENTS (scales); k++)
    if (wp_step_has (step, scales[k].word))
      return scales[k].exponent;
  return 0;
}

static gboolean
prepare_multiply (WpStep *step, gchar **problem)
{
  static const WpSassWord scales[]
      = { WP_WORD_D2, WP_WORD_D4, WP_WORD_D8, WP_WORD_M2, WP_WORD_M4, WP_WORD_M8, WP_WORD_NONE };
  WpRounding rounding;
  guint flags;
  gint scale = find_scale (step);

  if (scale == 0)
    return prepare_pair (step, wp_row_get_multiply, problem);
  if (!wp_arith_read_words (step, scales, &rounding, &flags, problem)
      || !wp_arith_check_sources (step, 2, problem))
    return FALSE;
  step->mode[0] = rounding;
  step->mode[1] = flags;
  step->mode[2] = (guint32)scale;
  step->run = run_scaled;
  wp_step_fold_singles (step);
  return TRUE;
}

static gboolean
prepare_fma (WpStep *step, gchar **problem)
{
  guint flags;

  if (!prepare_numbers (step, 3, &flags, run_triple, run_triple_rounded, problem))
    return FALSE;
  step->data = wp_row_get_fma (flags);
  return TRUE;
}

/* The loops of several ops, by their flags. */
static gconstpointer
get_add (guint flags)
{
  return wp_row_get_add (flags);
}

static gconstpointer
get_multiply (guint flags)
{
  return wp_row_get_multiply (flags);
}

static gconstpointer
get_fma (guint flags)
{
  return wp_row_get_fma (flags);
}

/* Prepares an op of N_SOURCES numbers, with WORDS of its own, that RUN computes by a loop. */
static gboolean
prepare_loop (WpStep *step, guint n_sources, const WpSassWord *words,
              gconstpointer (*get) (guint flags), WpStepRun run, gchar **problem)
{
  WpRounding rounding;
  guint flags;

  if (!wp_arith_read_words (step, words, &rounding, &flags, problem)
      || !wp_arith_check_sources (step, n_sources, problem))
    return FALSE;
  step->mode[0] = rounding;
  step->data = get (flags);
  step->run = run;
  return TRUE;
}

/* What the loop of STEP makes of the rows FROM, one for each source. */
static void
compute (const WpStep *step, guint32 *to, WpScratch *from)
{
  if (step->n_sources == 2)
    ((WpRow2)step->data) (to, from[0], from[1]);
  else
    ((WpRow3)step->data) (to, from[0], from[1], from[2]);
}

/* ---- FHADD, FHFMA: halves that are added to, or multiplied into, single precision ---- */

static void
run_mixed (WpWarp *warp, const WpStep *step, guint32 mask)
{
  const guint last = step->n_sources - 1;
  WpScratch to, from[3];

  for (guint k = 0; k < last; k++)
    wp_arith_get_half (warp, step, k, step->mode[1], from[k]);
  wp_lanes_signed (warp, &step->sources[last], from[last]);
  wp_rounding_set (step->mode[0]);
  compute (step, to, from);
  wp_rounding_set (WP_ROUND_NEAREST);
  wp_arith_put (warp, step, to, mask);
}

static gboolean
prepare_mixed (WpStep *step, guint n_sources, gconstpointer (*get) (guint flags), gchar **problem)
{
  static const WpSassWord words[] = { WP_WORD_BF16, WP_WORD_NONE };

  if (!prepare_loop (step, n_sources, words, get, run_mixed, problem))
    return FALSE;
  step->mode[1] = wp_step_has (step, WP_WORD_BF16);
  return TRUE;
}

static gboolean
prepare_mixed_add (WpStep *step, gchar **problem)
{
  return prepare_mixed (step, 2, get_add, problem);
}

static gboolean
prepare_mixed_fma (WpStep *step, gchar **problem)
{
  return prepare_mixed (step, 3, get_fma, problem);
}

/* ---- FADD2, FMUL2, FFMA2: two numbers in two registers ---- */

/* Which word of SOURCE the lower (HALF 0) or the upper number is: HI_LO as they lie, LO_HI the
 * other way round, F32 and immediates one for both. */
static guint
find_word (const WpSource *source, guint half)
{
  if (source->words[0] == WP_WORD_F32 || source->is_immediate)
    return 0;
  return source->words[0] == WP_WORD_F32X2_LO_HI ? 1 - half : half;
}

/* NP negates what comes to be the upper number; compilers write -R2.F32x2.LO_HI.NP for (-y, x). */
static void
get_half (const WpWarp *warp, const WpSource *source, guint half, guint32 *lanes)
{
  WpScratch scratch;
  const guint32 *from = wp_lanes (warp, source, find_word (source, half), scratch);
  const gboolean is_flipped = half == 1 && source->words[1] == WP_WORD_NP;
  guint32 flip = (source->negate != 0) != is_flipped ? 0x80000000 : 0;
  guint32 keep = source->absolute ? 0x7fffffff : 0xffffffff;

  for (guint lane = 0; lane < WP_LANES; lane++)
    lanes[lane] = (from[lane] & keep) ^ flip;
}

static void
run_twice (WpWarp *warp, const WpStep *step, guint32 mask)
{
  WpScratch to[2], from[3];
  guint32 unknown[2] = { 0, 0 };

  wp_rounding_set (step->mode[0]);
  for (guint half = 0; half < 2; half++)
    {
      for (guint k = 0; k < step->n_sources; k++)
        {
          get_half (warp, &step->sources[k], half, from[k]);
          unknown[half]
              |= wp_unknown_word (warp, &step->sources[k], find_word (&step->sources[k], half));
        }
      compute (step, to[half], from);
    }
  wp_rounding_set (WP_ROUND_NEAREST);
  WpTag tag = wp_step_tag (warp, step);
  for (guint half = 0; half < 2; half++)
    wp_put (warp, step->dest + half, to[half], mask, unknown[half], tag);
}

static gboolean
prepare_twice (WpStep *step, guint n, gconstpointer (*get) (guint flags), gchar **problem)
{
  if (!prepare_loop (step, n, no_words, get, run_twice, problem))
    return FALSE;
  for (guint k = 0; k < n; k++)
    wp_step_set_words (
        step, k, find_word (&step->sources[k], 0) == find_word (&step->sources[k], 1) ? 1 : 2);
  return TRUE;
}

static gboolean
prepare_add2 (WpStep *step, gchar **problem)
{
  return prepare_twice (step, 2, get_add, problem);
}

static gboolean
prepare_multiply2 (WpStep *step, gchar **problem)
{
  return prepare_twice (step, 2, get_multiply, problem);
}

static gboolean
prepare_fma2 (WpStep *step, gchar **problem)
{
  return prepare_twice (step, 3, get_fma, problem);
}

/* ---- FMNMX: the minimum where its predicate holds, else the maximum ---- */

static void
run_minimum (WpWarp *warp, const WpStep *step, guint32 mask)
{
  WpScratch least, most, a, b, c;
  const guint32 *x = wp_lanes_single (warp, &step->sources[0], a);
  const guint32 *y = wp_lanes_single (warp, &step->sources[1], b);
  guint32 is_least = wp_predicate (warp, step->source_p[0]);

  wp_row_get_minimum (step->mode[0]) (least, x, y);
  wp_row_get_minimum (step->mode[0] | WP_ROW_MAX) (most, x, y);
  if (step->n_sources == 3)
    {
      const guint32 *z = wp_lanes_single (warp, &step->sources[2], c);
      wp_row_get_minimum (step->mode[0]) (a, least, z);
      wp_row_get_minimum (step->mode[0] | WP_ROW_MAX) (b, most, z);
      memcpy (least, a, sizeof least);
      memcpy (most, b, sizeof most);
    }
  for (guint lane = 0; lane < WP_LANES; lane++)
    most[lane] = is_least >> lane & 1 ? least[lane] : most[lane];
  wp_arith_put (warp, step, most, mask);
}

static gboolean
prepare_minimum (WpStep *step, gchar **problem)
{
  static const WpSassWord words[] = { WP_WORD_NAN, WP_WORD_NONE };
  WpRounding rounding;
  guint flags;

  if (!wp_arith_read_words (step, words, &rounding, &flags, problem) || step->n_sources < 2
      || step->n_sources > 3 || rounding || flags & WP_ROW_SAT)
    return *problem ? FALSE : wp_step_refuse (step, problem);
  if (wp_step_has (step, WP_WORD_NAN))
    flags |= WP_ROW_NAN;
  step->mode[0] = flags;
  step->run = run_minimum;
  wp_step_fold_singles (step);

  guint which = step->source_p[0] & ~WP_P_UNIFORM;
  if (step->n_sources == 2 && (which == WP_PT || which == (WP_PT | WP_P_NOT)))
    {
      step->data = wp_row_get_minimum (flags | (which == WP_PT ? 0 : WP_ROW_MAX));
      step->run = run_pair;
    }
  return TRUE;
}

/* ---- FSETP, FSET, FSEL, FCHK ---- */

static guint32
compare (const WpWarp *warp, const WpStep *step)
{
  WpScratch a, b;
  WpOrder order;
  WpComparison comparison = wp_comparison_of (step);
  const guint32 *x = wp_lanes_single (warp, &step->sources[0], a);
  const guint32 *y = wp_lanes_single (warp, &step->sources[1], b);

  if (step->mode[1] & WP_ROW_FTZ)
    {
      wp_row_flush (a, x);
      wp_row_flush (b, y);
      x = a, y = b;
    }
  wp_row_compare (&order, x, y);
  return wp_comparison_holds (&comparison, &order);
}

static guint32
unknown_data (const WpWarp *warp, const WpStep *step)
{
  return wp_unknown (warp, &step->sources[0]) | wp_unknown (warp, &step->sources[1]);
}

static void
run_setp (WpWarp *warp, const WpStep *step, guint32 mask)
{
  const WpComparison comparison = wp_comparison_of (step);
  const guint32 unknown = unknown_data (warp, step);
  guint32 bits = compare (warp, step);

  if (G_UNLIKELY (unknown != 0) && comparison.less != comparison.greater)
    bits = wp_stand_in_compare (warp, step, bits, unknown);
  wp_comparison_put (warp, step, bits, unknown, mask);
}

static void
run_set (WpWarp *warp, const WpStep *step, guint32 mask)
{
  WpComparison comparison = wp_comparison_of (step);
  guint32 with = wp_predicate (warp, step->source_p[0]);
  WpScratch to;

  wp_arith_spread (to, wp_comparison_join (&comparison, compare (warp, step), with), step->mode[2]);
  wp_arith_put (warp, step, to, mask);
}

static const WpSassWord comparison_words[] = {
  WP_WORD_F,   WP_WORD_LT,  WP_WORD_EQ,  WP_WORD_LE,  WP_WORD_GT,  WP_WORD_NE,  WP_WORD_GE,
  WP_WORD_NUM, WP_WORD_NAN, WP_WORD_LTU, WP_WORD_EQU, WP_WORD_LEU, WP_WORD_GTU, WP_WORD_NEU,
  WP_WORD_GEU, WP_WORD_T,   WP_WORD_AND, WP_WORD_OR,  WP_WORD_XOR, WP_WORD_BF,  WP_WORD_NONE
};

static gboolean
prepare_comparison (WpStep *step, gchar **problem)
{
  WpRounding rounding;
  guint flags;

  if (!wp_arith_read_words (step, comparison_words, &rounding, &flags, problem)
      || !wp_arith_check_sources (step, 2, problem))
    return FALSE;
  if (rounding || flags & WP_ROW_SAT || !wp_comparison_read (step))
    return wp_step_refuse (step, problem);
  step->mode[1] = flags;
  wp_step_fold_singles (step);
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
  step->mode[2] = wp_step_has (step, WP_WORD_BF) ? 0x3f800000 /* 1.0 */ : ~0u;
  return prepare_comparison (step, problem);
}

static void
run_select (WpWarp *warp, const WpStep *step, guint32 mask)
{
  WpScratch to, a, b;
  const guint32 *x = wp_lanes_single (warp, &step->sources[0], a);
  const guint32 *y = wp_lanes_single (warp, &step->sources[1], b);
  guint32 first = wp_predicate (warp, step->source_p[0]);
  guint32 unknown = (first & wp_unknown (warp, &step->sources[0]))
                    | (~first & wp_unknown (warp, &step->sources[1]))
                    | wp_predicate_unknown (warp, step->source_p[0]);

  for (guint lane = 0; lane < WP_LANES; lane++)
    to[lane] = first >> lane & 1 ? x[lane] : y[lane];
  if (step->mode[1] & WP_ROW_FTZ)
    {
      memcpy (a, to, sizeof a);
      wp_row_flush (to, a);
    }
  WpTag tag = wp_step_tag (warp, step);
  if (step->is_uniform)
    wp_put_uniform (warp, step->dest, to[0], unknown & 1, tag);
  else
    wp_put (warp, step->dest, to, mask, unknown, tag);
}

static gboolean
prepare_select (WpStep *step, gchar **problem)
{
  WpRounding rounding;
  guint flags;

  if (!wp_arith_read_words (step, no_words, &rounding, &flags, problem)
      || !wp_arith_check_sources (step, 2, problem))
    return FALSE;
  if (rounding || flags & WP_ROW_SAT)
    return wp_step_refuse (step, problem);
  step->mode[1] = flags;
  step->run = run_select;
  wp_step_fold_singles (step);
  return TRUE;
}

/* FCHK: holds where the short sequence for A / B may go wrong, so that the long one is called. What
 * the hardware tests is not published. These bounds are those that the short sequence needs: the
 * reciprocal and the quotient are normal numbers, and so are the remainders, of which the smallest
 * is 24 bits below A. Either sequence rounds alike. */
static gboolean
is_unsafe (guint32 a, guint32 b)
{
  gint x = a >> 23 & 0xff, y = b >> 23 & 0xff;

  return x == 0 || x == 255 || y == 0 || y >= 253 || x - y >= 126 || x - y <= -126 || x < 26;
}

static void
run_check (WpWarp *warp, const WpStep *step, guint32 mask)
{
  WpScratch a, b;
  const guint32 *x = wp_lanes_single (warp, &step->sources[0], a);
  const guint32 *y = wp_lanes_single (warp, &step->sources[1], b);
  guint32 unsafe = 0;

  for (guint lane = 0; lane < WP_LANES; lane++)
    unsafe |= (guint32)is_unsafe (x[lane], y[lane]) << lane;
  wp_put_predicate (warp, step->dest_p, unsafe, mask, unknown_data (warp, step),
                    wp_step_tag (warp, step));
}

static gboolean
prepare_check (WpStep *step, gchar **problem)
{
  static const WpSassWord words[] = { WP_WORD_DIVIDE, WP_WORD_NONE };

  step->run = run_check;
  wp_step_fold_singles (step);
  return wp_step_check_words (step, problem, words) && wp_arith_check_sources (step, 2, problem);
}

const WpOpRule wp_rules_float[] = {
  { WP_SASS_FADD, prepare_add },         { WP_SASS_FADD2, prepare_add2 },
  { WP_SASS_FCHK, prepare_check },       { WP_SASS_FFMA, prepare_fma },
  { WP_SASS_FFMA2, prepare_fma2 },       { WP_SASS_FHADD, prepare_mixed_add },
  { WP_SASS_FHFMA, prepare_mixed_fma },  { WP_SASS_FMNMX, prepare_minimum },
  { WP_SASS_FMNMX3, prepare_minimum },   { WP_SASS_FMUL, prepare_multiply },
  { WP_SASS_FMUL2, prepare_multiply2 },  { WP_SASS_FSEL, prepare_select },
  { WP_SASS_FSET, prepare_set },         { WP_SASS_FSETP, prepare_setp },
  { WP_SASS_UFADD, prepare_add },        { WP_SASS_UFFMA, prepare_fma },
  { WP_SASS_UFHADD, prepare_mixed_add }, { WP_SASS_UFHFMA, prepare_mixed_fma },
  { WP_SASS_UFMNMX, prepare_minimum },   { WP_SASS_UFMUL, prepare_multiply },
  { WP_SASS_UFSEL, prepare_select },     { WP_SASS_UFSET, prepare_set },
  { WP_SASS_UFSETP, prepare_setp },      { WP_SASS_NO_OP, NULL },
};
