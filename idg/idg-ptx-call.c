/* SPDX-License-Identifier: MIT */
/* What a call passes goes through variables of the space .param, which no GPU has: registers do that. So a store to such
 * a variable is nothing but a note which register is in that part of it, and the load from it in the function called is
 * a move from there. What a function returns goes the other way: the caller's loads behind the call are looked at first
 * (they are "folded"), and the function's store is a move into the register that they load.
 *
 *   st.param.b32 [param0], %r1;        (nothing)
 *   call (retval0), f, (param0);          ld.param.b32 %r1', [f_param_0];     mov %r1', %r1
 *                                         ...
 *                                         st.param.b32 [func_retval0], %r9';  mov %r2, %r9'
 *   ld.param.b32 %r2, [retval0];       (nothing)
 *
 * ISA 1.x passes registers; so may any call. What cannot be inlined, as it has no body or its address is in a register,
 * is one instruction `call`, with moves to and from registers of its own. */
#include <string.h>

#include "idg/idg-ptx.h"

/* Of one parameter; the most that PTX lets one have is 4352 bytes. Others are not followed. */
#define MAX_SLOTS 1024
#define ALL_BYTES (G_GUINT64_CONSTANT (1) << 32)

static const IdgPtxOperand *
get_operand (const IdgPtxFunction *function, guint index)
{
  return &g_array_index (function->operands, IdgPtxOperand, index);
}

/* Linking: what FUNCTION calls. */

static void
mark_opaque (IdgPtxFunction *function, const IdgPtxStatement *call)
{
  for (guint i = call->first; i < call->first + call->n; i++)
    {
      const IdgPtxOperand *operand = get_operand (function, i);

      if (operand->kind == IDG_PTX_PARAM)
        g_array_index (function->params, IdgPtxParam, operand->index).is_opaque = TRUE;
    }
}

/* The parameter that STATEMENT loads from or stores to, its operand into ADDRESS; NULL if it does neither. */
static const IdgPtxOperand *
find_param (const IdgPtxFunction *function, const IdgPtxStatement *statement, guint *address)
{
  gboolean is_load = g_str_has_prefix (statement->mnemonic, "ld.param");
  guint i = statement->first;

  if (!is_load && !g_str_has_prefix (statement->mnemonic, "st.param"))
    return NULL;
  if (is_load && statement->n > 0)
    i += get_operand (function, i)->size;
  if (i + 1 >= statement->first + statement->n || get_operand (function, i)->kind != IDG_PTX_ADDRESS
      || get_operand (function, i + 1)->kind != IDG_PTX_PARAM)
    return NULL;
  *address = i;
  return get_operand (function, i + 1);
}

