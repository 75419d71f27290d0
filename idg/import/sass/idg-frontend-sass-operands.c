/* SPDX-License-Identifier: MIT */
/* Parses operands as the disassemblers print them. Anything but a register, a number or a bracket
 * is a word, which means nothing here: 2D, SR_TID.X, gsb0. A register number that is out of range
 * is an error, because nothing else begins like that. */
#include "idg/import/sass/idg-frontend-sass.h"

#include <string.h>

static const gchar *
skip_blanks (const gchar *at, const gchar *end)
{
  while (at < end && *at == ' ')
    at++;
  return at;
}

static gboolean
is_word (gchar c)
{
  return g_ascii_isalnum (c) || c == '_';
}

/* ---- Registers ---- */

typedef struct
{
  const gchar *prefix, *constant;
  gchar file;
  guint n; /* its registers have numbers below this */
} File;

/* Longer prefixes come first. There may be more uniform registers than any machine has yet. */
static const File files[] = {
  { "UR", "URZ", 'U', 255 }, { "UP", "UPT", 'Q', 8 }, { "R", "RZ", 'R', 255 },
  { "P", "PT", 'P', 7 },     { "B", NULL, 'B', 16 },
};

/* Reads the register that begins at *AT, and advances *AT past its name. Returns FALSE if there is
 * none. */
static gboolean
read_register (const gchar **at, const gchar *end, IdgSassRegister *reg, gboolean *wrong)
{
  gsize length = 0;

  *wrong = FALSE;
  *reg = (IdgSassRegister){ 0 };
  while (*at + length < end && is_word ((*at)[length]))
    length++;
  if ((length == 2 && strncmp (*at, "CC", 2) == 0) || (length == 3 && strncmp (*at, "SRZ", 3) == 0))
    {
      *reg = (IdgSassRegister){ .file = length == 2 ? 'C' : 'R', .constant = length == 3 };
      *at += length;
      return TRUE;
    }
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      gsize prefix = strlen (files[i].prefix), digits = 0;
      guint number = 0;

      if (files[i].constant && length == strlen (files[i].constant)
          && strncmp (*at, files[i].constant, length) == 0)
        {
          *reg = (IdgSassRegister){ .file = files[i].file, .constant = TRUE };
          *at += length;
          return TRUE;
        }
      if (length <= prefix || strncmp (*at, files[i].prefix, prefix) != 0)
        continue;
      while (prefix + digits < length && g_ascii_isdigit ((*at)[prefix + digits]))
        {
          number = MIN (number * 10 + (guint)((*at)[prefix + digits] - '0'), 100000);
          digits++;
        }
      if (prefix + digits < length)
        continue;
      *wrong = number >= files[i].n;
      *reg = (IdgSassRegister){ .file = files[i].file, .number = number };
      *at += length;
      return TRUE;
    }
  return FALSE;
}

/* Reads ".64", ".reuse", ".CC", ".H0_H0" after a register. */
static void
read_suffixes (const gchar **at, const gchar *end, IdgSassRegister *reg, IdgSassOperand *operand)
{
  while (*at < end && **at == '.')
    {
      const gchar *word = *at + 1;
      gsize length = 0;

      while (word + length < end && is_word (word[length]))
        length++;
      if (length == 2 && strncmp (word, "64", 2) == 0)
        reg->width = 2;
      else if (length == 2 && strncmp (word, "CC", 2) == 0)
        operand->carry = TRUE;
      else if ((length == 3 && strncmp (word, "U32", 3) == 0) || (length > 1 && *word == 'X'))
        reg->width = 1;
      else if (length != 5 || strncmp (word, "reuse", 5) != 0)
        operand->changed = TRUE;
      *at = word + length;
    }
}

static gboolean
fail_register (const gchar *file, gint line, const gchar *text, const gchar *end, GError **error)
{
  return idg_import_fail (file, line, IDG_ERROR_VALUE, error,
                          "there is no register %.*s; expected R0 to R254, UR0 to UR254, P0 to P6, "
                          "UP0 to UP7 or B0 to B15",
                          (int)MIN (end - text, 20), text);
}

/* ---- Brackets and numbers ---- */

/* Reads the registers inside c[0x0][R2+0x10], desc[UR4][R2.64+0x8], [R2.U32+UR4]. */
static gboolean
read_inner (IdgSassOperand *operand, const gchar *file, gint line, GError **error)
{
  const gchar *at = operand->text, *end = at + operand->length;
  gboolean descriptor = FALSE;

  while (at < end)
    {
      IdgSassRegister reg;
      gboolean wrong;
      const gchar *begin = at;

      if (*at == ']')
        descriptor = FALSE;
      if (!is_word (*at))
        {
          at++;
          continue;
        }
      if (!read_register (&at, end, &reg, &wrong))
        {
          while (at < end && is_word (*at))
            at++;
          /* desc[, gdesc[ and cx[ are no plain addresses. */
          if (at < end && *at == '[')
            descriptor = strncmp (begin, "c[", 2) != 0 && strncmp (begin, "a[", 2) != 0;
          continue;
        }
      if (wrong)
        return fail_register (file, line, begin, at, error);
      reg.descriptor = descriptor;
      read_suffixes (&at, end, &reg, operand);
      if (!reg.constant && operand->n_inner < IDG_SASS_MAX_INNER)
        operand->inner[operand->n_inner++] = reg;
    }
  return TRUE;
}

