/* SPDX-License-Identifier: MIT */
/* Bits: logic by truth tables, shifts, permutations of bytes, counts. What is unknown is found by
 * trying: a bit that comes out the same whatever the unknown inputs are is known. */
#include "exec/machine/wp-lanes.h"

#include <string.h>

/* ---- LOP3 ---- */

/* Bit i of TABLE is the result where the bits of a, b, c are those of i, a the highest. */
WP_INLINE guint32
look_up (guint32 a, guint32 b, guint32 c, guint32 table)
{
  guint32 by_c[4], by_b[2];

  for (guint k = 0; k < 4; k++)
    {
      guint32 zero = -(table >> (2 * k) & 1), one = -(table >> (2 * k + 1) & 1);
      by_c[k] = zero ^ (c & (zero ^ one));
    }
  for (guint k = 0; k < 2; k++)
    by_b[k] = by_c[2 * k] ^ (b & (by_c[2 * k] ^ by_c[2 * k + 1]));
  return by_b[0] ^ (a & (by_b[0] ^ by_b[1]));
}

/* The table of what depends on those inputs that are in WHICH, a the highest of its three bits. */
static guint32
find_dependence (guint32 table, guint which)
{
  guint32 any = table, all = table;

  if (which & 4)
    {
      any |= any >> 4 | any << 4;
      all &= all >> 4 | all << 4;
    }
  if (which & 2)
    {
      any |= (any >> 2 & 0x33) | (any & 0x33) << 2;
      all &= (all >> 2 & 0x33) | (all & 0x33) << 2;
    }
  if (which & 1)
    {
      any |= (any >> 1 & 0x55) | (any & 0x55) << 1;
      all &= (all >> 1 & 0x55) | (all & 0x55) << 1;
    }
  return any & ~all & 0xff;
}

/* The commonest tables, as expressions that cost little. */
#define LOOP(expression)                                                                           \
  for (guint k = 0; k < n; k++)                                                                    \
    {                                                                                              \
      G_GNUC_UNUSED guint32 x = a[k], y = b[k], z = c[k];                                          \
      out[k] = (expression);                                                                       \
    }                                                                                              \
  break

WP_INLINE void
logic_lanes (guint32 table, const guint32 *a, const guint32 *b, const guint32 *c, guint32 *out,
             guint n)
{
  switch (table)
    {
    case 0xc0:
      LOOP (x & y);
    case 0xfc:
      LOOP (x | y);
    case 0x3c:
      LOOP (x ^ y);
    case 0x30:
      LOOP (x & ~y);
    case 0x33:
      LOOP (~y);
    case 0x96:
      LOOP (x ^ y ^ z);
    case 0xf8:
      LOOP (x | (y & z));
    case 0xfe:
      LOOP (x | y | z);
    case 0x78:
      LOOP (x ^ (y & z));
    case 0xe2:
      LOOP ((x & y) | (z & ~y));
    default:
      LOOP (look_up (x, y, z, table));
    }
}

/* The lanes in which a bit of the result depends on an unknown one. Lanes in which the same inputs
 * are unknown are looked at together. */
WP_INLINE guint32
logic_unknown (const WpWarp *warp, const WpStep *step, const guint32 *const *in)
{
  guint32 unknown[3], any = 0, result = 0;

  for (guint j = 0; j < 3; j++)
    any |= unknown[j] = wp_unknown_word (warp, &step->sources[j], 0);
  for (guint which = 1; any != 0 && which < 8; which++)
    {
      const guint32 lanes = any & (which & 4 ? unknown[0] : ~unknown[0])
                            & (which & 2 ? unknown[1] : ~unknown[1])
                            & (which & 1 ? unknown[2] : ~unknown[2]);
      const guint32 table = lanes != 0 ? find_dependence (step->mode[0], which) : 0;
      guint32 depends[WP_LANES];

      for (guint k = 0; table != 0 && k < WP_LANES; k++)
        depends[k] = look_up (in[0][k], in[1][k], in[2][k], table) != 0 ? ~0u : 0;
      if (table != 0)
        result |= lanes & wp_pack_signs (depends);
    }
  return result;
}

