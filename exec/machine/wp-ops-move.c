/* SPDX-License-Identifier: MIT */
/* Comparisons, selections and moves: between registers, predicates and the uniform datapath. */
#include "exec/machine/wp-lanes.h"
#include "exec/machine/wp-progression.h"
#include "exec/machine/wp-stand-in.h"

#include <string.h>

/* ---- ISETP ---- */

typedef enum
{
  COMPARE_F,
  COMPARE_LT,
  COMPARE_EQ,
  COMPARE_LE,
  COMPARE_GT,
  COMPARE_NE,
  COMPARE_GE,
  COMPARE_T
} Comparison;

static const gchar *const comparisons[] = { "F", "LT", "EQ", "LE", "GT", "NE", "GE", "T" };
static const gchar *const connectives[] = { "AND", "OR", "XOR" };

#define LOOP(type, operator)                                                                       \
  for (guint k = 0; k < WP_LANES; k++)                                                             \
    is[k] = (type)a[k] operator(type) b[k] ? ~0u : 0;                                              \
  break

static guint32
compare_signed (guint comparison, const guint32 *a, const guint32 *b)
{
  guint32 is[WP_LANES];

  switch (comparison)
    {
    case COMPARE_LT:
      LOOP (gint32, <);
    case COMPARE_EQ:
      LOOP (gint32, ==);
    case COMPARE_LE:
      LOOP (gint32, <=);
    case COMPARE_GT:
      LOOP (gint32, >);
    case COMPARE_NE:
      LOOP (gint32, !=);
    case COMPARE_GE:
      LOOP (gint32, >=);
    default:
      return comparison == COMPARE_T ? ~0u : 0;
    }
  return wp_pack_signs (is);
}

static guint32
compare_unsigned (guint comparison, const guint32 *a, const guint32 *b)
{
  guint32 is[WP_LANES];

  switch (comparison)
    {
    case COMPARE_LT:
      LOOP (guint32, <);
    case COMPARE_LE:
      LOOP (guint32, <=);
    case COMPARE_GT:
      LOOP (guint32, >);
    case COMPARE_GE:
      LOOP (guint32, >=);
    default:
      return compare_signed (comparison, a, b);
    }
  return wp_pack_signs (is);
}

/* BITS joined with what a predicate holds, by mode[2]: 0: and, 1: or, 2: xor; UNKNOWN likewise. */
static guint32
connect (guint how, guint32 bits, guint32 p, guint32 *unknown, guint32 p_unknown)
{
  guint32 either = *unknown | p_unknown;

  switch (how)
    {
    case 0:
      *unknown = either & (*unknown | bits) & (p_unknown | p);
      return bits & p;
    case 1:
      *unknown = either & (*unknown | ~bits) & (p_unknown | ~p);
      return bits | p;
    default:
      *unknown = either;
      return bits ^ p;
    }
}

static guint32
compare_wide (const WpWarp *warp, const WpStep *step)
{
  guint64 a[WP_LANES], b[WP_LANES], flip = step->mode[1] ? 0 : (guint64)1 << 63;
  guint32 less = 0, equal = 0;

  wp_lanes_wide (warp, &step->sources[0], a);
  wp_lanes_wide (warp, &step->sources[1], b);
  for (guint k = 0; k < WP_LANES; k++)
    {
      less |= (guint32)((a[k] ^ flip) < (b[k] ^ flip)) << k;
      equal |= (guint32)(a[k] == b[k]) << k;
    }
  switch (step->mode[0])
    {
    case COMPARE_LT:
      return less;
    case COMPARE_EQ:
      return equal;
    case COMPARE_LE:
      return less | equal;
    case COMPARE_GT:
      return ~(less | equal);
    case COMPARE_NE:
      return ~equal;
    case COMPARE_GE:
      return ~less;
    default:
      return step->mode[0] == COMPARE_T ? ~0u : 0;
    }
}

