/* SPDX-License-Identifier: MIT */
/* Sums, products and extremes of whole numbers. Where a sum has a carry, -x counts as ~x + 1 with
 * the carry of that, so that x - 0 carries: the borrow of the next word's ~y is right. */
#include "exec/machine/wp-lanes.h"
#include "exec/machine/wp-progression.h"
#include "exec/machine/wp-reach.h"

#include <string.h>

/* STEP runs as RUN where its sources are progressions, else as it did. */
static void
try_progressions (WpStep *step, WpStepRun run)
{
  if (step->is_uniform)
    return;
  step->data = step->run;
  step->run = run;
}

enum
{
  MODE_SIGNED = 1,
  MODE_HIGH = 2,
  MODE_CARRY = 4
};

/* ---- IADD3, VIADD: sums of up to three ---- */

WP_INLINE void
add3_lanes (G_GNUC_UNUSED const WpStep *step, WpLanes *lanes)
{
  for (guint k = 0; k < lanes->n; k++)
    lanes->out[k] = lanes->in[0][k] + lanes->in[1][k] + lanes->in[2][k];
}
WP_LANES_OP (add3, 3)

/* Where the sources are progressions, so is their sum. */
static gboolean
add_progressions (WpWarp *warp, const WpStep *step)
{
  WpProgression sum = { 0, 0 }, one;

  if (wp_step_unknown (warp, step) != 0)
    return FALSE;
  for (guint k = 0; k < step->n_sources; k++)
    {
      if (!wp_source_get_integers (warp, &step->sources[k], &one))
        return FALSE;
      sum.first += one.first;
      sum.step += one.step;
    }
  wp_put_progression (warp, step->dest, sum, wp_step_tag (warp, step));
  return TRUE;
}

/* Where all sources but one have the same word in all lanes, ROW receives that one's, and WORD the
 * sum of the others: addresses of any shape are moved. All are known. */
static gboolean
find_moved (const WpWarp *warp, const WpStep *step, guint *row, guint64 *word)
{
  WpProgression one;

  *row = WP_ROW_ZERO;
  *word = 0;
  for (guint k = 0; k < step->n_sources; k++)
    {
      const WpSource *source = &step->sources[k];
      const gboolean is_signed = source->negate || source->invert;

      if (wp_source_get_progression (warp, source, 0, &one) && one.step == 0)
        *word += (guint64)(one.first ^ (is_signed ? ~0u : 0)) + source->negate;
      else if (*row == WP_ROW_ZERO && !is_signed)
        *row = source->first;
      else
        return FALSE;
    }
  return TRUE;
}

static gboolean
add_moved (WpWarp *warp, const WpStep *step)
{
  guint64 word;
  guint row;

  if (wp_step_unknown (warp, step) != 0 || !find_moved (warp, step, &row, &word))
    return FALSE;
  wp_put_moved (warp, step->dest, row, (guint32)word, wp_step_tag (warp, step));
  return TRUE;
}

static void
run_add (WpWarp *warp, const WpStep *step, guint32 mask)
{
  if (mask != WP_ALL_LANES || (!add_progressions (warp, step) && !add_moved (warp, step)))
    ((WpStepRun)step->data) (warp, step, mask);
}

WP_INLINE void
add2_lanes (G_GNUC_UNUSED const WpStep *step, WpLanes *lanes)
{
  for (guint k = 0; k < lanes->n; k++)
    lanes->out[k] = lanes->in[0][k] + lanes->in[1][k];
}
WP_LANES_OP (add2, 2)

/* The bits in which more is carried than LEAST. */
static guint32
carried (const guint32 *high, guint32 least)
{
  guint32 over[WP_LANES];

  for (guint k = 0; k < WP_LANES; k++)
    over[k] = high[k] > least ? ~0u : 0;
  return wp_pack_signs (over);
}

/* With carries in (.X) or out. A sum of three has up to two carries: the first predicate is one,
 * the second is the other. */
WP_INLINE void
lanes_add3_carry (WpWarp *warp, const WpStep *step, guint32 mask)
{
  guint32 scratch[WP_LANES], out[WP_LANES], high[WP_LANES];
  guint64 sum[WP_LANES];
  guint32 unknown = wp_step_unknown (warp, step);
  guint32 carry = step->n_predicates > 0 ? wp_predicate (warp, step->source_p[0]) : 0;
  guint32 carry2 = step->n_predicates > 1 ? wp_predicate (warp, step->source_p[1]) : 0;

  for (guint k = 0; k < WP_LANES; k++)
    sum[k] = (carry >> k & 1) + (carry2 >> k & 1);
  for (guint j = 0; j < step->n_sources; j++)
    {
      const WpSource *source = &step->sources[j];
      const guint32 *lanes = wp_lanes (warp, source, 0, scratch);
      guint32 flip = source->negate || source->invert ? ~0u : 0;
      for (guint k = 0; k < WP_LANES; k++)
        sum[k] += (guint64)(lanes[k] ^ flip) + source->negate;
    }
  for (guint k = 0; k < WP_LANES; k++)
    out[k] = (guint32)sum[k];
  for (guint k = 0; k < WP_LANES; k++)
    high[k] = sum[k] >> 32;
  guint32 first = carried (high, 0), second = carried (high, 1);
  wp_put_either (warp, step, out, mask, unknown);
  wp_put_either_predicate (warp, step, step->dest_p, first, mask, unknown);
  wp_put_either_predicate (warp, step, step->dest_p2, second, mask, unknown);
}
WP_BOTH (add3_carry)

/* Where PREDICATE CODE holds in all lanes or in none, BIT receives which. */
static inline gboolean
get_carry (const WpWarp *warp, guint code, gint64 *bit)
{
  const guint32 holds = wp_predicate (warp, code);

  *bit = holds & 1;
  return holds == 0 || holds == WP_ALL_LANES;
}

/* Puts FIRST + K * APART, which all lanes carry alike, and the carries. FALSE: they do not. */
static gboolean
put_carried (WpWarp *warp, const WpStep *step, gint64 first, gint64 apart)
{
  const WpTag tag = wp_step_tag (warp, step);

  if (first >> 32 != (first + (WP_LANES - 1) * apart) >> 32)
    return FALSE;
  wp_put_progression (warp, step->dest, (WpProgression){ (guint32)first, (guint32)apart }, tag);
  wp_put_predicate (warp, step->dest_p, first >> 32 > 0 ? ~0u : 0, WP_ALL_LANES, 0, tag);
  wp_put_predicate (warp, step->dest_p2, first >> 32 > 1 ? ~0u : 0, WP_ALL_LANES, 0, tag);
  return TRUE;
}

/* The sum of progressions with carries, which have to be the same in all lanes: mostly an address
 * of 64 bits in two steps. */
