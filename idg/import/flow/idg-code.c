/* SPDX-License-Identifier: MIT */
/* A listing is flat: each list of registers or targets is a slice of one array, so that a kernel of
 * a million instructions takes a dozen allocations. Strings are stored once and live as long as the
 * listing. */
#include "idg/import/flow/idg-code.h"

IdgCode *
idg_code_new (const gchar *file, const gchar *name)
{
  static const IdgMeaning none = { IDG_MATH_NONE, 0, FALSE, IDG_NO_REGISTER, { 0 }, { 0 }, { 0 } };
  IdgCode *code = g_new0 (IdgCode, 1);

  code->file = g_strdup (file);
  code->name = g_strdup (name);
  code->instrs = g_array_new (FALSE, TRUE, sizeof (IdgCodeInstr));
  code->registers = g_array_new (FALSE, FALSE, sizeof (guint));
  code->targets = g_array_new (FALSE, FALSE, sizeof (guint));
  code->labels = g_array_new (FALSE, FALSE, sizeof (IdgCodeLabel));
  code->meanings = g_array_new (FALSE, FALSE, sizeof (IdgMeaning));
  g_array_append_val (code->meanings, none);
  code->names = g_ptr_array_new ();
  code->numbers = g_hash_table_new (g_str_hash, g_str_equal);
  code->label_numbers = g_hash_table_new (g_str_hash, g_str_equal);
  code->strings = g_string_chunk_new (4096);
  return code;
}

void
idg_code_free (IdgCode *code)
{
  if (code == NULL)
    return;
  g_free (code->file);
  g_free (code->name);
  g_array_unref (code->instrs);
  g_array_unref (code->registers);
  g_array_unref (code->targets);
  g_array_unref (code->labels);
  g_array_unref (code->meanings);
  g_ptr_array_unref (code->names);
  g_hash_table_unref (code->numbers);
  g_hash_table_unref (code->label_numbers);
  g_string_chunk_free (code->strings);
  g_free (code);
}

static const gchar *
keep (IdgCode *code, const gchar *string)
{
  return string != NULL ? g_string_chunk_insert_const (code->strings, string) : NULL;
}

guint
idg_code_get_register (IdgCode *code, const gchar *name)
{
  gpointer number;

  if (g_hash_table_lookup_extended (code->numbers, name, NULL, &number))
    return GPOINTER_TO_UINT (number);
  name = keep (code, name);
  g_hash_table_insert (code->numbers, (gpointer)name, GUINT_TO_POINTER (code->names->len));
  g_ptr_array_add (code->names, (gpointer)name);
  return code->names->len - 1;
}

guint
idg_code_get_label (IdgCode *code, const gchar *name, gint line)
{
  IdgCodeLabel label = { NULL, IDG_NO_TARGET, line };
  gpointer number;

  if (g_hash_table_lookup_extended (code->label_numbers, name, NULL, &number))
    return GPOINTER_TO_UINT (number);
  label.name = keep (code, name);
  g_array_append_val (code->labels, label);
  g_hash_table_insert (code->label_numbers, (gpointer)label.name,
                       GUINT_TO_POINTER (code->labels->len - 1));
  return code->labels->len - 1;
}

gboolean
idg_code_place_label (IdgCode *code, const gchar *name, gint line)
{
  guint number = idg_code_get_label (code, name, line);
  IdgCodeLabel *label = &g_array_index (code->labels, IdgCodeLabel, number);

  if (label->instr != IDG_NO_TARGET)
    return FALSE;
  label->instr = code->instrs->len;
  label->line = line;
  return TRUE;
}

static IdgCodeInstr *
get_last (IdgCode *code)
{
  g_assert (code->instrs->len > 0);
  return &g_array_index (code->instrs, IdgCodeInstr, code->instrs->len - 1);
}

IdgCodeInstr *
idg_code_add (IdgCode *code, IdgCodeKind kind, const gchar *op, const gchar *text, gint line)
{
  IdgCodeInstr instr = { .kind = kind,
                         .op = keep (code, op),
                         .text = keep (code, text),
                         .line = line,
                         .guard = IDG_NO_REGISTER,
                         .first_read = code->registers->len,
                         .first_write = code->registers->len,
                         .first_target = code->targets->len };

  g_array_append_val (code->instrs, instr);
  return get_last (code);
}

void
idg_code_set_context (IdgCode *code, const gchar *context)
{
  get_last (code)->context = keep (code, context);
}

void
idg_code_set_source (IdgCode *code, const gchar *source, guint column)
{
  get_last (code)->source = keep (code, source);
  get_last (code)->column = column;
}

void
idg_code_add_read (IdgCode *code, guint reg)
{
  IdgCodeInstr *instr = get_last (code);

  g_assert (instr->n_writes == 0);
  if (reg == IDG_NO_REGISTER)
    return;
  g_array_append_val (code->registers, reg);
  instr->n_reads++;
  instr->first_write = code->registers->len;
}

void
idg_code_add_write (IdgCode *code, guint reg)
{
  if (reg == IDG_NO_REGISTER)
    return;
  g_array_append_val (code->registers, reg);
  get_last (code)->n_writes++;
}

void
idg_code_set_guard (IdgCode *code, guint reg, gboolean negated)
{
  IdgCodeInstr *instr = get_last (code);

  instr->has_guard = TRUE;
  instr->guard_negated = negated;
  instr->guard = reg;
  idg_code_add_read (code, reg);
}

void
idg_code_add_target (IdgCode *code, guint label)
{
  g_array_append_val (code->targets, label);
  get_last (code)->n_targets++;
}

void
idg_code_set_async (IdgCode *code, IdgAsync async, guint groups)
{
  IdgCodeInstr *instr = get_last (code);

  instr->async = async;
  instr->groups = groups;
}

void
idg_code_set_barrier (IdgCode *code, guint id, guint threads, gint64 block)
{
  IdgCodeInstr *instr = get_last (code);
  gboolean whole = threads == 0 || (gint64)threads == block;
  g_autofree gchar *name
      = whole ? g_strdup_printf ("%u", id) : g_strdup_printf ("%u-%u", id, threads);

  g_return_if_fail (instr->kind == IDG_CODE_BARRIER || instr->kind == IDG_CODE_ARRIVE);
  if (id > 0 || !whole || instr->kind == IDG_CODE_ARRIVE)
    instr->barrier = keep (code, name);
  instr->warps = whole ? 0 : (threads - 1) / IDG_WARP_THREADS + 1;
}

void
idg_code_set_meaning (IdgCode *code, const IdgMeaning *meaning)
{
  get_last (code)->meaning = code->meanings->len;
  g_array_append_val (code->meanings, *meaning);
}
