/* SPDX-License-Identifier: MIT */
/* Inlines each function at each of its calls, with separate registers and labels each time: a
 * kernel has no calls, and a GPU that executes the call would run the same instructions. A function
 * that cannot be inlined, because it has no body or its address is in a register, becomes one
 * instruction `call`.
 *
 * This file handles parameters in registers, which ISA 1.x uses and any call may use;
 * idg-ptx-param.c handles those in the space .param. */
#include "idg/import/ptx/idg-ptx-emit.h"

#define MAX_FOLDED 1024 /* loads after one call */
#define ALL_BYTES (G_GUINT64_CONSTANT (1) << 32)

/* Linking: marks the parameters of a call that cannot be inlined. */

static void
mark_opaque (IdgPtxFunction *function, const IdgPtxStatement *call)
{
  for (guint i = call->first; i < call->first + call->n; i++)
    {
      const IdgPtxOperand *operand = idg_ptx_get_operand (function, i);

      if (operand->kind == IDG_PTX_PARAM)
        g_array_index (function->params, IdgPtxParam, operand->index).is_opaque = TRUE;
    }
}

/* Folds the loads of CALL's results that directly follow it. */
static void
fold_results (IdgPtxFunction *function, guint index)
{
  for (guint i = index + 1; i < function->statements->len && i <= index + MAX_FOLDED; i++)
    {
      IdgPtxStatement *statement = &g_array_index (function->statements, IdgPtxStatement, i);
      const IdgPtxOperand *param;
      guint address;

      if (statement->is_label || statement->guard != IDG_PTX_NONE || statement->mnemonic[0] != 'l')
        return;
      param = idg_ptx_param_find (function, statement, &address);
      if (!param || !g_array_index (function->params, IdgPtxParam, param->index).is_local)
        return;
      statement->is_folded = TRUE;
    }
}

static void
link_calls (IdgPtxModule *module, IdgPtxFunction *function)
{
  if (function->is_linked)
    return;
  function->is_linked = TRUE;
  for (guint i = 0; i < function->statements->len; i++)
    {
      IdgPtxStatement *call = &g_array_index (function->statements, IdgPtxStatement, i);
      IdgPtxFunction *callee;

      if (call->is_label || call->opcode->kind != IDG_PTX_CALL)
        continue;
      callee = call->callee_name ? g_hash_table_lookup (module->function_names, call->callee_name)
                                 : NULL;
      if (callee && callee->has_body && !callee->is_entry)
        {
          call->callee = callee;
          fold_results (function, i);
        }
      else
        mark_opaque (function, call);
    }
}

/* Instances. */

gboolean
idg_ptx_call_enter (IdgPtxModule *module, IdgPtxInstance *instance, GError **error)
{
  IdgPtxFunction *function = instance->function;

  if (!idg_ptx_parse_body (module, function, error))
    return FALSE;
  link_calls (module, function);
  instance->registers = g_new (guint, function->registers->len);
  for (guint i = 0; i < function->registers->len; i++)
    instance->registers[i] = IDG_NO_REGISTER;
  instance->labels = g_new0 (const gchar *, function->labels->len);
  instance->params = g_new0 (GArray *, function->params->len);
  instance->owns = g_new0 (gboolean, function->params->len);
  return TRUE;
}

void
idg_ptx_call_leave (IdgPtxInstance *instance)
{
  for (guint i = 0; i < instance->function->params->len; i++)
    if (instance->owns[i])
      g_array_unref (instance->params[i]);
  g_free (instance->registers);
  g_free (instance->labels);
  g_free (instance->params);
  g_free (instance->owns);
}

/* Calls. */

/* The operands of a call: those before the name of the function, and those after it. END_...:
 * behind the last one, since an operand may be a list. */
typedef struct
{
  guint first_result, n_results, end_results;
  guint first_formal, n_formals, end_formals;
} Passed;

/* Returns how many operands there are from FIRST to END, a list counted once. */
static guint
count_operands (const IdgPtxFunction *function, guint first, guint end)
{
  guint n = 0;

  for (guint i = first; i < end; i += idg_ptx_get_operand (function, i)->size)
    n++;
  return n;
}