static gboolean
add_progressions_carry (WpWarp *warp, const WpStep *step)
{
  gint64 first = 0, apart = 0, start, carry;
  WpProgression one;

  if (wp_step_unknown (warp, step) != 0)
    return FALSE;
  for (guint k = 0; k < MIN (step->n_predicates, 2u); k++, first += carry)
    if (!get_carry (warp, step->source_p[k], &carry))
      return FALSE;
  for (guint k = 0; k < step->n_sources; k++)
    {
      const WpSource *source = &step->sources[k];
      const guint32 flip = source->negate || source->invert ? ~0u : 0;

      if (!wp_source_get_progression (warp, source, 0, &one))
        return FALSE;
      one = (WpProgression){ one.first ^ flip, (one.step ^ flip) - flip };
      if (!wp_progression_is_straight (one, FALSE, &start))
        return FALSE;
      first += start + source->negate;
      apart += (gint32)one.step;
    }
  return put_carried (warp, step, first, apart);
}

/* The lower word of an address of any shape, mostly. */
static gboolean
add_moved_carry (WpWarp *warp, const WpStep *step)
{
  gint64 carry;
  guint64 word;
  guint32 over;
  guint row;
  WpTag tag;

  if (wp_step_unknown (warp, step) != 0 || !find_moved (warp, step, &row, &word))
    return FALSE;
  for (guint k = 0; k < MIN (step->n_predicates, 2u); k++, word += (guint64)carry)
    if (!get_carry (warp, step->source_p[k], &carry))
      return FALSE;
  if (word > G_MAXUINT32)
    return FALSE;
  tag = wp_step_tag (warp, step);
  over = wp_put_moved (warp, step->dest, row, (guint32)word, tag);
  wp_put_predicate (warp, step->dest_p, over, WP_ALL_LANES, 0, tag);
  wp_put_predicate (warp, step->dest_p2, 0, WP_ALL_LANES, 0, tag);
  return TRUE;
}

static void
run_add_carry (WpWarp *warp, const WpStep *step, guint32 mask)
{
  if (mask != WP_ALL_LANES
      || (!add_progressions_carry (warp, step) && !add_moved_carry (warp, step)))
    ((WpStepRun)step->data) (warp, step, mask);
}

/* Sums of 64 bits, with carries or without. */
static void
run_add_wide (WpWarp *warp, const WpStep *step, guint32 mask)
{
  guint64 lanes[WP_LANES];
  unsigned __int128 sum[WP_LANES];
  guint32 words[2][WP_LANES], high[WP_LANES], unknown = wp_step_unknown (warp, step);
  WpTag tag = wp_step_tag (warp, step);

  memset (sum, 0, sizeof sum);
  for (guint j = 0; j < step->n_predicates; j++)
    for (guint k = 0; k < WP_LANES; k++)
      sum[k] += wp_predicate (warp, step->source_p[j]) >> k & 1;
  for (guint j = 0; j < step->n_sources; j++)
    {
      const WpSource *source = &step->sources[j];
      guint64 flip = source->negate || source->invert ? ~(guint64)0 : 0;
      wp_lanes_wide (warp, source, lanes);
      for (guint k = 0; k < WP_LANES; k++)
        sum[k] += (unsigned __int128)(lanes[k] ^ flip) + source->negate;
    }
  for (guint k = 0; k < WP_LANES; k++)
    {
      words[0][k] = (guint32)sum[k];
      words[1][k] = (guint32)(sum[k] >> 32);
      high[k] = (guint32)(sum[k] >> 64);
    }
  wp_put_either_wide (warp, step, words, mask, unknown, tag);
  wp_put_either_predicate (warp, step, step->dest_p, carried (high, 0), mask, unknown);
  wp_put_either_predicate (warp, step, step->dest_p2, carried (high, 1), mask, unknown);
}

/* VIADD of parts of a word: mode[0] has the highest bit of each; mode[1]: the second is taken away.
 */
WP_INLINE void
add_parts_lanes (const WpStep *step, WpLanes *lanes)
{
  guint32 top = step->mode[0];

  for (guint k = 0; k < lanes->n; k++)
    {
      guint32 a = lanes->in[0][k], b = lanes->in[1][k];
      lanes->out[k] = step->mode[1] ? ((a | top) - (b & ~top)) ^ (~(a ^ b) & top)
                                    : ((a & ~top) + (b & ~top)) ^ ((a ^ b) & top);
    }
}
WP_LANES_OP (add_parts, 2)

/* The highest bits of the parts that a word of the op names, 0: the whole is one. */
static guint32
find_parts (const WpStep *step)
{
  static const gchar *const bytes[] = { "8x4", "U8x4", "S8x4" };
  static const gchar *const halves[] = { "16x2", "U16x2", "S16x2" };

  for (guint k = 0; k < G_N_ELEMENTS (bytes); k++)
    if (wp_step_has_text (step, bytes[k]) || wp_step_has_text (step, halves[k]))
      return wp_step_has_text (step, bytes[k]) ? 0x80808080 : 0x80008000;
  return 0;
}

static gboolean
prepare_parts (WpStep *step, guint32 parts, gchar **problem)
{
  if (step->sources[0].negate && step->n_sources == 2)
    { /* -a + b is b - a */
      const WpSource first = step->sources[0];
      step->sources[0] = step->sources[1];
      step->sources[1] = first;
    }
  step->mode[0] = parts;
  step->mode[1] = step->sources[1].negate;
  step->sources[1].negate = FALSE;
  WP_RUN (step, add_parts);
  return (step->n_sources == 2 && !step->n_predicates && !step->sources[0].negate)
         || wp_step_refuse (step, problem);
}

/* .ISAT: the sum of each part is cut to the range of its type. mode[0]: MODE_SIGNED; mode[1]: a bit
 * for each source that is taken away; mode[3]: bits of a part. */
WP_INLINE void
add_saturated_lanes (const WpStep *step, WpLanes *lanes)
{
  const guint part = step->mode[3];
  const gboolean is_signed = (step->mode[0] & MODE_SIGNED) != 0;
  const gint64 range = (gint64)1 << part, most = is_signed ? range / 2 - 1 : range - 1;
  const gint64 least = is_signed ? -range / 2 : 0;

  for (guint k = 0; k < lanes->n; k++)
    {
      guint32 out = 0;
      for (guint at = 0; at < 32; at += part)
        {
          gint64 sum = 0;
          for (guint j = 0; j < 2; j++)
            {
              gint64 one = lanes->in[j][k] >> at & (guint32)(range - 1);
              one = one > most ? one - range : one;
              sum += step->mode[1] >> j & 1 ? -one : one;
            }
          out |= ((guint32)CLAMP (sum, least, most) & (guint32)(range - 1)) << at;
        }
      lanes->out[k] = out;
    }
}
WP_LANES_OP (add_saturated, 2)

