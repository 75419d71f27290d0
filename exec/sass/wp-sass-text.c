/* SPDX-License-Identifier: MIT */
/* The text of an instruction: what a disassembler of a raw file prints. */
#include "exec/sass/wp-sass.h"

#include <math.h>
#include <string.h>

enum
{
  NO_REGISTER = 255,
  TRUE_PREDICATE = 7
};

static void
append_hex (GString *text, gint64 value)
{
  if (value < 0)
    g_string_append_printf (text, "-0x%" G_GINT64_MODIFIER "x", -(guint64)value);
  else
    g_string_append_printf (text, "0x%" G_GINT64_MODIFIER "x", value);
}

static void
append_register (GString *text, const gchar *file, guint number, guint none)
{
  if (number == none)
    g_string_append_printf (text, "%s%c", file, none == TRUE_PREDICATE ? 'T' : 'Z');
  else
    g_string_append_printf (text, "%s%u", file, number);
}

static void
append_word (GString *text, WpSassWord word)
{
  if (word != WP_WORD_NONE)
    g_string_append_printf (text, ".%s", wp_sass_word_text (word));
}

/* A value of sign, exponent and fraction, whatever their widths: all its digits. */
static gdouble
get_float (const WpSassOperand *operand)
{
  guint64 bits = (guint64)operand->value;
  gdouble wide;
  gfloat narrow;
  guint32 half;

  switch (operand->float_kind)
    {
    case WP_SASS_DOUBLE:
      memcpy (&wide, &bits, sizeof wide);
      return wide;
    case WP_SASS_HALF:
      wide = (bits >> 10 & 31) == 31  ? (bits & 0x3ff ? NAN : INFINITY)
             : (bits >> 10 & 31) == 0 ? ldexp (bits & 0x3ff, -24)
                                      : ldexp (1024 + (bits & 0x3ff), (gint)(bits >> 10 & 31) - 25);
      return bits & 0x8000 ? -wide : wide;
    case WP_SASS_BFLOAT:
      half = (guint32)bits << 16;
      memcpy (&narrow, &half, sizeof narrow);
      return narrow;
    default:
      half = (guint32)bits;
      memcpy (&narrow, &half, sizeof narrow);
      return narrow;
    }
}

/* Only of a double a not-a-number is told to signal: the first bit of its fraction is 0. */
static gboolean
is_signalling (const WpSassOperand *operand)
{
  return operand->float_kind == WP_SASS_DOUBLE && !((guint64)operand->value >> 51 & 1);
}

static void
append_digits (GString *text, gdouble value)
{
  gchar digits[64];

  g_ascii_formatd (digits, sizeof digits, fabs (value) >= 1e9 ? "%.20e" : "%.20g", value);
  g_string_append (text, digits);
  if (value == 0 && signbit (value))
    g_string_append (text, ".0");
}

static void
append_float (GString *text, const WpSassOperand *operand)
{
  gdouble value = get_float (operand);

  if (isnan (value))
    g_string_append_printf (text, "%c%s", signbit (value) ? '-' : '+',
                            is_signalling (operand) ? "SNAN" : "QNAN");
  else if (isinf (value))
    g_string_append (text, value < 0 ? "-INF" : "+INF");
  else
    append_digits (text, value);
}

/* A constant of arithmetic, where no register can stand. */
static gboolean
is_bare (const WpSassOperand *operand)
{
  return operand->kind == WP_SASS_CONSTANT && !operand->is_indexed;
}

/* A memory operand that has a place for a uniform register in each of its forms. */
static gboolean
shows_urz (const WpSassOperand *operand)
{
  return operand->kind == WP_SASS_MEMORY && operand->is_uniform_index;
}

/* RZ with a word, but for the width of an address that a uniform register gives. */
static gboolean
shows_rz (const WpSassOperand *operand)
{
  if (operand->index_word == WP_WORD_64 || operand->index_word == WP_WORD_U32)
    return operand->uniform == NO_REGISTER && !shows_urz (operand);
  return operand->index_word != WP_WORD_NONE;
}

/* [R2.64+UR4+0x10]: a part that adds nothing is left out, but for the last one. */
static void
append_brackets (GString *text, const WpSassOperand *operand)
{
  gboolean is_first = TRUE;

  g_string_append_c (text, '[');
  if (operand->index != NO_REGISTER || shows_rz (operand))
    {
      append_register (text, "R", operand->index, NO_REGISTER);
      append_word (text, operand->index_word);
      is_first = FALSE;
    }
  if (operand->uniform != NO_REGISTER || shows_urz (operand))
    {
      g_string_append (text, is_first ? "" : "+");
      append_register (text, "UR", operand->uniform, NO_REGISTER);
      is_first = FALSE;
    }
  if (is_first && operand->value == 0)
    g_string_append (text, is_bare (operand) ? "0x0" : operand->is_uniform_index ? "URZ" : "RZ");
  else if (operand->value != 0 || is_first)
    {
      g_string_append (text, is_first ? "" : "+");
      append_hex (text, operand->value);
    }
  g_string_append_c (text, ']');
}

static void
append_constant (GString *text, const WpSassOperand *operand)
{
  if (operand->is_descriptor)
    {
      g_string_append (text, "cx[");
      append_register (text, "UR", operand->number, NO_REGISTER);
      g_string_append_c (text, ']');
    }
  else
    g_string_append_printf (text, "c[0x%x]", operand->number);
  append_brackets (text, operand);
}

static void
append_memory (GString *text, const WpSassOperand *operand)
{
  if (operand->descriptor != NO_REGISTER)
    {
      g_string_append (text, "desc[");
      append_register (text, "UR", operand->descriptor, NO_REGISTER);
      g_string_append_c (text, ']');
    }
  if (operand->space != WP_WORD_NONE)
    g_string_append (text, wp_sass_word_text (operand->space));
  append_brackets (text, operand);
}