/* mode[0]: the table; mode[1]: .PAND, the predicate is (result != 0) AND p, else OR p. */
WP_INLINE void
lanes_logic (WpWarp *warp, const WpStep *step, guint32 mask)
{
  WpInputs inputs;
  guint32 out[WP_LANES], is_set[WP_LANES];

  wp_inputs (warp, step, &inputs, 3);
  guint32 unknown = logic_unknown (warp, step, inputs.in);
  logic_lanes (step->mode[0], inputs.in[0], inputs.in[1], inputs.in[2], out, WP_LANES);
  wp_put_either (warp, step, out, mask, unknown);
  if (step->dest_p == WP_P_SINK)
    return;

  for (guint k = 0; k < WP_LANES; k++)
    is_set[k] = out[k] ? ~0u : 0;
  guint32 bits = wp_pack_signs (is_set);
  guint32 p = wp_predicate (warp, step->source_p[0]);
  guint32 p_unknown = wp_predicate_unknown (warp, step->source_p[0]);
  /* Known where one side decides alone. */
  if (step->mode[1])
    unknown = (unknown | p_unknown) & (unknown | bits) & (p_unknown | p);
  else
    unknown = (unknown | p_unknown) & (unknown | ~bits) & (p_unknown | ~p);
  wp_put_either_predicate (warp, step, step->dest_p, step->mode[1] ? bits & p : bits | p, mask,
                           unknown);
}
WP_BOTH (logic)

static void
run_uniform_logic (WpWarp *warp, const WpStep *step, guint32 mask)
{
  guint32 in[3], rows[3][WP_LANES], out;
  const guint32 *inputs[3] = { rows[0], rows[1], rows[2] };
  gboolean is_unknown = FALSE;

  if (step->dest_p != WP_P_SINK)
    {
      run_logic (warp, step, mask);
      return;
    }
  for (guint k = 0; k < 3; k++)
    in[k] = wp_scalar_integer (warp, &step->sources[k]);
  logic_lanes (step->mode[0], &in[0], &in[1], &in[2], &out, 1);
  if (wp_step_unknown (warp, step) & 1)
    {
      for (guint k = 0; k < 3; k++)
        for (guint lane = 0; lane < WP_LANES; lane++)
          rows[k][lane] = in[k];
      is_unknown = logic_unknown (warp, step, inputs) & 1;
    }
  wp_put_uniform (warp, step->dest, out, is_unknown, wp_step_tag (warp, step));
}

static gboolean
prepare_logic (WpStep *step, gchar **problem)
{
  guint64 table;

  if (!wp_step_needs (step, 4, problem) || !wp_step_get_value (step, 3, &table)
      || !wp_step_has (step, WP_WORD_LUT) || !wp_step_allow (step, problem, "LUT", "PAND", NULL))
    return wp_step_refuse (step, problem);
  step->n_sources = 3;
  step->mode[0] = table & 0xff;
  step->mode[1] = wp_step_has_text (step, "PAND");
  if (step->instr->op == WP_SASS_ULOP3 && !step->is_uniform)
    { /* it writes predicates alone */
      step->is_uniform = TRUE;
      step->dest = WP_UR_SINK;
    }
  step->is_uniform_p = step->is_uniform;
  wp_step_fold_integers (step);
  WP_RUN (step, logic);
  return TRUE;
}

/* ---- PLOP3: the same for predicates, or signs of registers, all lanes at once ---- */

/* The bits of the result that depend on those of UNKNOWN_A, ... */
static guint32
look_up_unknown (guint32 a, guint32 b, guint32 c, guint32 unknown_a, guint32 unknown_b,
                 guint32 unknown_c, guint32 table)
{
  guint32 first = 0, differ = 0;

  for (guint k = 0; k < 8; k++)
    {
      guint32 x = (a & ~unknown_a) | (k & 4 ? unknown_a : 0);
      guint32 y = (b & ~unknown_b) | (k & 2 ? unknown_b : 0);
      guint32 z = (c & ~unknown_c) | (k & 1 ? unknown_c : 0);
      guint32 result = look_up (x, y, z, table);
      first = k ? first : result;
      differ |= first ^ result;
    }
  return differ;
}

/* Of the inputs P, a bit for each lane. */
WP_INLINE void
put_logic_p (WpWarp *warp, const WpStep *step, guint32 mask, const guint32 *p,
             const guint32 *unknown)
{
  for (guint j = 0; j < 2; j++)
    {
      guint number = j ? step->dest_p2 : step->dest_p;
      if (number != WP_P_SINK)
        wp_put_either_predicate (
            warp, step, number, look_up (p[0], p[1], p[2], step->mode[j]), mask,
            look_up_unknown (p[0], p[1], p[2], unknown[0], unknown[1], unknown[2], step->mode[j]));
    }
}

