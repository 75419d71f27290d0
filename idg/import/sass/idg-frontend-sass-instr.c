/* SPDX-License-Identifier: MIT */
/* Turns an instruction of a SASS listing into one of IdgCode. */
#include "idg/import/sass/idg-frontend-sass.h"

#include <string.h>

void
idg_sass_maker_init (IdgSassMaker *maker, IdgCode *code, IdgImport *import)
{
  *maker = (IdgSassMaker){ .code = code,
                           .import = import,
                           .ops = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free) };
  for (guint kind = 0; kind < IDG_SASS_N_KINDS; kind++)
    maker->pushed[kind] = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint file = 0; file < IDG_SASS_N_FILES; file++)
    for (guint i = 0; i < G_N_ELEMENTS (maker->numbers[file]); i++)
      maker->numbers[file][i] = IDG_NO_REGISTER;
}

void
idg_sass_maker_clear (IdgSassMaker *maker)
{
  g_hash_table_unref (maker->ops);
  for (guint kind = 0; kind < IDG_SASS_N_KINDS; kind++)
    g_array_unref (maker->pushed[kind]);
  g_free (maker->opcode);
  g_free (maker->full);
}

/* ---- Guards and notes ---- */

typedef struct
{
  gboolean has, negated, never;
  IdgSassRegister reg;
} Guard;

static gboolean
parse_guard (const gchar **text, const gchar *file, gint line, Guard *guard, GError **error)
{
  IdgSassOperand operands[IDG_SASS_MAX_OPERANDS];
  gsize length;
  guint n;

  *guard = (Guard){ FALSE, FALSE, FALSE, { 0 } };
  if (**text != '@')
    return TRUE;
  length = strcspn (*text, " ");
  if (!idg_sass_parse_operands (*text + 1, length - 1, file, line, operands, &n, error))
    return FALSE;
  if (n != 1 || operands[0].kind != IDG_SASS_PREDICATE)
    return idg_import_fail (file, line, IDG_ERROR_SYNTAX, error,
                            "`%.*s` is not a guard; expected a predicate such as @P0 or @!UP1",
                            (int)MIN (length, 40), *text);
  guard->negated = operands[0].negated;
  guard->has = !operands[0].reg.constant;
  guard->never = operands[0].reg.constant && operands[0].negated;
  guard->reg = operands[0].reg;
  *text += length;
  *text += strspn (*text, " ");
  return TRUE;
}

/* A predicate among the operands of a branch or an EXIT acts like a guard. */
static void
set_guard (IdgSassMaker *maker, const Guard *guard)
{
  gboolean decides = idg_sass_is_opcode (maker, "BRA JMP EXIT SYNC BRK CONT");

  if (guard->has)
    idg_code_set_guard (maker->code, idg_sass_get_register (maker, &guard->reg, 0), guard->negated);
  for (guint i = 0; decides && !guard->has && i < maker->n; i++)
    {
      const IdgSassOperand *operand = &maker->operands[i];

      if ((operand->kind != IDG_SASS_PREDICATE && operand->reg.file != 'C')
          || operand->reg.constant)
        continue;
      idg_code_set_guard (maker->code, idg_sass_get_register (maker, &operand->reg, 0),
                          operand->negated);
      return;
    }
}

/* Says which barrier the last instruction is of. */
static gboolean
set_barrier (IdgSassMaker *maker, GError **error)
{
  const IdgSassOperand *operands = maker->operands;
  const gchar *file = maker->code->file;
  guint64 id = 0, threads = 0;

  if (maker->n > 0 && operands[0].kind == IDG_SASS_REGISTER)
    {
      idg_import_note (maker->import, file, maker->line,
                       "the number of the barrier is in a register; taken as one of the whole "
                       "block");
      return TRUE;
    }
  if (maker->n > 0 && operands[0].kind == IDG_SASS_CONSTANT)
    id = (guint64)operands[0].value;
  if (maker->n > 1 && operands[1].kind == IDG_SASS_CONSTANT)
    threads = (guint64)operands[1].value;
  else if (maker->n > 1 && !idg_sass_is_predicate (maker, 1))
    idg_import_note (maker->import, file, maker->line,
                     "the threads of the barrier are in a register; taken as all of the block");
  if (id > IDG_MAX_BARRIER_ID || threads > IDG_MAX_THREADS)
    return idg_import_fail (file, maker->line, IDG_ERROR_VALUE, error,
                            "there is no such barrier; expected 0 to %d, and at most %d threads",
                            IDG_MAX_BARRIER_ID, IDG_MAX_THREADS);
  idg_code_set_barrier (maker->code, (guint)id, (guint)threads, maker->import->threads);
  return TRUE;
}

/* Says what the last instruction has to do with asynchronous copies: LDGDEPBAR ends a group, and
 * has the scoreboard SB0 count it; DEPBAR.LE SB0, 0x1 waits until at most one is left. */
static void
set_async (IdgSassMaker *maker)
{
  const IdgSassOperand *operands = maker->operands;
  guint groups = 0;

  if (idg_sass_is_opcode (maker, "LDGSTS"))
    idg_code_set_async (maker->code, IDG_ASYNC_COPY, 0);
  else if (idg_sass_is_opcode (maker, "LDGDEPBAR"))
    idg_code_set_async (maker->code, IDG_ASYNC_COMMIT, 0);
  else if (idg_sass_is_opcode (maker, "DEPBAR") && maker->n > 0 && operands[0].length == 3
           && strncmp (operands[0].text, "SB0", 3) == 0)
    {
      if (maker->n > 1 && operands[1].kind == IDG_SASS_CONSTANT)
        groups = (guint)CLAMP (operands[1].value, 0, G_MAXINT);
      idg_code_set_async (maker->code, IDG_ASYNC_WAIT, groups);
    }
}

