/* SPDX-License-Identifier: MIT */
/* Parses what may occur both in a module and in a body: files and lines, which locate instructions
 * in the source, and variables. */
#include <string.h>

#include "idg/import/ptx/idg-ptx.h"

#define MAX_BYTES (G_GUINT64_CONSTANT (1) << 40) /* of a variable; no GPU has that much memory */

/* Directives that may occur anywhere: .file, .loc, .pragma, .section. */

static gchar *
get_base_name (const IdgPtxToken *token)
{
  g_autofree gchar *path = g_strndup (token->text, token->length);
  g_autofree gchar *valid = g_utf8_make_valid (path, -1);
  const gchar *slash = strrchr (valid, '/');
  const gchar *backslash = strrchr (slash ? slash : valid, '\\');

  return g_strdup (backslash ? backslash + 1 : slash ? slash + 1 : valid);
}

/* Parses .file 1 "name.cu"[, time, size] */
static gboolean
parse_file (IdgPtxModule *module, IdgPtxLexer *lexer, GError **error)
{
  gboolean more;
  guint64 number;

  if (!idg_ptx_read_whole (lexer, &number, "the number of a file", error))
    return FALSE;
  if (lexer->token.kind != IDG_PTX_STRING)
    return idg_ptx_fail (lexer, error, "the name of a file in quotes");
  if (!idg_ptx_spend (module, lexer, 1, error))
    return FALSE;
  if (number <= G_MAXUINT)
    g_hash_table_insert (module->files, GUINT_TO_POINTER ((guint)number),
                         get_base_name (&lexer->token));
  if (!idg_ptx_next (lexer, error))
    return FALSE;
  for (;;)
    {
      if (!idg_ptx_skip (lexer, ',', &more, error))
        return FALSE;
      if (!more)
        return TRUE;
      if (!idg_ptx_read_whole (lexer, &number, "a number", error))
        return FALSE;
    }
}

/* A place in a source. */
typedef struct
{
  guint64 file, line, column;
} Place;

/* The number that nvcc gives to the file that it compiles. */
#define MAIN_FILE 1

static gboolean
parse_place (IdgPtxLexer *lexer, Place *place, GError **error)
{
  return idg_ptx_read_whole (lexer, &place->file, "the number of a file", error)
         && idg_ptx_read_whole (lexer, &place->line, "a line", error)
         && idg_ptx_read_whole (lexer, &place->column, "a column", error);
}

/* Parses , function_name LABEL[+N], inlined_at FILE LINE COLUMN: CALL is the place of the call, not
 * of the code. */
static gboolean
parse_inlined_at (IdgPtxLexer *lexer, Place *call, GError **error)
{

  while (!idg_ptx_is_word (lexer, "inlined_at"))
    {
      if (lexer->token.kind == IDG_PTX_END || idg_ptx_is (lexer, ';')
          || lexer->token.kind == IDG_PTX_DIRECTIVE)
        return idg_ptx_fail (lexer, error, "function_name and inlined_at");
      if (!idg_ptx_next (lexer, error))
        return FALSE;
    }
  return idg_ptx_next (lexer, error) && parse_place (lexer, call, error);
}

/* Parses .loc FILE LINE COLUMN[, ...]. What the file that was compiled calls from a header, as it
 * does atomicAdd(), counts as being in the line of the call: that is the one that its author knows.
 */
static gboolean
parse_loc (IdgPtxLexer *lexer, IdgPtxSource *source, GError **error)
{
  Place place, call;
  gboolean is_inlined;

  if (!parse_place (lexer, &place, error) || !idg_ptx_skip (lexer, ',', &is_inlined, error)
      || (is_inlined && !parse_inlined_at (lexer, &call, error)))
    return FALSE;
  if (is_inlined && place.file != MAIN_FILE && call.file == MAIN_FILE)
    place = call;
  source->file = (guint)MIN (place.file, G_MAXUINT);
  source->line = (guint)MIN (place.line, G_MAXINT);
  source->column = (guint)MIN (place.column, G_MAXINT);
  return TRUE;
}

/* Skips .section NAME { ... } */
static gboolean
skip_section (IdgPtxLexer *lexer, GError **error)
{
  while (!idg_ptx_is (lexer, '{'))
    {
      if (lexer->token.kind == IDG_PTX_END || idg_ptx_is (lexer, '}'))
        return idg_ptx_fail (lexer, error, "the { of a section");
      if (!idg_ptx_next (lexer, error))
        return FALSE;
    }
  return idg_ptx_skip_braces (lexer, error);
}

gboolean
idg_ptx_parse_common (IdgPtxModule *module, IdgPtxLexer *lexer, IdgPtxSource *source,
                      gboolean *handled, GError **error)
{
  gboolean is_file = idg_ptx_is_word (lexer, ".file"), is_loc = idg_ptx_is_word (lexer, ".loc");
  gboolean is_pragma = idg_ptx_is_word (lexer, ".pragma");

  *handled = is_file || is_loc || is_pragma || idg_ptx_is_word (lexer, ".section");
  if (!*handled)
    return TRUE;
  if (!idg_ptx_next (lexer, error))
    return FALSE;
  if (is_file)
    return parse_file (module, lexer, error);
  if (is_loc)
    return parse_loc (lexer, source, error);
  return is_pragma ? idg_ptx_skip_statement (lexer, error) : skip_section (lexer, error);
}