static gboolean
prepare_saturated (WpStep *step, gchar **problem)
{
  const gboolean is_unsigned = wp_step_has_text (step, "U8x4") || wp_step_has_text (step, "U16x2");

  if (step->n_sources != 2 || step->n_predicates || step->dest_p != WP_P_SINK
      || (!is_unsigned && !wp_step_has_text (step, "S32") && !wp_step_has_text (step, "S16x2")
          && !wp_step_has_text (step, "S8x4")))
    return wp_step_refuse (step, problem);
  step->mode[0] = is_unsigned ? 0 : MODE_SIGNED;
  step->mode[1] = step->sources[0].negate | step->sources[1].negate << 1;
  step->mode[3] = find_parts (step) == 0x80808080 ? 8 : find_parts (step) ? 16 : 32;
  step->sources[0].negate = step->sources[1].negate = FALSE;
  WP_RUN (step, add_saturated);
  return TRUE;
}

static gboolean
prepare_add (WpStep *step, gchar **problem)
{
  if (!wp_step_needs (step, 2, problem)
      || !wp_step_allow (step, problem, "X", "64", "8x4", "U8x4", "S8x4", "16x2", "U16x2", "S16x2",
                         "S32", "ISAT", NULL))
    return FALSE;
  if (wp_step_has_text (step, "ISAT"))
    return prepare_saturated (step, problem);
  if (find_parts (step))
    return prepare_parts (step, find_parts (step), problem);
  if (wp_step_has_text (step, "64"))
    {
      for (guint k = 0; k < step->n_sources; k++)
        wp_step_set_words (step, k, 2);
      step->n_dest = 2;
      step->is_uniform_p = step->is_uniform;
      step->run = run_add_wide;
      return TRUE;
    }
  if (step->n_predicates || step->dest_p != WP_P_SINK || step->dest_p2 != WP_P_SINK)
    {
      step->is_uniform_p = step->is_uniform;
      step->run = WP_CHOOSE (add3_carry);
      try_progressions (step, run_add_carry);
      return TRUE;
    }
  wp_step_fold_integers (step);
  if (step->n_sources == 2)
    WP_RUN (step, add2);
  else
    WP_RUN (step, add3);
  try_progressions (step, run_add);
  return TRUE;
}

/* ---- IMAD: a * b + c ---- */

/* A product with a known zero is known. */
static guint32
product_unknown (const WpWarp *warp, const WpStep *step)
{
  guint32 a = wp_unknown_word (warp, &step->sources[0], 0);
  guint32 b = wp_unknown_word (warp, &step->sources[1], 0);
  guint32 unknown = a | b;
  guint32 scratch[2][WP_LANES];

  if (!unknown)
    return 0;
  const guint32 *x = wp_lanes (warp, &step->sources[0], 0, scratch[0]);
  const guint32 *y = wp_lanes (warp, &step->sources[1], 0, scratch[1]);
  for (guint k = 0; k < WP_LANES; k++)
    if ((!(a >> k & 1) && !x[k]) || (!(b >> k & 1) && !y[k]))
      unknown &= ~(1u << k);
  return unknown;
}

static guint32
multiply_unknown (const WpWarp *warp, const WpStep *step)
{
  guint32 unknown = product_unknown (warp, step);

  unknown |= wp_unknown (warp, &step->sources[2]);
  for (guint k = 0; k < step->n_predicates; k++)
    unknown |= wp_predicate_unknown (warp, step->source_p[k]);
  return unknown;
}

WP_INLINE void
multiply_lanes (WpLanes *lanes)
{
  for (guint k = 0; k < lanes->n; k++)
    lanes->out[k] = lanes->in[0][k] * lanes->in[1][k] + lanes->in[2][k];
}

WP_INLINE void
lanes_multiply (WpWarp *warp, const WpStep *step, guint32 mask)
{
  guint32 scratch[3][WP_LANES], out[WP_LANES];
  WpLanes lanes = { .out = out, .n = WP_LANES };

  for (guint k = 0; k < 3; k++)
    lanes.in[k] = wp_lanes_integer (warp, &step->sources[k], scratch[k]);
  if (step->n_predicates)
    {
      guint32 carry = wp_predicate (warp, step->source_p[0]);
      for (guint k = 0; k < WP_LANES; k++)
        scratch[2][k] = lanes.in[2][k] + (carry >> k & 1);
      lanes.in[2] = scratch[2];
    }
  multiply_lanes (&lanes);
  wp_put (warp, step->dest, out, mask, multiply_unknown (warp, step), wp_step_tag (warp, step));
}
WP_BOTH (multiply)

static void
run_uniform_multiply (WpWarp *warp, const WpStep *step, G_GNUC_UNUSED guint32 mask)
{
  guint32 a = wp_scalar_integer (warp, &step->sources[0]);
  guint32 b = wp_scalar_integer (warp, &step->sources[1]);
  guint32 c = wp_scalar_integer (warp, &step->sources[2]);
  guint32 carry = step->n_predicates ? wp_predicate (warp, step->source_p[0]) & 1 : 0;

  wp_put_uniform (warp, step->dest, a * b + c + carry, multiply_unknown (warp, step) & 1,
                  wp_step_tag (warp, step));
}

/* The product of 64 bits, with the sign that the text puts before a factor. */
WP_INLINE void
wide_products (const WpWarp *warp, const WpStep *step, guint64 *out)
{
  guint32 scratch[2][WP_LANES];
  const guint32 *a = wp_lanes (warp, &step->sources[0], 0, scratch[0]);
  const guint32 *b = wp_lanes (warp, &step->sources[1], 0, scratch[1]);

  if (step->mode[0] & MODE_SIGNED)
    for (guint k = 0; k < WP_LANES; k++)
      out[k] = (guint64)((gint64)(gint32)a[k] * (gint32)b[k]);
  else
    for (guint k = 0; k < WP_LANES; k++)
      out[k] = (guint64)a[k] * b[k];
  if (step->sources[0].negate != step->sources[1].negate)
    for (guint k = 0; k < WP_LANES; k++)
      out[k] = -out[k];
}

/* Adds C to OUT; returns the lanes that carry out of 64 bits. */
static guint32
add_wide (const WpWarp *warp, const WpStep *step, guint64 *out)
{
  const WpSource *source = &step->sources[2];
  guint64 c[WP_LANES], flip = source->negate || source->invert ? ~(guint64)0 : 0;
  guint32 carry = step->n_predicates ? wp_predicate (warp, step->source_p[0]) : 0;
  guint32 over[WP_LANES];

  wp_lanes_wide (warp, source, c);
  for (guint k = 0; k < WP_LANES; k++)
    {
      guint64 extra = (carry >> k & 1) + source->negate, x = c[k] ^ flip;
      guint64 sum = out[k] + x, whole = sum + extra;
      over[k] = sum < x || whole < sum ? ~0u : 0;
      out[k] = whole;
    }
  return wp_pack_signs (over);
}

