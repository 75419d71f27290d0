/* SPDX-License-Identifier: MIT */
/* An instruction of a SASS listing as one of IdgCode: which registers it reads and writes, and where it goes.
 *
 * The destination comes first. Predicates may stand around it: before it (LOP3 P0, R0, ...; SHFL PT, R0, ...), or behind
 * it as long as other operands follow (IADD3 R0, P0, P1, R2, ...); those at the end are read. Where ways meet again
 * (SYNC, BRK, CONT and BSYNC), control goes to the address that SSY, PBK, PCNT or BSSY has put away: the last one in the
 * listing that is still ahead, as compilers nest them. Nothing happens where that is the next instruction. */
#include "idg-frontend-sass.h"

#include <string.h>

typedef struct
{
  gchar what; /* 'S' SSY, 'B' PBK, 'C' PCNT, '0'... BSSY B0 ... */
  guint label;
} Pushed;

void
idg_sass_maker_init (IdgSassMaker *maker, IdgCode *code, IdgImport *import)
{
  *maker = (IdgSassMaker){ .code = code,
                           .import = import,
                           .ops = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free),
                           .pushed = g_array_new (FALSE, FALSE, sizeof (Pushed)) };
  for (guint file = 0; file < IDG_SASS_N_FILES; file++)
    for (guint i = 0; i < G_N_ELEMENTS (maker->numbers[file]); i++)
      maker->numbers[file][i] = IDG_NO_REGISTER;
}

void
idg_sass_maker_clear (IdgSassMaker *maker)
{
  g_hash_table_unref (maker->ops);
  g_array_unref (maker->pushed);
  g_free (maker->opcode);
  g_free (maker->full);
}

/* ---- Registers ---- */

guint
idg_sass_get_register (IdgSassMaker *maker, const IdgSassRegister *reg, guint offset)
{
  static const gchar files[IDG_SASS_N_FILES + 1] = "RUPQBC";
  static const gchar *const prefixes[IDG_SASS_N_FILES] = { "R", "UR", "P", "UP", "B", "CC" };
  guint file = (guint)(strchr (files, reg->file) - files), number = reg->number + offset;

  /* 255 is RZ: a pair that begins at R254 ends there. */
  if (reg->constant || number > 254)
    return IDG_NO_REGISTER;
  if (reg->file == 'R')
    maker->highest = MAX (maker->highest, number + 1);
  if (maker->numbers[file][number] == IDG_NO_REGISTER)
    {
      g_autofree gchar *name = reg->file == 'C' ? g_strdup (prefixes[file])
                                                : g_strdup_printf ("%s%u", prefixes[file], number);

      maker->numbers[file][number] = idg_code_get_register (maker->code, name);
    }
  return maker->numbers[file][number];
}

static void
read_wide (IdgSassMaker *maker, const IdgSassRegister *reg, guint width)
{
  for (guint i = 0; i < width; i++)
    idg_code_add_read (maker->code, idg_sass_get_register (maker, reg, i));
}

static void
write_wide (IdgSassMaker *maker, const IdgSassRegister *reg, guint width)
{
  for (guint i = 0; i < width; i++)
    idg_code_add_write (maker->code, idg_sass_get_register (maker, reg, i));
}

static gboolean
is_predicate (const IdgSassMaker *maker, guint i)
{
  return i < maker->n && maker->operands[i].kind == IDG_SASS_PREDICATE;
}

static gboolean
is_register (const IdgSassMaker *maker, guint i)
{
  return i < maker->n && maker->operands[i].kind == IDG_SASS_REGISTER;
}

