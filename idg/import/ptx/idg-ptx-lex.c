/* SPDX-License-Identifier: MIT */
/* Splits PTX into tokens. Tokens overlap in places: opcodes and special registers contain dots, a
 * label has a colon after it, and a modifier may contain two ("shared::cta"). One rule covers all:
 * a word continues over a dot or two colons if a letter, a digit or an underscore follows. The
 * parser splits words further where necessary.
 *
 * Comments count as blanks, and so do lines that begin with @@DWARF (ISA 1.x) and a preprocessor's
 * line marks. */
#include "idg/import/ptx/idg-ptx-lex.h"

#include <string.h>

#include "idg/import/base/idg-frontend.h"
#include "idg/xml/idg-xml.h"

static gboolean
is_name_start (gchar c)
{
  return g_ascii_isalpha (c) || c == '_' || c == '$' || c == '%';
}

static gboolean
is_name (gchar c)
{
  return g_ascii_isalnum (c) || c == '_' || c == '$';
}

static gboolean
fail_at (const IdgPtxLexer *lexer, gint line, GError **error, const gchar *message)
{
  return idg_import_fail (lexer->file, line, IDG_ERROR_SYNTAX, error, "%s", message);
}

/* Returns the character N after the next one; NUL past the end. */
static gchar
peek (const IdgPtxLexer *lexer, gsize n)
{
  return (gsize)(lexer->end - lexer->next) > n ? lexer->next[n] : '\0';
}

static void
skip_line (IdgPtxLexer *lexer)
{
  const gchar *end = memchr (lexer->next, '\n', (gsize)(lexer->end - lexer->next));

  lexer->next = end ? end : lexer->end;
}

static gboolean
skip_comment (IdgPtxLexer *lexer, GError **error)
{
  gint line = lexer->line;

  for (lexer->next += 2; lexer->next < lexer->end; lexer->next++)
    {
      if (*lexer->next == '\n')
        lexer->line++;
      if (*lexer->next == '*' && peek (lexer, 1) == '/')
        {
          lexer->next += 2;
          return TRUE;
        }
    }
  return fail_at (lexer, line, error, "a comment without an end; */ ends it");
}

/* Skips `# 12 "file"` and `#line`, `#pragma`, which have no effect; rejects directives that would
 * change the text. */
static gboolean
skip_preprocessor (IdgPtxLexer *lexer, GError **error)
{
  const gchar *p = lexer->next + 1;

  while (p < lexer->end && (*p == ' ' || *p == '\t'))
    p++;
  if (p < lexer->end && !g_ascii_isdigit (*p)
      && !(lexer->end - p >= 4 && memcmp (p, "line", 4) == 0)
      && !(lexer->end - p >= 6 && memcmp (p, "pragma", 6) == 0))
    return fail_at (lexer, lexer->line, error,
                    "a preprocessor directive; preprocess the file first");
  skip_line (lexer);
  return TRUE;
}

static gboolean
skip_blanks (IdgPtxLexer *lexer, GError **error)
{
  while (lexer->next < lexer->end)
    {
      gchar c = *lexer->next;

      if (c == '\n')
        lexer->line++;
      if (c == ' ' || (c >= '\t' && c <= '\r'))
        lexer->next++;
      else if (c == '/' && peek (lexer, 1) == '/')
        skip_line (lexer);
      else if (c == '/' && peek (lexer, 1) == '*')
        {
          if (!skip_comment (lexer, error))
            return FALSE;
        }
      else if (c == '@' && peek (lexer, 1) == '@')
        skip_line (lexer);
      else if (c == '#')
        {
          if (!skip_preprocessor (lexer, error))
            return FALSE;
        }
      else
        break;
    }
  return TRUE;
}

static void
read_name (IdgPtxLexer *lexer, gboolean is_directive)
{
  lexer->next++;
  for (;;)
    {
      while (lexer->next < lexer->end && is_name (*lexer->next))
        lexer->next++;
      if (!is_directive && peek (lexer, 0) == '.' && is_name (peek (lexer, 1)))
        lexer->next++;
      else if (peek (lexer, 0) == ':' && peek (lexer, 1) == ':' && is_name (peek (lexer, 2)))
        lexer->next += 2;
      else
        break;
    }
  lexer->token.kind = is_directive ? IDG_PTX_DIRECTIVE : IDG_PTX_WORD;
}