/* Without carries and signs, which is nearly always. */
WP_INLINE void
lanes_multiply_wide (WpWarp *warp, const WpStep *step, guint32 mask)
{
  guint64 out[WP_LANES], c[WP_LANES];

  wide_products (warp, step, out);
  wp_lanes_wide (warp, &step->sources[2], c);
  for (guint k = 0; k < WP_LANES; k++)
    out[k] += c[k];
  wp_put_wide (warp, step->dest, out, mask, multiply_unknown (warp, step),
               wp_step_tag (warp, step));
}
WP_BOTH (multiply_wide)

/* The product of progressions, one of which has the same word in all lanes, and their sum with a
 * third. */
static gboolean
multiply_progressions (WpWarp *warp, const WpStep *step)
{
  WpProgression a, b, c;

  if (wp_step_unknown (warp, step) != 0 || !wp_source_get_integers (warp, &step->sources[0], &a)
      || !wp_source_get_integers (warp, &step->sources[1], &b)
      || !wp_source_get_integers (warp, &step->sources[2], &c) || (a.step != 0 && b.step != 0))
    return FALSE;
  wp_put_progression (
      warp, step->dest,
      (WpProgression){ a.first * b.first + c.first, a.step * b.first + b.step * a.first + c.step },
      wp_step_tag (warp, step));
  return TRUE;
}

static void
run_multiply_known (WpWarp *warp, const WpStep *step, guint32 mask)
{
  if (mask != WP_ALL_LANES || !multiply_progressions (warp, step))
    ((WpStepRun)step->data) (warp, step, mask);
}

/* The same of 64 bits: nothing may come round in 32, since what is above counts. */
static gboolean
multiply_progressions_wide (WpWarp *warp, const WpStep *step)
{
  const gboolean is_signed = (step->mode[0] & MODE_SIGNED) != 0;
  const gboolean flips = step->sources[0].negate != step->sources[1].negate;
  WpProgression a, b, low, high;
  gint64 first_a, first_b, addend, step_of_product;
  guint64 product;

  if (wp_step_unknown (warp, step) != 0
      || !wp_source_get_progression (warp, &step->sources[0], 0, &a)
      || !wp_source_get_progression (warp, &step->sources[1], 0, &b)
      || !wp_source_get_progression (warp, &step->sources[2], 0, &low)
      || !wp_source_get_progression (warp, &step->sources[2], 1, &high) || high.step != 0
      || (a.step != 0 && b.step != 0) || !wp_progression_is_straight (a, is_signed, &first_a)
      || !wp_progression_is_straight (b, is_signed, &first_b)
      || !wp_progression_is_straight (low, FALSE, &addend))
    return FALSE;
  product = (guint64)first_a * (guint64)first_b;
  step_of_product = a.step != 0 ? (gint32)a.step * first_b : (gint32)b.step * first_a;
  return wp_put_progression_wide (
      warp, step->dest,
      (flips ? -product : product) + ((guint64)addend | (guint64)high.first << 32),
      (flips ? -step_of_product : step_of_product) + (gint32)low.step, wp_step_tag (warp, step));
}

/* Whether all lanes have the same word in SOURCE, WORD. It is found out, and known until that is
 * written: what addresses are moved by mostly stays. Of numbers that are no addresses three words
 * tell. */
static gboolean
is_same_word (WpWarp *warp, const WpSource *source, guint number, guint32 *word)
{
  WpProgression one;

  if (source->from == WP_FROM_REGISTER)
    {
      const guint row = source->first + number;
      const guint32 *words = warp->r[row];

      if (words[1] != words[0] || words[WP_LANES - 1] != words[0])
        return FALSE;
      wp_row_shape (warp, row, WP_ALL_LANES);
    }
  if (!wp_source_get_progression (warp, source, number, &one) || one.step != 0)
    return FALSE;
  *word = one.first;
  return TRUE;
}

/* A product that all lanes have is added to addresses of any shape, in one range of 4 GB. */
static gboolean
move_wide (WpWarp *warp, const WpStep *step)
{
  const gboolean is_signed = (step->mode[0] & MODE_SIGNED) != 0;
  const gboolean flips = step->sources[0].negate != step->sources[1].negate;
  const WpSource *addend = &step->sources[2];
  guint32 over, a, b, words[WP_LANES];
  WpProgression high = { 0, 0 };
  guint64 product;
  WpTag tag;

  if (addend->from != WP_FROM_REGISTER || wp_step_unknown (warp, step) != 0
      || !is_same_word (warp, &step->sources[0], 0, &a)
      || !is_same_word (warp, &step->sources[1], 0, &b)
      || !is_same_word (warp, addend, 1, &high.first))
    return FALSE;
  product = is_signed ? (guint64)((gint64)(gint32)a * (gint32)b) : (guint64)a * b;
  product = flips ? -product : product;
  high.first += (guint32)(product >> 32);
  tag = wp_step_tag (warp, step);
  over = wp_put_moved (warp, step->dest, addend->first, (guint32)product, tag);
  if (over == 0 || over == WP_ALL_LANES)
    {
      high.first += over & 1;
      wp_put_progression (warp, step->dest + 1, high, tag);
      return TRUE;
    }
  for (guint k = 0; k < WP_LANES; k++)
    words[k] = high.first + (over >> k & 1);
  wp_put (warp, step->dest + 1, words, WP_ALL_LANES, 0, tag);
  return TRUE;
}

static void
run_multiply_wide_known (WpWarp *warp, const WpStep *step, guint32 mask)
{
  if (mask != WP_ALL_LANES || (!multiply_progressions_wide (warp, step) && !move_wide (warp, step)))
    ((WpStepRun)step->data) (warp, step, mask);
}

/* .WIDE with carries, .HI, and the uniform ones of both. */
static void
run_multiply_long (WpWarp *warp, const WpStep *step, guint32 mask)
{
  guint64 out[WP_LANES];
  guint32 words[2][WP_LANES];
  guint32 unknown = multiply_unknown (warp, step);
  WpTag tag = wp_step_tag (warp, step);

  wide_products (warp, step, out);
  guint32 carry = add_wide (warp, step, out);
  for (guint k = 0; k < WP_LANES; k++)
    {
      words[0][k] = (guint32)out[k];
      words[1][k] = out[k] >> 32;
    }
  if (step->mode[0] & MODE_HIGH)
    wp_put_either (warp, step, words[1], mask, unknown);
  else
    wp_put_either_wide (warp, step, words, mask, unknown, tag);
  wp_put_either_predicate (warp, step, step->dest_p, carry, mask, unknown);
}

