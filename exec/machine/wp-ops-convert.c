/* SPDX-License-Identifier: MIT */
/* Conversions: F2F, F2I, I2F, I2I, FRND and those to two numbers in one register (F2FP, F2IP,
 * I2IP). All are one walk, read, round, write (wp-number.h); the common ones have a loop
 * (wp-rows.h).
 *
 * Words name types and rounding. What is not named is single precision or S32; of two types the
 * first is what it becomes, as in F2F.F16.F32. Without .NTZ no number becomes the highest bit. */
#include "exec/machine/wp-number.h"
#include "exec/machine/wp-ops-arith.h"
#include "exec/machine/wp-rows-float.h"

typedef struct
{
  gint8 to, from; /* WpType, -1: not named */
  guint8 rounding;
  guint ftz : 1, sat : 1, ntz : 1, relu : 1, satfinite : 1, merge : 1;
} Form;

static gint
type_of (WpSassWord word)
{
  static const struct
  {
    WpSassWord word;
    WpType type;
  } types[] = {
    { WP_WORD_S2, WP_S2 },     { WP_WORD_U2, WP_U2 },     { WP_WORD_S4, WP_S4 },
    { WP_WORD_U4, WP_U4 },     { WP_WORD_S8, WP_S8 },     { WP_WORD_U8, WP_U8 },
    { WP_WORD_S16, WP_S16 },   { WP_WORD_U16, WP_U16 },   { WP_WORD_S32, WP_S32 },
    { WP_WORD_U32, WP_U32 },   { WP_WORD_S64, WP_S64 },   { WP_WORD_U64, WP_U64 },
    { WP_WORD_F16, WP_F16 },   { WP_WORD_BF16, WP_BF16 }, { WP_WORD_TF32, WP_TF32 },
    { WP_WORD_F32, WP_F32 },   { WP_WORD_F64, WP_F64 },   { WP_WORD_E4M3, WP_E4M3 },
    { WP_WORD_E5M2, WP_E5M2 }, { WP_WORD_E2M1, WP_E2M1 }, { WP_WORD_E2M3, WP_E2M3 },
    { WP_WORD_E3M2, WP_E3M2 }, { WP_WORD_E8, WP_E8 },
  };

  for (guint k = 0; k < G_N_ELEMENTS (types); k++)
    if (types[k].word == word)
      return types[k].type;
  return -1;
}

static gboolean
read_flag (Form *form, WpSassWord word)
{
  switch (word)
    {
    case WP_WORD_RN:
      return TRUE;
    case WP_WORD_RM:
    case WP_WORD_FLOOR:
      form->rounding = WP_ROUND_DOWN;
      return TRUE;
    case WP_WORD_RP:
    case WP_WORD_CEIL:
      form->rounding = WP_ROUND_UP;
      return TRUE;
    case WP_WORD_RZ:
    case WP_WORD_TRUNC:
      form->rounding = WP_ROUND_ZERO;
      return TRUE;
    case WP_WORD_FTZ:
      return form->ftz = TRUE;
    case WP_WORD_SAT:
      return form->sat = TRUE;
    case WP_WORD_NTZ:
      return form->ntz = TRUE;
    case WP_WORD_RELU:
      return form->relu = TRUE;
    case WP_WORD_SATFINITE:
      return form->satfinite = TRUE;
    case WP_WORD_MERGE_C:
    case WP_WORD_PACK_AB_MERGE_C:
    case WP_WORD_UNPACK_B_MERGE_C:
      return form->merge = TRUE;
    case WP_WORD_PACK_AB:
    case WP_WORD_PACK_B:
    case WP_WORD_UNPACK_B:
      return TRUE;
    default:
      return FALSE;
    }
}

/* Of types, whole numbers go to TO and FROM where INTEGER_TO and INTEGER_FROM say so. */
static gboolean
read_form (const WpStep *step, Form *form, gboolean integer_to, gboolean integer_from,
           gchar **problem)
{
  memset (form, 0, sizeof *form);
  form->to = form->from = -1;
  for (guint k = 0; k < step->instr->n_words; k++)
    {
      WpSassWord word = step->instr->words[k];
      gint type = type_of (word);
      if (type < 0)
        {
          if (!read_flag (form, word))
            return wp_step_refuse (step, problem);
          continue;
        }
      gboolean is_integer = wp_type_is_integer ((WpType)type);
      if (is_integer == integer_to && form->to < 0)
        form->to = type;
      else if (is_integer == integer_from && form->from < 0)
        form->from = type;
      else
        return wp_step_refuse (step, problem);
    }
  return TRUE;
}

/* ---- One number ---- */

