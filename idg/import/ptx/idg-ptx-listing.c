/* SPDX-License-Identifier: MIT */
/* Turns PTX statements into a listing. Those of a called function take the place of the call:
 * idg-ptx-call.c calls emit_body() through the emitter. */
#include "idg/import/ptx/idg-ptx-emit.h"
#include <string.h>

static const gchar *
get_label (IdgPtxEmitter *emitter, IdgPtxInstance *instance, guint label)
{
  const gchar **name = &instance->labels[label];

  if (!*name)
    *name = idg_ptx_emit_label (
        emitter, g_array_index (instance->function->labels, IdgPtxLabel, label).name);
  return *name;
}

static void
emit_writes (IdgPtxEmitter *emitter, IdgPtxInstance *instance, guint first, guint n)
{
  const GArray *operands = instance->function->operands;

  for (guint i = first; i < first + n; i++)
    {
      const IdgPtxOperand *operand = &g_array_index (operands, IdgPtxOperand, i);

      if (operand->kind == IDG_PTX_REGISTER)
        idg_code_add_write (emitter->code,
                            idg_ptx_emit_register (emitter, instance, operand->index));
    }
}

/* Returns the register for the carry of add.cc and the like, which no operand names. */
static guint
get_carry (IdgPtxEmitter *emitter)
{
  return idg_code_get_register (emitter->code, "@carry");
}

static gboolean
reads_carry (const gchar *mnemonic)
{
  return g_str_has_prefix (mnemonic, "addc.") || g_str_has_prefix (mnemonic, "subc.")
         || g_str_has_prefix (mnemonic, "madc.");
}

static void
emit_registers (IdgPtxEmitter *emitter, IdgPtxInstance *instance, const IdgPtxStatement *statement)
{
  const IdgPtxOperand *first = statement->n > 0 ? &g_array_index (instance->function->operands,
                                                                  IdgPtxOperand, statement->first)
                                                : NULL;
  gboolean writes
      = first && first->kind != IDG_PTX_ADDRESS && statement->opcode->effect != IDG_PTX_READS;
  guint n_written = writes ? first->size : 0;

  if (statement->opcode->effect == IDG_PTX_UPDATES)
    idg_ptx_emit_reads (emitter, instance, statement->first, n_written);
  idg_ptx_emit_reads (emitter, instance, statement->first + n_written, statement->n - n_written);
  if (reads_carry (statement->mnemonic))
    idg_code_add_read (emitter->code, get_carry (emitter));
  emit_writes (emitter, instance, statement->first, n_written);
  if (idg_ptx_has_word (statement->mnemonic, "cc"))
    idg_code_add_write (emitter->code, get_carry (emitter));
}

static void
emit_meaning (IdgPtxEmitter *emitter, IdgPtxInstance *instance, const IdgPtxStatement *statement)
{
  IdgMeaning meaning;

  if (statement->n > 0
      && idg_ptx_get_meaning (
          statement, &g_array_index (instance->function->operands, IdgPtxOperand, statement->first),
          instance->registers, &meaning))
    idg_code_set_meaning (emitter->code, &meaning);
}

static gboolean
emit_op (IdgPtxEmitter *emitter, IdgPtxInstance *instance, const IdgPtxStatement *statement,
         IdgCodeKind kind, GError **error)
{
  if (!idg_ptx_emit_begin (
          emitter, instance, statement, kind,
          kind == IDG_CODE_BARRIER || kind == IDG_CODE_ARRIVE ? NULL : statement->op, error))
    return FALSE;
  emit_registers (emitter, instance, statement);
  if (kind == IDG_CODE_OP)
    emit_meaning (emitter, instance, statement);
  return TRUE;
}

/* Barriers. */

/* The threads of a block, 0: not known. */
static gint64
get_block (const IdgPtxEmitter *emitter, const IdgPtxInstance *instance)
{
  while (instance->caller)
    instance = instance->caller;
  return emitter->module->import->threads > 0 ? emitter->module->import->threads
                                              : instance->function->threads;
}

/* Notes TEXT about STATEMENT, once for each text of a statement. */
static void
note_once (IdgPtxEmitter *emitter, const IdgPtxStatement *statement, const gchar *text)
{
  if (g_hash_table_add (emitter->noted, (gpointer)statement->text))
    idg_import_note (emitter->module->import, emitter->module->file, statement->line, "%s: %s",
                     statement->text, text);
}