static Passed
read_passed (const IdgPtxFunction *function, const IdgPtxStatement *call)
{
  Passed passed = { 0 };
  gboolean is_behind = FALSE;

  for (guint i = call->first; i < call->first + call->n;)
    {
      const IdgPtxOperand *operand = idg_ptx_get_operand (function, i);

      if (operand->kind != IDG_PTX_GROUP)
        is_behind = TRUE;
      else if (is_behind)
        {
          passed.first_formal = i + 1;
          passed.end_formals = i + operand->size;
          passed.n_formals = count_operands (function, i + 1, passed.end_formals);
        }
      else
        {
          passed.first_result = i + 1;
          passed.end_results = i + operand->size;
          passed.n_results = count_operands (function, i + 1, passed.end_results);
        }
      i += operand->size;
    }
  return passed;
}

/* Returns the bytes of an element of PARAM. */
static guint
get_element (const IdgPtxParam *param)
{
  guint bytes = 4;

  if (param->type)
    idg_ptx_get_type (param->type, &bytes);
  return bytes;
}

/* Gives the parameter NUMBER of CALLEE the content of the caller's operand. */
static void
pass (IdgPtxEmitter *emitter, IdgPtxInstance *callee, guint number, guint operand)
{
  IdgPtxInstance *caller = callee->caller;
  const IdgPtxOperand *passed = idg_ptx_get_operand (caller->function, operand);

  guint element = get_element (&g_array_index (callee->function->params, IdgPtxParam, number));

  if (passed->kind == IDG_PTX_PARAM)
    callee->params[number] = caller->params[passed->index];
  else if (passed->kind == IDG_PTX_LIST)
    for (guint i = 1; i < passed->size; i++)
      idg_ptx_param_set_slot (idg_ptx_param_get_slots (callee, number),
                              idg_ptx_param_make_slot (emitter, caller, operand + i,
                                                       (guint64)(i - 1) * element, element));
  else
    idg_ptx_param_set_slot (idg_ptx_param_get_slots (callee, number),
                            idg_ptx_param_make_slot (emitter, caller, operand, 0, ALL_BYTES));
}

/* Emits a move for each register of the parameter NUMBER of CALLEE. */
static gboolean
move_register (IdgPtxEmitter *emitter, IdgPtxInstance *callee, const IdgPtxStatement *statement,
               guint number, gboolean is_result, GError **error)
{
  const IdgPtxParam *param = &g_array_index (callee->function->params, IdgPtxParam, number);
  const GArray *slots = callee->params[number];
  guint element = get_element (param), bytes = param->width > 1 ? element : G_MAXUINT32;

  for (guint i = 0; i < param->width; i++)
    {
      guint reg = idg_ptx_emit_register (emitter, callee, param->reg + i);
      guint64 offset = (guint64)i * element;

      if (!(is_result ? idg_ptx_param_emit_store (emitter, callee, statement, slots, offset, bytes,
                                                  reg, error)
                      : idg_ptx_param_emit_load (emitter, callee, statement, slots, offset, bytes,
                                                 reg, error)))
        return FALSE;
    }
  return TRUE;
}

/* Emits moves for the parameters in registers: before the body for those that are passed, after
 * it for those that are returned. */
static gboolean
move_registers (IdgPtxEmitter *emitter, IdgPtxInstance *callee, const IdgPtxStatement *call,
                guint first, guint n, gboolean is_result, GError **error)
{
  IdgPtxStatement statement = *call;

  statement.guard = IDG_PTX_NONE;
  for (guint i = first; i < first + n; i++)
    {
      const IdgPtxParam *param = &g_array_index (callee->function->params, IdgPtxParam, i);

      if (param->reg == IDG_PTX_NONE)
        continue;
      statement.mnemonic = param->type ? param->type : "b32";
      if (!move_register (emitter, callee, &statement, i, is_result, error))
        return FALSE;
    }
  return TRUE;
}