static guint64
flush (WpType type, guint64 bits)
{
  return type == WP_F32 ? wp_flush ((guint32)bits) : bits;
}

static guint64
convert (const Form *form, guint64 bits)
{
  WpType to = form->to, from = form->from;
  WpNumber number = wp_number_read (from, form->ftz ? flush (from, bits) : bits);

  if (wp_type_is_integer (to))
    return wp_number_to_integer (to, number, form->rounding, !form->ntz);
  if (number.kind == WP_NUMBER_NONE ? form->sat : number.negative && (form->sat || form->relu))
    number = (WpNumber){ WP_NUMBER_FINITE, FALSE, 0, 0 };
  guint64 result = wp_number_write (to, number, form->rounding, form->satfinite);
  if (form->sat)
    {
      WpNumber one = { WP_NUMBER_FINITE, FALSE, 0, 1 };
      result = MIN (result, wp_number_write (to, one, WP_ROUND_NEAREST, FALSE));
    }
  return form->ftz ? flush (to, result) : result;
}

/* ---- Ops with one number ---- */

static Form
form_of (const WpStep *step)
{
  Form form;
  memcpy (&form, step->mode, sizeof form);
  return form;
}

G_STATIC_ASSERT (sizeof (Form) <= sizeof ((WpStep *)NULL)->mode);

/* The place of a byte or a half in its register: bytes are named by one word, halves of whole
 * numbers by the other. */
static guint
shift_of (const WpSource *source)
{
  switch (source->words[0] ? source->words[0] : source->words[1])
    {
    case WP_WORD_B1:
      return 8;
    case WP_WORD_B2:
    case WP_WORD_H1:
    case WP_WORD_H1_H1:
      return 16;
    case WP_WORD_B3:
      return 24;
    default:
      return 0;
    }
}

/* |...| and - are on the bits of a number, and for a whole number as arithmetic. */
static guint64
apply_signs (const WpSource *source, WpType type, guint64 bits)
{
  guint64 sign = (guint64)1 << (wp_type_bits (type) - 1);

  if (wp_type_is_integer (type))
    return source->negate ? 0 - bits : source->invert ? ~bits : bits;
  if (source->absolute)
    bits &= ~sign;
  return source->negate ? bits ^ sign : bits;
}

static void
read_lanes (const WpWarp *warp, const WpStep *step, guint k, WpType type, guint64 *lanes)
{
  const WpSource *source = &step->sources[k];
  guint shift = shift_of (source);
  guint32 scratch[WP_LANES];

  if (wp_type_bits (type) == 64)
    wp_lanes_wide (warp, source, lanes);
  else
    {
      const guint32 *narrow = wp_lanes (warp, source, 0, scratch);
      for (guint lane = 0; lane < WP_LANES; lane++)
        lanes[lane] = narrow[lane] >> shift;
    }
  if (!source->negate && !source->absolute && !source->invert)
    return;
  for (guint lane = 0; lane < WP_LANES; lane++)
    lanes[lane] = apply_signs (source, type, lanes[lane]);
}

/* How many bits a number of TYPE has that is not negative, where it is a whole number. */
static guint
count_bits (WpType type)
{
  return wp_type_bits (type) - (wp_type_is_integer (type) && type % 2 == 0);
}

static void
put_lanes (WpWarp *warp, const WpStep *step, const guint64 *lanes, WpType type, guint32 mask)
{
  guint32 narrow[WP_LANES];

  if (wp_type_bits (type) == 64 && !step->is_uniform)
    {
      wp_arith_put_wide (warp, step, lanes, mask, count_bits (type));
      return;
    }
  for (guint lane = 0; lane < WP_LANES; lane++)
    narrow[lane] = (guint32)lanes[lane];
  wp_arith_put_whole (warp, step, narrow, mask, count_bits (type));
  if (wp_type_bits (type) == 64)
    wp_put_uniform (warp, step->dest + 1, lanes[0] >> 32, wp_step_unknown (warp, step) & 1,
                    wp_step_tag (warp, step));
}

static void
run_convert (WpWarp *warp, const WpStep *step, guint32 mask)
{
  Form form = form_of (step);
  guint64 lanes[WP_LANES];

  read_lanes (warp, step, 0, form.from, lanes);
  for (guint lane = 0; lane < WP_LANES; lane++)
    lanes[lane] = mask >> lane & 1 || step->is_uniform ? convert (&form, lanes[lane]) : 0;
  put_lanes (warp, step, lanes, form.to, mask);
}