/* The result of STEP's comparison, joined with its first predicate. */
static void
put_comparison (WpWarp *warp, const WpStep *step, guint32 bits, guint32 mask, guint32 unknown)
{
  if (G_UNLIKELY (unknown != 0) && step->mode[0] != COMPARE_EQ && step->mode[0] != COMPARE_NE)
    bits = wp_stand_in_compare (warp, step, bits, unknown);

  guint32 p = wp_predicate (warp, step->source_p[0]);
  guint32 p_unknown = wp_predicate_unknown (warp, step->source_p[0]);
  guint32 second_unknown = unknown;
  guint32 first = connect (step->mode[2], bits, p, &unknown, p_unknown);

  wp_put_either_predicate (warp, step, step->dest_p, first, mask, unknown);
  if (step->dest_p2 != WP_P_SINK)
    {
      guint32 second = connect (step->mode[2], ~bits, p, &second_unknown, p_unknown);
      wp_put_either_predicate (warp, step, step->dest_p2, second, mask, second_unknown);
    }
}

static void
run_compare_wide (WpWarp *warp, const WpStep *step, guint32 mask)
{
  put_comparison (warp, step, compare_wide (warp, step), mask,
                  wp_unknown (warp, &step->sources[0]) | wp_unknown (warp, &step->sources[1]));
}

/* Compares all lanes by how far apart FIRST and LAST, the lowest and the highest lane's, are: what
 * is between them is, too. BITS receives all lanes or none. FALSE: they differ. */
static gboolean
compare_ends (guint comparison, gint64 first, gint64 last, guint32 *bits)
{
  const gboolean is_above = first > 0 && last > 0, is_below = first < 0 && last < 0;
  const gboolean is_zero = first == 0 && last == 0;

  switch (comparison)
    {
    case COMPARE_LT:
    case COMPARE_GE:
      *bits = is_below == (comparison == COMPARE_LT) ? ~0u : 0;
      return is_below || (first >= 0 && last >= 0);
    case COMPARE_GT:
    case COMPARE_LE:
      *bits = is_above == (comparison == COMPARE_GT) ? ~0u : 0;
      return is_above || (first <= 0 && last <= 0);
    case COMPARE_EQ:
    case COMPARE_NE:
      *bits = is_zero == (comparison == COMPARE_EQ) ? ~0u : 0;
      return is_above || is_below || is_zero;
    default:
      return FALSE;
    }
}

/* compare_signed() or compare_unsigned() of progressions. */
static gboolean
compare_progressions (const WpWarp *warp, const WpStep *step, guint32 *bits)
{
  WpProgression a, b;
  gint64 first_a, first_b, first;

  if (!wp_source_get_integers (warp, &step->sources[0], &a)
      || !wp_source_get_integers (warp, &step->sources[1], &b)
      || !wp_progression_is_straight (a, !step->mode[1], &first_a)
      || !wp_progression_is_straight (b, !step->mode[1], &first_b))
    return FALSE;
  first = first_a - first_b;
  return compare_ends (step->mode[0], first,
                       first + (WP_LANES - 1) * ((gint64)(gint32)a.step - (gint32)b.step), bits);
}

/* mode[0]: Comparison; mode[1]: unsigned; mode[3]: .EX, the high words of numbers whose low words
 * were compared with the result in the second predicate: it counts where the high words are equal.
 */
