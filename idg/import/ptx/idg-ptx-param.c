/* SPDX-License-Identifier: MIT */
/* Translates what calls pass through variables of the space .param. No GPU has that space:
 * registers do the work. So a store to such a variable only records which register is in that part
 * of it, and the load from it in the called function becomes a move from there. Returning works the
 * other way round: the caller's loads after the call are examined first (they are "folded"), and
 * the function's store becomes a move into the register that they load.
 *
 *   st.param.b32 [param0], %r1;        (nothing)
 *   call (retval0), f, (param0);
 *          ld.param.b32 %r1', [f_param_0];     mov %r1', %r1
 *          ...
 *          st.param.b32 [func_retval0], %r9';  mov %r2, %r9'
 *   ld.param.b32 %r2, [retval0];       (nothing)
 *
 * If the call cannot be inlined, the variables become registers of their own. */
#include "idg/import/ptx/idg-ptx-emit.h"

/* For one parameter, whose size PTX limits to 4352 bytes. Further slots are not followed. */
#define MAX_SLOTS 1024

/* Returns the parameter that STATEMENT loads from or stores to, and its operand in ADDRESS; NULL if
 * it does neither. */
const IdgPtxOperand *
idg_ptx_param_find (const IdgPtxFunction *function, const IdgPtxStatement *statement,
                    guint *address)
{
  gboolean is_load = g_str_has_prefix (statement->mnemonic, "ld.param");
  guint i = statement->first;

  if (!is_load && !g_str_has_prefix (statement->mnemonic, "st.param"))
    return NULL;
  if (is_load && statement->n > 0)
    i += idg_ptx_get_operand (function, i)->size;
  if (i + 1 >= statement->first + statement->n
      || idg_ptx_get_operand (function, i)->kind != IDG_PTX_ADDRESS
      || idg_ptx_get_operand (function, i + 1)->kind != IDG_PTX_PARAM)
    return NULL;
  *address = i;
  return idg_ptx_get_operand (function, i + 1);
}

GArray *
idg_ptx_param_get_slots (IdgPtxInstance *instance, guint param)
{
  if (!instance->params[param])
    {
      instance->params[param] = g_array_new (FALSE, FALSE, sizeof (IdgPtxSlot));
      instance->owns[param] = TRUE;
    }
  return instance->params[param];
}

void
idg_ptx_param_set_slot (GArray *slots, IdgPtxSlot slot)
{
  for (guint i = 0; i < slots->len; i++)
    if (g_array_index (slots, IdgPtxSlot, i).offset == slot.offset)
      {
        g_array_index (slots, IdgPtxSlot, i) = slot;
        return;
      }
  if (slots->len < MAX_SLOTS)
    g_array_append_val (slots, slot);
}

/* Moves. */

/* What a ld.param or st.param moves: N elements of BYTES bytes each, from OFFSET on; their operands
 * begin at FIRST. */
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
  const IdgPtxOperand *param = idg_ptx_param_find (function, statement, &address);

  if (!param)
    return FALSE;
  *move = (Move){ .param = param->index, .is_load = statement->mnemonic[0] == 'l', .bytes = 4 };
  idg_ptx_get_type (statement->mnemonic, &move->bytes);
  last = address + idg_ptx_get_operand (function, address)->size;
  for (guint i = address + 2; i < last; i++)
    {
      const IdgPtxOperand *term = idg_ptx_get_operand (function, i);

      if (term->kind != IDG_PTX_NUMBER)
        return FALSE;
      move->offset += (guint64)term->value;
    }
  values = move->is_load ? statement->first : last;
  if (values >= statement->first + statement->n)
    return FALSE;
  move->first = values;
  move->n = 1;
  if (idg_ptx_get_operand (function, values)->kind == IDG_PTX_LIST)
    {
      move->first++;
      move->n = idg_ptx_get_operand (function, values)->size - 1;
    }
  return TRUE;
}

gboolean
idg_ptx_param_is_move (const IdgPtxInstance *instance, const IdgPtxStatement *statement)
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

/* Begins a "mov" with the type of STATEMENT. */
static gboolean
begin_move (IdgPtxEmitter *emitter, IdgPtxInstance *instance, const IdgPtxStatement *statement,
            const gchar *type, GError **error)
{
  g_autofree gchar *op = g_strconcat ("mov.", type ? type : "b32", NULL);

  return idg_ptx_emit_begin (emitter, instance, statement, IDG_CODE_OP, op, error);
}

/* Returns the register of the operand; IDG_NO_REGISTER for a constant. */
static guint
get_value (IdgPtxEmitter *emitter, IdgPtxInstance *instance, guint operand)
{
  const IdgPtxOperand *value = idg_ptx_get_operand (instance->function, operand);

  return value->kind == IDG_PTX_REGISTER ? idg_ptx_emit_register (emitter, instance, value->index)
                                         : IDG_NO_REGISTER;
}

/* Returns the value of the operand as the content of BYTES bytes from OFFSET on. */
IdgPtxSlot
idg_ptx_param_make_slot (IdgPtxEmitter *emitter, IdgPtxInstance *instance, guint operand,
                         guint64 offset, guint64 bytes)
{
  const IdgPtxOperand *value = idg_ptx_get_operand (instance->function, operand);
  IdgPtxSlot slot = { .offset = offset, .bytes = bytes };

  slot.reg = get_value (emitter, instance, operand);
  slot.is_known = value->kind == IDG_PTX_NUMBER;
  slot.value = value->value;
  return slot;
}