WP_INLINE void
copy_lanes (G_GNUC_UNUSED const WpStep *step, WpLanes *lanes)
{
  for (guint k = 0; k < lanes->n; k++)
    lanes->out[k] = lanes->in[0][k];
}
WP_LANES_OP (copy, 1)

/* IMAD.MOV mostly has RZ, RZ before what it moves; unoptimized code has R4, 1 and then RZ. */
static gboolean
is_zero_register (const WpSource *source)
{
  return (source->from == WP_FROM_REGISTER && source->first == WP_ROW_ZERO)
         || (source->from == WP_FROM_UNIFORM && source->first == WP_UR_ZERO);
}

static void
keep_third (WpStep *step)
{
  step->sources[0] = step->sources[2];
  step->n_sources = 1;
}

static gboolean
prepare_multiply (WpStep *step, gchar **problem)
{
  gboolean is_wide = wp_step_has_text (step, "WIDE"), is_high = wp_step_has_text (step, "HI");

  if (!wp_step_needs (step, 3, problem)
      || !wp_step_allow (step, problem, "U32", "S32", "X", "MOV", "IADD", "SHL", "WIDE", "HI",
                         NULL))
    return FALSE;
  step->is_uniform_p = step->is_uniform;
  if (!is_wide && !is_high)
    {
      if (step->dest_p != WP_P_SINK)
        return wp_step_refuse (step, problem);
      wp_step_fold_integers (step);
      if (wp_step_has_text (step, "MOV") && !step->n_predicates
          && (is_zero_register (&step->sources[0]) || is_zero_register (&step->sources[1])))
        {
          keep_third (step);
          WP_RUN (step, copy);
          try_progressions (step, run_add);
          return TRUE;
        }
      WP_RUN (step, multiply);
      if (!step->n_predicates)
        try_progressions (step, run_multiply_known);
      return TRUE;
    }
  step->mode[0] = (wp_step_has_text (step, "U32") ? 0 : MODE_SIGNED) | (is_high ? MODE_HIGH : 0);
  wp_step_set_words (step, 0, 1);
  wp_step_set_words (step, 1, 1);
  wp_step_set_words (step, 2, 2);
  if (is_high || step->is_uniform || step->n_predicates || step->dest_p != WP_P_SINK
      || step->sources[2].negate || step->sources[2].invert)
    step->run = run_multiply_long;
  else
    {
      step->run = WP_CHOOSE (multiply_wide);
      try_progressions (step, run_multiply_wide_known);
    }
  return TRUE;
}

/* ---- LEA: (a << s) + b ---- */

/* mode[0]: the shift; mode[1]: which source is the high word of a, 0: none; MODE_... in mode[2]. */
WP_INLINE void
lanes_lea (WpWarp *warp, const WpStep *step, guint32 mask)
{
  const WpSource *a = &step->sources[0], *b = &step->sources[1];
  guint32 scratch[3][WP_LANES], moved[WP_LANES], out[WP_LANES], over[WP_LANES];
  const guint32 *low = wp_lanes (warp, a, 0, scratch[0]);
  const guint32 *addend = wp_lanes (warp, b, 0, scratch[1]);
  const guint32 *high = scratch[2];
  guint32 flip_a = a->negate || a->invert ? ~0u : 0, flip_b = b->negate || b->invert ? ~0u : 0;
  guint32 unknown = wp_step_unknown (warp, step);
  guint32 carry = step->n_predicates ? wp_predicate (warp, step->source_p[0]) : 0;
  const guint left = step->mode[0], right = 32 - left;

  if (step->mode[1])
    high = wp_lanes (warp, &step->sources[step->mode[1]], 0, scratch[2]);
  else
    for (guint k = 0; k < WP_LANES; k++)
      scratch[2][k] = step->mode[2] & MODE_SIGNED ? (guint32)((gint32)low[k] >> 31) : 0;
  if (!(step->mode[2] & MODE_HIGH))
    for (guint k = 0; k < WP_LANES; k++)
      moved[k] = low[k] << left;
  else if (left == 0)
    memcpy (moved, high, sizeof moved);
  else
    for (guint k = 0; k < WP_LANES; k++)
      moved[k] = high[k] << left | low[k] >> right;
  for (guint k = 0; k < WP_LANES; k++)
    out[k] = (moved[k] ^ flip_a) + (addend[k] ^ flip_b) + a->negate + b->negate + (carry >> k & 1);
  for (guint k = 0; step->dest_p != WP_P_SINK && k < WP_LANES; k++)
    {
      guint64 sum = (guint64)(moved[k] ^ flip_a) + a->negate + (addend[k] ^ flip_b) + b->negate
                    + (carry >> k & 1);
      over[k] = sum >> 32 ? ~0u : 0;
    }
  wp_put_either (warp, step, out, mask, unknown);
  if (step->dest_p != WP_P_SINK)
    wp_put_either_predicate (warp, step, step->dest_p, wp_pack_signs (over), mask, unknown);
}
WP_BOTH (lea)

WP_INLINE void
lea_low_lanes (const WpStep *step, WpLanes *lanes)
{
  guint shift = step->mode[0];

  for (guint k = 0; k < lanes->n; k++)
    lanes->out[k] = (lanes->in[0][k] << shift) + lanes->in[1][k];
}
WP_LANES_OP (lea_low, 2)

/* What LEA shifts, and with .HI what of it comes to the upper word, if that is the same in all
 * lanes. Signs are applied. */
static gboolean
get_moved (const WpWarp *warp, const WpStep *step, WpProgression *moved)
{
  const WpSource *a = &step->sources[0];
  const guint32 flip = a->negate || a->invert ? ~0u : 0;
  const gboolean is_signed = !step->mode[1] && (step->mode[2] & MODE_SIGNED) != 0;
  const guint shift = 32 - step->mode[0];
  WpProgression low, high = { 0, 0 };
  gint64 first;
  guint64 last;

  if (!wp_source_get_progression (warp, a, 0, &low))
    return FALSE;
  *moved = (WpProgression){ low.first << step->mode[0], low.step << step->mode[0] };
  if (step->mode[2] & MODE_HIGH)
    {
      if ((step->mode[1]
           && !wp_source_get_progression (warp, &step->sources[step->mode[1]], 0, &high))
          || high.step != 0 || !wp_progression_is_straight (low, is_signed, &first))
        return FALSE;
      first += (gint64)((guint64)high.first << 32);
      last = (guint64)first + (WP_LANES - 1) * (guint64)(gint64)(gint32)low.step;
      if ((guint64)first >> shift != last >> shift)
        return FALSE;
      *moved = (WpProgression){ (guint32)((guint64)first >> shift), 0 };
    }
  *moved = (WpProgression){ moved->first ^ flip, (moved->step ^ flip) - flip };
  return TRUE;
}