/* Finds the two numbers of a barrier or an arrive, which and of how many threads (0: all). IS_KNOWN
 * receives whether the first one is a constant. */
static gboolean
find_barrier (IdgPtxEmitter *emitter, IdgPtxInstance *instance, const IdgPtxStatement *statement,
              guint *id, guint *threads, gboolean *is_known, GError **error)
{
  const IdgPtxOperand *operands
      = (const IdgPtxOperand *)(gpointer)instance->function->operands->data + statement->first;
  gboolean reduces = idg_ptx_has_word (statement->mnemonic, "red");
  guint name = reduces ? 1 : 0, n = reduces && statement->n > 0 ? statement->n - 1 : statement->n;

  *id = *threads = 0;
  *is_known = n <= name || operands[name].kind == IDG_PTX_NUMBER;
  if (!*is_known || n <= name)
    return TRUE;
  if (operands[name].value < 0 || operands[name].value > IDG_MAX_BARRIER_ID)
    return idg_import_fail (emitter->module->file, statement->line, IDG_ERROR_VALUE, error,
                            "%s: there is no such barrier; expected 0 to %d", statement->text,
                            IDG_MAX_BARRIER_ID);
  *id = (guint)operands[name].value;
  if (n <= name + 1)
    return TRUE;
  if (operands[name + 1].kind != IDG_PTX_NUMBER)
    note_once (emitter, statement, "the number of threads is in a register; taken as all");
  else if (operands[name + 1].value < 1 || operands[name + 1].value > IDG_MAX_THREADS)
    return idg_import_fail (emitter->module->file, statement->line, IDG_ERROR_VALUE, error,
                            "%s: there is no block of so many threads; expected 1 to %d",
                            statement->text, IDG_MAX_THREADS);
  else
    *threads = (guint)operands[name + 1].value;
  return TRUE;
}

/* Emits what meets at a barrier of the block, or of the cluster, or arrives at one. */
static gboolean
emit_barrier (IdgPtxEmitter *emitter, IdgPtxInstance *instance, const IdgPtxStatement *statement,
              gboolean arrives, GError **error)
{
  guint id = 0, threads = 0;
  gboolean is_known = TRUE;

  if (idg_ptx_has_word (statement->mnemonic, "cluster"))
    note_once (emitter, statement, "taken as a barrier of all warps of the block");
  else if (!find_barrier (emitter, instance, statement, &id, &threads, &is_known, error))
    return FALSE;
  if (!is_known)
    note_once (emitter, statement,
               arrives ? "the barrier is in a register; taken as an instruction that no barrier "
                         "waits for"
                       : "the barrier is in a register; taken as one of all warps of the block");
  if (!emit_op (emitter, instance, statement,
                !arrives   ? IDG_CODE_BARRIER
                : is_known ? IDG_CODE_ARRIVE
                           : IDG_CODE_OP,
                error))
    return FALSE;
  if (is_known)
    idg_code_set_barrier (emitter->code, id, threads, get_block (emitter, instance));
  return TRUE;
}

static gboolean
is_arrive (const IdgPtxStatement *statement)
{
  return g_str_has_prefix (statement->opcode->name, "bar")
         && g_str_has_suffix (statement->opcode->name, ".arrive")
         && !idg_ptx_has_word (statement->mnemonic, "cluster");
}

/* Asynchronous copies. */

/* Says what the last instruction, of STATEMENT, has to do with them. */
static void
set_async (IdgPtxEmitter *emitter, const IdgPtxInstance *instance, const IdgPtxStatement *statement)
{
  const gchar *mnemonic = statement->mnemonic;
  const IdgPtxOperand *groups = statement->n > 0 ? &g_array_index (instance->function->operands,
                                                                   IdgPtxOperand, statement->first)
                                                 : NULL;

  if (g_str_has_prefix (mnemonic, "cp.async.ca.") || g_str_has_prefix (mnemonic, "cp.async.cg."))
    idg_code_set_async (emitter->code, IDG_ASYNC_COPY, 0);
  else if (strcmp (mnemonic, "cp.async.commit_group") == 0)
    idg_code_set_async (emitter->code, IDG_ASYNC_COMMIT, 0);
  else if (strcmp (mnemonic, "cp.async.wait_all") == 0)
    idg_code_set_async (emitter->code, IDG_ASYNC_WAIT_ALL, 0);
  else if (strcmp (mnemonic, "cp.async.wait_group") == 0)
    idg_code_set_async (
        emitter->code, IDG_ASYNC_WAIT,
        groups && groups->kind == IDG_PTX_NUMBER ? (guint)CLAMP (groups->value, 0, G_MAXINT) : 0);
}

