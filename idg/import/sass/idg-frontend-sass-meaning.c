/* SPDX-License-Identifier: MIT */
/* Finds what an instruction computes, if it is one of the few kinds that count loops: moves, sums,
 * products, shifts and comparisons of whole numbers. Compilers build a constant with whatever unit
 * is idle: IMAD.MOV, and HFMA2 with two halves of the constant as numbers, are moves. */
#include "idg/import/sass/idg-frontend-sass.h"

#include <math.h>
#include <string.h>

/* Returns operand NTH after the destinations, not counting predicates; NULL if there are not that
 * many. */
static const IdgSassOperand *
get_source (const IdgSassMaker *maker, guint nth)
{
  for (guint i = maker->n_dests; i < maker->n; i++)
    if (maker->operands[i].kind != IDG_SASS_PREDICATE && nth-- == 0)
      return &maker->operands[i];
  return NULL;
}

static gboolean
computes (const IdgSassMaker *maker, const gchar *name)
{
  const gchar *opcode = maker->opcode;

  /* The uniform datapath has the same opcodes, with a U. */
  return strcmp (opcode, name) == 0 || (*opcode == 'U' && strcmp (opcode + 1, name) == 0);
}

/* Returns what the launch keeps in constant bank 0, whose layout depends on the generation: the
 * threads of a block in each direction, and the blocks of the grid. */
static guint
find_special_bank (const IdgSassMaker *maker, const IdgSassOperand *source)
{
  static const struct
  {
    guint architecture;  /* from this on */
    guint threads, grid; /* offsets of the first direction */
  } layouts[] = { { 100, 0x360, 0x370 }, { 70, 0, 0xc }, { 50, 8, 0x14 }, { 30, 0x28, 0x34 } };
  g_autofree gchar *text = g_strndup (source->text, source->length);
  gchar *at = strstr (text, "[0x");
  guint64 offset;

  if (!g_str_has_prefix (text, "c[0x0]") || !(at = strstr (at + 1, "[0x")))
    return IDG_NO_REGISTER;
  offset = g_ascii_strtoull (at + 3, &at, 16);
  for (guint i = 0; i < G_N_ELEMENTS (layouts) && strcmp (at, "]") == 0; i++)
    {
      if (maker->architecture < layouts[i].architecture)
        continue;
      for (guint j = 0; j < 3; j++)
        if (offset == layouts[i].threads + 4 * j)
          return IDG_SPECIAL_NTID_X + j;
        else if (offset == layouts[i].grid + 4 * j)
          return IDG_SPECIAL_NCTAID_X + j;
      break;
    }
  return IDG_NO_REGISTER;
}