static gboolean
is_opcode (const IdgSassMaker *maker, const gchar *names)
{
  gsize length = strlen (maker->opcode);

  for (const gchar *at = names; (at = strstr (at, maker->opcode)); at++)
    if ((at == names || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
      return TRUE;
  return FALSE;
}

static gboolean
has_modifier (const IdgSassMaker *maker, const gchar *word)
{
  gsize length = strlen (word);

  for (const gchar *at = strchr (maker->full, '.'); at; at = strchr (at + 1, '.'))
    if (strncmp (at + 1, word, length) == 0 && strchr (".", at[1 + length]))
      return TRUE;
  return FALSE;
}

/* The word PR or UPR: all predicates. */
static gchar
get_all_predicates (const IdgSassOperand *operand)
{
  if (operand->kind != IDG_SASS_WORD)
    return 0;
  if (operand->length == 2 && strncmp (operand->text, "PR", 2) == 0)
    return 'P';
  return operand->length == 3 && strncmp (operand->text, "UPR", 3) == 0 ? 'Q' : 0;
}

/* The predicates of a whole register, by the mask at the end of R2P and P2R. */
static guint
get_mask (const IdgSassMaker *maker)
{
  const IdgSassOperand *last = &maker->operands[maker->n - 1];

  return last->kind == IDG_SASS_CONSTANT && last->is_whole ? (guint)last->value & 0x7f : 0x7f;
}

/* ---- Which operands are written ---- */

static gboolean
writes_predicates (const IdgSassMaker *maker)
{
  return maker->op->op
         && (g_str_has_prefix (maker->op->op, "setp") || g_str_has_prefix (maker->op->op, "testp")
             || g_str_has_prefix (maker->op->op, "isspacep")
             || g_str_has_suffix (maker->op->op, ".pred"));
}

static gboolean
has_source_after (const IdgSassMaker *maker, guint i)
{
  for (; i < maker->n; i++)
    if (maker->operands[i].kind != IDG_SASS_PREDICATE)
      return TRUE;
  return FALSE;
}

static gboolean
is_texture (const IdgSassMaker *maker)
{
  return is_opcode (maker, "TEX TEXS TLD TLDS TLD4 TLD4S TXD TMML TXQ FOOTPRINT");
}

/* Texture instructions of Volta and later, and the short ones of Maxwell, write two pairs. */
static gboolean
has_two_registers (const IdgSassMaker *maker)
{
  if (!is_register (maker, 0) || !is_register (maker, 1))
    return FALSE;
  if (is_opcode (maker, "TEXS TLDS TLD4S")
      || (is_opcode (maker, "LDG LD") && maker->op->bytes == 32))
    return TRUE;
  return is_texture (maker) && is_register (maker, 2) && is_register (maker, 3);
}

static guint
count_dests (const IdgSassMaker *maker)
{
  guint n = 1;

  if (maker->n == 0)
    return 0;
  if (get_all_predicates (&maker->operands[0]))
    return 1;
  if (maker->op->dest_registers == 0)
    {
      if (!writes_predicates (maker) || !is_predicate (maker, 0))
        return 0;
      return is_predicate (maker, 1) ? 2 : 1;
    }
  if (is_predicate (maker, 0) && !is_opcode (maker, "VOTE VOTEU"))
    {
      if (!is_register (maker, 1))
        return 1;
      n = 2;
    }
  if (is_opcode (maker, "VOTE VOTEU B2R ELECT"))
    {
      /* All but the last, which is what they vote on. */
      guint last = is_opcode (maker, "B2R") ? maker->n : maker->n - 1;

      while (n < last && (is_predicate (maker, n) || is_register (maker, n)))
        n++;
      return n;
    }
  if (has_two_registers (maker))
    return 2;
  while (is_predicate (maker, n) && has_source_after (maker, n + 1))
    n++;
  return n;
}

/* ---- Widths ---- */

/* How many values a texture instruction writes: the mask at its end, or letters. */
static guint
count_values (const IdgSassMaker *maker)
{
  for (guint i = maker->n; i-- > 1;)
    {
      const IdgSassOperand *operand = &maker->operands[i];

      if (operand->kind == IDG_SASS_CONSTANT && operand->is_whole && operand->value > 0
          && operand->value < 16)
        return (guint)__builtin_popcount ((guint)operand->value);
      if (operand->kind == IDG_SASS_WORD && operand->length <= 4
          && strspn (operand->text, "RGBA") >= operand->length)
        return (guint)operand->length;
    }
  return 4;
}

static guint
get_dest_width (const IdgSassMaker *maker, guint i)
{
  guint values;

  if (maker->operands[i].kind == IDG_SASS_PREDICATE)
    return 1;
  if (!is_texture (maker))
    return maker->op->dest_registers;
  values = count_values (maker);
  if (!has_two_registers (maker))
    return values;
  /* The second destination has the first two values, but in the short ones of Maxwell. */
  if (is_opcode (maker, "TEXS TLDS TLD4S"))
    return i == 0 ? MIN (values, 2) : values - MIN (values, 2);
  return i == 1 ? MIN (values, 2) : values - MIN (values, 2);
}

static guint
get_source_width (const IdgSassMaker *maker, const IdgSassOperand *operand, guint place)
{
  if (operand->reg.file != 'R' && operand->reg.file != 'U')
    return 1;
  if (operand->reg.width)
    return operand->reg.width;
  /* The sum of a wgmma stands where it is written to. */
  if (is_opcode (maker, "HGMMA IGMMA BGMMA QGMMA") && maker->n_dests > 0
      && operand->reg.number == maker->operands[0].reg.number)
    return maker->op->dest_registers;
  return place < 3 ? maker->op->operand_registers[place] : 1;
}

static void
read_inner (IdgSassMaker *maker, const IdgSassOperand *operand, gboolean is_shared)
{
  gboolean has_general = FALSE;
  guint address = is_shared || operand->kind == IDG_SASS_BANK ? 1 : maker->op->address_registers;

  for (guint i = 0; i < operand->n_inner; i++)
    has_general |= operand->inner[i].file == 'R';
  for (guint i = 0; i < operand->n_inner; i++)
    {
      const IdgSassRegister *reg = &operand->inner[i];
      guint width = reg->width ? reg->width : address;

      if (reg->descriptor)
        width = is_opcode (maker, "HGMMA IGMMA BGMMA QGMMA") ? 4 : 2;
      else if (reg->file == 'U' && !reg->width)
        {
          /* A base of 64 bits, if what the lanes have is an offset of 32. */
          gboolean offsets = !has_general;

          for (guint j = 0; j < operand->n_inner; j++)
            offsets |= operand->inner[j].file == 'R' && operand->inner[j].width == 1;
          width = offsets ? address : 1;
        }
      else if (reg->file != 'R' && reg->file != 'U')
        width = 1;
      read_wide (maker, reg, width);
    }
}

/* ---- Reads and writes ---- */

static void
read_predicates (IdgSassMaker *maker, gchar file)
{
  guint mask = get_mask (maker);

  for (guint i = 0; i < 7; i++)
    if (mask & 1U << i)
      read_wide (maker, &(IdgSassRegister){ .file = file, .number = i }, 1);
}

static void
write_predicates (IdgSassMaker *maker, gchar file)
{
  guint mask = get_mask (maker);

  for (guint i = 0; i < 7; i++)
    if (mask & 1U << i)
      write_wide (maker, &(IdgSassRegister){ .file = file, .number = i }, 1);
}

static void
add_reads (IdgSassMaker *maker)
{
  guint place = 0, addresses = 0;
  gboolean carries = maker->numbers[5][0] != IDG_NO_REGISTER;

  for (guint i = maker->n_dests; i < maker->n; i++)
    {
      const IdgSassOperand *operand = &maker->operands[i];

      switch (operand->kind)
        {
        case IDG_SASS_REGISTER:
          read_wide (maker, &operand->reg, get_source_width (maker, operand, place));
          place++;
          break;
        case IDG_SASS_PREDICATE:
          read_wide (maker, &operand->reg, 1);
          break;
        case IDG_SASS_ADDRESS:
          /* cp.async goes to shared memory, whose addresses are short. */
          read_inner (maker, operand, is_opcode (maker, "LDGSTS") && addresses++ == 0);
          break;
        case IDG_SASS_BANK:
          read_inner (maker, operand, FALSE);
          place++;
          break;
        case IDG_SASS_CONSTANT:
          place++;
          break;
        case IDG_SASS_TARGET:
        case IDG_SASS_WORD:
          if (get_all_predicates (operand))
            read_predicates (maker, get_all_predicates (operand));
          break;
        }
    }
  /* Maxwell's carry has no operand of its own where it is read. */
  if (carries && has_modifier (maker, "X"))
    read_wide (maker, &(IdgSassRegister){ .file = 'C' }, 1);
}

static void
add_writes (IdgSassMaker *maker)
{
  for (guint i = 0; i < maker->n_dests; i++)
    {
      const IdgSassOperand *operand = &maker->operands[i];

      if (get_all_predicates (operand))
        write_predicates (maker, get_all_predicates (operand));
      else if (operand->kind == IDG_SASS_REGISTER || operand->kind == IDG_SASS_PREDICATE)
        write_wide (maker, &operand->reg, get_dest_width (maker, i));
      if (operand->carry)
        write_wide (maker, &(IdgSassRegister){ .file = 'C' }, 1);
    }
}

/* ---- Where it goes ---- */

gchar *
idg_sass_name_address (guint64 address)
{
  return g_strdup_printf ("0x%04" G_GINT64_MODIFIER "x", address);
}

/* The label that OPERAND names, or IDG_NO_TARGET. */
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

static guint
find_target (IdgSassMaker *maker)
{
  for (guint i = maker->n; i-- > 0;)
    {
      guint label = get_target (maker, &maker->operands[i]);

      if (label != IDG_NO_TARGET)
        return label;
    }
  return IDG_NO_TARGET;
}

static gchar
get_push_kind (const IdgSassMaker *maker)
{
  if (is_opcode (maker, "SSY SYNC"))
    return 'S';
  if (is_opcode (maker, "PBK BRK"))
    return 'B';
  if (is_opcode (maker, "PCNT CONT"))
    return 'C';
  if (is_opcode (maker, "BSSY BSYNC") && is_register (maker, 0)
      && maker->operands[0].reg.file == 'B')
    return (gchar)('0' + maker->operands[0].reg.number);
  return 0;
}

static guint
find_pushed (const IdgSassMaker *maker)
{
  gchar what = get_push_kind (maker);

  for (guint i = maker->pushed->len; i-- > 0;)
    {
      const Pushed *pushed = &g_array_index (maker->pushed, Pushed, i);

      if (pushed->what == what
          && g_array_index (maker->code->labels, IdgCodeLabel, pushed->label).instr
                 == IDG_NO_TARGET)
        return pushed->label;
    }
  return IDG_NO_TARGET;
}

/* ``BRX R4 -0x90 (*"BRANCH_TARGETS .L_x_1,.L_x_2"*)`` */
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
                            "the label \"%s\" stands here a second time; expected each once", name);
  if (!maker->meets || code->instrs->len == 0)
    return TRUE;
  last = &g_array_index (code->instrs, IdgCodeInstr, code->instrs->len - 1);
  if (last->n_targets == 1 && g_array_index (code->targets, guint, last->first_target) == label)
    {
      last->kind = IDG_CODE_OP;
      last->op = "nop";
      last->n_targets = 0;
      maker->meets = FALSE;
    }
  return TRUE;
}