static void
run_compare (WpWarp *warp, const WpStep *step, guint32 mask)
{
  WpInputs inputs;
  guint32 bits;

  if (!step->mode[3] && compare_progressions (warp, step, &bits))
    {
      put_comparison (warp, step, bits, mask,
                      wp_unknown_word (warp, &step->sources[0], 0)
                          | wp_unknown_word (warp, &step->sources[1], 0));
      return;
    }
  wp_inputs (warp, step, &inputs, 2);
  const guint32 *a = inputs.in[0], *b = inputs.in[1];
  bits = (step->mode[1] ? compare_unsigned : compare_signed) (step->mode[0], a, b);
  guint32 unknown
      = wp_unknown_word (warp, &step->sources[0], 0) | wp_unknown_word (warp, &step->sources[1], 0);
  if (step->mode[3])
    {
      guint32 low = wp_predicate (warp, step->source_p[1]);
      guint32 equal = compare_signed (COMPARE_EQ, a, b);
      bits = (bits & ~equal) | (low & equal);
      unknown |= wp_predicate_unknown (warp, step->source_p[1]) & equal;
    }
  put_comparison (warp, step, bits, mask, unknown);
}

static guint
find_word (const WpStep *step, const gchar *const *words, guint n)
{
  for (guint k = 0; k < n; k++)
    if (wp_step_has_text (step, words[k]))
      return k;
  return n;
}

static gboolean
prepare_compare (WpStep *step, gchar **problem)
{
  gboolean is_wide = wp_step_has_text (step, "U64") || wp_step_has_text (step, "S64");

  if (!wp_step_needs (step, 2, problem)
      || !wp_step_allow (step, problem, "F", "LT", "EQ", "LE", "GT", "NE", "GE", "T", "AND", "OR",
                         "XOR", "U32", "S32", "U64", "S64", "EX", NULL))
    return FALSE;
  step->mode[0] = find_word (step, comparisons, G_N_ELEMENTS (comparisons));
  step->mode[1] = wp_step_has_text (step, "U32") || wp_step_has_text (step, "U64");
  step->mode[2] = find_word (step, connectives, G_N_ELEMENTS (connectives));
  step->mode[3] = wp_step_has_text (step, "EX");
  if (step->mode[0] == G_N_ELEMENTS (comparisons) || step->mode[2] == G_N_ELEMENTS (connectives)
      || step->n_predicates < 1 + step->mode[3])
    return wp_step_refuse (step, problem);
  step->is_uniform_p = step->instr->op == WP_SASS_UISETP;
  step->run = run_compare;
  if (!is_wide)
    {
      wp_step_fold_integers (step);
      return TRUE;
    }
  step->run = run_compare_wide;
  wp_step_set_words (step, 0, 2);
  wp_step_set_words (step, 1, 2);
  return (!step->mode[3] && !step->sources[0].negate && !step->sources[1].negate)
         || wp_step_refuse (step, problem);
}

/* ---- MOV, SEL ---- */

WP_INLINE void
copy_lanes (G_GNUC_UNUSED const WpStep *step, WpLanes *lanes)
{
  for (guint k = 0; k < lanes->n; k++)
    lanes->out[k] = lanes->in[0][k];
}
WP_LANES_OP (copy, 1)

/* Straight from the source: no scratch where it is a row. */
static void
run_move (WpWarp *warp, const WpStep *step, guint32 mask)
{
  guint32 scratch[WP_LANES];

  wp_put (warp, step->dest, wp_lanes (warp, &step->sources[0], 0, scratch), mask,
          wp_unknown_word (warp, &step->sources[0], 0), wp_tag (warp, &step->sources[0]));
  if (mask == WP_ALL_LANES)
    warp->r_shape[step->dest] = step->sources[0].from == WP_FROM_REGISTER
                                    ? warp->r_shape[step->sources[0].first]
                                    : (WpRowShape){ WP_SHAPE_UNIFORM, WP_ALL_LANES };
}

static void
run_move_wide (WpWarp *warp, const WpStep *step, guint32 mask)
{
  const WpSource *source = &step->sources[0];
  guint32 scratch[2][WP_LANES];

  for (guint word = 0; word < 2; word++)
    {
      guint32 unknown = wp_unknown_word (warp, source, word);
      if (step->is_uniform)
        wp_put_uniform (warp, step->dest + word, wp_scalar (warp, source, word), unknown & 1,
                        wp_tag (warp, source));
      else
        memcpy (scratch[word], wp_lanes (warp, source, word, scratch[word]), sizeof scratch[word]);
    }
  if (!step->is_uniform)
    for (guint word = 0; word < 2; word++)
      wp_put (warp, step->dest + word, scratch[word], mask, wp_unknown_word (warp, source, word),
              wp_tag (warp, source));
}