static gboolean
overlaps (const IdgPtxSlot *slot, guint64 offset, guint64 bytes)
{
  return slot->offset < offset + bytes && offset < slot->offset + slot->bytes;
}

/* Passes on the meaning of a move, because a loop of the called function may count up to a
 * parameter. */
static void
set_meaning (IdgPtxEmitter *emitter, const gchar *mnemonic, const IdgPtxSlot *slot, guint reg)
{
  IdgMeaning meaning = { .math = IDG_MATH_MOVE, .result = reg };
  const gchar *type = idg_ptx_get_type (mnemonic, NULL);

  meaning.a = (IdgOperand){ slot->reg, slot->reg == IDG_NO_REGISTER ? slot->value : 0 };
  meaning.b = meaning.c = (IdgOperand){ IDG_NO_REGISTER, 0 };
  if (type && idg_ptx_is_whole (type, &meaning.bits)
      && (slot->reg != IDG_NO_REGISTER || slot->is_known))
    idg_code_set_meaning (emitter->code, &meaning);
}

/* Emits a move into REG of the content of the slots from OFFSET on. */
gboolean
idg_ptx_param_emit_load (IdgPtxEmitter *emitter, IdgPtxInstance *instance,
                         const IdgPtxStatement *statement, const GArray *slots, guint64 offset,
                         guint bytes, guint reg, GError **error)
{
  const IdgPtxSlot *only = NULL;
  guint n = 0;

  if (!begin_move (emitter, instance, statement, idg_ptx_get_type (statement->mnemonic, NULL),
                   error))
    return FALSE;
  for (guint i = 0; slots && i < slots->len; i++)
    {
      const IdgPtxSlot *slot = &g_array_index (slots, IdgPtxSlot, i);

      if (!overlaps (slot, offset, bytes))
        continue;
      idg_code_add_read (emitter->code, slot->reg);
      only = slot;
      n++;
    }
  idg_code_add_write (emitter->code, reg);
  if (n == 1 && reg != IDG_NO_REGISTER && only->offset == offset)
    set_meaning (emitter, statement->mnemonic, only, reg);
  return TRUE;
}

/* Emits a move of REG into each register that the caller loads from this part. */
gboolean
idg_ptx_param_emit_store (IdgPtxEmitter *emitter, IdgPtxInstance *instance,
                          const IdgPtxStatement *statement, const GArray *slots, guint64 offset,
                          guint bytes, guint reg, GError **error)
{
  for (guint i = 0; slots && i < slots->len; i++)
    {
      const IdgPtxSlot *slot = &g_array_index (slots, IdgPtxSlot, i);

      if (!overlaps (slot, offset, bytes) || slot->reg == IDG_NO_REGISTER)
        continue;
      if (!begin_move (emitter, instance, statement, idg_ptx_get_type (statement->mnemonic, NULL),
                       error))
        return FALSE;
      idg_code_add_read (emitter->code, reg);
      idg_code_add_write (emitter->code, slot->reg);
    }
  return TRUE;
}

/* Handles st.param to a parameter of a call. If the call is not inlined, it reads a register that
 * is made for this. */
static gboolean
store (IdgPtxEmitter *emitter, IdgPtxInstance *instance, const IdgPtxStatement *statement,
       const Move *move, guint element, GError **error)
{
  const IdgPtxParam *param = &g_array_index (instance->function->params, IdgPtxParam, move->param);
  IdgPtxSlot slot
      = idg_ptx_param_make_slot (emitter, instance, move->first + element,
                                 move->offset + (guint64)element * move->bytes, move->bytes);

  if (param->is_opaque)
    {
      if (!begin_move (emitter, instance, statement, idg_ptx_get_type (statement->mnemonic, NULL),
                       error))
        return FALSE;
      idg_code_add_read (emitter->code, slot.reg);
      slot.reg = idg_ptx_emit_fresh (emitter, param->name);
      idg_code_add_write (emitter->code, slot.reg);
    }
  idg_ptx_param_set_slot (idg_ptx_param_get_slots (instance, move->param), slot);
  return TRUE;
}

gboolean
idg_ptx_param_emit_move (IdgPtxEmitter *emitter, IdgPtxInstance *instance,
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
        done = idg_ptx_param_emit_load (emitter, instance, statement, slots, offset, move.bytes,
                                        reg, error);
      else if (param->is_local)
        done = store (emitter, instance, statement, &move, i, error);
      else
        done = idg_ptx_param_emit_store (emitter, instance, statement, slots, offset, move.bytes,
                                         reg, error);
    }
  return done;
}

/* Binds PARAM to the registers that the folded loads after the call at INDEX load from it. */
void
idg_ptx_param_bind_results (IdgPtxEmitter *emitter, IdgPtxInstance *instance, guint index,
                            guint param)
{
  const GArray *statements = instance->function->statements;
  GArray *slots = idg_ptx_param_get_slots (instance, param);

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
          IdgPtxSlot slot = idg_ptx_param_make_slot (
              emitter, instance, move.first + j, move.offset + (guint64)j * move.bytes, move.bytes);

          g_array_append_val (slots, slot);
        }
    }
}