static void
run_round (WpWarp *warp, const WpStep *step, guint32 mask)
{
  Form form = form_of (step);
  guint64 lanes[WP_LANES];

  read_lanes (warp, step, 0, form.from, lanes);
  for (guint lane = 0; lane < WP_LANES; lane++)
    {
      guint64 bits = form.ftz ? flush (form.from, lanes[lane]) : lanes[lane];
      WpNumber number = wp_number_round (wp_number_read (form.from, bits), form.rounding);
      lanes[lane] = wp_number_write (form.from, number, WP_ROUND_NEAREST, FALSE);
    }
  put_lanes (warp, step, lanes, form.from, mask);
}

/* ---- The common ones as loops ---- */

static void
run_row (WpWarp *warp, const WpStep *step, guint32 mask)
{
  WpScratch to, a, flushed;
  const guint32 *from = wp_lanes_single (warp, &step->sources[0], a);

  if (step->value)
    {
      wp_row_flush (flushed, from);
      from = flushed;
    }
  ((WpRow1)step->data) (to, from);
  wp_arith_put_whole (warp, step, to, mask, count_bits (form_of (step).to));
}

typedef void (*Widen) (guint64 *restrict to, const guint32 *a);

static void
run_widen (WpWarp *warp, const WpStep *step, guint32 mask)
{
  WpScratch a;
  WpWideScratch to;

  ((Widen)step->data) (to, wp_lanes_single (warp, &step->sources[0], a));
  wp_arith_put_wide (warp, step, to, mask, 64);
}

static void
run_narrow (WpWarp *warp, const WpStep *step, guint32 mask)
{
  WpScratch to;
  WpWideScratch a;

  wp_arith_get_wide (warp, step, 0, a);
  wp_row_from_double (to, a);
  wp_arith_put (warp, step, to, mask);
}

static const struct
{
  gint8 to, from;
  guint8 rounding;
  gboolean ntz;
  WpStepRun run;
  gpointer row;
} loops[] = {
  { WP_F32, WP_S32, WP_ROUND_NEAREST, FALSE, run_row, wp_row_from_signed },
  { WP_F32, WP_U32, WP_ROUND_NEAREST, FALSE, run_row, wp_row_from_unsigned },
  /* As divisions of whole numbers begin. */
  { WP_F32, WP_S32, WP_ROUND_UP, FALSE, run_row, wp_row_from_signed_up },
  { WP_F32, WP_U32, WP_ROUND_UP, FALSE, run_row, wp_row_from_unsigned_up },
  { WP_F64, WP_S32, WP_ROUND_NEAREST, FALSE, run_widen, wp_wide_from_signed },
  { WP_F64, WP_U32, WP_ROUND_NEAREST, FALSE, run_widen, wp_wide_from_unsigned },
  { WP_F64, WP_F32, WP_ROUND_NEAREST, FALSE, run_widen, wp_wide_from_single },
  { WP_F32, WP_F64, WP_ROUND_NEAREST, FALSE, run_narrow, NULL },
  { WP_S32, WP_F32, WP_ROUND_ZERO, TRUE, run_row, wp_row_to_signed },
  { WP_U32, WP_F32, WP_ROUND_ZERO, TRUE, run_row, wp_row_to_unsigned },
  { WP_F16, WP_F32, WP_ROUND_NEAREST, FALSE, run_row, wp_row_to_half },
  { WP_F32, WP_F16, WP_ROUND_NEAREST, FALSE, run_row, wp_row_from_half },
};

/* Takes the loop for FORM if there is one. */
static void
pick_loop (WpStep *step, const Form *form)
{
  const WpSource *source = &step->sources[0];
  gboolean has_signs = source->negate || source->absolute || source->invert;
  gboolean is_single = form->from == WP_F32 || form->from == WP_F64;

  if (form->sat || form->relu || form->satfinite || shift_of (source) || (has_signs && !is_single)
      || step->is_uniform || (form->ftz && (form->from != WP_F32 || form->to > WP_U64)))
    return;
  for (guint k = 0; k < G_N_ELEMENTS (loops); k++)
    if (loops[k].to == form->to && loops[k].from == form->from
        && loops[k].rounding == form->rounding && loops[k].ntz == form->ntz)
      {
        step->run = loops[k].run;
        step->data = loops[k].row;
        step->value = form->ftz;
      }
}

/* ---- Preparing ops with one number ---- */

static gboolean
prepare_one (WpStep *step, Form *form, gchar **problem)
{
  gboolean is_64 = wp_type_bits (form->from) == 64;

  if (!wp_arith_check_sources (step, 1, problem))
    return FALSE;
  if (form->merge)
    return wp_step_refuse (step, problem);
  /* An immediate of 64 bits is its upper word, of whole numbers too: I2F.S64 of 0x1 is 2^32. */
  if (is_64)
    wp_arith_make_wide (step, 0);
  else
    wp_step_set_words (step, 0, 1);
  memcpy (step->mode, form, sizeof *form);
  step->run = run_convert;
  pick_loop (step, form);
  return TRUE;
}