/* Returns what S2R and its kin read. */
static guint
find_special_word (const IdgSassOperand *source)
{
  static const gchar *const names[] = { "SR_TID.X", "SR_TID.Y", "SR_TID.Z" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (source->length == strlen (names[i])
        && strncmp (source->text, names[i], source->length) == 0)
      return IDG_SPECIAL_TID_X + i;
  return source->length == strlen ("SR_LANEID")
                 && strncmp (source->text, "SR_LANEID", source->length) == 0
             ? IDG_SPECIAL_LANE
             : IDG_NO_REGISTER;
}

/* Reads a plain register or a number. A negated register is accepted only if NEGATED is not NULL.
 */
static gboolean
get_operand (IdgSassMaker *maker, guint nth, IdgOperand *operand, gboolean *negated)
{
  const IdgSassOperand *source = get_source (maker, nth);

  *operand = (IdgOperand){ IDG_NO_REGISTER, 0 };
  if (negated)
    *negated = FALSE;
  if (!source || source->changed || source->carry)
    return FALSE;
  if (source->kind == IDG_SASS_CONSTANT && source->is_whole)
    {
      operand->value = source->value;
      return TRUE;
    }
  if ((source->kind == IDG_SASS_BANK || source->kind == IDG_SASS_WORD) && !source->negated)
    {
      operand->reg = source->kind == IDG_SASS_BANK ? find_special_bank (maker, source)
                                                   : find_special_word (source);
      return operand->reg != IDG_NO_REGISTER;
    }
  if (source->kind != IDG_SASS_REGISTER || source->reg.width == 2)
    return FALSE;
  operand->reg = idg_sass_get_register (maker, &source->reg, 0);
  if (!source->negated || source->reg.constant)
    return TRUE;
  if (negated)
    *negated = TRUE;
  return negated != NULL;
}

static gboolean
is_nothing (const IdgOperand *operand)
{
  return operand->reg == IDG_NO_REGISTER && operand->value == 0;
}

/* Handles a + b + c, and a - b. */
static gboolean
find_sum (IdgSassMaker *maker, IdgMeaning *meaning)
{
  IdgOperand plus[3], minus[3];
  guint n_plus = 0, n_minus = 0;

  for (guint i = 0; i < 3 && get_source (maker, i); i++)
    {
      IdgOperand operand;
      gboolean negated;

      if (!get_operand (maker, i, &operand, &negated))
        return FALSE;
      if (is_nothing (&operand))
        continue;
      if (negated)
        minus[n_minus++] = operand;
      else
        plus[n_plus++] = operand;
    }
  if (n_minus > 1 || (n_minus == 1 && n_plus > 1))
    return FALSE;
  meaning->math = n_minus ? IDG_MATH_SUB : IDG_MATH_ADD;
  if (n_plus > 0)
    meaning->a = plus[0];
  if (n_minus > 0)
    meaning->b = minus[0];
  else if (n_plus > 1)
    meaning->b = plus[1];
  if (n_plus > 2)
    meaning->c = plus[2];
  return TRUE;
}

static gboolean
find_multiply (IdgSassMaker *maker, IdgMeaning *meaning)
{
  gboolean negated;

  if (idg_sass_has_modifier (maker, "WIDE") || idg_sass_has_modifier (maker, "HI")
      || idg_sass_has_modifier (maker, "X"))
    return FALSE;
  if (idg_sass_has_modifier (maker, "MOV"))
    {
      meaning->math = IDG_MATH_MOVE;
      return get_operand (maker, 2, &meaning->a, NULL);
    }
  meaning->math = IDG_MATH_MUL;
  if (!get_operand (maker, 0, &meaning->a, NULL) || !get_operand (maker, 1, &meaning->b, &negated)
      || negated)
    return FALSE;
  return !get_source (maker, 2) || get_operand (maker, 2, &meaning->c, NULL);
}

/* Handles shifts. SHF shifts a pair of registers: SHF.L is a left shift of its first operand if the
 * third is nothing, SHF.R.HI a right shift of its third operand if the first is nothing. */
static gboolean
find_shift (IdgSassMaker *maker, IdgMeaning *meaning)
{
  const IdgSassOperand *third = get_source (maker, 2);
  IdgOperand other;

  meaning->is_signed = idg_sass_has_modifier (maker, "S32");
  if (!computes (maker, "SHF"))
    {
      meaning->math = computes (maker, "SHL") ? IDG_MATH_SHL : IDG_MATH_SHR;
      meaning->is_signed = !idg_sass_has_modifier (maker, "U32");
      return get_operand (maker, 0, &meaning->a, NULL) && get_operand (maker, 1, &meaning->b, NULL);
    }
  if (!third || !get_operand (maker, 1, &meaning->b, NULL))
    return FALSE;
  if (idg_sass_has_modifier (maker, "L") && !idg_sass_has_modifier (maker, "HI"))
    {
      meaning->math = IDG_MATH_SHL;
      return get_operand (maker, 2, &other, NULL) && is_nothing (&other)
             && get_operand (maker, 0, &meaning->a, NULL);
    }
  meaning->math = IDG_MATH_SHR;
  return idg_sass_has_modifier (maker, "R") && idg_sass_has_modifier (maker, "HI")
         && get_operand (maker, 0, &other, NULL) && is_nothing (&other)
         && get_operand (maker, 2, &meaning->a, NULL);
}

/* Handles (a << s) + b. */
static gboolean
find_scaled (IdgSassMaker *maker, IdgMeaning *meaning)
{
  IdgOperand shift;

  if (idg_sass_has_modifier (maker, "HI") || !get_operand (maker, 2, &shift, NULL)
      || shift.reg != IDG_NO_REGISTER || shift.value < 0 || shift.value > 31)
    return FALSE;
  meaning->math = IDG_MATH_MUL;
  meaning->b.value = (gint64)1 << shift.value;
  return get_operand (maker, 0, &meaning->a, NULL) && get_operand (maker, 1, &meaning->c, NULL);
}

static gboolean
find_and (IdgSassMaker *maker, IdgMeaning *meaning)
{
  IdgOperand third, table;

  meaning->math = IDG_MATH_AND;
  if (!get_operand (maker, 0, &meaning->a, NULL) || !get_operand (maker, 1, &meaning->b, NULL))
    return FALSE;
  if (!computes (maker, "LOP3"))
    return idg_sass_has_modifier (maker, "AND");
  /* 0xc0 is the truth table of a & b. */
  return get_operand (maker, 2, &third, NULL) && is_nothing (&third)
         && get_operand (maker, 3, &table, NULL) && table.value == 0xc0;
}

static gboolean
find_comparison (IdgSassMaker *maker, IdgMeaning *meaning)
{
  static const struct
  {
    const gchar *word;
    IdgMath math;
  } comparisons[] = {
    { "LT", IDG_MATH_LT }, { "LE", IDG_MATH_LE }, { "GT", IDG_MATH_GT },
    { "GE", IDG_MATH_GE }, { "EQ", IDG_MATH_EQ }, { "NE", IDG_MATH_NE },
  };
  const IdgSassOperand *last = &maker->operands[maker->n - 1];

  /* The last predicate is true, so that AND has no effect. */
  if (idg_sass_has_modifier (maker, "EX") || idg_sass_has_modifier (maker, "X")
      || idg_sass_has_modifier (maker, "U64") || idg_sass_has_modifier (maker, "S64")
      || !idg_sass_has_modifier (maker, "AND") || last->kind != IDG_SASS_PREDICATE
      || !last->reg.constant || last->negated)
    return FALSE;
  meaning->is_signed = !idg_sass_has_modifier (maker, "U32");
  for (guint i = 0; i < G_N_ELEMENTS (comparisons); i++)
    if (idg_sass_has_modifier (maker, comparisons[i].word))
      meaning->math = comparisons[i].math;
  return meaning->math != IDG_MATH_NONE && get_operand (maker, 0, &meaning->a, NULL)
         && get_operand (maker, 1, &meaning->b, NULL);
}

/* Returns the bits of VALUE as a 16-bit number; what a compiler prints is exact. */
static guint
get_half (gdouble value)
{
  guint sign = signbit (value) ? 0x8000 : 0;
  gint exponent;
  gdouble fraction = frexp (fabs (value), &exponent);

  if (!(fabs (value) < 65536))
    return sign | 0x7c00;
  if (value == 0 || exponent < -13)
    return sign | (guint)(fabs (value) * 16777216);
  return sign | ((guint)(exponent + 14) << 10) | ((guint)(fraction * 2048) & 0x3ff);
}

static gboolean
find_halves (const IdgSassMaker *maker, IdgMeaning *meaning)
{
  const IdgSassOperand *sources[4];

  /* a different format of 16 bits */
  if (idg_sass_has_modifier (maker, "BF16_V2"))
    return FALSE;
  for (guint i = 0; i < 4; i++)
    if (!(sources[i] = get_source (maker, i)))
      return FALSE;
  for (guint i = 0; i < 2; i++)
    if (sources[i]->kind != IDG_SASS_REGISTER || !sources[i]->reg.constant
        || sources[i + 2]->kind != IDG_SASS_CONSTANT)
      return FALSE;
  meaning->math = IDG_MATH_MOVE;
  meaning->a.value
      = (gint64)(get_half (sources[2]->fraction) << 16 | get_half (sources[3]->fraction));
  return TRUE;
}

static gboolean
find_math (IdgSassMaker *maker, IdgMeaning *meaning)
{
  if (computes (maker, "MOV") || computes (maker, "MOV32I") || computes (maker, "S2R")
      || computes (maker, "S2UR") || computes (maker, "CS2R")
      || ((computes (maker, "LDC") || computes (maker, "LDCU"))
          && !idg_sass_has_modifier (maker, "64")))
    {
      meaning->math = IDG_MATH_MOVE;
      return get_operand (maker, 0, &meaning->a, NULL);
    }
  if (computes (maker, "IADD3") || computes (maker, "IADD") || computes (maker, "IADD32I")
      || computes (maker, "VIADD"))
    return !idg_sass_has_modifier (maker, "X") && !idg_sass_has_modifier (maker, "64")
           && find_sum (maker, meaning);
  if (computes (maker, "IMAD") || computes (maker, "IMUL"))
    return find_multiply (maker, meaning);
  if (computes (maker, "SHF") || computes (maker, "SHL") || computes (maker, "SHR"))
    return find_shift (maker, meaning);
  if (computes (maker, "LEA") || computes (maker, "ISCADD"))
    return find_scaled (maker, meaning);
  if (computes (maker, "LOP3") || computes (maker, "LOP") || computes (maker, "LOP32I"))
    return find_and (maker, meaning);
  if (computes (maker, "HFMA2"))
    return find_halves (maker, meaning);
  return FALSE;
}

gboolean
idg_sass_find_meaning (IdgSassMaker *maker, IdgMeaning *meaning)
{
  const IdgOperand nothing = { IDG_NO_REGISTER, 0 };
  const IdgSassOperand *dest = NULL;

  /* There must be one result: carries, and the second predicate of a comparison, must be discarded.
   */
  for (guint i = 0; i < maker->n_dests; i++)
    {
      const IdgSassOperand *operand = &maker->operands[i];

      if (operand->kind != IDG_SASS_REGISTER && operand->kind != IDG_SASS_PREDICATE)
        return FALSE;
      if (operand->reg.constant)
        continue;
      if (dest)
        return FALSE;
      dest = operand;
    }
  if (!dest || maker->op->dest_registers > 1 || dest->carry)
    return FALSE;
  *meaning = (IdgMeaning){ IDG_MATH_NONE, 32, FALSE, IDG_NO_REGISTER, nothing, nothing, nothing };
  meaning->result = idg_sass_get_register (maker, &dest->reg, 0);
  if (dest->kind == IDG_SASS_PREDICATE)
    return computes (maker, "ISETP") && find_comparison (maker, meaning);
  return find_math (maker, meaning);
}