/* Loads of what CALL returned, right behind it. */
static void
fold_results (IdgPtxFunction *function, guint index)
{
  for (guint i = index + 1; i < function->statements->len && i <= index + MAX_SLOTS; i++)
    {
      IdgPtxStatement *statement = &g_array_index (function->statements, IdgPtxStatement, i);
      const IdgPtxOperand *param;
      guint address;

      if (statement->is_label || statement->guard != IDG_PTX_NONE || statement->mnemonic[0] != 'l')
        return;
      param = find_param (function, statement, &address);
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

static GArray *
get_slots (IdgPtxInstance *instance, guint param)
{
  if (!instance->params[param])
    {
      instance->params[param] = g_array_new (FALSE, FALSE, sizeof (IdgPtxSlot));
      instance->owns[param] = TRUE;
    }
  return instance->params[param];
}

static void
set_slot (GArray *slots, guint64 offset, guint64 bytes, guint reg)
{
  IdgPtxSlot slot = { offset, bytes, reg };

  for (guint i = 0; i < slots->len; i++)
    if (g_array_index (slots, IdgPtxSlot, i).offset == offset)
      {
        g_array_index (slots, IdgPtxSlot, i) = slot;
        return;
      }
  if (slots->len < MAX_SLOTS)
    g_array_append_val (slots, slot);
}

/* Moves. */

/* What a ld.param or st.param moves: N elements of BYTES each, from OFFSET on; their operands begin at FIRST. */
typedef struct
{
  guint param;
  gboolean is_load;
  guint64 offset;
  guint bytes;
  guint first, n;
} Move;

static gboolean
read_move (const IdgPtxInstance *instance, const IdgPtxStatement *statement, Move *move)
{
  const IdgPtxFunction *function = instance->function;
  guint address, values, last;
  const IdgPtxOperand *param = find_param (function, statement, &address);

  if (!param)
    return FALSE;
  *move = (Move){ .param = param->index, .is_load = statement->mnemonic[0] == 'l', .bytes = 4 };
  idg_ptx_get_type (statement->mnemonic, &move->bytes);
  last = address + get_operand (function, address)->size;
  for (guint i = address + 2; i < last; i++)
    {
      const IdgPtxOperand *term = get_operand (function, i);

      if (term->kind != IDG_PTX_NUMBER)
        return FALSE;
      move->offset += (guint64)term->value;
    }
  values = move->is_load ? statement->first : last;
  if (values >= statement->first + statement->n)
    return FALSE;
  move->first = values;
  move->n = 1;
  if (get_operand (function, values)->kind == IDG_PTX_LIST)
    {
      move->first++;
      move->n = get_operand (function, values)->size - 1;
    }
  return TRUE;
}

gboolean
idg_ptx_call_is_move (const IdgPtxInstance *instance, const IdgPtxStatement *statement)
{
  const IdgPtxParam *param;
  Move move;

  if (!read_move (instance, statement, &move))
    return FALSE;
  param = &g_array_index (instance->function->params, IdgPtxParam, move.param);
  if (param->is_local)
    return !move.is_load || param->is_opaque || statement->is_folded
           || instance->params[move.param];
  return instance->caller && (move.param < instance->function->n_results) != move.is_load;
}

/* "mov" with the type of STATEMENT. */
static gboolean
begin_move (IdgPtxEmitter *emitter, IdgPtxInstance *instance, const IdgPtxStatement *statement,
            const gchar *type, GError **error)
{
  g_autofree gchar *op = g_strconcat ("mov.", type ? type : "b32", NULL);

  return idg_ptx_emit_begin (emitter, instance, statement, IDG_CODE_OP, op, error);
}

/* The register of the operand; IDG_NO_REGISTER of a constant. */
static guint
get_value (IdgPtxEmitter *emitter, IdgPtxInstance *instance, guint operand)
{
  const IdgPtxOperand *value = get_operand (instance->function, operand);

  return value->kind == IDG_PTX_REGISTER ? idg_ptx_emit_register (emitter, instance, value->index)
                                         : IDG_NO_REGISTER;
}

static gboolean
overlaps (const IdgPtxSlot *slot, guint64 offset, guint64 bytes)
{
  return slot->offset < offset + bytes && offset < slot->offset + slot->bytes;
}

/* A move into REG of what the slots have from OFFSET on. */
static gboolean
emit_from_slots (IdgPtxEmitter *emitter, IdgPtxInstance *instance, const IdgPtxStatement *statement,
                 const GArray *slots, guint64 offset, guint bytes, guint reg, GError **error)
{
  if (!begin_move (emitter, instance, statement, idg_ptx_get_type (statement->mnemonic, NULL),
                   error))
    return FALSE;
  for (guint i = 0; slots && i < slots->len; i++)
    {
      const IdgPtxSlot *slot = &g_array_index (slots, IdgPtxSlot, i);

      if (overlaps (slot, offset, bytes) && slot->reg != IDG_NO_REGISTER)
        idg_code_add_read (emitter->code, slot->reg);
    }
  if (reg != IDG_NO_REGISTER)
    idg_code_add_write (emitter->code, reg);
  return TRUE;
}

/* A move of REG into each register that the caller loads from this part. */
static gboolean
emit_to_slots (IdgPtxEmitter *emitter, IdgPtxInstance *instance, const IdgPtxStatement *statement,
               const GArray *slots, guint64 offset, guint bytes, guint reg, GError **error)
{
  for (guint i = 0; slots && i < slots->len; i++)
    {
      const IdgPtxSlot *slot = &g_array_index (slots, IdgPtxSlot, i);

      if (!overlaps (slot, offset, bytes) || slot->reg == IDG_NO_REGISTER)
        continue;
      if (!begin_move (emitter, instance, statement, idg_ptx_get_type (statement->mnemonic, NULL),
                       error))
        return FALSE;
      if (reg != IDG_NO_REGISTER)
        idg_code_add_read (emitter->code, reg);
      idg_code_add_write (emitter->code, slot->reg);
    }
  return TRUE;
}

/* st.param to what a call takes. Where the call stays, it reads a register that is made for this. */
static gboolean
store (IdgPtxEmitter *emitter, IdgPtxInstance *instance, const IdgPtxStatement *statement,
       const Move *move, guint element, guint reg, GError **error)
{
  const IdgPtxParam *param = &g_array_index (instance->function->params, IdgPtxParam, move->param);

  if (param->is_opaque)
    {
      if (!begin_move (emitter, instance, statement, idg_ptx_get_type (statement->mnemonic, NULL),
                       error))
        return FALSE;
      if (reg != IDG_NO_REGISTER)
        idg_code_add_read (emitter->code, reg);
      reg = idg_ptx_emit_fresh (emitter, param->name);
      idg_code_add_write (emitter->code, reg);
    }
  set_slot (get_slots (instance, move->param), move->offset + (guint64)element * move->bytes,
            move->bytes, reg);
  return TRUE;
}

gboolean
idg_ptx_call_emit_move (IdgPtxEmitter *emitter, IdgPtxInstance *instance,
                        const IdgPtxStatement *statement, GError **error)
{
  const IdgPtxParam *param;
  Move move;
  gboolean done = TRUE;

  if (!read_move (instance, statement, &move) || statement->is_folded)
    return TRUE;
  param = &g_array_index (instance->function->params, IdgPtxParam, move.param);
  for (guint i = 0; done && i < move.n; i++)
    {
      const GArray *slots = instance->params[move.param];
      guint64 offset = move.offset + (guint64)i * move.bytes;
      guint reg = get_value (emitter, instance, move.first + i);

      if (move.is_load)
        done
            = emit_from_slots (emitter, instance, statement, slots, offset, move.bytes, reg, error);
      else if (param->is_local)
        done = store (emitter, instance, statement, &move, i, reg, error);
      else
        done = emit_to_slots (emitter, instance, statement, slots, offset, move.bytes, reg, error);
    }
  return done;
}

/* Calls. */

/* The operands of a call: those before the name of the function, and those behind it. */
typedef struct
{
  guint first_result, n_results;
  guint first_formal, n_formals;
} Passed;

static Passed
read_passed (const IdgPtxFunction *function, const IdgPtxStatement *call)
{
  Passed passed = { 0, 0, 0, 0 };
  gboolean is_behind = FALSE;

  for (guint i = call->first; i < call->first + call->n;)
    {
      const IdgPtxOperand *operand = get_operand (function, i);

      if (operand->kind != IDG_PTX_GROUP)
        is_behind = TRUE;
      else if (is_behind)
        {
          passed.first_formal = i + 1;
          passed.n_formals = operand->size - 1;
        }
      else
        {
          passed.first_result = i + 1;
          passed.n_results = operand->size - 1;
        }
      i += operand->size;
    }
  return passed;
}

/* The registers that the folded loads behind the call at INDEX load from PARAM. */
static void
bind_results (IdgPtxEmitter *emitter, IdgPtxInstance *instance, guint index, guint param)
{
  const GArray *statements = instance->function->statements;
  GArray *slots = get_slots (instance, param);

  g_array_set_size (slots, 0);
  for (guint i = index + 1; i < statements->len; i++)
    {
      const IdgPtxStatement *statement = &g_array_index (statements, IdgPtxStatement, i);
      Move move;

      if (statement->is_label || !statement->is_folded)
        break;
      if (!read_move (instance, statement, &move) || move.param != param)
        continue;
      for (guint j = 0; j < move.n && slots->len < MAX_SLOTS; j++)
        {
          IdgPtxSlot slot = { move.offset + (guint64)j * move.bytes, move.bytes,
                              get_value (emitter, instance, move.first + j) };

          g_array_append_val (slots, slot);
        }
    }
}

/* What the parameter NUMBER of CALLEE has in it is what the operand of the caller has. */
static void
pass (IdgPtxEmitter *emitter, IdgPtxInstance *callee, guint number, guint operand)
{
  IdgPtxInstance *caller = callee->caller;
  const IdgPtxOperand *passed = get_operand (caller->function, operand);

  if (passed->kind == IDG_PTX_PARAM)
    callee->params[number] = caller->params[passed->index];
  else
    set_slot (get_slots (callee, number), 0, ALL_BYTES, get_value (emitter, caller, operand));
}

/* Parameters in registers need a move each: of what is passed to them ahead of the body, of what they return behind. */
static gboolean
move_registers (IdgPtxEmitter *emitter, IdgPtxInstance *callee, const IdgPtxStatement *call,
                guint first, guint n, gboolean is_result, GError **error)
{
  IdgPtxStatement statement = *call;

  statement.guard = IDG_PTX_NONE;
  for (guint i = first; i < first + n; i++)
    {
      const IdgPtxParam *param = &g_array_index (callee->function->params, IdgPtxParam, i);
      gboolean done = TRUE;
      guint reg;

      if (param->reg == IDG_PTX_NONE)
        continue;
      reg = idg_ptx_emit_register (emitter, callee, param->reg);
      statement.mnemonic = param->type ? param->type : "b32";
      if (is_result)
        done = emit_to_slots (emitter, callee, &statement, callee->params[i], 0, G_MAXUINT32, reg,
                              error);
      else
        done = emit_from_slots (emitter, callee, &statement, callee->params[i], 0, G_MAXUINT32, reg,
                                error);
      if (!done)
        return FALSE;
    }
  return TRUE;
}

/* A guard: past the call where it does not hold. */
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
         && idg_ptx_emit_body (emitter, callee, error)
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

/* Nothing calls itself: that would never end. */
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
      return idg_import_fail (
          emitter->module->file, call->line, IDG_ERROR_VALUE, error,
          "call of %.80s: it calls itself, and how often the code does not say; "
          "compile a version without recursion",
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

  if (!check_passed (emitter, function, &passed, call, error))
    return FALSE;
  for (guint i = 0; i < passed.n_results; i++)
    {
      const IdgPtxOperand *operand = get_operand (caller->function, passed.first_result + i);

      if (operand->kind == IDG_PTX_PARAM)
        bind_results (emitter, caller, index, operand->index);
      pass (emitter, callee, i, passed.first_result + i);
    }
  for (guint i = 0; i < passed.n_formals; i++)
    pass (emitter, callee, function->n_results + i, passed.first_formal + i);
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

/* What an operand of a call that stays has in it is read; or written. */
static void
touch_passed (IdgPtxEmitter *emitter, IdgPtxInstance *caller, guint first, guint n, gboolean writes)
{
  for (guint i = first; i < first + n; i++)
    {
      const IdgPtxOperand *operand = get_operand (caller->function, i);
      GArray *slots;

      if (operand->kind == IDG_PTX_REGISTER && writes)
        idg_code_add_write (emitter->code, idg_ptx_emit_register (emitter, caller, operand->index));
      else if (operand->kind == IDG_PTX_REGISTER)
        idg_code_add_read (emitter->code, idg_ptx_emit_register (emitter, caller, operand->index));
      if (operand->kind != IDG_PTX_PARAM)
        continue;
      slots = get_slots (caller, operand->index);
      if (writes)
        {
          guint reg = idg_ptx_emit_fresh (emitter, operand->name);

          g_array_set_size (slots, 0);
          set_slot (slots, 0, ALL_BYTES, reg);
          idg_code_add_write (emitter->code, reg);
        }
      for (guint j = 0; !writes && j < slots->len; j++)
        idg_code_add_read (emitter->code, g_array_index (slots, IdgPtxSlot, j).reg);
    }
}

/* The registers of a call that stays: what is passed, the address if a register has it, what comes back. */
static gboolean
emit_opaque (IdgPtxEmitter *emitter, IdgPtxInstance *caller, const IdgPtxStatement *call,
             GError **error)
{
  const gchar *name = call->callee_name;
  Passed passed = read_passed (caller->function, call);

  if (name && g_hash_table_add (emitter->opaque, (gpointer)name))
    idg_import_note (emitter->module->import, emitter->module->file, call->line,
                     "%.80s has no body here; its calls are run as one instruction each", name);
  else if (!name)
    idg_import_note (emitter->module->import, emitter->module->file, call->line,
                     "the function is known when the kernel runs; its call is run as one "
                     "instruction");
  if (!idg_ptx_emit_begin (emitter, caller, call, IDG_CODE_OP, call->op, error))
    return FALSE;
  for (guint i = call->first; i < call->first + call->n;
       i += get_operand (caller->function, i)->size)
    if (get_operand (caller->function, i)->kind == IDG_PTX_REGISTER)
      idg_ptx_emit_reads (emitter, caller, i, 1);
  touch_passed (emitter, caller, passed.first_formal, passed.n_formals, FALSE);
  touch_passed (emitter, caller, passed.first_result, passed.n_results, TRUE);
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