/* What each op converts, and between which types where none is named. */
static const struct
{
  WpSassOp op, uniform;
  gboolean integer_to, integer_from; /* whole numbers are what it becomes, what it was */
  WpType to, from;
} conversions[] = {
  { WP_SASS_F2F, WP_SASS_UF2F, FALSE, FALSE, WP_F32, WP_F32 },
  { WP_SASS_F2FP, WP_SASS_UF2FP, FALSE, FALSE, WP_F16, WP_F32 },
  { WP_SASS_F2I, WP_SASS_UF2I, TRUE, FALSE, WP_S32, WP_F32 },
  { WP_SASS_I2F, WP_SASS_UI2F, FALSE, TRUE, WP_F32, WP_S32 },
  { WP_SASS_I2FP, WP_SASS_UI2FP, FALSE, TRUE, WP_F32, WP_S32 },
  { WP_SASS_I2I, WP_SASS_NO_OP, TRUE, TRUE, WP_S32, WP_S32 },
  { WP_SASS_F2IP, WP_SASS_NO_OP, TRUE, FALSE, WP_S8, WP_F32 },
  { WP_SASS_I2IP, WP_SASS_NO_OP, TRUE, TRUE, WP_S8, WP_S32 },
};

static gboolean
read_conversion (const WpStep *step, Form *form, gchar **problem)
{
  WpSassOp op = step->instr->op;
  guint k = 0;

  while (conversions[k].op != op && conversions[k].uniform != op)
    k++;
  if (!read_form (step, form, conversions[k].integer_to, conversions[k].integer_from, problem))
    return FALSE;
  form->to = form->to < 0 ? (gint8)conversions[k].to : form->to;
  form->from = form->from < 0 ? (gint8)conversions[k].from : form->from;
  return TRUE;
}

static gboolean
prepare_conversion (WpStep *step, gchar **problem)
{
  Form form;

  if (!read_conversion (step, &form, problem))
    return FALSE;
  if (step->instr->op == WP_SASS_I2I && !form.sat)
    return wp_step_refuse (step, problem);
  return prepare_one (step, &form, problem);
}

static gboolean
prepare_round (WpStep *step, gchar **problem)
{
  Form form;

  if (!read_form (step, &form, FALSE, FALSE, problem))
    return FALSE;
  form.from = form.to = form.to < 0 ? WP_F32 : form.to;
  if (form.sat || !prepare_one (step, &form, problem))
    return *problem ? FALSE : wp_step_refuse (step, problem);
  step->run = run_round;
  return TRUE;
}

/* ---- Two numbers in one register ---- */

/* What stands above the BITS that were made of a warp's lanes, where there is room: what the source
 * after theirs, if there is one, holds in its lower part. */
static void
add_above (const WpWarp *warp, const WpStep *step, guint n, guint bits, guint32 *lanes)
{
  guint64 above[WP_LANES];

  if (step->n_sources <= n || bits > 16)
    return;
  read_lanes (warp, step, n, WP_U32, above);
  for (guint lane = 0; lane < WP_LANES; lane++)
    lanes[lane] |= (guint32)(above[lane] << bits);
}

/* A becomes the upper one and B the lower one. */
static void
run_pack (WpWarp *warp, const WpStep *step, guint32 mask)
{
  Form form = form_of (step);
  guint bits = wp_type_bits (form.to);
  guint64 a[WP_LANES], b[WP_LANES], part = ((guint64)1 << bits) - 1;
  guint32 to[WP_LANES];

  read_lanes (warp, step, 0, form.from, a);
  read_lanes (warp, step, 1, form.from, b);
  for (guint lane = 0; lane < WP_LANES; lane++)
    to[lane]
        = (guint32)((convert (&form, a[lane]) & part) << bits | (convert (&form, b[lane]) & part));
  add_above (warp, step, 2, 2 * bits, to);
  wp_arith_put (warp, step, to, mask);
}

/* The same to two halves, as loops. */
static void
run_pack_halves (WpWarp *warp, const WpStep *step, guint32 mask)
{
  WpScratch a, b, upper, lower;

  ((WpRow1)step->data) (upper, wp_lanes_single (warp, &step->sources[0], a));
  ((WpRow1)step->data) (lower, wp_lanes_single (warp, &step->sources[1], b));
  for (guint lane = 0; lane < WP_LANES; lane++)
    lower[lane] |= upper[lane] << 16;
  wp_arith_put (warp, step, lower, mask);
}