/* Reads a number with its sign: 0x10, 12, 1.5e-3. One that is too large for 64 bits counts as
 * unknown. */
static void
read_number (IdgSassOperand *operand, const gchar *at)
{
  g_autofree gchar *text = g_strndup (at, operand->length - (gsize)(at - operand->text));
  gchar *end;
  guint64 value;

  operand->kind = IDG_SASS_CONSTANT;
  if (g_str_has_prefix (text, "0x"))
    value = g_ascii_strtoull (text + 2, &end, 16);
  else
    value = g_ascii_strtoull (text, &end, 10);
  if (*end == '\0' && end > text && value <= G_MAXINT64)
    {
      operand->is_whole = TRUE;
      operand->value = operand->negated ? -(gint64)value : (gint64)value;
    }
  operand->fraction = g_ascii_strtod (text, NULL) * (operand->negated ? -1 : 1);
}

/* ---- One operand ---- */

static gboolean
parse_operand (IdgSassOperand *operand, const gchar *file, gint line, GError **error)
{
  const gchar *at = operand->text, *end = at + operand->length, *begin;
  gboolean wrong = FALSE;

  while (at < end && strchr ("-+!~|", *at))
    {
      operand->negated |= *at == '-' || *at == '!';
      operand->changed |= *at == '~' || *at == '|';
      at++;
    }
  at = begin = skip_blanks (at, end);
  if (at < end && (*at == '`' || *at == '('))
    operand->kind = IDG_SASS_TARGET;
  else if (at < end && (g_ascii_isdigit (*at) || *at == '.'))
    read_number (operand, at);
  else if (read_register (&at, end, &operand->reg, &wrong))
    {
      if (wrong)
        return fail_register (file, line, begin, at, error);
      operand->kind = operand->reg.file == 'P' || operand->reg.file == 'Q' ? IDG_SASS_PREDICATE
                                                                           : IDG_SASS_REGISTER;
      read_suffixes (&at, end, &operand->reg, operand);
    }
  else if (memchr (operand->text, '[', operand->length))
    {
      operand->kind = g_str_has_prefix (begin, "c[") || g_str_has_prefix (begin, "cx[")
                          ? IDG_SASS_BANK
                          : IDG_SASS_ADDRESS;
      return read_inner (operand, file, line, error);
    }
  else
    operand->kind = IDG_SASS_WORD;
  return TRUE;
}

/* Returns the end of the operand that begins at AT: a comma outside of brackets, or END. */
static const gchar *
find_end (const gchar *at, const gchar *end, gint *depth)
{
  gboolean quoted = FALSE;

  *depth = 0;
  for (; at < end; at++)
    {
      if (*at == '"')
        quoted = !quoted;
      else if (quoted)
        continue;
      else if (strchr ("[({", *at))
        ++*depth;
      else if (strchr ("])}", *at))
        --*depth;
      else if (*at == ',' && *depth == 0)
        break;
    }
  return at;
}

gboolean
idg_sass_parse_operands (const gchar *text, gsize length, const gchar *file, gint line,
                         IdgSassOperand *operands, guint *n, GError **error)
{
  const gchar *at = text, *end = text + length;

  *n = 0;
  at = skip_blanks (at, end);
  while (at < end)
    {
      gint depth;
      const gchar *stop = find_end (at, end, &depth), *last = stop;

      while (last > at && last[-1] == ' ')
        last--;
      if (depth != 0)
        return idg_import_fail (file, line, IDG_ERROR_SYNTAX, error,
                                "brackets do not match in `%.*s`; expected each to be closed",
                                (int)MIN (last - at, 60), at);
      if (last == at || (stop < end && skip_blanks (stop + 1, end) == end))
        return idg_import_fail (file, line, IDG_ERROR_SYNTAX, error,
                                "an operand is missing in `%.*s`; expected one before and after "
                                "each comma",
                                (int)MIN (length, 60), text);
      if (*n == IDG_SASS_MAX_OPERANDS)
        return idg_import_fail (file, line, IDG_ERROR_VALUE, error,
                                "more than %d operands; no instruction has so many",
                                IDG_SASS_MAX_OPERANDS);
      operands[*n] = (IdgSassOperand){ .text = at, .length = (gsize)(last - at) };
      if (!parse_operand (&operands[(*n)++], file, line, error))
        return FALSE;
      at = skip_blanks (stop < end ? stop + 1 : end, end);
    }
  return TRUE;
}
