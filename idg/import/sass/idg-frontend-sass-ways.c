/* SPDX-License-Identifier: MIT */
/* Finds the targets of an instruction. SYNC, BRK, CONT and BSYNC go to the address that SSY, PBK,
 * PCNT or BSSY has pushed, a reconvergence point; on Fermi and Kepler so does what has .S. That is
 * the last one pushed in the listing that is still ahead, because compilers nest them. If it is the
 * next instruction, there is no branch. */
#include "idg/import/sass/idg-frontend-sass.h"

#include <string.h>

gchar *
idg_sass_name_address (guint64 address)
{
  return g_strdup_printf ("0x%04" G_GINT64_MODIFIER "x", address);
}

/* Returns the label that OPERAND names, or IDG_NO_TARGET. */
static guint
get_target (IdgSassMaker *maker, const IdgSassOperand *operand)
{
  g_autofree gchar *name = NULL;

  if (operand->kind == IDG_SASS_CONSTANT && operand->is_whole && operand->value >= 0)
    name = idg_sass_name_address ((guint64)operand->value);
  else if (operand->kind == IDG_SASS_WORD)
    name = g_strndup (operand->text, operand->length);
  else if (operand->kind == IDG_SASS_TARGET)
    {
      gsize skip = strspn (operand->text, "`( ");

      if (skip < operand->length)
        name = g_strndup (operand->text + skip,
                          strcspn (operand->text + skip, ")` ") < operand->length - skip
                              ? strcspn (operand->text + skip, ")` ")
                              : operand->length - skip);
    }
  return name && *name ? idg_code_get_label (maker->code, name, maker->line) : IDG_NO_TARGET;
}

guint
idg_sass_find_target (IdgSassMaker *maker)
{
  for (guint i = maker->n; i-- > 0;)
    {
      guint label = get_target (maker, &maker->operands[i]);

      if (label != IDG_NO_TARGET)
        return label;
    }
  return IDG_NO_TARGET;
}

/* Tells whether the instruction ends a side of a branch before Maxwell: there any instruction may,
 * and has .S for it. */
static gboolean
meets_early (const IdgSassMaker *maker)
{
  return idg_sass_has_modifier (maker, "S")
         && (idg_sass_is_opcode (maker, "NOP")
             || (maker->architecture >= 20 && maker->architecture < 50));
}

/* Returns the stack that the instruction pushes to, or whose top it goes to; NULL: neither. */
static GArray *
get_pushed (const IdgSassMaker *maker)
{
  if (idg_sass_is_opcode (maker, "SSY SYNC") || meets_early (maker))
    return maker->pushed[0];
  if (idg_sass_is_opcode (maker, "PBK BRK"))
    return maker->pushed[1];
  if (idg_sass_is_opcode (maker, "PCNT CONT"))
    return maker->pushed[2];
  if (idg_sass_is_opcode (maker, "BSSY BSYNC") && idg_sass_is_register (maker, 0)
      && maker->operands[0].reg.file == 'B')
    return maker->pushed[3 + maker->operands[0].reg.number];
  return NULL;
}

/* Returns the last reconvergence point pushed that is still ahead. Those that have been passed are
 * never needed again. */
static guint
find_pushed (const IdgSassMaker *maker)
{
  GArray *pushed = get_pushed (maker);

  while (pushed && pushed->len > 0)
    {
      guint label = g_array_index (pushed, guint, pushed->len - 1);

      if (g_array_index (maker->code->labels, IdgCodeLabel, label).instr == IDG_NO_TARGET)
        return label;
      g_array_set_size (pushed, pushed->len - 1);
    }
  return IDG_NO_TARGET;
}

/* Handles ``BRX R4 -0x90 (*"BRANCH_TARGETS .L_x_1,.L_x_2"*)``. */
static guint
add_listed_targets (IdgSassMaker *maker, const gchar *text)
{
  const gchar *at = strstr (text, "BRANCH_TARGETS ");
  guint n = 0;

  if (!at)
    return 0;
  at += strlen ("BRANCH_TARGETS ");
  while (*at && *at != '"')
    {
      gsize length = strcspn (at, ", \"");
      g_autofree gchar *name = g_strndup (at, length);

      if (length > 0)
        {
          idg_code_add_target (maker->code, idg_code_get_label (maker->code, name, maker->line));
          n++;
        }
      at += length;
      at += strspn (at, ", ");
    }
  return n;
}