static void
run_logic_p (WpWarp *warp, const WpStep *step, guint32 mask)
{
  guint32 p[3], unknown[3];

  for (guint k = 0; k < 3; k++)
    {
      p[k] = wp_predicate (warp, step->source_p[k]);
      unknown[k] = wp_predicate_unknown (warp, step->source_p[k]);
    }
  put_logic_p (warp, step, mask, p, unknown);
}

/* mode[2]: a bit for each input that is the sign of a register. */
static void
run_logic_signs (WpWarp *warp, const WpStep *step, guint32 mask)
{
  guint32 p[3], unknown[3], scratch[WP_LANES];
  guint n_signs = 0, n_predicates = 0;

  for (guint k = 0; k < 3; k++)
    if (step->mode[2] >> k & 1)
      {
        const WpSource *source = &step->sources[n_signs++];
        p[k] = wp_pack_signs (wp_lanes (warp, source, 0, scratch));
        unknown[k] = wp_unknown_word (warp, source, 0);
      }
    else
      {
        p[k] = wp_predicate (warp, step->source_p[n_predicates]);
        unknown[k] = wp_predicate_unknown (warp, step->source_p[n_predicates++]);
      }
  put_logic_p (warp, step, mask, p, unknown);
}

/* The inputs come first, in the order of the text, then a table for each destination. */
static gboolean
prepare_logic_p (WpStep *step, gchar **problem)
{
  guint n_signs = 0, n_inputs = 0;
  guint64 table;

  for (guint k = 0; k < step->instr->n_operands; k++)
    {
      const WpSassOperand *operand = &step->instr->operands[k];
      if (operand->words[0] == WP_WORD_SIGN && n_inputs < 3)
        {
          step->mode[2] |= 1u << n_inputs;
          n_signs++;
        }
      n_inputs += !operand->is_dest;
    }
  for (guint k = 0; k < 2; k++)
    {
      if (n_signs + k >= step->n_sources)
        table = 0;
      else if (!wp_step_get_value (step, n_signs + k, &table))
        return wp_step_refuse (step, problem);
      step->mode[k] = table & 0xff;
    }
  step->n_sources = n_signs;
  step->is_uniform_p = step->instr->op == WP_SASS_UPLOP3;
  step->run = n_signs > 0 ? run_logic_signs : run_logic_p;
  return n_signs + step->n_predicates == 3 || wp_step_refuse (step, problem);
}

/* ---- Shifts ---- */

enum
{
  MODE_RIGHT = 1,
  MODE_SIGNED = 2,
  MODE_HIGH = 4,
  MODE_WRAP = 8,
  MODE_64 = 16
};

/* SHF: {c, a} shifted by b, its high or its low word. What is shifted has 64 bits whatever the type
 * is; the type says where the count ends. */
WP_INLINE void
funnel_lanes (const WpStep *step, WpLanes *lanes)
{
  guint mode = step->mode[0], bits = mode & MODE_64 ? 64 : 32;

  for (guint k = 0; k < lanes->n; k++)
    {
      guint64 x = lanes->in[0][k] | (guint64)lanes->in[2][k] << 32;
      guint count = lanes->in[1][k];
      count = mode & MODE_WRAP ? count & (bits - 1) : MIN (count, bits);
      if (mode & MODE_RIGHT)
        {
          guint64 sign = mode & MODE_SIGNED ? -(x >> 63) : 0;
          x = count == 64 ? sign : count ? x >> count | sign << (64 - count) : x;
        }
      else
        x = count == 64 ? 0 : x << count;
      lanes->out[k] = (guint32)(mode & MODE_HIGH ? x >> 32 : x);
    }
}
WP_LANES_OP (funnel, 3)

/* By a fixed count below 32, mode[1]: the forms that are common. */
WP_INLINE void
shift_left_lanes (const WpStep *step, WpLanes *lanes)
{
  for (guint k = 0; k < lanes->n; k++)
    lanes->out[k] = lanes->in[0][k] << step->mode[1];
}
WP_LANES_OP (shift_left, 1)

WP_INLINE void
shift_right_lanes (const WpStep *step, WpLanes *lanes)
{
  for (guint k = 0; k < lanes->n; k++)
    lanes->out[k] = lanes->in[0][k] >> step->mode[1];
}
WP_LANES_OP (shift_right, 1)