/* Branches. */

static gboolean
emit_branch (IdgPtxEmitter *emitter, IdgPtxInstance *instance, const IdgPtxStatement *statement,
             GError **error)
{
  const GArray *targets = instance->function->targets;

  if (!emit_op (emitter, instance, statement, IDG_CODE_BRANCH, error))
    return FALSE;
  for (guint i = 0; i < statement->n_targets; i++)
    {
      guint target = g_array_index (targets, guint, statement->first_target + i);
      const gchar *name = get_label (emitter, instance, target);

      idg_code_add_target (emitter->code,
                           idg_code_get_label (emitter->code, name, statement->line));
    }
  return TRUE;
}

/* Emits ret: in the kernel, it ends the warp; in a function, it branches to the end of the call,
 * except as the last instruction. */
static gboolean
emit_return (IdgPtxEmitter *emitter, IdgPtxInstance *instance, guint index, GError **error)
{
  const GArray *statements = instance->function->statements;
  const IdgPtxStatement *statement = &g_array_index (statements, IdgPtxStatement, index);

  if (!instance->caller)
    return emit_op (emitter, instance, statement, IDG_CODE_EXIT, error);
  if (index + 1 == statements->len)
    return TRUE;
  if (!emit_op (emitter, instance, statement, IDG_CODE_BRANCH, error))
    return FALSE;
  instance->has_return = TRUE;
  idg_code_add_target (emitter->code,
                       idg_code_get_label (emitter->code, instance->return_label, statement->line));
  return TRUE;
}

/* Bodies. */

static gboolean
emit_plain (IdgPtxEmitter *emitter, IdgPtxInstance *instance, const IdgPtxStatement *statement,
            GError **error)
{
  if (idg_ptx_param_is_move (instance, statement))
    return idg_ptx_param_emit_move (emitter, instance, statement, error);
  if (is_arrive (statement))
    return emit_barrier (emitter, instance, statement, TRUE, error);
  if (!emit_op (emitter, instance, statement, IDG_CODE_OP, error))
    return FALSE;
  set_async (emitter, instance, statement);
  return TRUE;
}

static gboolean
emit_statement (IdgPtxEmitter *emitter, IdgPtxInstance *instance, guint index, GError **error)
{
  const IdgPtxStatement *statement
      = &g_array_index (instance->function->statements, IdgPtxStatement, index);

  if (statement->is_label)
    {
      idg_code_place_label (emitter->code, get_label (emitter, instance, statement->index),
                            statement->line);
      return TRUE;
    }
  switch (statement->opcode->kind)
    {
    case IDG_PTX_BARRIER:
      return emit_barrier (emitter, instance, statement, FALSE, error);
    case IDG_PTX_BRANCH:
      return emit_branch (emitter, instance, statement, error);
    case IDG_PTX_EXIT:
      return emit_op (emitter, instance, statement, IDG_CODE_EXIT, error);
    case IDG_PTX_RETURN:
      return emit_return (emitter, instance, index, error);
    case IDG_PTX_CALL:
      return idg_ptx_call_emit (emitter, instance, index, error);
    case IDG_PTX_OP:
      return emit_plain (emitter, instance, statement, error);
    }
  g_return_val_if_reached (FALSE);
}

/* Charges the cost of a body before it is processed, including its labels: it may consist of
 * nothing else. */
static gboolean
spend (IdgPtxEmitter *emitter, const IdgPtxFunction *function, GError **error)
{
  IdgPtxStatement nothing = { .line = function->line };
  guint n_operands = function->operands->len + function->targets->len + function->params->len;

  if (function->statements->len > IDG_PTX_MAX_INSTRUCTIONS - emitter->n_statements
      || n_operands > IDG_PTX_MAX_OPERANDS - emitter->n_operands)
    return idg_ptx_emit_fail_size (emitter, &nothing, error);
  emitter->n_statements += function->statements->len;
  emitter->n_operands += n_operands;
  return TRUE;
}