gboolean
idg_sass_place_label (IdgSassMaker *maker, const gchar *name, gint line, GError **error)
{
  IdgCode *code = maker->code;
  IdgCodeInstr *last;
  guint label = idg_code_get_label (code, name, line);

  if (!idg_code_place_label (code, name, line))
    return idg_import_fail (code->file, line, IDG_ERROR_VALUE, error,
                            "the label \"%s\" is defined a second time; expected each once", name);
  if (!maker->meets || code->instrs->len == 0)
    return TRUE;
  last = &g_array_index (code->instrs, IdgCodeInstr, code->instrs->len - 1);
  if (last->n_targets == 1 && g_array_index (code->targets, guint, last->first_target) == label)
    {
      last->kind = IDG_CODE_OP;
      if (strcmp (last->op, "bra") == 0)
        last->op = "nop";
      last->n_targets = 0;
      maker->meets = FALSE;
    }
  return TRUE;
}

void
idg_sass_push (IdgSassMaker *maker)
{
  GArray *pushed = get_pushed (maker);
  guint label = idg_sass_find_target (maker);

  if (pushed && label != IDG_NO_TARGET)
    g_array_append_val (pushed, label);
  if (idg_sass_is_register (maker, 0))
    maker->n_dests = 1;
}

/* ---- Kinds ---- */

IdgCodeKind
idg_sass_find_kind (const IdgSassMaker *maker)
{
  if (!maker->op->op)
    return IDG_CODE_BARRIER;
  if (idg_sass_is_opcode (maker, "BAR") && idg_sass_has_modifier (maker, "ARV") && maker->n > 0
      && maker->operands[0].kind == IDG_SASS_CONSTANT)
    return IDG_CODE_ARRIVE;
  /* BRA.DIV is taken when the lanes of a warp have diverged, which is not modelled. */
  if (idg_sass_is_opcode (maker, "BRA JMP"))
    return idg_sass_has_modifier (maker, "DIV") || idg_sass_has_modifier (maker, "CONV")
               ? IDG_CODE_OP
               : IDG_CODE_BRANCH;
  if (idg_sass_is_opcode (maker, "BRX BRXU JMX JMXU"))
    return IDG_CODE_BRANCH;
  if (idg_sass_is_opcode (maker, "EXIT PEXIT KIL KILL RET"))
    return IDG_CODE_EXIT;
  if ((idg_sass_is_opcode (maker, "SYNC BSYNC BRK CONT") || meets_early (maker))
      && find_pushed (maker) != IDG_NO_TARGET)
    return IDG_CODE_BRANCH;
  return IDG_CODE_OP;
}

gboolean
idg_sass_add_targets (IdgSassMaker *maker, const gchar *text, GError **error)
{
  guint label;

  if (idg_sass_is_opcode (maker, "BRX BRXU JMX JMXU"))
    {
      if (add_listed_targets (maker, text) == 0)
        return idg_import_fail (maker->code->file, maker->line, IDG_ERROR_VALUE, error,
                                "the targets of `%s` are not in the listing; expected "
                                "(*\"BRANCH_TARGETS ...\"*) after it, as nvdisasm prints it",
                                text);
      return TRUE;
    }
  label
      = idg_sass_is_opcode (maker, "BRA JMP") ? idg_sass_find_target (maker) : find_pushed (maker);
  if (label == IDG_NO_TARGET)
    return idg_import_fail (maker->code->file, maker->line, IDG_ERROR_SYNTAX, error,
                            "`%s` has no target; expected an address or a label", text);
  idg_code_add_target (maker->code, label);
  maker->meets = !idg_sass_is_opcode (maker, "BRA JMP");
  return TRUE;
}