/* Where both are progressions, so is their sum; a carry into it has to be the same in all lanes,
 * and one that somebody wants to know of, too. */
static gboolean
lea_progressions (WpWarp *warp, const WpStep *step)
{
  const WpSource *b = &step->sources[1];
  const guint32 flip = b->negate || b->invert ? ~0u : 0;
  gint64 first = 0, first_a, first_b;
  WpProgression a, addend;

  if (wp_step_unknown (warp, step) != 0
      || (step->n_predicates && !get_carry (warp, step->source_p[0], &first))
      || !get_moved (warp, step, &a) || !wp_source_get_progression (warp, b, 0, &addend))
    return FALSE;
  addend = (WpProgression){ addend.first ^ flip, (addend.step ^ flip) - flip };
  first += step->sources[0].negate + b->negate;
  if (step->dest_p == WP_P_SINK)
    {
      const guint32 sum = (guint32)first + a.first + addend.first;

      wp_put_progression (warp, step->dest, (WpProgression){ sum, a.step + addend.step },
                          wp_step_tag (warp, step));
      return TRUE;
    }
  if (!wp_progression_is_straight (a, FALSE, &first_a)
      || !wp_progression_is_straight (addend, FALSE, &first_b))
    return FALSE;
  return put_carried (warp, step, first + first_a + first_b,
                      (gint64)(gint32)a.step + (gint32)addend.step);
}

static void
run_lea_known (WpWarp *warp, const WpStep *step, guint32 mask)
{
  if (mask != WP_ALL_LANES || !lea_progressions (warp, step))
    ((WpStepRun)step->data) (warp, step, mask);
}

static gboolean
prepare_lea (WpStep *step, gchar **problem)
{
  guint64 shift;
  gboolean is_high = wp_step_has_text (step, "HI");
  guint last = step->n_sources - 1;

  if (!wp_step_needs (step, 3, problem)
      || !wp_step_allow (step, problem, "HI", "X", "SX32", "LO", NULL))
    return FALSE;
  if (!wp_step_get_value (step, last, &shift))
    return wp_step_refuse (step, problem);
  step->mode[0] = shift & 31;
  step->mode[1] = last == 3 ? 2 : 0;
  step->mode[2] = (is_high ? MODE_HIGH : 0) | (wp_step_has_text (step, "SX32") ? MODE_SIGNED : 0);
  step->is_uniform_p = step->is_uniform;
  step->n_sources = last;
  if (!is_high && !step->n_predicates && step->dest_p == WP_P_SINK && !step->sources[0].invert)
    WP_RUN (step, lea_low); /* -(a << s) is (-a) << s */
  else
    step->run = WP_CHOOSE (lea);
  try_progressions (step, run_lea_known);
  return TRUE;
}

/* ---- Extremes, differences ---- */

WP_INLINE guint32
lesser (guint32 x, guint32 y, gboolean is_signed)
{
  if (is_signed)
    return (gint32)x < (gint32)y ? x : y;
  return x < y ? x : y;
}

WP_INLINE guint32
greater (guint32 x, guint32 y, gboolean is_signed)
{
  if (is_signed)
    return (gint32)x > (gint32)y ? x : y;
  return x > y ? x : y;
}

/* The lesser or the greater of each part of a word; PART is its bits. */
static guint32
choose_parts (guint32 x, guint32 y, guint part, gboolean is_signed, gboolean is_least)
{
  guint32 all = part == 32 ? ~0u : (1u << part) - 1, out = 0;

  for (guint at = 0; at < 32; at += part)
    {
      /* To the top, so that the sign is that of a word. */
      guint32 a = (x >> at & all) << (32 - part), b = (y >> at & all) << (32 - part);
      guint32 one = is_least ? lesser (a, b, is_signed) : greater (a, b, is_signed);
      out |= one >> (32 - part) << at;
    }
  return out;
}

/* .RELU: parts that are negative are 0. */
static guint32
cut_negative (guint32 x, guint part)
{
  return choose_parts (x, 0, part, TRUE, FALSE);
}

/* x + y, or x - y. */
static guint32
add_parts (guint32 x, guint32 y, guint part, gboolean is_negative)
{
  guint32 top = part == 32 ? 0x80000000 : part == 16 ? 0x80008000 : 0x80808080;

  return is_negative ? ((x | top) - (y & ~top)) ^ (~(x ^ y) & top)
                     : ((x & ~top) + (y & ~top)) ^ ((x ^ y) & top);
}

/* The lesser of X and Y; of a number that stands for what is unknown and a known one, which is the
 * last place of a table, as it were, one of those up to there, each as likely as another. */
static guint32
least_of_unknown (guint32 x, guint32 y, gboolean x_unknown, gboolean y_unknown, gboolean is_signed)
{
  const guint32 number = x_unknown ? x : y, last = x_unknown ? y : x;

  return x_unknown == y_unknown || last >= G_MAXINT32 ? lesser (x, y, is_signed)
                                                      : number % (last + 1);
}

/* run_extreme() of 32 bits, after the sum of the first two sources if there is one, where the
 * lesser is taken and numbers stand for what is unknown. */
static void
limit_unknown (const WpWarp *warp, const WpStep *step, const WpInputs *inputs, guint32 *out)
{
  const gboolean is_signed = step->mode[0] & MODE_SIGNED;
  const guint first = step->mode[2] ? 1 : 0;
  guint32 unknown = wp_unknown (warp, &step->sources[0]);

  if (step->mode[2])
    unknown |= wp_unknown (warp, &step->sources[1]);
  memcpy (out, inputs->in[first], WP_LANES * sizeof *out);
  for (guint j = first + 1; j < step->n_sources; j++)
    {
      const guint32 other = wp_unknown (warp, &step->sources[j]);

      for (guint k = 0; k < WP_LANES; k++)
        out[k] = least_of_unknown (out[k], inputs->in[j][k], unknown >> k & 1, other >> k & 1,
                                   is_signed);
      unknown |= other;
    }
}

/* The lesser where the predicate holds. mode[0]: MODE_SIGNED; mode[1]: .RELU, the result is 0 at
 * least; mode[2]: 2: the first two sources are added first (VIADDMNMX), 3: the second is taken
 * away; mode[3]: bits of a part. */