static void
note_call (IdgSassMaker *maker)
{
  guint label = idg_sass_find_target (maker);

  idg_import_note (
      maker->import, maker->code->file, maker->line,
      "the function%s%s is not inlined; its call is one instruction",
      label != IDG_NO_TARGET ? " " : "",
      label != IDG_NO_TARGET ? g_array_index (maker->code->labels, IdgCodeLabel, label).name : "");
}

/* ---- An instruction ---- */

static gboolean
find_op (IdgSassMaker *maker, GError **error)
{
  IdgSassOp *op = g_hash_table_lookup (maker->ops, maker->full);

  if (!op)
    {
      op = g_new0 (IdgSassOp, 1);
      if (!idg_ops_find_sass (maker->full, op))
        {
          const gchar *file = maker->code->file;

          if (maker->import->strict_names)
            {
              g_free (op);
              return idg_import_fail (file, maker->line, IDG_ERROR_VALUE, error,
                                      "the instruction %s is not known; expected one of Maxwell "
                                      "to Blackwell",
                                      maker->opcode);
            }
          idg_import_note (maker->import, file, maker->line,
                           "the instruction %s is not known; taken as %s", maker->opcode,
                           op->op ? op->op : "a barrier");
        }
      g_hash_table_insert (maker->ops, g_strdup (maker->full), op);
    }
  maker->op = op;
  return TRUE;
}

static gboolean
is_name (const gchar *name)
{
  if (!g_ascii_isupper (*name))
    return FALSE;
  for (; *name; name++)
    if (!g_ascii_isalnum (*name) && *name != '.' && *name != '_')
      return FALSE;
  return TRUE;
}

static gboolean
parse (IdgSassMaker *maker, const gchar *text, Guard *guard, GError **error)
{
  const gchar *file = maker->code->file;
  gsize length;

  if (!parse_guard (&text, file, maker->line, guard, error))
    return FALSE;
  if (*text == '\0')
    return idg_import_fail (file, maker->line, IDG_ERROR_SYNTAX, error,
                            "a guard without an instruction; expected one after it");
  length = strcspn (text, " ");
  g_free (maker->full);
  g_free (maker->opcode);
  maker->full = g_strndup (text, length);
  maker->opcode = g_strndup (text, strcspn (maker->full, "."));
  if (!is_name (maker->full))
    return idg_import_fail (file, maker->line, IDG_ERROR_SYNTAX, error,
                            "`%.40s` is not an instruction; expected one such as `FADD R1, R2, R3`",
                            maker->full);
  text += length + strspn (text + length, " ");
  if (!find_op (maker, error)
      || !idg_sass_parse_operands (text, strlen (text), file, maker->line, maker->operands,
                                   &maker->n, error))
    return FALSE;
  maker->n_dests = idg_sass_count_dests (maker);
  return TRUE;
}

static void
add_nothing (IdgSassMaker *maker, const gchar *text, gint line, const gchar *source)
{
  idg_code_add (maker->code, IDG_CODE_OP, "nop", text, line);
  if (source && *source)
    idg_code_set_source (maker->code, source, 0);
}

static gboolean
is_nop (const IdgSassMaker *maker)
{
  return strcmp (maker->op->op, "nop") == 0;
}

gboolean
idg_sass_add (IdgSassMaker *maker, const gchar *text, gint line, const gchar *source,
              GError **error)
{
  IdgMeaning meaning;
  IdgCodeKind kind;
  Guard guard;

  maker->line = line;
  maker->meets = FALSE;
  if (!parse (maker, text, &guard, error))
    return FALSE;
  if (guard.never)
    {
      add_nothing (maker, text, line, source);
      return TRUE;
    }
  kind = idg_sass_find_kind (maker);
  if (idg_sass_is_opcode (maker, "SSY PBK PCNT BSSY"))
    idg_sass_push (maker);
  /* SYNC and the like are branches if they lead elsewhere. */
  idg_code_add (maker->code, kind,
                kind == IDG_CODE_BRANCH && is_nop (maker) ? "bra" : maker->op->op, text, line);
  if (source && *source)
    idg_code_set_source (maker->code, source, 0);
  if (kind == IDG_CODE_OP && idg_sass_is_opcode (maker, "BRA JMP"))
    idg_code_set_context (maker->code, "not-taken");
  set_async (maker);
  if ((kind == IDG_CODE_BARRIER || kind == IDG_CODE_ARRIVE) && !set_barrier (maker, error))
    return FALSE;
  if (idg_sass_is_opcode (maker, "CALL CAL JCAL"))
    note_call (maker);
  set_guard (maker, &guard);
  idg_sass_add_reads (maker);
  idg_sass_add_writes (maker);
  if (idg_sass_find_meaning (maker, &meaning))
    idg_code_set_meaning (maker->code, &meaning);
  return kind != IDG_CODE_BRANCH || idg_sass_add_targets (maker, text, error);
}