/* Variables. */

static guint
get_vector_width (const IdgPtxLexer *lexer)
{
  return idg_ptx_is_word (lexer, ".v2")   ? 2
         : idg_ptx_is_word (lexer, ".v4") ? 4
         : idg_ptx_is_word (lexer, ".v8") ? 8
                                          : 1;
}

static gboolean
fail_size (const IdgPtxLexer *lexer, const gchar *name, GError **error)
{
  return idg_import_fail (lexer->file, lexer->token.line, IDG_ERROR_VALUE, error,
                          "%.80s is larger than 2^40 bytes; no GPU has so much", name);
}

/* Parses [N] or []. */
static gboolean
parse_dimension (IdgPtxLexer *lexer, IdgPtxVariable *variable, GError **error)
{
  guint64 n = 0;

  if (!idg_ptx_next (lexer, error))
    return FALSE;
  if (idg_ptx_is (lexer, ']'))
    variable->is_dynamic = TRUE;
  else if (!idg_ptx_read_whole (lexer, &n, "the size of an array", error))
    return FALSE;
  else if (n > MAX_BYTES || (n > 0 && variable->bytes > MAX_BYTES / n))
    return fail_size (lexer, variable->name, error);
  variable->bytes *= n;
  return idg_ptx_expect (lexer, ']', "] after the size of an array", error);
}

/* Skips = VALUE or = { VALUES } */
static gboolean
skip_initializer (IdgPtxLexer *lexer, GError **error)
{
  while (!idg_ptx_is (lexer, ';') && !idg_ptx_is (lexer, ','))
    {
      if (lexer->token.kind == IDG_PTX_END)
        return idg_ptx_fail (lexer, error, "; after the variable");
      if (idg_ptx_is (lexer, '{') || idg_ptx_is (lexer, '('))
        {
          if (!idg_ptx_skip_braces (lexer, error))
            return FALSE;
        }
      else if (!idg_ptx_next (lexer, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
parse_declared (IdgPtxModule *module, IdgPtxLexer *lexer, guint64 bytes, guint64 align,
                gboolean is_extern, IdgPtxVariable *variable, GError **error)
{
  if (!idg_ptx_expect_word (lexer, "the name of a variable", error))
    return FALSE;
  *variable = (IdgPtxVariable){ .name = idg_ptx_keep (module, &lexer->token),
                                .bytes = bytes,
                                .align = align,
                                .line = lexer->token.line };
  if (!idg_ptx_next (lexer, error))
    return FALSE;
  while (idg_ptx_is (lexer, '['))
    if (!parse_dimension (lexer, variable, error))
      return FALSE;
  variable->is_dynamic = variable->is_dynamic && is_extern;
  return !idg_ptx_is (lexer, '=') || skip_initializer (lexer, error);
}

/* Parses .align N, .attribute (...), .v4, .f32, .texref ... */
static gboolean
parse_type (IdgPtxLexer *lexer, guint64 *bytes, guint64 *align, GError **error)
{
  guint64 asked = 0;
  guint element = 8, width = 1;

  while (lexer->token.kind == IDG_PTX_DIRECTIVE)
    {
      g_autofree gchar *word = g_strndup (lexer->token.text, lexer->token.length);
      gboolean is_align = strcmp (word, ".align") == 0;

      idg_ptx_get_type (word, &element);
      width = MAX (width, get_vector_width (lexer));
      if (!idg_ptx_next (lexer, error))
        return FALSE;
      if (is_align && !idg_ptx_read_whole (lexer, &asked, "a number of bytes to align to", error))
        return FALSE;
      if (is_align && (asked == 0 || asked > 1 << 20 || (asked & (asked - 1)) != 0))
        return idg_import_fail (lexer->file, lexer->token.line, IDG_ERROR_VALUE, error,
                                ".align %" G_GUINT64_FORMAT "; it must be a power of two", asked);
      if (idg_ptx_is (lexer, '(') && !idg_ptx_skip_braces (lexer, error))
        return FALSE;
    }
  *bytes = (guint64)element * width;
  *align = asked ? asked : *bytes;
  return TRUE;
}

gboolean
idg_ptx_parse_variables (IdgPtxModule *module, IdgPtxLexer *lexer, gboolean is_extern,
                         GArray *variables, GError **error)
{
  guint64 bytes = 0, align = 0;
  gboolean more = TRUE;

  if (!parse_type (lexer, &bytes, &align, error))
    return FALSE;
  while (more)
    {
      IdgPtxVariable variable;

      if (!idg_ptx_spend (module, lexer, 1, error)
          || !parse_declared (module, lexer, bytes, align, is_extern, &variable, error))
        return FALSE;
      g_array_append_val (variables, variable);
      if (!idg_ptx_skip (lexer, ',', &more, error))
        return FALSE;
    }
  return idg_ptx_expect (lexer, ';', "; after the variable", error);
}