static void
run_extreme (WpWarp *warp, const WpStep *step, guint32 mask)
{
  WpInputs inputs;
  guint32 out[WP_LANES], sum[WP_LANES];
  guint32 is_least = wp_predicate (warp, step->source_p[0]);
  guint first = 0;

  wp_inputs (warp, step, &inputs, step->n_sources);
  if (step->mode[2])
    {
      for (guint k = 0; k < WP_LANES; k++)
        sum[k] = add_parts (inputs.in[0][k], inputs.in[1][k], step->mode[3], step->mode[2] == 3);
      inputs.in[1] = sum;
      first = 1;
    }
  memcpy (out, inputs.in[first], sizeof out);
  for (guint j = first + 1; j < step->n_sources; j++)
    for (guint k = 0; k < WP_LANES; k++)
      out[k] = choose_parts (out[k], inputs.in[j][k], step->mode[3], step->mode[0] & MODE_SIGNED,
                             is_least >> k & 1);
  if (step->source_p[0] == WP_PT && step->mode[3] == 32
      && (wp_step_tag (warp, step) & WP_TAG_STANDS) != 0)
    limit_unknown (warp, step, &inputs, out);
  for (guint k = 0; step->mode[1] && k < WP_LANES; k++)
    out[k] = cut_negative (out[k], step->mode[3]);
  wp_put_either (warp, step, out, mask, wp_step_unknown (warp, step));
}

/* .U16x2, .S16x2 with predicates: whether the low half of the result is that of the first source,
 * and the high half. Where both are one predicate it is the low half's, as compilers have it that
 * need no other. */
static void
run_extreme_halves (WpWarp *warp, const WpStep *step, guint32 mask)
{
  WpInputs inputs;
  guint32 same[2][WP_LANES], is_least = wp_predicate (warp, step->source_p[0]);
  guint32 unknown = wp_step_unknown (warp, step);

  wp_inputs (warp, step, &inputs, 2);
  for (guint k = 0; k < WP_LANES; k++)
    {
      guint32 a = inputs.in[0][k];
      guint32 one
          = choose_parts (a, inputs.in[1][k], 16, step->mode[0] & MODE_SIGNED, is_least >> k & 1);
      same[0][k] = (one ^ a) << 16 == 0 ? ~0u : 0;
      same[1][k] = (one ^ a) >> 16 == 0 ? ~0u : 0;
    }
  run_extreme (warp, step, mask);
  wp_put_either_predicate (warp, step, step->dest_p2, wp_pack_signs (same[1]), mask, unknown);
  wp_put_either_predicate (warp, step, step->dest_p, wp_pack_signs (same[0]), mask, unknown);
}

static gboolean
has_halves (const WpStep *step)
{
  return step->instr->op == WP_SASS_VIMNMX && step->n_sources == 2 && step->mode[1] == 0
         && step->mode[3] == 16;
}

/* IMNMX.S64, .U64 */
static void
run_extreme_wide (WpWarp *warp, const WpStep *step, guint32 mask)
{
  guint64 a[WP_LANES], b[WP_LANES], flip = step->mode[0] ? (guint64)1 << 63 : 0;
  guint32 words[2][WP_LANES], is_least = wp_predicate (warp, step->source_p[0]);

  wp_lanes_wide (warp, &step->sources[0], a);
  wp_lanes_wide (warp, &step->sources[1], b);
  for (guint k = 0; k < WP_LANES; k++)
    {
      gboolean less = (a[k] ^ flip) < (b[k] ^ flip);
      guint64 one = less == (gboolean)(is_least >> k & 1) ? a[k] : b[k];
      words[0][k] = (guint32)one;
      words[1][k] = one >> 32;
    }
  wp_put_either_wide (warp, step, words, mask, wp_step_unknown (warp, step),
                      wp_step_tag (warp, step));
}

static gboolean
prepare_extreme_wide (WpStep *step, gchar **problem)
{
  if (step->n_sources != 2 || step->dest_p != WP_P_SINK || step->dest_p2 != WP_P_SINK
      || (step->n_predicates > 1 && (step->source_p[1] & ~WP_P_UNIFORM) != (WP_PT | WP_P_NOT))
      || step->sources[0].negate || step->sources[1].negate)
    return wp_step_refuse (step, problem);
  step->mode[0] = wp_step_has_text (step, "S64");
  wp_step_set_words (step, 0, 2);
  wp_step_set_words (step, 1, 2);
  step->n_predicates = 1;
  step->n_dest = 2;
  step->run = run_extreme_wide;
  return TRUE;
}

WP_INLINE void
least_lanes (const WpStep *step, WpLanes *lanes)
{
  gboolean is_signed = step->mode[0] & MODE_SIGNED;

  for (guint k = 0; k < lanes->n; k++)
    lanes->out[k] = lesser (lanes->in[0][k], lanes->in[1][k], is_signed);
}
WP_LANES_OP (least, 2)

static void
run_least_of_any (WpWarp *warp, const WpStep *step, guint32 mask)
{
  if (G_UNLIKELY ((wp_step_tag (warp, step) & WP_TAG_STANDS) != 0))
    run_extreme (warp, step, mask);
  else if (wp_host_is_wide ())
    wide_least (warp, step, mask);
  else
    run_least (warp, step, mask);
}

WP_INLINE void
most_lanes (const WpStep *step, WpLanes *lanes)
{
  gboolean is_signed = step->mode[0] & MODE_SIGNED;

  for (guint k = 0; k < lanes->n; k++)
    lanes->out[k] = greater (lanes->in[0][k], lanes->in[1][k], is_signed);
}
WP_LANES_OP (most, 2)

static gboolean
prepare_extreme (WpStep *step, gchar **problem)
{
  gboolean is_unsigned = wp_step_has_text (step, "U32") || wp_step_has_text (step, "U16x2")
                         || wp_step_has_text (step, "U8x4");

  if (!wp_step_needs (step, 2, problem)
      || !wp_step_allow (step, problem, "U32", "S32", "U64", "S64", "U16x2", "S16x2", "U8x4",
                         "S8x4", "RELU", NULL))
    return FALSE;
  if (wp_step_has_text (step, "U64") || wp_step_has_text (step, "S64"))
    return prepare_extreme_wide (step, problem);
  if (step->n_sources > 4 || step->n_predicates != 1)
    return wp_step_refuse (step, problem);
  step->mode[0] = is_unsigned ? 0 : MODE_SIGNED;
  step->mode[1] = wp_step_has_text (step, "RELU");
  step->mode[2] = step->instr->op == WP_SASS_VIADDMNMX ? 2 : 0;
  step->mode[3] = find_parts (step) == 0x80808080 ? 8 : find_parts (step) ? 16 : 32;
  step->run = run_extreme;
  if (step->mode[2] && step->sources[1].negate)
    {
      step->mode[2] = 3;
      step->sources[1].negate = FALSE;
    }
  for (guint k = 0; step->mode[3] < 32 && k < step->n_sources; k++)
    if (step->sources[k].negate)
      return wp_step_refuse (step, problem);
  wp_step_fold_integers (step);
  if (step->dest_p != WP_P_SINK || step->dest_p2 != WP_P_SINK)
    {
      step->run = run_extreme_halves;
      return has_halves (step) || wp_step_refuse (step, problem);
    }
  if (step->n_sources == 2 && !step->mode[1] && !step->mode[2] && step->mode[3] == 32)
    {
      if (step->source_p[0] == WP_PT)
        step->run = step->is_uniform ? run_uniform_least : run_least_of_any;
      else if (step->source_p[0] == (WP_PT | WP_P_NOT))
        WP_RUN (step, most);
    }
  return TRUE;
}

