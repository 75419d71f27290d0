/* SPDX-License-Identifier: MIT */
/* One pass over the file notes where each body begins and goes on behind it. It must see all of the file before a body
 * is read: nvcc writes .file and .section after the functions, and a function may be called before its body comes. */
#include <string.h>

#include "idg/idg-ptx.h"

#define MAX_FUNCTIONS (1 << 17)
#define MAX_BYTES (G_GUINT64_CONSTANT (1) << 40) /* of a variable: no GPU has so much */

const gchar *
idg_ptx_keep (IdgPtxModule *module, const IdgPtxToken *token)
{
  g_autofree gchar *text = g_strndup (token->text, token->length);

  return g_string_chunk_insert_const (module->strings, text);
}

gboolean
idg_ptx_spend (IdgPtxModule *module, const IdgPtxLexer *lexer, guint n, GError **error)
{
  if (n <= IDG_PTX_MAX_INSTRUCTIONS - module->n_spent)
    {
      module->n_spent += n;
      return TRUE;
    }
  return idg_import_fail (lexer->file, lexer->token.line, IDG_ERROR_VALUE, error,
                          "more than %d instructions and names; a kernel may have so many, with "
                          "all that it calls",
                          IDG_PTX_MAX_INSTRUCTIONS);
}

gboolean
idg_ptx_spend_operands (IdgPtxModule *module, const IdgPtxLexer *lexer, guint n, GError **error)
{
  if (n <= IDG_PTX_MAX_OPERANDS - module->n_operands)
    {
      module->n_operands += n;
      return TRUE;
    }
  return idg_import_fail (lexer->file, lexer->token.line, IDG_ERROR_VALUE, error,
                          "more than %d operands; a kernel may have so many, with all that it "
                          "calls",
                          IDG_PTX_MAX_OPERANDS);
}

static gboolean
expect_word (IdgPtxLexer *lexer, const gchar *expected, GError **error)
{
  return lexer->token.kind == IDG_PTX_WORD || idg_ptx_fail (lexer, error, expected);
}

/* A number of the token, which is left behind. */
static gboolean
read_whole (IdgPtxLexer *lexer, guint64 *value, const gchar *expected, GError **error)
{
  *value = 0;
  if (lexer->token.kind != IDG_PTX_WHOLE)
    return idg_ptx_fail (lexer, error, expected);
  *value = lexer->token.value;
  return idg_ptx_next (lexer, error);
}

/* What stands anywhere: .file, .loc, .pragma, .section. */

static gchar *
get_base_name (const IdgPtxToken *token)
{
  g_autofree gchar *path = g_strndup (token->text, token->length);
  g_autofree gchar *valid = g_utf8_make_valid (path, -1);
  const gchar *slash = strrchr (valid, '/');
  const gchar *backslash = strrchr (slash ? slash : valid, '\\');

  return g_strdup (backslash ? backslash + 1 : slash ? slash + 1 : valid);
}

/* .file 1 "name.cu"[, time, size] */
static gboolean
parse_file (IdgPtxModule *module, IdgPtxLexer *lexer, GError **error)
{
  gboolean more;
  guint64 number;

  if (!read_whole (lexer, &number, "the number of a file", error))
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
      if (!read_whole (lexer, &number, "a number", error))
        return FALSE;
    }
}

/* , function_name LABEL[+N], inlined_at FILE LINE COLUMN: the place of the call is not the place of the code. */
static gboolean
parse_inlined_at (IdgPtxLexer *lexer, GError **error)
{
  guint64 number;

  while (!idg_ptx_is_word (lexer, "inlined_at"))
    {
      if (lexer->token.kind == IDG_PTX_END || idg_ptx_is (lexer, ';')
          || lexer->token.kind == IDG_PTX_DIRECTIVE)
        return idg_ptx_fail (lexer, error, "function_name and inlined_at");
      if (!idg_ptx_next (lexer, error))
        return FALSE;
    }
  return idg_ptx_next (lexer, error) && read_whole (lexer, &number, "the number of a file", error)
         && read_whole (lexer, &number, "a line", error)
         && read_whole (lexer, &number, "a column", error);
}

/* .loc FILE LINE COLUMN[, ...] */
static gboolean
parse_loc (IdgPtxLexer *lexer, guint *file, guint *source_line, GError **error)
{
  guint64 number, line, column;
  gboolean is_inlined;

  if (!read_whole (lexer, &number, "the number of a file", error)
      || !read_whole (lexer, &line, "a line", error)
      || !read_whole (lexer, &column, "a column", error)
      || !idg_ptx_skip (lexer, ',', &is_inlined, error))
    return FALSE;
  *file = (guint)MIN (number, G_MAXUINT);
  *source_line = (guint)MIN (line, G_MAXINT);
  return !is_inlined || parse_inlined_at (lexer, error);
}