WP_INLINE void
shift_signed_lanes (const WpStep *step, WpLanes *lanes)
{
  for (guint k = 0; k < lanes->n; k++)
    lanes->out[k] = (guint32)((gint32)lanes->in[0][k] >> step->mode[1]);
}
WP_LANES_OP (shift_signed, 1)

/* {c, a} by mode[1], 1 to 31. */
WP_INLINE void
join_left_lanes (const WpStep *step, WpLanes *lanes)
{
  for (guint k = 0; k < lanes->n; k++)
    lanes->out[k] = lanes->in[2][k] << step->mode[1] | lanes->in[0][k] >> (32 - step->mode[1]);
}
WP_LANES_OP (join_left, 3)

WP_INLINE void
join_right_lanes (const WpStep *step, WpLanes *lanes)
{
  for (guint k = 0; k < lanes->n; k++)
    lanes->out[k] = lanes->in[0][k] >> step->mode[1] | lanes->in[2][k] << (32 - step->mode[1]);
}
WP_LANES_OP (join_right, 3)

/* The one word that a form reads is its only source. */
static void
keep_source (WpStep *step, guint k)
{
  step->sources[0] = step->sources[k];
  step->n_sources = 1;
}

static void
pick_fixed_shift (WpStep *step, guint count)
{
  guint mode = step->mode[0];
  gboolean is_right = mode & MODE_RIGHT, is_high = mode & MODE_HIGH;

  step->mode[1] = count;
  if (!is_right && !is_high)
    {
      keep_source (step, 0);
      WP_RUN (step, shift_left);
    }
  else if (is_right && is_high)
    {
      keep_source (step, 2);
      if (mode & MODE_SIGNED)
        WP_RUN (step, shift_signed);
      else
        WP_RUN (step, shift_right);
    }
  else if (count && is_right)
    WP_RUN (step, join_right);
  else if (count)
    WP_RUN (step, join_left);
}

static gboolean
prepare_funnel (WpStep *step, gchar **problem)
{
  gboolean is_signed = wp_step_has_text (step, "S32") || wp_step_has_text (step, "S64");
  gboolean is_64 = wp_step_has_text (step, "U64") || wp_step_has_text (step, "S64");
  guint64 count;

  if (!wp_step_needs (step, 3, problem)
      || !wp_step_allow (step, problem, "L", "R", "W", "U32", "S32", "U64", "S64", "HI", NULL))
    return FALSE;
  step->mode[0] = (wp_step_has_text (step, "R") ? MODE_RIGHT : 0) | (is_signed ? MODE_SIGNED : 0)
                  | (wp_step_has_text (step, "HI") ? MODE_HIGH : 0)
                  | (wp_step_has_text (step, "W") ? MODE_WRAP : 0) | (is_64 ? MODE_64 : 0);
  wp_step_fold_integers (step);
  WP_RUN (step, funnel);
  if (wp_step_get_value (step, 1, &count) && (guint32)count < 32)
    pick_fixed_shift (step, (guint32)count);
  return TRUE;
}

/* SHL, SHR: {RZ, a} to the left, {a, RZ} to the right and its high word. */
static gboolean
prepare_shift (WpStep *step, gchar **problem)
{
  WpSassOp op = step->instr->op;
  gboolean is_right = op == WP_SASS_SHR || op == WP_SASS_USHR;

  if (!wp_step_needs (step, 2, problem) || step->n_sources > 2
      || !wp_step_allow (step, problem, "U32", "S32", "W", NULL))
    return wp_step_refuse (step, problem);
  step->mode[0] = (is_right ? MODE_RIGHT | MODE_HIGH : 0)
                  | (wp_step_has_text (step, "U32") ? 0 : MODE_SIGNED)
                  | (wp_step_has_text (step, "W") ? MODE_WRAP : 0);
  step->sources[2] = step->sources[0];
  step->n_sources = 3;
  if (is_right)
    memset (&step->sources[0], 0, sizeof step->sources[0]);
  WP_RUN (step, funnel);
  return TRUE;
}

/* ---- PRMT ---- */

/* Byte J of the result is byte (PICK >> 4 J & 7) of {b, a}, or its sign in all bits where bit 3 of
 * the pick is set. */
WP_INLINE guint32
pick_bytes (guint32 a, guint32 b, guint32 pick)
{
  guint32 out = 0;

  for (guint j = 0; j < 4; j++)
    {
      guint32 from = pick >> (4 * j) & 4 ? b : a;
      guint32 byte = from >> (8 * (pick >> (4 * j) & 3)) & 0xff;
      byte = pick >> (4 * j) & 8 ? (byte & 0x80 ? 0xff : 0) : byte;
      out |= byte << (8 * j);
    }
  return out;
}