static gboolean
read_string (IdgPtxLexer *lexer, GError **error)
{
  const gchar *p = lexer->next + 1;

  while (p < lexer->end && *p != '"' && *p != '\n')
    p += *p == '\\' && p + 1 < lexer->end && p[1] != '\n' ? 2 : 1;
  if (p >= lexer->end || *p != '"')
    return fail_at (lexer, lexer->line, error, "a string without an end; \" ends it on its line");
  lexer->token.kind = IDG_PTX_STRING;
  lexer->token.text = lexer->next + 1;
  lexer->token.length = (gsize)(p - lexer->next) - 1;
  lexer->next = p + 1;
  return TRUE;
}

/* Reads the digits of a whole number in BASE, up to the first character that is no digit. */
static gboolean
read_digits (IdgPtxLexer *lexer, guint base, GError **error)
{
  guint64 value = 0;

  for (; lexer->next < lexer->end; lexer->next++)
    {
      gint digit = g_ascii_xdigit_value (*lexer->next);

      if (digit < 0 || (guint)digit >= base)
        break;
      if (value > (G_MAXUINT64 - (guint)digit) / base)
        return fail_at (lexer, lexer->line, error, "a number of more than 64 bits");
      value = value * base + (guint)digit;
    }
  lexer->token.value = value;
  return TRUE;
}

static void
skip_fraction (IdgPtxLexer *lexer)
{
  if (peek (lexer, 0) == '.')
    lexer->next++;
  while (g_ascii_isdigit (peek (lexer, 0)))
    lexer->next++;
  if (peek (lexer, 0) == 'e' || peek (lexer, 0) == 'E')
    {
      lexer->next++;
      if (peek (lexer, 0) == '+' || peek (lexer, 0) == '-')
        lexer->next++;
      while (g_ascii_isdigit (peek (lexer, 0)))
        lexer->next++;
    }
}

/* Tells whether the decimal number that begins here has a point or an exponent. */
static gboolean
is_fraction (const IdgPtxLexer *lexer)
{
  const gchar *p = lexer->next;

  while (p < lexer->end && g_ascii_isdigit (*p))
    p++;
  return p + 1 < lexer->end && ((*p == '.' && g_ascii_isdigit (p[1])) || *p == 'e' || *p == 'E');
}

static gboolean
read_number (IdgPtxLexer *lexer, GError **error)
{
  gchar mark = g_ascii_tolower (peek (lexer, 0) == '0' ? peek (lexer, 1) : '\0');
  gboolean done = TRUE;

  lexer->token.kind = IDG_PTX_WHOLE;
  if (mark == 'f' || mark == 'd')
    {
      lexer->token.kind = IDG_PTX_FLOAT;
      for (lexer->next += 2; g_ascii_isxdigit (peek (lexer, 0));)
        lexer->next++;
    }
  else if (mark == 'x' || mark == 'b')
    {
      lexer->next += 2;
      done = read_digits (lexer, mark == 'x' ? 16 : 2, error);
    }
  else if (is_fraction (lexer))
    {
      lexer->token.kind = IDG_PTX_FLOAT;
      while (g_ascii_isdigit (peek (lexer, 0)))
        lexer->next++;
      skip_fraction (lexer);
    }
  else
    done = read_digits (lexer, g_ascii_isdigit (mark) ? 8 : 10, error);
  if (done && (peek (lexer, 0) == 'U' || peek (lexer, 0) == 'u'))
    lexer->next++;
  if (done && is_name (peek (lexer, 0)))
    return fail_at (lexer, lexer->line, error,
                    "a number that runs into a name; expected one like 12, 0x1f or 0f3f800000");
  return done;
}

static gboolean
read_sign (IdgPtxLexer *lexer, GError **error)
{
  gchar c = *lexer->next;
  g_autofree gchar *message = NULL;

  if (c != '\0' && strchr ("{}()[]<>,;:@!|+-*/=~&^?%\\", c))
    {
      lexer->token.kind = IDG_PTX_SIGN;
      lexer->next++;
      return TRUE;
    }
  message = g_strdup_printf ("byte 0x%02x; PTX is ASCII text", (guchar)c);
  return fail_at (lexer, lexer->line, error, message);
}