static gboolean
skip_to_semicolon (IdgPtxLexer *lexer, GError **error)
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

/* .section NAME { ... } */
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
idg_ptx_parse_common (IdgPtxModule *module, IdgPtxLexer *lexer, guint *file, guint *source_line,
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
    return parse_loc (lexer, file, source_line, error);
  return is_pragma ? skip_to_semicolon (lexer, error) : skip_section (lexer, error);
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

/* [N] or []. */
static gboolean
parse_dimension (IdgPtxLexer *lexer, IdgPtxVariable *variable, GError **error)
{
  guint64 n = 0;

  if (!idg_ptx_next (lexer, error))
    return FALSE;
  if (idg_ptx_is (lexer, ']'))
    variable->is_dynamic = TRUE;
  else if (!read_whole (lexer, &n, "the size of an array", error))
    return FALSE;
  else if (n > MAX_BYTES || (n > 0 && variable->bytes > MAX_BYTES / n))
    return fail_size (lexer, variable->name, error);
  variable->bytes *= n;
  return idg_ptx_expect (lexer, ']', "] after the size of an array", error);
}

/* = VALUE or = { VALUES } */
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
  if (!expect_word (lexer, "the name of a variable", error))
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

/* .align N, .attribute (...), .v4, .f32, .texref ... */
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
      if (is_align && !read_whole (lexer, &asked, "a number of bytes to align to", error))
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

static gboolean
add_variables (IdgPtxModule *module, IdgPtxLexer *lexer, gboolean is_extern, GError **error)
{
  g_autoptr (GArray) variables = g_array_new (FALSE, FALSE, sizeof (IdgPtxVariable));
  gboolean is_shared
      = idg_ptx_is_word (lexer, ".shared") || g_str_has_prefix (lexer->token.text, ".shared::");

  /* .const[3] of ISA 1.x and 2.x: the bank stands in brackets. */
  if (!idg_ptx_next (lexer, error)
      || (idg_ptx_is (lexer, '[') && !idg_ptx_skip_braces (lexer, error))
      || !idg_ptx_parse_variables (module, lexer, is_extern, variables, error))
    return FALSE;
  for (guint i = 0; i < variables->len; i++)
    {
      IdgPtxVariable *variable = g_new (IdgPtxVariable, 1);

      *variable = g_array_index (variables, IdgPtxVariable, i);
      variable->is_shared = is_shared;
      /* A variable may be declared extern and then again with its size. */
      g_hash_table_replace (module->variables, (gpointer)variable->name, variable);
    }
  return TRUE;
}

/* Functions. */

static void
function_free (gpointer data)
{
  IdgPtxFunction *function = data;

  g_clear_pointer (&function->params, g_array_unref);
  g_clear_pointer (&function->statements, g_array_unref);
  g_clear_pointer (&function->operands, g_array_unref);
  g_clear_pointer (&function->targets, g_array_unref);
  g_clear_pointer (&function->labels, g_array_unref);
  g_clear_pointer (&function->registers, g_ptr_array_unref);
  g_clear_pointer (&function->shared, g_array_unref);
  g_free (function);
}

/* The function of that name, a new one for a new name. */
static IdgPtxFunction *
get_function (IdgPtxModule *module, const gchar *name)
{
  IdgPtxFunction *function = g_hash_table_lookup (module->function_names, name);

  if (function)
    return function;
  function = g_new0 (IdgPtxFunction, 1);
  function->name = name;
  g_ptr_array_add (module->functions, function);
  g_hash_table_insert (module->function_names, (gpointer)name, function);
  return function;
}

/* 128, 1, 1 of .maxntid and .reqntid: one to three numbers. */
static gboolean
parse_threads (IdgPtxLexer *lexer, gint64 threads[3], GError **error)
{
  gboolean more = TRUE;

  for (guint i = 0; i < 3; i++)
    {
      guint64 n = 1;

      if (more && !read_whole (lexer, &n, "a number of threads", error))
        return FALSE;
      if (n == 0 || n > IDG_MAX_THREADS)
        return idg_import_fail (lexer->file, lexer->token.line, IDG_ERROR_VALUE, error,
                                "%" G_GUINT64_FORMAT " threads; a block has 1 to %d", n,
                                IDG_MAX_THREADS);
      threads[i] = (gint64)n;
      if (more && i < 2 && !idg_ptx_skip (lexer, ',', &more, error))
        return FALSE;
    }
  if (threads[0] * threads[1] > IDG_MAX_THREADS
      || threads[0] * threads[1] * threads[2] > IDG_MAX_THREADS)
    return idg_import_fail (lexer->file, lexer->token.line, IDG_ERROR_VALUE, error,
                            "more than %d threads of a block", IDG_MAX_THREADS);
  return TRUE;
}

/* What stands between the parameters and the body. */
static gboolean
parse_attributes (IdgPtxLexer *lexer, IdgPtxFunction *function, GError **error)
{
  gint64 maximum[3] = { 0, 0, 0 };

  while (!idg_ptx_is (lexer, '{') && !idg_ptx_is (lexer, ';'))
    {
      gboolean is_required = idg_ptx_is_word (lexer, ".reqntid");
      gboolean is_maximum = idg_ptx_is_word (lexer, ".maxntid");

      if (lexer->token.kind == IDG_PTX_END)
        return idg_ptx_fail (lexer, error, "the { of the body, or ;");
      if (idg_ptx_is_word (lexer, ".pragma"))
        {
          if (!skip_to_semicolon (lexer, error))
            return FALSE;
          continue;
        }
      if (!idg_ptx_next (lexer, error))
        return FALSE;
      if ((is_required && !parse_threads (lexer, function->required, error))
          || (is_maximum && !parse_threads (lexer, maximum, error)))
        return FALSE;
    }
  if (function->required[0] > 0)
    memcpy (maximum, function->required, sizeof maximum);
  if (maximum[0] > 0)
    function->threads = maximum[0] * maximum[1] * maximum[2];
  return TRUE;
}

/* The header up to the name; LISTS is where what it returns, or its name, begins. */
static gboolean
parse_function_name (IdgPtxLexer *lexer, IdgPtxLexer *header, GError **error)
{
  while (lexer->token.kind == IDG_PTX_DIRECTIVE)
    {
      if (!idg_ptx_next (lexer, error)
          || (idg_ptx_is (lexer, '(') && !idg_ptx_skip_braces (lexer, error)))
        return FALSE;
    }
  *header = *lexer;
  if (idg_ptx_is (lexer, '(') && !idg_ptx_skip_braces (lexer, error))
    return FALSE;
  return expect_word (lexer, "the name of a function", error);
}

static gboolean
end_function (IdgPtxLexer *lexer, IdgPtxFunction *function, const IdgPtxLexer *header,
              GError **error)
{
  if (idg_ptx_is (lexer, ';'))
    return idg_ptx_next (lexer, error);
  if (function->has_body)
    return idg_import_fail (lexer->file, header->token.line, IDG_ERROR_VALUE, error,
                            "%.80s has a body already, on line %d; a function has one",
                            function->name, function->body.token.line);
  function->has_body = TRUE;
  function->header = *header;
  function->body = *lexer;
  return idg_ptx_skip_braces (lexer, error);
}

static gboolean
parse_function (IdgPtxModule *module, IdgPtxLexer *lexer, GError **error)
{
  gboolean is_entry = idg_ptx_is_word (lexer, ".entry");
  IdgPtxFunction *function;
  IdgPtxLexer header;

  if (module->functions->len >= MAX_FUNCTIONS)
    return idg_import_fail (lexer->file, lexer->token.line, IDG_ERROR_VALUE, error,
                            "more than %d functions; split the file", MAX_FUNCTIONS);
  if (!idg_ptx_next (lexer, error) || !parse_function_name (lexer, &header, error))
    return FALSE;
  function = get_function (module, idg_ptx_keep (module, &lexer->token));
  function->line = lexer->token.line;
  function->is_entry = is_entry;
  if (!idg_ptx_next (lexer, error)
      || (idg_ptx_is (lexer, '(') && !idg_ptx_skip_braces (lexer, error)))
    return FALSE;
  return parse_attributes (lexer, function, error)
         && end_function (lexer, function, &header, error);
}

/* .alias NAME, OTHER; */
static gboolean
parse_alias (IdgPtxModule *module, IdgPtxLexer *lexer, GError **error)
{
  const gchar *alias;

  if (!idg_ptx_next (lexer, error) || !expect_word (lexer, "the name of a function", error))
    return FALSE;
  alias = idg_ptx_keep (module, &lexer->token);
  if (!idg_ptx_next (lexer, error)
      || !idg_ptx_expect (lexer, ',', ", after the name of a function", error)
      || !expect_word (lexer, "the name of a function", error))
    return FALSE;
  g_hash_table_insert (module->function_names, (gpointer)alias,
                       get_function (module, idg_ptx_keep (module, &lexer->token)));
  return idg_ptx_next (lexer, error) && idg_ptx_expect (lexer, ';', "; after .alias", error);
}

/* Modules. */

gboolean
idg_ptx_is_linkage (const IdgPtxLexer *lexer)
{
  return idg_ptx_is_word (lexer, ".extern") || idg_ptx_is_word (lexer, ".visible")
         || idg_ptx_is_word (lexer, ".weak") || idg_ptx_is_word (lexer, ".common");
}

gboolean
idg_ptx_is_space (const IdgPtxLexer *lexer)
{
  static const gchar *const spaces[]
      = { ".global",  ".const",  ".local", ".tex", ".texref",     ".samplerref",
          ".surfref", ".shared", ".param", ".reg", ".shared::cta" };

  for (guint i = 0; i < G_N_ELEMENTS (spaces); i++)
    if (idg_ptx_is_word (lexer, spaces[i]))
      return TRUE;
  return FALSE;
}

/* .version, .target, .address_size: one or several words, between commas. */
static gboolean
skip_header (IdgPtxLexer *lexer, GError **error)
{
  gboolean more = TRUE;

  while (more)
    {
      if (!idg_ptx_next (lexer, error))
        return FALSE;
      if (lexer->token.kind != IDG_PTX_WORD && lexer->token.kind != IDG_PTX_WHOLE
          && lexer->token.kind != IDG_PTX_FLOAT)
        return idg_ptx_fail (lexer, error, "a name or a number");
      if (!idg_ptx_next (lexer, error))
        return FALSE;
      more = idg_ptx_is (lexer, ',');
    }
  return TRUE;
}

static gboolean
parse_directive (IdgPtxModule *module, IdgPtxLexer *lexer, gboolean is_extern, GError **error)
{
  gboolean handled;
  guint file, line;

  if (!idg_ptx_parse_common (module, lexer, &file, &line, &handled, error))
    return FALSE;
  if (handled)
    return TRUE;
  if (idg_ptx_is_word (lexer, ".entry") || idg_ptx_is_word (lexer, ".func"))
    return parse_function (module, lexer, error);
  if (idg_ptx_is_word (lexer, ".alias"))
    return parse_alias (module, lexer, error);
  if (idg_ptx_is_word (lexer, ".version") || idg_ptx_is_word (lexer, ".target")
      || idg_ptx_is_word (lexer, ".address_size"))
    return skip_header (lexer, error);
  if (idg_ptx_is_space (lexer))
    return add_variables (module, lexer, is_extern, error);
  return idg_ptx_fail (lexer, error, "a function, a variable or another directive of PTX");
}

static gboolean
parse_module (IdgPtxModule *module, IdgPtxLexer *lexer, GError **error)
{
  if (!idg_ptx_is_word (lexer, ".version"))
    return idg_ptx_fail (lexer, error, ".version, with which PTX begins,");
  while (lexer->token.kind != IDG_PTX_END)
    {
      gboolean is_extern = FALSE;

      while (idg_ptx_is_linkage (lexer))
        {
          is_extern = is_extern || idg_ptx_is_word (lexer, ".extern");
          if (!idg_ptx_next (lexer, error))
            return FALSE;
        }
      if (idg_ptx_is (lexer, ';') ? !idg_ptx_next (lexer, error)
                                  : !parse_directive (module, lexer, is_extern, error))
        return FALSE;
    }
  return TRUE;
}

IdgPtxModule *
idg_ptx_module_new (const gchar *data, gsize length, const gchar *file, IdgImport *import,
                    GError **error)
{
  g_autoptr (IdgPtxModule) module = g_new0 (IdgPtxModule, 1);
  IdgPtxLexer lexer;

  module->file = file;
  module->import = import;
  module->strings = g_string_chunk_new (1 << 14);
  module->functions = g_ptr_array_new_with_free_func (function_free);
  module->function_names = g_hash_table_new (g_str_hash, g_str_equal);
  module->variables = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  module->files = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  module->used = g_hash_table_new (NULL, NULL);
  module->ops = g_hash_table_new (g_str_hash, g_str_equal);
  if (!idg_ptx_lexer_begin (&lexer, data, length, file, error)
      || !parse_module (module, &lexer, error))
    return NULL;
  return g_steal_pointer (&module);
}

void
idg_ptx_module_free (IdgPtxModule *module)
{
  g_ptr_array_unref (module->functions);
  g_hash_table_unref (module->function_names);
  g_hash_table_unref (module->variables);
  g_hash_table_unref (module->files);
  g_hash_table_unref (module->used);
  g_hash_table_unref (module->ops);
  g_string_chunk_free (module->strings);
  g_free (module);
}