static void
append_special (GString *text, guint number)
{
  const gchar *name = wp_sass_special_name (number);

  if (name)
    g_string_append (text, name);
  else
    g_string_append_printf (text, "SR%u", number);
}

static void
append_state (GString *text, guint number)
{
  static const gchar *const names[] = {
    "THREAD_STATE_ENUM.0",
    "THREAD_STATE_ENUM.1",
    "THREAD_STATE_ENUM.2",
    "THREAD_STATE_ENUM.3",
    "THREAD_STATE_ENUM.4",
    "TRAP_RETURN_PC.LO",
    "TRAP_RETURN_PC.HI",
    "TRAP_RETURN_MASK",
    "MEXITED",
    "MKILL",
    "MACTIVE",
    "MATEXIT",
    "OPT_STACK",
    "API_CALL_DEPTH",
    "ATEXIT_PC.LO",
    "ATEXIT_PC.HI",
  };

  if (number < 16)
    g_string_append_printf (text, "B%u", number);
  else
    g_string_append (text, names[number & 15]);
}

/* {4,3}: from the last one on. */
static void
append_set (GString *text, gint64 set)
{
  const gchar *before = "{";

  for (gint k = 5; k >= 0; k--)
    if (set >> k & 1)
      {
        g_string_append_printf (text, "%s%d", before, k);
        before = ",";
      }
  g_string_append_c (text, '}');
}

static void
append_value (GString *text, const WpSassOperand *operand)
{
  switch ((WpSassOperandKind)operand->kind)
    {
    case WP_SASS_REGISTER:
      append_register (text, "R", operand->number, NO_REGISTER);
      break;
    case WP_SASS_UNIFORM:
      append_register (text, "UR", operand->number, NO_REGISTER);
      break;
    case WP_SASS_PREDICATE:
      append_register (text, "P", operand->number, TRUE_PREDICATE);
      break;
    case WP_SASS_UNIFORM_PREDICATE:
      append_register (text, "UP", operand->number, TRUE_PREDICATE);
      break;
    case WP_SASS_IMMEDIATE:
      if (operand->is_float)
        append_float (text, operand);
      else if (operand->is_unsigned)
        g_string_append_printf (text, "0x%" G_GINT64_MODIFIER "x", (guint64)operand->value);
      else
        append_hex (text, operand->value);
      break;
    case WP_SASS_CONSTANT:
      append_constant (text, operand);
      break;
    case WP_SASS_MEMORY:
      append_memory (text, operand);
      break;
    case WP_SASS_SPECIAL:
      append_special (text, operand->number);
      break;
    case WP_SASS_CONVERGENCE:
      append_state (text, operand->number);
      break;
    case WP_SASS_SCOREBOARD:
      g_string_append_printf (text, "%s%u",
                              operand->space ? wp_sass_word_text (operand->space) : "SB",
                              operand->number);
      break;
    case WP_SASS_SCOREBOARDS:
      append_set (text, operand->value);
      break;
    case WP_SASS_RPC:
      g_string_append (text, "Rpc");
      break;
    case WP_SASS_TARGET:
      append_hex (text, operand->value);
      break;
    case WP_SASS_PREDICATES:
      g_string_append (text, "PR");
      break;
    case WP_SASS_UNIFORM_PREDICATES:
      g_string_append (text, "UPR");
      break;
    }
}

static gboolean
is_predicate (const WpSassOperand *operand)
{
  return operand->kind == WP_SASS_PREDICATE || operand->kind == WP_SASS_UNIFORM_PREDICATE;
}

static void
append_operand (GString *text, const WpSassOperand *operand)
{
  g_string_append (text, operand->negate ? "-" : "");
  if (operand->invert)
    g_string_append_c (text, is_predicate (operand) ? '!' : '~');
  g_string_append (text, operand->absolute ? "|" : "");
  append_value (text, operand);
  g_string_append (text, operand->absolute ? "|" : "");
  g_string_append (text, operand->reuse ? ".reuse" : "");
  for (guint k = 0; k < G_N_ELEMENTS (operand->words); k++)
    append_word (text, operand->words[k]);
}

static void
append_guard (GString *text, const WpSassInstr *instr)
{
  if (instr->guard == TRUE_PREDICATE && !instr->guard_not)
    return;
  g_string_append (text, instr->guard_not ? "@!" : "@");
  append_register (text, instr->guard_is_uniform ? "UP" : "P", instr->guard, TRUE_PREDICATE);
  g_string_append_c (text, ' ');
}

/* "BRX R8 0x100": no comma between what a target's address is added to, and it. */
static gboolean
has_comma (const WpSassInstr *instr, guint k)
{
  guint before = instr->operands[k - 1].kind;

  if (instr->operands[k].kind != WP_SASS_TARGET
      || (before != WP_SASS_REGISTER && before != WP_SASS_UNIFORM))
    return TRUE;
  return instr->op == WP_SASS_BRA || instr->op == WP_SASS_WARPSYNC || instr->op == WP_SASS_LEPC
         || instr->op == WP_SASS_ULEPC;
}

void
wp_sass_append (const WpSassInstr *instr, GString *text)
{
  append_guard (text, instr);
  g_string_append (text, wp_sass_op_name (instr->op));
  for (guint k = 0; k < instr->n_words; k++)
    append_word (text, instr->words[k]);
  for (guint k = 0; k < instr->n_operands; k++)
    {
      g_string_append (text, k == 0 || !has_comma (instr, k) ? " " : ", ");
      append_operand (text, &instr->operands[k]);
    }
}
