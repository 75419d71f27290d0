/* SPDX-License-Identifier: MIT */
/* Parses a module. One pass over the file records where each body begins and skips it. It must see
 * the whole file before it reads a body, because nvcc writes .file and .section after the
 * functions, and a function may be called before its body occurs. */
#include <string.h>

#include "idg/import/ptx/idg-ptx.h"

#define MAX_FUNCTIONS (1 << 17)

/* Variables. */

static gboolean
add_variables (IdgPtxModule *module, IdgPtxLexer *lexer, gboolean is_extern, GError **error)
{
  g_autoptr (GArray) variables = g_array_new (FALSE, FALSE, sizeof (IdgPtxVariable));
  gboolean is_shared
      = idg_ptx_is_word (lexer, ".shared") || idg_ptx_is_word (lexer, ".shared::cta");

  /* .const[3] of ISA 1.x and 2.x: the bank is in brackets. */
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

/* Returns the function called NAME; a new name gets a new function. */
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

/* Parses the 128, 1, 1 of .maxntid and .reqntid: one to three numbers. */
static gboolean
parse_threads (IdgPtxLexer *lexer, gint64 threads[3], GError **error)
{
  gboolean more = TRUE;

  for (guint i = 0; i < 3; i++)
    {
      guint64 n = 1;

      if (more && !idg_ptx_read_whole (lexer, &n, "a number of threads", error))
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

/* Tells whether the current token begins something else, so that what came before it is a prototype
 * without a `;`, as compilers of ISA 2.x and 3.x write it, or the end of the file. */
static gboolean
ends_prototype (const IdgPtxLexer *lexer)
{
  return lexer->token.kind == IDG_PTX_END || idg_ptx_is_linkage (lexer) || idg_ptx_is_space (lexer)
         || idg_ptx_is_word (lexer, ".entry") || idg_ptx_is_word (lexer, ".func")
         || idg_ptx_is_word (lexer, ".file") || idg_ptx_is_word (lexer, ".section")
         || idg_ptx_is_word (lexer, ".alias") || idg_ptx_is_word (lexer, ".version");
}

/* Parses the directives between the parameters and the body. */
static gboolean
parse_attributes (IdgPtxLexer *lexer, IdgPtxFunction *function, GError **error)
{
  gint64 maximum[3] = { 0, 0, 0 }, required[3] = { 0, 0, 0 };

  while (!idg_ptx_is (lexer, '{') && !idg_ptx_is (lexer, ';') && !ends_prototype (lexer))
    {
      gboolean is_required = idg_ptx_is_word (lexer, ".reqntid");
      gboolean is_maximum = idg_ptx_is_word (lexer, ".maxntid");

      if (idg_ptx_is_word (lexer, ".pragma"))
        {
          if (!idg_ptx_skip_statement (lexer, error))
            return FALSE;
          continue;
        }
      if (!idg_ptx_next (lexer, error))
        return FALSE;
      if ((is_required && !parse_threads (lexer, required, error))
          || (is_maximum && !parse_threads (lexer, maximum, error)))
        return FALSE;
    }
  memcpy (function->block_dim, required[0] > 0 ? required : maximum, sizeof maximum);
  function->threads = function->block_dim[0] * function->block_dim[1] * function->block_dim[2];
  return TRUE;
}

/* Parses the header up to the name. HEADER is set to where the list of results or, without results,
 * the name begins. */
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
  return idg_ptx_expect_word (lexer, "the name of a function", error);
}

static gboolean
end_function (IdgPtxLexer *lexer, IdgPtxFunction *function, const IdgPtxLexer *header,
              GError **error)
{
  if (idg_ptx_is (lexer, ';'))
    return idg_ptx_next (lexer, error);
  if (!idg_ptx_is (lexer, '{'))
    return !function->is_entry || idg_ptx_fail (lexer, error, "the { of the body, or ;");
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

/* Parses .alias NAME, OTHER; */
static gboolean
parse_alias (IdgPtxModule *module, IdgPtxLexer *lexer, GError **error)
{
  const gchar *alias;

  if (!idg_ptx_next (lexer, error) || !idg_ptx_expect_word (lexer, "the name of a function", error))
    return FALSE;
  alias = idg_ptx_keep (module, &lexer->token);
  if (!idg_ptx_next (lexer, error)
      || !idg_ptx_expect (lexer, ',', ", after the name of a function", error)
      || !idg_ptx_expect_word (lexer, "the name of a function", error))
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

/* Reads "sm_75" of .target. */
static void
read_target (IdgPtxModule *module, const IdgPtxToken *token)
{
  g_autofree gchar *text = g_strndup (token->text, token->length);

  if (g_str_has_prefix (text, "sm_"))
    module->target = (guint)MIN (g_ascii_strtoull (text + strlen ("sm_"), NULL, 10), G_MAXUINT);
}

/* Skips .version, .target, .address_size: one or several words, separated by commas. */
static gboolean
skip_header (IdgPtxModule *module, IdgPtxLexer *lexer, GError **error)
{
  gboolean more = TRUE;

  while (more)
    {
      if (!idg_ptx_next (lexer, error))
        return FALSE;
      if (lexer->token.kind != IDG_PTX_WORD && lexer->token.kind != IDG_PTX_WHOLE
          && lexer->token.kind != IDG_PTX_FLOAT)
        return idg_ptx_fail (lexer, error, "a name or a number");
      read_target (module, &lexer->token);
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
  IdgPtxSource source;

  if (!idg_ptx_parse_common (module, lexer, &source, &handled, error))
    return FALSE;
  if (handled)
    return TRUE;
  if (idg_ptx_is_word (lexer, ".entry") || idg_ptx_is_word (lexer, ".func"))
    return parse_function (module, lexer, error);
  if (idg_ptx_is_word (lexer, ".alias"))
    return parse_alias (module, lexer, error);
  if (idg_ptx_is_word (lexer, ".version") || idg_ptx_is_word (lexer, ".target")
      || idg_ptx_is_word (lexer, ".address_size"))
    return skip_header (module, lexer, error);
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
idg_ptx_module_new (const gchar *data, gsize length, gint line, const gchar *file,
                    IdgImport *import, GError **error)
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
  if (!idg_ptx_lexer_begin (&lexer, data, length, line, file, error)
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
