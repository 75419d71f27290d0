/* SPDX-License-Identifier: MIT */
/* What every PTX instruction needs on its way into a listing: unique names for registers and
 * labels, its place in the source, its guard. */
#include "idg/import/ptx/idg-ptx-emit.h"

gboolean
idg_ptx_emit_fail_size (const IdgPtxEmitter *emitter, const IdgPtxStatement *statement,
                        GError **error)
{
  const IdgPtxStatement *call = emitter->call ? emitter->call : statement;

  return idg_import_fail (emitter->module->file, call->line, IDG_ERROR_VALUE, error,
                          "call of %.80s: with it the kernel has more than %d instructions, or %d "
                          "operands; a kernel may have so many",
                          call->callee_name ? call->callee_name : "a function",
                          IDG_PTX_MAX_INSTRUCTIONS, IDG_PTX_MAX_OPERANDS);
}

/* Names. */

/* Returns NAME or, if COUNTS has it already, NAME@2 and so on; no name in PTX contains an @. */
static gchar *
make_unique (GHashTable *counts, const gchar *name)
{
  guint n = GPOINTER_TO_UINT (g_hash_table_lookup (counts, name)) + 1;

  g_hash_table_insert (counts, (gpointer)name, GUINT_TO_POINTER (n));
  return n == 1 ? g_strdup (name) : g_strdup_printf ("%s@%u", name, n);
}

guint
idg_ptx_emit_fresh (IdgPtxEmitter *emitter, const gchar *name)
{
  g_autofree gchar *unique = make_unique (emitter->registers, name);

  return idg_code_get_register (emitter->code, unique);
}

guint
idg_ptx_emit_register (IdgPtxEmitter *emitter, IdgPtxInstance *instance, guint reg)
{
  guint *number = &instance->registers[reg];

  if (*number == IDG_NO_REGISTER)
    *number = idg_ptx_emit_fresh (emitter, g_ptr_array_index (instance->function->registers, reg));
  return *number;
}

const gchar *
idg_ptx_emit_label (IdgPtxEmitter *emitter, const gchar *label)
{
  g_autofree gchar *name = make_unique (emitter->labels, label);

  return g_string_chunk_insert_const (emitter->module->strings, name);
}

/* Instructions. */

static void
set_source (IdgPtxEmitter *emitter, const IdgPtxStatement *statement)
{
  const gchar *file
      = g_hash_table_lookup (emitter->module->files, GUINT_TO_POINTER (statement->source.file));
  g_autofree gchar *source = NULL;

  if (!file || statement->source.line == 0)
    return;
  source = g_strdup_printf ("%s:%u", file, statement->source.line);
  idg_code_set_source (emitter->code, source, statement->source.column);
}

gboolean
idg_ptx_emit_begin (IdgPtxEmitter *emitter, IdgPtxInstance *instance,
                    const IdgPtxStatement *statement, IdgCodeKind kind, const gchar *op,
                    GError **error)
{
  IdgCode *code = emitter->code;

  if (code->instrs->len >= IDG_PTX_MAX_INSTRUCTIONS
      || code->registers->len >= 2 * IDG_PTX_MAX_OPERANDS)
    return idg_ptx_emit_fail_size (emitter, statement, error);
  idg_code_add (code, kind, op, statement->text, statement->line);
  set_source (emitter, statement);
  if (statement->guard != IDG_PTX_NONE)
    idg_code_set_guard (code, idg_ptx_emit_register (emitter, instance, statement->guard),
                        statement->is_negated);
  return TRUE;
}

void
idg_ptx_emit_reads (IdgPtxEmitter *emitter, IdgPtxInstance *instance, guint first, guint n)
{
  const GArray *operands = instance->function->operands;

  for (guint i = first; i < first + n; i++)
    {
      const IdgPtxOperand *operand = &g_array_index (operands, IdgPtxOperand, i);

      if (operand->kind == IDG_PTX_REGISTER)
        idg_code_add_read (emitter->code,
                           idg_ptx_emit_register (emitter, instance, operand->index));
    }
}