WP_INLINE void
absolute_lanes (G_GNUC_UNUSED const WpStep *step, WpLanes *lanes)
{
  for (guint k = 0; k < lanes->n; k++)
    lanes->out[k] = (gint32)lanes->in[0][k] < 0 ? -lanes->in[0][k] : lanes->in[0][k];
}
WP_LANES_OP (absolute, 1)

static gboolean
prepare_absolute (WpStep *step, gchar **problem)
{
  if (!wp_step_needs (step, 1, problem) || !wp_step_allow (step, problem, NULL))
    return FALSE;
  WP_RUN (step, absolute);
  return TRUE;
}

/* |a - b| + c */
WP_INLINE void
difference_lanes (const WpStep *step, WpLanes *lanes)
{
  gboolean is_signed = step->mode[0] & MODE_SIGNED;

  for (guint k = 0; k < lanes->n; k++)
    {
      guint32 a = lanes->in[0][k], b = lanes->in[1][k];
      lanes->out[k] = greater (a, b, is_signed) - lesser (a, b, is_signed) + lanes->in[2][k];
    }
}
WP_LANES_OP (difference, 3)

static gint32
byte_of (guint32 word, guint byte, gboolean is_signed)
{
  guint32 value = word >> (8 * byte) & 0xff;

  return is_signed ? (gint8)value : (gint32)value;
}

/* VABSDIFF4: for each byte; with .ACC their sum and c, else c is not read. */
WP_INLINE void
difference4_lanes (const WpStep *step, WpLanes *lanes)
{
  gboolean is_signed = step->mode[0] & MODE_SIGNED;

  for (guint k = 0; k < lanes->n; k++)
    {
      guint32 bytes = 0, sum = lanes->in[2][k];
      for (guint j = 0; j < 4; j++)
        {
          gint32 d
              = byte_of (lanes->in[0][k], j, is_signed) - byte_of (lanes->in[1][k], j, is_signed);
          guint32 size = d < 0 ? -d : d;
          bytes |= (size & 0xff) << (8 * j);
          sum += size;
        }
      lanes->out[k] = step->mode[1] ? sum : bytes;
    }
}
WP_LANES_OP (difference4, 3)

static gboolean
prepare_difference (WpStep *step, gchar **problem)
{
  if (!wp_step_needs (step, 3, problem)
      || !wp_step_allow (step, problem, "U32", "S32", "U8", "S8", "ACC", NULL))
    return FALSE;
  step->mode[0] = wp_step_has_text (step, "U32") || wp_step_has_text (step, "U8") ? 0 : MODE_SIGNED;
  step->mode[1] = wp_step_has_text (step, "ACC");
  if (step->instr->op == WP_SASS_VABSDIFF)
    WP_RUN (step, difference);
  else
    WP_RUN (step, difference4);
  return TRUE;
}

/* ---- IDP: products of bytes, summed ---- */

enum
{
  MODE_A_SIGNED = 1,
  MODE_B_SIGNED = 2,
  MODE_TWO = 4, /* two halves of a by two bytes of b */
  MODE_B_HIGH = 8
};

WP_INLINE void
dot_lanes (const WpStep *step, WpLanes *lanes)
{
  guint mode = step->mode[0];

  for (guint k = 0; k < lanes->n; k++)
    {
      guint32 a = lanes->in[0][k], b = lanes->in[1][k], sum = lanes->in[2][k];
      if (mode & MODE_TWO)
        for (guint j = 0; j < 2; j++)
          {
            guint32 half = a >> (16 * j) & 0xffff;
            gint32 x = mode & MODE_A_SIGNED ? (gint16)half : (gint32)half;
            sum += x * byte_of (b, j + (mode & MODE_B_HIGH ? 2 : 0), mode & MODE_B_SIGNED);
          }
      else
        for (guint j = 0; j < 4; j++)
          sum += byte_of (a, j, mode & MODE_A_SIGNED) * byte_of (b, j, mode & MODE_B_SIGNED);
      lanes->out[k] = sum;
    }
}
WP_LANES_OP (dot, 3)

/* The words are 4A or 2A, LO or HI, then the types of a and of b. */
static gboolean
prepare_dot (WpStep *step, gchar **problem)
{
  guint n_types = 0;

  if (!wp_step_needs (step, 3, problem)
      || !wp_step_allow (step, problem, "4A", "2A", "LO", "HI", "U8", "S8", "U16", "S16", NULL))
    return FALSE;
  for (guint k = 0; k < step->instr->n_words; k++)
    {
      const gchar *word = wp_sass_word_text (step->instr->words[k]);
      if (word[0] == 'S')
        step->mode[0] |= n_types ? MODE_B_SIGNED : MODE_A_SIGNED;
      n_types += word[0] == 'S' || word[0] == 'U';
      if (g_str_equal (word, "HI"))
        step->mode[0] |= MODE_B_HIGH;
      if (g_str_equal (word, "2A"))
        step->mode[0] |= MODE_TWO;
    }
  WP_RUN (step, dot);
  return n_types == 2 || wp_step_refuse (step, problem);
}

const WpOpRule wp_rules_integer[] = {
  { WP_SASS_IADD, prepare_add },
  { WP_SASS_IADD3, prepare_add },
  { WP_SASS_IADD32I, prepare_add },
  { WP_SASS_VIADD, prepare_add },
  { WP_SASS_UIADD3, prepare_add },
  { WP_SASS_UVIADD, prepare_add },
  { WP_SASS_IMAD, prepare_multiply },
  { WP_SASS_UIMAD, prepare_multiply },
  { WP_SASS_LEA, prepare_lea },
  { WP_SASS_ULEA, prepare_lea },
  { WP_SASS_IMNMX, prepare_extreme },
  { WP_SASS_UIMNMX, prepare_extreme },
  { WP_SASS_VIMNMX, prepare_extreme },
  { WP_SASS_UVIMNMX, prepare_extreme },
  { WP_SASS_VIADDMNMX, prepare_extreme },
  { WP_SASS_VIMNMX3, prepare_extreme },
  { WP_SASS_IMNMX3, prepare_extreme },
  { WP_SASS_IABS, prepare_absolute },
  { WP_SASS_UIABS, prepare_absolute },
  { WP_SASS_VABSDIFF, prepare_difference },
  { WP_SASS_VABSDIFF4, prepare_difference },
  { WP_SASS_IDP, prepare_dot },
  { WP_SASS_NO_OP, NULL },
};