/* PTX ISA, "prmt": the picks of the modes, by the two low bits of the selector. */
static const struct
{
  const gchar *word;
  guint16 picks[4];
} permutations[] = {
  { "F4E", { 0x3210, 0x4321, 0x5432, 0x6543 } }, { "B4E", { 0x5670, 0x6701, 0x7012, 0x0123 } },
  { "RC8", { 0x0000, 0x1111, 0x2222, 0x3333 } }, { "ECL", { 0x3210, 0x3211, 0x3222, 0x3333 } },
  { "ECR", { 0x0000, 0x1110, 0x2210, 0x3210 } }, { "RC16", { 0x1010, 0x3232, 0x1010, 0x3232 } },
};

/* mode[0]: the number of the row of `permutations`, plus 1; 0: the selector is the pick itself. */
WP_INLINE void
permute_lanes (const WpStep *step, WpLanes *lanes)
{
  for (guint k = 0; k < lanes->n; k++)
    {
      guint32 pick = lanes->in[1][k];
      if (step->mode[0])
        pick = permutations[step->mode[0] - 1].picks[pick & 3];
      lanes->out[k] = pick_bytes (lanes->in[0][k], lanes->in[2][k], pick);
    }
}
WP_LANES_OP (permute, 3)

/* By a pick that is fixed, mode[1]: only the words that it names are read. */
static void
run_permute_fixed (WpWarp *warp, const WpStep *step, guint32 mask)
{
  WpInputs inputs;
  guint32 out[WP_LANES], unknown = 0, pick = step->mode[1];

  wp_inputs (warp, step, &inputs, 3);
  for (guint k = 0; k < WP_LANES; k++)
    out[k] = pick_bytes (inputs.in[0][k], inputs.in[2][k], pick);
  if (~pick & 0x4444)
    unknown |= wp_unknown_word (warp, &step->sources[0], 0);
  if (pick & 0x4444)
    unknown |= wp_unknown_word (warp, &step->sources[2], 0);
  wp_put (warp, step->dest, out, mask, unknown, wp_step_tag (warp, step));
}

static gboolean
prepare_permute (WpStep *step, gchar **problem)
{
  guint64 pick;

  if (!wp_step_needs (step, 3, problem)
      || !wp_step_allow (step, problem, "IDX", "F4E", "B4E", "RC8", "ECL", "ECR", "RC16", NULL))
    return FALSE;
  for (guint k = 0; k < G_N_ELEMENTS (permutations); k++)
    if (wp_step_has_text (step, permutations[k].word))
      step->mode[0] = k + 1;
  WP_RUN (step, permute);
  if (!step->is_uniform && wp_step_get_value (step, 1, &pick))
    {
      step->mode[1] = step->mode[0] ? permutations[step->mode[0] - 1].picks[pick & 3]
                                    : (guint32)pick & 0xffff;
      step->run = run_permute_fixed;
    }
  return TRUE;
}

/* ---- Counts and masks ---- */

WP_INLINE void
count_lanes (G_GNUC_UNUSED const WpStep *step, WpLanes *lanes)
{
  for (guint k = 0; k < lanes->n; k++)
    {
      guint32 x = lanes->in[0][k];
      x -= x >> 1 & 0x55555555;
      x = (x & 0x33333333) + (x >> 2 & 0x33333333);
      x = (x + (x >> 4)) & 0x0f0f0f0f;
      lanes->out[k] = x * 0x01010101 >> 24;
    }
}
WP_LANES_OP (count, 1)

/* FLO: the number of the highest bit that is set, or of a negative number the highest that is not;
 * with .SH how far to shift it to bit 31. -1: none. */
WP_INLINE void
leading_lanes (const WpStep *step, WpLanes *lanes)
{
  for (guint k = 0; k < lanes->n; k++)
    {
      guint32 x = lanes->in[0][k];
      if (step->mode[0] & MODE_SIGNED && x >> 31)
        x = ~x;
      guint bit = x ? 31 - __builtin_clz (x) : 0;
      lanes->out[k] = !x ? ~0u : step->mode[1] ? 31 - bit : bit;
    }
}
WP_LANES_OP (leading, 1)