/* Emits a guard: a branch past the call if the call's guard does not hold. */
static gboolean
emit_guard (IdgPtxEmitter *emitter, IdgPtxInstance *caller, const IdgPtxStatement *call,
            const gchar *label, GError **error)
{
  IdgPtxStatement branch = *call;

  branch.is_negated = !call->is_negated;
  if (!idg_ptx_emit_begin (emitter, caller, &branch, IDG_CODE_BRANCH, "bra", error))
    return FALSE;
  idg_code_add_target (emitter->code, idg_code_get_label (emitter->code, label, call->line));
  return TRUE;
}

static gboolean
emit_callee (IdgPtxEmitter *emitter, IdgPtxInstance *callee, const IdgPtxStatement *call,
             GError **error)
{
  const IdgPtxFunction *function = callee->function;
  const IdgPtxStatement *outer = emitter->call;
  gboolean done;

  emitter->call = call;
  done = move_registers (emitter, callee, call, function->n_results, function->n_formals, FALSE,
                         error)
         && emitter->emit_body (emitter, callee, error)
         && move_registers (emitter, callee, call, 0, function->n_results, TRUE, error);
  emitter->call = outer;
  return done;
}

static gboolean
check_passed (const IdgPtxEmitter *emitter, const IdgPtxFunction *callee, const Passed *passed,
              const IdgPtxStatement *call, GError **error)
{
  if (passed->n_results == callee->n_results && passed->n_formals == callee->n_formals)
    return TRUE;
  return idg_import_fail (emitter->module->file, call->line, IDG_ERROR_VALUE, error,
                          "call of %.80s: %u results and %u parameters; it has %u and %u, on line "
                          "%d",
                          callee->name, passed->n_results, passed->n_formals, callee->n_results,
                          callee->n_formals, callee->line);
}

/* Rejects recursion, which would never end. */
static gboolean
check_depth (const IdgPtxEmitter *emitter, const IdgPtxInstance *caller,
             const IdgPtxStatement *call, GError **error)
{
  if (caller->depth >= IDG_PTX_MAX_DEPTH)
    return idg_import_fail (emitter->module->file, call->line, IDG_ERROR_VALUE, error,
                            "call of %.80s: calls nested deeper than %d", call->callee_name,
                            IDG_PTX_MAX_DEPTH);
  for (const IdgPtxInstance *i = caller; i; i = i->caller)
    if (i->function == call->callee)
      return idg_import_fail (emitter->module->file, call->line, IDG_ERROR_VALUE, error,
                              "call of %.80s: it calls itself, an unknown number of times; compile "
                              "a version without recursion",
                              call->callee_name);
  return TRUE;
}

static gboolean
emit_inlined (IdgPtxEmitter *emitter, IdgPtxInstance *callee, const IdgPtxStatement *call,
              guint index, GError **error)
{
  IdgPtxInstance *caller = callee->caller;
  const IdgPtxFunction *function = callee->function;
  Passed passed = read_passed (caller->function, call);
  guint number = 0;

  if (!check_passed (emitter, function, &passed, call, error))
    return FALSE;
  for (guint i = passed.first_result; i < passed.end_results;)
    {
      const IdgPtxOperand *operand = idg_ptx_get_operand (caller->function, i);

      if (operand->kind == IDG_PTX_PARAM)
        idg_ptx_param_bind_results (emitter, caller, index, operand->index);
      pass (emitter, callee, number++, i);
      i += operand->size;
    }
  number = function->n_results;
  for (guint i = passed.first_formal; i < passed.end_formals;
       i += idg_ptx_get_operand (caller->function, i)->size)
    pass (emitter, callee, number++, i);
  return emit_callee (emitter, callee, call, error);
}