gboolean
idg_ptx_next (IdgPtxLexer *lexer, GError **error)
{
  gboolean done = TRUE;
  gchar c;

  if (!skip_blanks (lexer, error))
    return FALSE;
  lexer->token = (IdgPtxToken){ .kind = IDG_PTX_END, .text = lexer->next, .line = lexer->line };
  if (lexer->next >= lexer->end)
    return TRUE;
  c = *lexer->next;
  if (c == '"')
    return read_string (lexer, error);
  if (g_ascii_isdigit (c))
    done = read_number (lexer, error);
  else if (is_name_start (c) && (c != '%' || is_name (peek (lexer, 1))))
    read_name (lexer, FALSE);
  else if (c == '.' && is_name (peek (lexer, 1)))
    read_name (lexer, TRUE);
  else
    done = read_sign (lexer, error);
  lexer->token.length = (gsize)(lexer->next - lexer->token.text);
  return done;
}

gboolean
idg_ptx_lexer_begin (IdgPtxLexer *lexer, const gchar *data, gsize length, gint line,
                     const gchar *file, GError **error)
{
  *lexer = (IdgPtxLexer){ .file = file, .line = line };

  lexer->next = length > 0 ? data : "";
  lexer->end = lexer->next + length;
  return idg_ptx_next (lexer, error);
}

gboolean
idg_ptx_is (const IdgPtxLexer *lexer, gchar c)
{
  return lexer->token.kind == IDG_PTX_SIGN && *lexer->token.text == c;
}

gboolean
idg_ptx_is_word (const IdgPtxLexer *lexer, const gchar *text)
{
  return (lexer->token.kind == IDG_PTX_WORD || lexer->token.kind == IDG_PTX_DIRECTIVE)
         && lexer->token.length == strlen (text)
         && memcmp (lexer->token.text, text, lexer->token.length) == 0;
}

gboolean
idg_ptx_skip (IdgPtxLexer *lexer, gchar c, gboolean *skipped, GError **error)
{
  gboolean is_there = idg_ptx_is (lexer, c);

  if (skipped)
    *skipped = is_there;
  return !is_there || idg_ptx_next (lexer, error);
}

gboolean
idg_ptx_expect (IdgPtxLexer *lexer, gchar c, const gchar *expected, GError **error)
{
  return idg_ptx_is (lexer, c) ? idg_ptx_next (lexer, error)
                               : idg_ptx_fail (lexer, error, expected);
}

gboolean
idg_ptx_expect_word (IdgPtxLexer *lexer, const gchar *expected, GError **error)
{
  return lexer->token.kind == IDG_PTX_WORD || idg_ptx_fail (lexer, error, expected);
}

gboolean
idg_ptx_read_whole (IdgPtxLexer *lexer, guint64 *value, const gchar *expected, GError **error)
{
  *value = 0;
  if (lexer->token.kind != IDG_PTX_WHOLE)
    return idg_ptx_fail (lexer, error, expected);
  *value = lexer->token.value;
  return idg_ptx_next (lexer, error);
}

gboolean
idg_ptx_skip_statement (IdgPtxLexer *lexer, GError **error)
{
  while (!idg_ptx_is (lexer, ';'))
    {
      if (lexer->token.kind == IDG_PTX_END)
        return idg_ptx_fail (lexer, error, ";");
      if (!idg_ptx_next (lexer, error))
        return FALSE;
    }
  return idg_ptx_next (lexer, error);
}

gboolean
idg_ptx_skip_braces (IdgPtxLexer *lexer, GError **error)
{
  gint line = lexer->token.line;
  guint64 depth = 0;

  do
    {
      if (lexer->token.kind == IDG_PTX_END)
        return fail_at (lexer, line, error, "the file ends before what is opened here is closed");
      if (lexer->token.kind == IDG_PTX_SIGN && strchr ("{([", *lexer->token.text))
        depth++;
      else if (lexer->token.kind == IDG_PTX_SIGN && strchr ("})]", *lexer->token.text))
        depth--;
      if (!idg_ptx_next (lexer, error))
        return FALSE;
    }
  while (depth > 0);
  return TRUE;
}

/* The current token for a message: in quotes, and shortened if it is long. Free with g_free(). */
static gchar *
quote (const IdgPtxLexer *lexer)
{
  g_autofree gchar *text = NULL;

  if (lexer->token.kind == IDG_PTX_END)
    return g_strdup ("the file's end");
  text = g_strndup (lexer->token.text, lexer->token.length);
  return idg_xml_quote (text);
}

gboolean
idg_ptx_fail (const IdgPtxLexer *lexer, GError **error, const gchar *expected)
{
  g_autofree gchar *found = quote (lexer);

  return idg_import_fail (lexer->file, lexer->token.line, IDG_ERROR_SYNTAX, error,
                          "%s, where %s must come", found, expected);
}
