/* SPDX-License-Identifier: MIT */
/* Finds what integer instructions compute. A loop's counter starts from a constant, is added to,
 * and is compared: few opcodes cover that. An instruction is described exactly or not at all. */
#include <string.h>

#include "idg/import/ptx/idg-ptx.h"

typedef struct
{
  const gchar *first; /* words of the mnemonic that precede its type */
  IdgMath math;
  guint n_sources;
} Rule;

/* A mnemonic matches if it is one of these followed by a type, and nothing else. */
static const Rule rules[] = {
  { "mov", IDG_MATH_MOVE, 1 },   { "add", IDG_MATH_ADD, 2 },    { "sub", IDG_MATH_SUB, 2 },
  { "mul.lo", IDG_MATH_MUL, 2 }, { "mad.lo", IDG_MATH_MUL, 3 }, { "shl", IDG_MATH_SHL, 2 },
  { "shr", IDG_MATH_SHR, 2 },    { "and", IDG_MATH_AND, 2 },    { "or", IDG_MATH_OR, 2 },
  { "xor", IDG_MATH_XOR, 2 },    { "div", IDG_MATH_DIV, 2 },    { "rem", IDG_MATH_REM, 2 },
  { "min", IDG_MATH_MIN, 2 },    { "max", IDG_MATH_MAX, 2 },    { "selp", IDG_MATH_SELECT, 3 },
  { "neg", IDG_MATH_SUB, 1 },    { "not", IDG_MATH_XOR, 1 },    { "setp.eq", IDG_MATH_EQ, 2 },
  { "setp.ne", IDG_MATH_NE, 2 }, { "setp.lt", IDG_MATH_LT, 2 }, { "setp.le", IDG_MATH_LE, 2 },
  { "setp.gt", IDG_MATH_GT, 2 }, { "setp.ge", IDG_MATH_GE, 2 }, { "setp.lo", IDG_MATH_LT, 2 },
  { "setp.ls", IDG_MATH_LE, 2 }, { "setp.hi", IDG_MATH_GT, 2 }, { "setp.hs", IDG_MATH_GE, 2 },
};

/* Parses "s32", "pred" and the like. Returns 0 if it is no integer type, or one that is wider than
 * 64 bits. */
static guint
read_type (const gchar *type, gboolean *is_signed)
{
  guint bits = type[0] == 'u' || type[0] == 's' || type[0] == 'b'
                   ? (guint)g_ascii_strtoull (type + 1, NULL, 10)
                   : 0;

  *is_signed = type[0] == 's';
  if (strcmp (type, "pred") == 0)
    return 1;
  return (bits == 16 || bits == 32 || bits == 64) && strlen (type) == 3 ? bits : 0;
}

gboolean
idg_ptx_is_whole (const gchar *type, guint *bits)
{
  gboolean is_signed;

  *bits = read_type (type, &is_signed);
  return *bits > 1;
}

static const Rule *
find_rule (const gchar *mnemonic, const gchar *type)
{
  gsize length = (gsize)(type - mnemonic) - 1;

  for (guint i = 0; i < G_N_ELEMENTS (rules); i++)
    if (strlen (rules[i].first) == length && memcmp (rules[i].first, mnemonic, length) == 0)
      return &rules[i];
  return NULL;
}

/* Returns the special register NAME, or IDG_NO_REGISTER. */
static guint
find_special (const gchar *name)
{
  static const gchar *const names[]
      = { "%tid.x",  "%tid.y",    "%tid.z",    "%ntid.x",   "%ntid.y",
          "%ntid.z", "%nctaid.x", "%nctaid.y", "%nctaid.z", "%laneid" };

  for (guint i = 0; name != NULL && i < G_N_ELEMENTS (names); i++)
    if (strcmp (name, names[i]) == 0)
      return IDG_SPECIAL_TID_X + i;
  return IDG_NO_REGISTER;
}

static gboolean
read_operand (const IdgPtxOperand *operand, const guint *registers, IdgOperand *value)
{
  *value = (IdgOperand){ IDG_NO_REGISTER, 0 };
  if (operand->kind == IDG_PTX_REGISTER)
    value->reg = registers[operand->index];
  else if (operand->kind == IDG_PTX_NUMBER)
    value->value = operand->value;
  else if (operand->kind == IDG_PTX_NAME && g_strcmp0 (operand->name, "WARP_SZ") == 0)
    value->value = 32;
  else if (operand->kind == IDG_PTX_NAME)
    value->reg = find_special (operand->name);
  return value->reg != IDG_NO_REGISTER || operand->kind == IDG_PTX_NUMBER || value->value > 0;
}

static gboolean
read_operands (const IdgPtxStatement *statement, const IdgPtxOperand *operands,
               const guint *registers, guint n_sources, IdgMeaning *meaning)
{
  IdgOperand *sources[] = { &meaning->a, &meaning->b, &meaning->c };

  if (statement->n != n_sources + 1 || operands[0].kind != IDG_PTX_REGISTER)
    return FALSE;
  meaning->result = registers[operands[0].index];
  meaning->a = meaning->b = meaning->c = (IdgOperand){ IDG_NO_REGISTER, 0 };
  for (guint i = 0; i < n_sources; i++)
    if (!read_operand (&operands[i + 1], registers, sources[i]))
      return FALSE;
  return TRUE;
}

/* Handles cvt.TO.FROM that keeps the low bits and fills with zeros. Sign extension is not handled.
 */
static gboolean
read_conversion (const IdgPtxStatement *statement, IdgMeaning *meaning)
{
  g_auto (GStrv) words = g_strsplit (statement->mnemonic, ".", 4);
  gboolean to_signed, from_signed;
  guint to, from;

  if (g_strv_length (words) != 3)
    return FALSE;
  to = read_type (words[1], &to_signed);
  from = read_type (words[2], &from_signed);
  if (to == 0 || from == 0 || (from_signed && to > from))
    return FALSE;
  meaning->bits = to;
  meaning->math = to > from ? IDG_MATH_AND : IDG_MATH_MOVE;
  if (to > from)
    meaning->b.value = ((gint64)1 << from) - 1;
  return TRUE;
}

/* neg is 0 - a, not is a ^ -1. */
static void
complete (const Rule *rule, IdgMeaning *meaning)
{
  if (strcmp (rule->first, "neg") == 0)
    {
      meaning->b = meaning->a;
      meaning->a = (IdgOperand){ IDG_NO_REGISTER, 0 };
    }
  else if (strcmp (rule->first, "not") == 0)
    meaning->b = (IdgOperand){ IDG_NO_REGISTER, -1 };
}

gboolean
idg_ptx_get_meaning (const IdgPtxStatement *statement, const IdgPtxOperand *operands,
                     const guint *registers, IdgMeaning *meaning)
{
  const gchar *dot = strrchr (statement->mnemonic, '.');
  const Rule *rule;

  memset (meaning, 0, sizeof *meaning);
  if (g_str_has_prefix (statement->mnemonic, "cvt."))
    return read_operands (statement, operands, registers, 1, meaning)
           && read_conversion (statement, meaning);
  rule = dot ? find_rule (statement->mnemonic, dot + 1) : NULL;
  if (!rule)
    return FALSE;
  meaning->math = rule->math;
  meaning->bits = read_type (dot + 1, &meaning->is_signed);
  if (meaning->bits == 0
      || !read_operands (statement, operands, registers, rule->n_sources, meaning))
    return FALSE;
  complete (rule, meaning);
  return TRUE;
}