static gboolean
inline_call (IdgPtxEmitter *emitter, IdgPtxInstance *caller, const IdgPtxStatement *call,
             guint index, GError **error)
{
  IdgPtxInstance callee
      = { .caller = caller, .function = call->callee, .depth = caller->depth + 1 };
  g_autofree gchar *behind = g_strconcat (call->callee_name, ".return", NULL);
  g_autofree gchar *past = g_strconcat (call->callee_name, ".skip", NULL);
  const gchar *skip = NULL;
  gboolean done = TRUE;

  if (!check_depth (emitter, caller, call, error)
      || !idg_ptx_call_enter (emitter->module, &callee, error))
    return FALSE;
  callee.return_label = idg_ptx_emit_label (
      emitter, g_string_chunk_insert_const (emitter->module->strings, behind));
  if (call->guard != IDG_PTX_NONE)
    {
      skip = idg_ptx_emit_label (emitter,
                                 g_string_chunk_insert_const (emitter->module->strings, past));
      done = emit_guard (emitter, caller, call, skip, error);
    }
  done = done && emit_inlined (emitter, &callee, call, index, error);
  if (done && skip)
    idg_code_place_label (emitter->code, skip, call->line);
  idg_ptx_call_leave (&callee);
  return done;
}

/* Adds the contents of the operands of a call that is not inlined to its reads, or with WRITES to
 * its writes. */
static void
touch_passed (IdgPtxEmitter *emitter, IdgPtxInstance *caller, guint first, guint end,
              gboolean writes)
{
  for (guint i = first; i < end; i++)
    {
      const IdgPtxOperand *operand = idg_ptx_get_operand (caller->function, i);
      GArray *slots;

      if (operand->kind == IDG_PTX_REGISTER && writes)
        idg_code_add_write (emitter->code, idg_ptx_emit_register (emitter, caller, operand->index));
      else if (operand->kind == IDG_PTX_REGISTER)
        idg_code_add_read (emitter->code, idg_ptx_emit_register (emitter, caller, operand->index));
      if (operand->kind != IDG_PTX_PARAM)
        continue;
      slots = idg_ptx_param_get_slots (caller, operand->index);
      if (writes)
        {
          guint reg = idg_ptx_emit_fresh (emitter, operand->name);

          g_array_set_size (slots, 0);
          idg_ptx_param_set_slot (slots, (IdgPtxSlot){ .bytes = ALL_BYTES, .reg = reg });
          idg_code_add_write (emitter->code, reg);
        }
      for (guint j = 0; !writes && j < slots->len; j++)
        idg_code_add_read (emitter->code, g_array_index (slots, IdgPtxSlot, j).reg);
    }
}

/* Adds the registers of a call that is not inlined: what is passed, the register with the address,
 * and what is returned. */
static gboolean
emit_opaque (IdgPtxEmitter *emitter, IdgPtxInstance *caller, const IdgPtxStatement *call,
             GError **error)
{
  const gchar *name = call->callee_name;
  Passed passed = read_passed (caller->function, call);

  if (name && g_hash_table_add (emitter->noted, (gpointer)name))
    idg_import_note (emitter->module->import, emitter->module->file, call->line,
                     "%.80s has no body here; its calls are run as one instruction each", name);
  else if (!name)
    idg_import_note (emitter->module->import, emitter->module->file, call->line,
                     "the function is known only when the kernel runs; its call is run as one "
                     "instruction");
  if (!idg_ptx_emit_begin (emitter, caller, call, IDG_CODE_OP, call->op, error))
    return FALSE;
  for (guint i = call->first; i < call->first + call->n;
       i += idg_ptx_get_operand (caller->function, i)->size)
    if (idg_ptx_get_operand (caller->function, i)->kind == IDG_PTX_REGISTER)
      idg_ptx_emit_reads (emitter, caller, i, 1);
  touch_passed (emitter, caller, passed.first_formal, passed.end_formals, FALSE);
  touch_passed (emitter, caller, passed.first_result, passed.end_results, TRUE);
  return TRUE;
}

gboolean
idg_ptx_call_emit (IdgPtxEmitter *emitter, IdgPtxInstance *instance, guint index, GError **error)
{
  const IdgPtxStatement *call
      = &g_array_index (instance->function->statements, IdgPtxStatement, index);

  return call->callee ? inline_call (emitter, instance, call, index, error)
                      : emit_opaque (emitter, instance, call, error);
}