/* ---- Kinds ---- */

typedef struct
{
  gboolean has, negated, never;
  IdgSassRegister reg;
} Guard;

static gboolean
parse_guard (const gchar **text, const gchar *file, gint line, Guard *guard, GError **error)
{
  IdgSassOperand operand;
  gsize length;
  guint n;

  *guard = (Guard){ FALSE, FALSE, FALSE, { 0 } };
  if (**text != '@')
    return TRUE;
  length = strcspn (*text, " ");
  if (!idg_sass_parse_operands (*text + 1, length - 1, file, line, &operand, &n, error))
    return FALSE;
  if (n != 1 || operand.kind != IDG_SASS_PREDICATE)
    return idg_import_fail (file, line, IDG_ERROR_SYNTAX, error,
                            "`%.*s` is no guard; expected a predicate such as @P0 or @!UP1",
                            (int)MIN (length, 40), *text);
  guard->negated = operand.negated;
  guard->has = !operand.reg.constant;
  guard->never = operand.reg.constant && operand.negated;
  guard->reg = operand.reg;
  *text += length;
  *text += strspn (*text, " ");
  return TRUE;
}

/* A predicate among the operands of a branch or an EXIT decides as a guard does. */
static void
set_guard (IdgSassMaker *maker, const Guard *guard)
{
  gboolean decides = is_opcode (maker, "BRA JMP EXIT SYNC BRK CONT");

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

static void
note_barrier (IdgSassMaker *maker)
{
  const IdgSassOperand *operands = maker->operands;
  const gchar *file = maker->code->file;

  if (maker->n > 0 && operands[0].kind == IDG_SASS_REGISTER)
    idg_import_note (maker->import, file, maker->line,
                     "the number of the barrier is in a register; taken as one of the whole block");
  else if (maker->n > 0 && operands[0].kind == IDG_SASS_CONSTANT && operands[0].value != 0)
    idg_import_note (maker->import, file, maker->line,
                     "barrier %" G_GINT64_FORMAT " is taken as one of the whole block",
                     operands[0].value);
  if (maker->n > 1 && !is_predicate (maker, 1))
    idg_import_note (maker->import, file, maker->line,
                     "this barrier has a number of threads of its own; taken as one of the whole "
                     "block");
}

static void
note_call (IdgSassMaker *maker)
{
  guint label = find_target (maker);

  idg_import_note (
      maker->import, maker->code->file, maker->line,
      "the function%s%s is not looked into; its call is one instruction",
      label != IDG_NO_TARGET ? " " : "",
      label != IDG_NO_TARGET ? g_array_index (maker->code->labels, IdgCodeLabel, label).name : "");
}

static IdgCodeKind
find_kind (IdgSassMaker *maker)
{
  if (!maker->op->op)
    return IDG_CODE_BARRIER;
  /* BRA.DIV is taken where the lanes of a warp have parted, which is not modelled. */
  if (is_opcode (maker, "BRA JMP"))
    return has_modifier (maker, "DIV") || has_modifier (maker, "CONV") ? IDG_CODE_OP
                                                                       : IDG_CODE_BRANCH;
  if (is_opcode (maker, "BRX BRXU JMX JMXU"))
    return IDG_CODE_BRANCH;
  if (is_opcode (maker, "EXIT PEXIT KIL KILL RET"))
    return IDG_CODE_EXIT;
  if (is_opcode (maker, "SYNC BSYNC BRK CONT") && find_pushed (maker) != IDG_NO_TARGET)
    return IDG_CODE_BRANCH;
  return IDG_CODE_OP;
}

static gboolean
add_targets (IdgSassMaker *maker, const gchar *text, GError **error)
{
  guint label;

  if (is_opcode (maker, "BRX BRXU JMX JMXU"))
    {
      if (add_listed_targets (maker, text) == 0)
        return idg_import_fail (maker->code->file, maker->line, IDG_ERROR_VALUE, error,
                                "where `%s` may go is not in the listing; expected "
                                "(*\"BRANCH_TARGETS ...\"*) after it, as nvdisasm prints it",
                                text);
      return TRUE;
    }
  label = is_opcode (maker, "BRA JMP") ? find_target (maker) : find_pushed (maker);
  if (label == IDG_NO_TARGET)
    return idg_import_fail (maker->code->file, maker->line, IDG_ERROR_SYNTAX, error,
                            "`%s` does not say where to; expected an address or a label", text);
  idg_code_add_target (maker->code, label);
  maker->meets = !is_opcode (maker, "BRA JMP");
  return TRUE;
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
  length = strcspn (text, " ");
  g_free (maker->full);
  g_free (maker->opcode);
  maker->full = g_strndup (text, length);
  maker->opcode = g_strndup (text, strcspn (maker->full, "."));
  if (!is_name (maker->full))
    return idg_import_fail (file, maker->line, IDG_ERROR_SYNTAX, error,
                            "`%.40s` is no instruction; expected one such as `FADD R1, R2, R3`",
                            maker->full);
  if (!find_op (maker, error)
      || !idg_sass_parse_operands (text + length, strlen (text + length), file, maker->line,
                                   maker->operands, &maker->n, error))
    return FALSE;
  maker->n_dests = count_dests (maker);
  return TRUE;
}

static void
add_nothing (IdgSassMaker *maker, const gchar *text, gint line, const gchar *source)
{
  idg_code_add (maker->code, IDG_CODE_OP, "nop", text, line);
  if (source && *source)
    idg_code_set_source (maker->code, source);
}

/* BSSY writes B0, which BSYNC reads. */
static void
push (IdgSassMaker *maker)
{
  Pushed pushed = { get_push_kind (maker), find_target (maker) };

  if (pushed.what && pushed.label != IDG_NO_TARGET)
    g_array_append_val (maker->pushed, pushed);
  if (is_register (maker, 0))
    maker->n_dests = 1;
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
  kind = find_kind (maker);
  if (is_opcode (maker, "SSY PBK PCNT BSSY"))
    push (maker);
  idg_code_add (maker->code, kind, maker->op->op, text, line);
  if (source && *source)
    idg_code_set_source (maker->code, source);
  if (kind == IDG_CODE_OP && is_opcode (maker, "BRA JMP"))
    idg_code_set_context (maker->code, "not-taken");
  if (kind == IDG_CODE_BARRIER)
    note_barrier (maker);
  if (is_opcode (maker, "CALL CAL JCAL"))
    note_call (maker);
  set_guard (maker, &guard);
  add_reads (maker);
  add_writes (maker);
  if (idg_sass_find_meaning (maker, &meaning))
    idg_code_set_meaning (maker->code, &meaning);
  return kind != IDG_CODE_BRANCH || add_targets (maker, text, error);
}