static gboolean
prepare_move (WpStep *step, gchar **problem)
{
  guint64 lanes = 0xf;

  if (!wp_step_needs (step, 1, problem)
      || !wp_step_allow (step, problem, "64", "U32", "SPILL", NULL))
    return FALSE;
  if (step->n_sources > 1 && (!wp_step_get_value (step, 1, &lanes) || lanes != 0xf))
    return wp_step_refuse (step, problem);
  step->n_sources = 1;
  wp_step_fold_integers (step);
  if (wp_step_has_text (step, "64"))
    {
      wp_step_set_words (step, 0, 2);
      step->run = run_move_wide;
    }
  else if (step->is_uniform || step->sources[0].negate || step->sources[0].invert)
    WP_RUN (step, copy);
  else
    step->run = run_move;
  return TRUE;
}

/* An unknown predicate leaves known what both sides agree on. */
static void
run_select (WpWarp *warp, const WpStep *step, guint32 mask)
{
  WpInputs inputs;
  guint32 out[WP_LANES], p = wp_predicate (warp, step->source_p[0]);
  guint32 p_unknown = wp_predicate_unknown (warp, step->source_p[0]);

  wp_inputs (warp, step, &inputs, 2);
  guint32 a = wp_unknown_word (warp, &step->sources[0], 0);
  guint32 b = wp_unknown_word (warp, &step->sources[1], 0);
  /* Nobody knows which one: the one that is unknown stands for more cases than the other. */
  p = (p & ~(p_unknown & (a ^ b))) | (p_unknown & a & ~b);
  guint32 unknown = (p & a) | (~p & b);
  for (guint k = 0; k < WP_LANES; k++)
    {
      guint32 take = -(p >> k & 1);
      out[k] = (inputs.in[0][k] & take) | (inputs.in[1][k] & ~take);
    }
  if (p_unknown)
    unknown |= p_unknown & (a | b | ~compare_signed (COMPARE_EQ, inputs.in[0], inputs.in[1]));
  wp_put_either (warp, step, out, mask, unknown);
}

static void
run_select_wide (WpWarp *warp, const WpStep *step, guint32 mask)
{
  guint32 p = wp_predicate (warp, step->source_p[0]), scratch[2][WP_LANES], out[2][WP_LANES];
  guint32 unknown = wp_step_unknown (warp, step);

  for (guint word = 0; word < 2; word++)
    {
      const guint32 *a = wp_lanes (warp, &step->sources[0], word, scratch[0]);
      const guint32 *b = wp_lanes (warp, &step->sources[1], word, scratch[1]);
      for (guint k = 0; k < WP_LANES; k++)
        out[word][k] = p >> k & 1 ? a[k] : b[k];
    }
  for (guint word = 0; word < 2; word++)
    if (step->is_uniform)
      wp_put_uniform (warp, step->dest + word, out[word][0], unknown & 1, wp_step_tag (warp, step));
    else
      wp_put (warp, step->dest + word, out[word], mask, unknown, wp_step_tag (warp, step));
}

static gboolean
prepare_select (WpStep *step, gchar **problem)
{
  if (!wp_step_needs (step, 2, problem) || !wp_step_allow (step, problem, "64", NULL))
    return FALSE;
  if (step->n_predicates != 1)
    return wp_step_refuse (step, problem);
  step->run = run_select;
  if (wp_step_has_text (step, "64"))
    {
      wp_step_set_words (step, 0, 2);
      wp_step_set_words (step, 1, 2);
      step->run = run_select_wide;
    }
  else
    wp_step_fold_integers (step);
  return TRUE;
}

