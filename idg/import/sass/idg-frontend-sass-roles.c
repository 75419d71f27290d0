/* SPDX-License-Identifier: MIT */
/* Which operands an instruction reads and writes, and how many registers each has.
 *
 * The destination comes first. Further predicates that are written may precede it (LOP3 P0, R0,
 * ...; SHFL PT, R0, ...) or follow it, as long as other operands follow them (IADD3 R0, P0, P1, R2,
 * ...); predicates at the end are read. */
#include "idg/import/sass/idg-frontend-sass.h"

#include <string.h>

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

gboolean
idg_sass_is_predicate (const IdgSassMaker *maker, guint i)
{
  return i < maker->n && maker->operands[i].kind == IDG_SASS_PREDICATE;
}

gboolean
idg_sass_is_register (const IdgSassMaker *maker, guint i)
{
  return i < maker->n && maker->operands[i].kind == IDG_SASS_REGISTER;
}

gboolean
idg_sass_is_opcode (const IdgSassMaker *maker, const gchar *names)
{
  gsize length = strlen (maker->opcode);

  for (const gchar *at = names; (at = strstr (at, maker->opcode)); at++)
    if ((at == names || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
      return TRUE;
  return FALSE;
}

gboolean
idg_sass_has_modifier (const IdgSassMaker *maker, const gchar *word)
{
  gsize length = strlen (word);

  for (const gchar *at = strchr (maker->full, '.'); at; at = strchr (at + 1, '.'))
    if (strncmp (at + 1, word, length) == 0 && strchr (".", at[1 + length]))
      return TRUE;
  return FALSE;
}

/* Recognizes the word PR or UPR, which means all predicates. */
static gchar
get_all_predicates (const IdgSassOperand *operand)
{
  if (operand->kind != IDG_SASS_WORD)
    return 0;
  if (operand->length == 2 && strncmp (operand->text, "PR", 2) == 0)
    return 'P';
  return operand->length == 3 && strncmp (operand->text, "UPR", 3) == 0 ? 'Q' : 0;
}

/* Returns the predicates of a whole register, from the mask at the end of R2P and P2R. */
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
  return idg_sass_is_opcode (maker, "TEX TEXS TLD TLDS TLD4 TLD4S TXD TMML TXQ FOOTPRINT");
}

/* Texture instructions of Volta and later, and the short forms of Maxwell, write two pairs. */
static gboolean
has_two_registers (const IdgSassMaker *maker)
{
  if (!idg_sass_is_register (maker, 0) || !idg_sass_is_register (maker, 1))
    return FALSE;
  if (idg_sass_is_opcode (maker, "TEXS TLDS TLD4S")
      || (idg_sass_is_opcode (maker, "LDG LD") && maker->op->bytes == 32))
    return TRUE;
  return is_texture (maker) && idg_sass_is_register (maker, 2) && idg_sass_is_register (maker, 3);
}

guint
idg_sass_count_dests (const IdgSassMaker *maker)
{
  guint n = 1;

  if (maker->n == 0)
    return 0;
  if (get_all_predicates (&maker->operands[0]))
    return 1;
  if (maker->op->dest_registers == 0)
    {
      if (!writes_predicates (maker) || !idg_sass_is_predicate (maker, 0))
        return 0;
      return idg_sass_is_predicate (maker, 1) ? 2 : 1;
    }
  if (idg_sass_is_predicate (maker, 0) && !idg_sass_is_opcode (maker, "VOTE VOTEU"))
    {
      if (!idg_sass_is_register (maker, 1))
        return 1;
      n = 2;
    }
  if (idg_sass_is_opcode (maker, "VOTE VOTEU B2R ELECT"))
    {
      /* All but the last, which is the value that they vote on. */
      guint last = idg_sass_is_opcode (maker, "B2R") ? maker->n : maker->n - 1;

      while (n < last && (idg_sass_is_predicate (maker, n) || idg_sass_is_register (maker, n)))
        n++;
      return n;
    }
  if (has_two_registers (maker))
    return 2;
  while (idg_sass_is_predicate (maker, n) && has_source_after (maker, n + 1))
    n++;
  return n;
}

/* ---- Widths ---- */

/* Returns how many values a texture instruction writes, according to the mask at its end, or to
 * letters. */
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

  if (maker->operands[i].reg.file != 'R' && maker->operands[i].reg.file != 'U')
    return 1;
  if (!is_texture (maker))
    return maker->op->dest_registers;
  values = count_values (maker);
  if (!has_two_registers (maker))
    return values;
  /* The second destination has the first two values; in the short forms of Maxwell, the first one
   * has them. */
  if (idg_sass_is_opcode (maker, "TEXS TLDS TLD4S"))
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
  /* A wgmma updates its sum: the destination is read, too. */
  if (idg_sass_is_opcode (maker, "HGMMA IGMMA BGMMA QGMMA") && maker->n_dests > 0
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
        width = idg_sass_is_opcode (maker, "HGMMA IGMMA BGMMA QGMMA") ? 4 : 2;
      else if (reg->file == 'U' && !reg->width)
        {
          /* A 64-bit base, if the lanes have 32-bit offsets. */
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

void
idg_sass_add_reads (IdgSassMaker *maker)
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
          /* cp.async writes to shared memory, whose addresses are short. */
          read_inner (maker, operand, idg_sass_is_opcode (maker, "LDGSTS") && addresses++ == 0);
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
  /* Maxwell reads the carry without an operand for it. */
  if (carries && idg_sass_has_modifier (maker, "X"))
    read_wide (maker, &(IdgSassRegister){ .file = 'C' }, 1);
}

void
idg_sass_add_writes (IdgSassMaker *maker)
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