WP_INLINE void
reverse_lanes (G_GNUC_UNUSED const WpStep *step, WpLanes *lanes)
{
  for (guint k = 0; k < lanes->n; k++)
    {
      guint32 x = lanes->in[0][k];
      x = (x >> 1 & 0x55555555) | (x & 0x55555555) << 1;
      x = (x >> 2 & 0x33333333) | (x & 0x33333333) << 2;
      x = (x >> 4 & 0x0f0f0f0f) | (x & 0x0f0f0f0f) << 4;
      lanes->out[k] = GUINT32_SWAP_LE_BE (x);
    }
}
WP_LANES_OP (reverse, 1)

/* BMSK: b ones from bit a on. Counts of 32 and more: .W wraps them. */
WP_INLINE void
mask_lanes (const WpStep *step, WpLanes *lanes)
{
  for (guint k = 0; k < lanes->n; k++)
    {
      guint32 at = lanes->in[0][k], n = lanes->in[1][k];
      if (step->mode[0] & MODE_WRAP)
        {
          at &= 31;
          n &= 31;
        }
      guint32 ones = n >= 32 ? ~0u : (1u << n) - 1;
      lanes->out[k] = at >= 32 ? 0 : ones << at;
    }
}
WP_LANES_OP (mask, 2)

/* SGXT: the low b bits of a, as a number with a sign, or without. */
WP_INLINE void
extend_lanes (const WpStep *step, WpLanes *lanes)
{
  for (guint k = 0; k < lanes->n; k++)
    {
      guint32 n = step->mode[0] & MODE_WRAP ? lanes->in[1][k] & 31 : MIN (lanes->in[1][k], 32);
      guint32 moved = n ? lanes->in[0][k] << (32 - n) : 0;
      guint back = n ? 32 - n : 0;
      lanes->out[k]
          = step->mode[0] & MODE_SIGNED ? (guint32)((gint32)moved >> back) : moved >> back;
    }
}
WP_LANES_OP (extend, 2)

static gboolean
prepare_bits (WpStep *step, gchar **problem)
{
  WpSassOp op = step->instr->op;
  gboolean is_unsigned = wp_step_has_text (step, "U32");

  step->mode[0] = (is_unsigned ? 0 : MODE_SIGNED) | (wp_step_has_text (step, "W") ? MODE_WRAP : 0);
  step->mode[1] = wp_step_has_text (step, "SH");
  if (!wp_step_needs (step, 1, problem) || step->dest_p != WP_P_SINK
      || !wp_step_allow (step, problem, "U32", "S32", "SH", "W", "C", NULL))
    return wp_step_refuse (step, problem);
  switch (op)
    {
    case WP_SASS_POPC:
    case WP_SASS_UPOPC:
      WP_RUN (step, count);
      return TRUE;
    case WP_SASS_FLO:
    case WP_SASS_UFLO:
      WP_RUN (step, leading);
      return TRUE;
    case WP_SASS_BREV:
    case WP_SASS_UBREV:
      WP_RUN (step, reverse);
      return TRUE;
    case WP_SASS_BMSK:
    case WP_SASS_UBMSK:
      WP_RUN (step, mask);
      return wp_step_needs (step, 2, problem);
    default:
      WP_RUN (step, extend);
      return wp_step_needs (step, 2, problem);
    }
}

const WpOpRule wp_rules_logic[] = {
  { WP_SASS_LOP3, prepare_logic },
  { WP_SASS_ULOP3, prepare_logic },
  { WP_SASS_PLOP3, prepare_logic_p },
  { WP_SASS_UPLOP3, prepare_logic_p },
  { WP_SASS_SHF, prepare_funnel },
  { WP_SASS_USHF, prepare_funnel },
  { WP_SASS_SHL, prepare_shift },
  { WP_SASS_SHR, prepare_shift },
  { WP_SASS_USHL, prepare_shift },
  { WP_SASS_USHR, prepare_shift },
  { WP_SASS_PRMT, prepare_permute },
  { WP_SASS_UPRMT, prepare_permute },
  { WP_SASS_POPC, prepare_bits },
  { WP_SASS_UPOPC, prepare_bits },
  { WP_SASS_FLO, prepare_bits },
  { WP_SASS_UFLO, prepare_bits },
  { WP_SASS_BREV, prepare_bits },
  { WP_SASS_UBREV, prepare_bits },
  { WP_SASS_BMSK, prepare_bits },
  { WP_SASS_UBMSK, prepare_bits },
  { WP_SASS_SGXT, prepare_bits },
  { WP_SASS_USGXT, prepare_bits },
  { WP_SASS_NO_OP, NULL },
};