/* ---- Predicates as bits of a register ---- */

/* mode[0]: which predicates; mode[1]: the bit that P0 has in the register. */
static gboolean
fill_predicate_bits (WpStep *step, guint which, gchar **problem)
{
  static const gchar *const bytes[] = { "B0", "B1", "B2", "B3" };
  guint64 mask;

  if (!wp_step_needs (step, 2, problem) || !wp_step_get_value (step, 1, &mask))
    return wp_step_refuse (step, problem);
  step->n_sources = 1;
  step->mode[0] = mask & 0x7f;
  for (guint k = 0; k < G_N_ELEMENTS (bytes); k++)
    if (wp_step_has_text (step, bytes[k])
        || (step->sources[which].words[0]
            && g_str_equal (wp_sass_word_text (step->sources[which].words[0]), bytes[k])))
      step->mode[1] = 8 * k;
  return TRUE;
}

static void
run_from_predicates (WpWarp *warp, const WpStep *step, guint32 mask)
{
  guint32 out[WP_LANES], scratch[WP_LANES];
  guint32 unknown = wp_step_unknown (warp, step), which = step->mode[0];
  const guint32 *keep = wp_lanes (warp, &step->sources[0], 0, scratch);
  WpTag tag = wp_step_tag (warp, step);

  for (guint k = 0; k < WP_LANES; k++)
    out[k] = keep[k] & ~(which << step->mode[1]);
  for (guint j = 0; j < 7; j++)
    {
      guint code = j | (step->is_uniform ? WP_P_UNIFORM : 0);
      guint32 bits = wp_predicate (warp, code);
      if (!(which >> j & 1))
        continue;
      for (guint k = 0; k < WP_LANES; k++)
        out[k] |= (bits >> k & 1) << (step->mode[1] + j);
      unknown |= wp_predicate_unknown (warp, code);
      tag = wp_tag_join (tag, step->is_uniform ? warp->up_tag[j] : warp->p_tag[j]);
    }
  if (step->is_uniform)
    wp_put_uniform (warp, step->dest, out[0], unknown & 1, tag);
  else
    wp_put (warp, step->dest, out, mask, unknown, tag);
}

static gboolean
prepare_from_predicates (WpStep *step, gchar **problem)
{
  step->run = run_from_predicates;
  return fill_predicate_bits (step, 0, problem);
}

static void
run_to_predicates (WpWarp *warp, const WpStep *step, guint32 mask)
{
  guint32 scratch[WP_LANES], unknown = wp_step_unknown (warp, step);
  const guint32 *from = wp_lanes (warp, &step->sources[0], 0, scratch);

  for (guint j = 0; j < 7; j++)
    {
      guint32 bits = 0;
      if (!(step->mode[0] >> j & 1))
        continue;
      for (guint k = 0; k < WP_LANES; k++)
        bits |= (from[k] >> (step->mode[1] + j) & 1) << k;
      wp_put_either_predicate (warp, step, j, bits, mask, unknown);
    }
}

static gboolean
prepare_to_predicates (WpStep *step, gchar **problem)
{
  step->run = run_to_predicates;
  step->is_uniform_p = step->instr->op == WP_SASS_UR2UP;
  return fill_predicate_bits (step, 0, problem);
}

/* ---- To the uniform datapath ---- */

/* R2UR takes the value of the first lane that executes; its predicate says in which lanes the value
 * is another one (as it has to be for what compilers do with it: @!P0 BRA.CONV). R2UR.OR takes the
 * second word of a pair, and adds those lanes to the ones that the predicate has: what follows is
 * for lanes that have it in neither word, and the rest go round again. R2UR.BROADCAST is for one
 * lane, which an ELECT before it has chosen. */