static gboolean
emit_body (IdgPtxEmitter *emitter, IdgPtxInstance *instance, GError **error)
{
  IdgPtxFunction *function = instance->function;
  gboolean done = spend (emitter, function, error);

  for (guint i = 0; done && i < function->statements->len; i++)
    done = emit_statement (emitter, instance, i, error);
  if (done && instance->has_return)
    idg_code_place_label (emitter->code, instance->return_label, function->line);
  return done;
}

/* Shared memory. */

static gint
compare_lines (gconstpointer a, gconstpointer b)
{
  const IdgPtxVariable *one = *(const IdgPtxVariable *const *)a;
  const IdgPtxVariable *other = *(const IdgPtxVariable *const *)b;

  return one->line != other->line ? (one->line > other->line) - (one->line < other->line)
                                  : strcmp (one->name, other->name);
}

/* Returns the variables that the parsed bodies use or declare, in the order of the file. */
static GPtrArray *
collect_shared (const IdgPtxModule *module)
{
  GPtrArray *variables = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer variable;

  g_hash_table_iter_init (&iter, module->used);
  while (g_hash_table_iter_next (&iter, &variable, NULL))
    g_ptr_array_add (variables, variable);
  for (guint i = 0; i < module->functions->len; i++)
    {
      const IdgPtxFunction *function = g_ptr_array_index (module->functions, i);

      for (guint j = 0; function->is_parsed && j < function->shared->len; j++)
        g_ptr_array_add (variables, &g_array_index (function->shared, IdgPtxVariable, j));
    }
  g_ptr_array_sort (variables, compare_lines);
  return variables;
}

static gboolean
add_shared (IdgPtxEmitter *emitter, GError **error)
{
  const gchar *file = emitter->module->file;
  g_autoptr (GPtrArray) variables = collect_shared (emitter->module);
  const IdgPtxVariable *dynamic = NULL;
  guint64 bytes = 0;

  for (guint i = 0; i < variables->len; i++)
    {
      const IdgPtxVariable *variable = g_ptr_array_index (variables, i);

      dynamic = variable->is_dynamic && !dynamic ? variable : dynamic;
      bytes = (bytes + variable->align - 1) / variable->align * variable->align + variable->bytes;
      if (bytes > IDG_MAX_SHARED_MEMORY)
        return idg_import_fail (file, variable->line, IDG_ERROR_VALUE, error,
                                "%.80s: more than %d bytes of shared memory; no GPU has so much",
                                variable->name, IDG_MAX_SHARED_MEMORY);
    }
  if (dynamic && emitter->module->import->shared_memory < 0)
    idg_import_note (
        emitter->module->import, file, dynamic->line,
        "%.80s gets its size from the launch, and none is assumed; --shared-memory BYTES "
        "sets all that a block has",
        dynamic->name);
  emitter->code->shared_memory = (gint64)bytes;
  return TRUE;
}

/* Kernels. */

IdgCode *
idg_ptx_emit (IdgPtxModule *module, IdgPtxFunction *entry, GError **error)
{
  g_autoptr (IdgCode) code = idg_code_new (module->file, entry->name);
  IdgPtxEmitter emitter = { .module = module, .code = code, .emit_body = emit_body };
  IdgPtxInstance kernel = { .function = entry };
  gboolean done;

  if (!idg_ptx_call_enter (module, &kernel, error))
    return NULL;
  emitter.registers = g_hash_table_new (g_str_hash, g_str_equal);
  emitter.labels = g_hash_table_new (g_str_hash, g_str_equal);
  emitter.noted = g_hash_table_new (g_str_hash, g_str_equal);
  code->threads = entry->threads;
  memcpy (code->block_dim, entry->block_dim, sizeof code->block_dim);
  done = emit_body (&emitter, &kernel, error) && add_shared (&emitter, error);
  idg_ptx_call_leave (&kernel);
  g_hash_table_unref (emitter.registers);
  g_hash_table_unref (emitter.labels);
  g_hash_table_unref (emitter.noted);
  return done ? g_steal_pointer (&code) : NULL;
}