/* B becomes the lower one, below the lower half of C. */
static void
run_merge (WpWarp *warp, const WpStep *step, guint32 mask)
{
  Form form = form_of (step);
  guint64 b[WP_LANES];
  guint32 to[WP_LANES];

  read_lanes (warp, step, 0, form.from, b);
  for (guint lane = 0; lane < WP_LANES; lane++)
    to[lane] = (guint32)convert (&form, b[lane]) & 0xffff;
  add_above (warp, step, 1, 16, to);
  wp_arith_put (warp, step, to, mask);
}

/* Two numbers side by side become two of another size. */
static void
run_unpack (WpWarp *warp, const WpStep *step, guint32 mask)
{
  Form form = form_of (step);
  guint from = wp_type_bits (form.from), to = wp_type_bits (form.to);
  guint64 a[WP_LANES];
  guint32 result[WP_LANES];

  read_lanes (warp, step, 0, WP_U32, a);
  for (guint lane = 0; lane < WP_LANES; lane++)
    result[lane] = (guint32)(convert (&form, a[lane]) | convert (&form, a[lane] >> from) << to);
  add_above (warp, step, 1, 2 * to, result);
  wp_arith_put (warp, step, result, mask);
}

static gboolean
is_zero (const WpStep *step, guint k)
{
  const WpSource *source = &step->sources[k];

  return source->from == WP_FROM_REGISTER && source->first == WP_ROW_ZERO;
}

/* F2FP: .PACK_AB of two numbers of single precision, .PACK_B and .MERGE_C of one (B), .UNPACK_B of
 * two small ones. Above two that are 8 bits or less stands what is merged, as above one half; what
 * is merged with two halves is RZ wherever a compiler writes it. */
static gboolean
prepare_f2fp (WpStep *step, gchar **problem)
{
  Form form;
  gboolean unpacks
      = wp_step_has (step, WP_WORD_UNPACK_B) || wp_step_has (step, WP_WORD_UNPACK_B_MERGE_C);
  gboolean packs
      = wp_step_has (step, WP_WORD_PACK_AB) || wp_step_has (step, WP_WORD_PACK_AB_MERGE_C);
  guint n = unpacks || !packs ? 1 : 2;

  if (!read_conversion (step, &form, problem))
    return FALSE;
  gboolean is_half = !packs && !unpacks && wp_type_bits (form.to) == 16;
  gboolean has_room = is_half || ((packs || unpacks) && wp_type_bits (form.to) <= 8);
  if (step->n_sources != n + form.merge || (form.merge && !has_room && !is_zero (step, n)))
    return wp_step_refuse (step, problem);
  memcpy (step->mode, &form, sizeof form);
  step->run = unpacks                 ? run_unpack
              : packs                 ? run_pack
              : is_half && form.merge ? run_merge
                                      : run_convert;
  if (packs && !form.relu && !form.ftz && !form.sat && form.rounding == WP_ROUND_NEAREST
      && form.from == WP_F32 && (form.to == WP_F16 || form.to == WP_BF16))
    {
      step->data = form.to == WP_F16 ? wp_row_to_half : wp_row_to_bfloat;
      step->run = run_pack_halves;
    }
  return TRUE;
}

static gboolean
prepare_pack (WpStep *step, gchar **problem)
{
  Form form;

  if (!read_conversion (step, &form, problem))
    return FALSE;
  if (step->n_sources < 2 || step->n_sources > 3 || wp_type_bits (form.to) > 16)
    return wp_step_refuse (step, problem);
  memcpy (step->mode, &form, sizeof form);
  step->run = run_pack;
  return TRUE;
}

const WpOpRule wp_rules_convert[] = {
  { WP_SASS_F2F, prepare_conversion },   { WP_SASS_F2FP, prepare_f2fp },
  { WP_SASS_F2I, prepare_conversion },   { WP_SASS_F2IP, prepare_pack },
  { WP_SASS_FRND, prepare_round },       { WP_SASS_I2F, prepare_conversion },
  { WP_SASS_I2FP, prepare_conversion },  { WP_SASS_I2I, prepare_conversion },
  { WP_SASS_I2IP, prepare_pack },        { WP_SASS_UF2F, prepare_conversion },
  { WP_SASS_UF2I, prepare_conversion },  { WP_SASS_UFRND, prepare_round },
  { WP_SASS_UF2FP, prepare_f2fp },       { WP_SASS_UI2F, prepare_conversion },
  { WP_SASS_UI2FP, prepare_conversion }, { WP_SASS_NO_OP, NULL },
};
