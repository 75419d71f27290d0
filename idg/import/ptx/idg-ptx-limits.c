/* SPDX-License-Identifier: MIT */
/* Limits of what an import may read: strings are stored once, and instructions and operands are
 * counted against a limit, so that a hostile file leads to an error and does not exhaust memory. */
#include "idg/import/ptx/idg-ptx.h"

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