static void
run_to_uniform (WpWarp *warp, const WpStep *step, guint32 mask)
{
  guint lane = __builtin_ctz (mask);
  guint32 scratch[WP_LANES];

  const guint32 *lanes = wp_lanes (warp, &step->sources[0], 0, scratch);
  guint32 unknown = wp_unknown_word (warp, &step->sources[0], 0), other = 0;
  WpTag tag = wp_tag (warp, &step->sources[0]);

  for (guint k = 0; k < WP_LANES; k++)
    other |= (guint32)(lanes[k] != lanes[lane]) << k;
  wp_put_uniform (warp, step->dest, lanes[lane], unknown >> lane & 1, tag);
  unknown = unknown & mask ? ~0u : 0;
  if (step->mode[0])
    {
      unknown |= warp->p_unknown[step->dest_p];
      other |= warp->p[step->dest_p];
      tag = wp_tag_join (tag, warp->p_tag[step->dest_p]);
    }
  wp_put_predicate (warp, step->dest_p, other, mask, unknown, tag);
}

static gboolean
prepare_to_uniform (WpStep *step, gchar **problem)
{
  step->run = run_to_uniform;
  step->mode[0] = wp_step_has (step, WP_WORD_OR);
  return wp_step_needs (step, 1, problem)
         && wp_step_allow (step, problem, "OR", "BROADCAST", "FILL", NULL)
         && ((step->is_uniform && !step->is_uniform_p && step->dest_p2 == WP_P_SINK)
             || wp_step_refuse (step, problem));
}

/* ---- Rpc ---- */

/* RPCMOV: a register is put aside in a word of the return address of a trap, or is back. */
static void
run_to_rpc (WpWarp *warp, const WpStep *step, guint32 mask)
{
  const WpSource *source = &step->sources[0];
  const guint word = step->mode[0];
  guint32 scratch[WP_LANES];

  wp_blend (warp->rpc[word], wp_lanes (warp, source, 0, scratch), mask);
  warp->rpc_unknown[word]
      = (warp->rpc_unknown[word] & ~mask) | (wp_unknown_word (warp, source, 0) & mask);
  warp->rpc_tag[word] = mask == WP_ALL_LANES
                            ? wp_tag (warp, source)
                            : wp_tag_join (wp_tag (warp, source), warp->rpc_tag[word]);
}

static void
run_from_rpc (WpWarp *warp, const WpStep *step, guint32 mask)
{
  const guint word = step->mode[0];

  wp_put (warp, step->dest, warp->rpc[word], mask, warp->rpc_unknown[word], warp->rpc_tag[word]);
}

/* mode[0]: the word, 1: the upper one. */
static gboolean
prepare_rpc (WpStep *step, gchar **problem)
{
  for (guint k = 0; k < step->instr->n_operands; k++)
    {
      const WpSassOperand *operand = &step->instr->operands[k];

      if (operand->kind != WP_SASS_RPC)
        continue;
      step->mode[0] = operand->words[0] == WP_WORD_HI;
      step->run = operand->is_dest ? run_to_rpc : run_from_rpc;
    }
  if (step->run == NULL)
    return wp_step_refuse (step, problem);
  return step->run == run_from_rpc || wp_step_needs (step, 1, problem);
}

const WpOpRule wp_rules_move[] = {
  { WP_SASS_ISETP, prepare_compare },
  { WP_SASS_UISETP, prepare_compare },
  { WP_SASS_MOV, prepare_move },
  { WP_SASS_UMOV, prepare_move },
  { WP_SASS_SEL, prepare_select },
  { WP_SASS_USEL, prepare_select },
  { WP_SASS_P2R, prepare_from_predicates },
  { WP_SASS_UP2UR, prepare_from_predicates },
  { WP_SASS_R2P, prepare_to_predicates },
  { WP_SASS_UR2UP, prepare_to_predicates },
  { WP_SASS_R2UR, prepare_to_uniform },
  { WP_SASS_RPCMOV, prepare_rpc },
  { WP_SASS_NO_OP, NULL },
};
