/* SPDX-License-Identifier: MIT */
/* An instruction by the rows of its opcode. The rows of all tables are put in the order of their 12
 * opcode bits once, so that a look-up is one index. */
#include "exec/sass/wp-sass-operand.h"

#include <string.h>

enum
{
  N_OPCODES = 4096,
  N_FORMS = 8,
  FORM_SHIFT = 9,
  FIRST_SM = 70,
  LAST_SM = 121,
  BIT_GUARD = 12,
  BIT_GUARD_NOT = 15,
  BIT_STALL = 105,
  BIT_YIELD = 109,
  BIT_WRITE_BARRIER = 110,
  BIT_READ_BARRIER = 113,
  BIT_WAIT = 116,
  BIT_REUSE = 122
};

typedef struct
{
  guint16 first[N_OPCODES + 1]; /* of the rows of an opcode in rows */
  const WpSassRow **rows;
} Index;

static const WpSassRow *const tables[] = {
  wp_sass_rows_control,  wp_sass_rows_integer,   wp_sass_rows_uniform, wp_sass_rows_memory,
  wp_sass_rows_float,    wp_sass_rows_half,      wp_sass_rows_convert, wp_sass_rows_matrix,
  wp_sass_rows_exchange, wp_sass_rows_atomic,    wp_sass_rows_async,   wp_sass_rows_tensor,
  wp_sass_rows_texture,  wp_sass_rows_warpgroup,
};

typedef void (*RowVisit) (const WpSassRow *row, guint opcode, gpointer data);

static void
visit_rows (RowVisit visit, gpointer data)
{
  for (guint t = 0; t < G_N_ELEMENTS (tables); t++)
    for (const WpSassRow *row = tables[t]; row->op != WP_SASS_NO_OP; row++)
      if (row->forms == 0)
        visit (row, row->code, data);
      else
        for (guint form = 0; form < N_FORMS; form++)
          if (row->forms >> form & 1)
            visit (row, row->code | form << FORM_SHIFT, data);
}

static void
count_row (const WpSassRow *row, guint opcode, gpointer data)
{
  Index *index = data;

  g_assert (row->words && row->slots && opcode < N_OPCODES);
  index->first[opcode + 1]++;
}

static void
place_row (const WpSassRow *row, guint opcode, gpointer data)
{
  Index *index = data;
  guint k = index->first[opcode];

  while (index->rows[k])
    k++;
  index->rows[k] = row;
}

static Index *
make_index (void)
{
  Index *index = g_new0 (Index, 1);

  visit_rows (count_row, index);
  for (guint k = 0; k < N_OPCODES; k++)
    index->first[k + 1] += index->first[k];
  index->rows = g_new0 (const WpSassRow *, index->first[N_OPCODES]);
  visit_rows (place_row, index);
  return index;
}

/* Made by the first instruction, and never freed. */
static const Index *
get_index (void)
{
  static Index *made;

  if (g_once_init_enter (&made))
    g_once_init_leave (&made, make_index ());
  return made;
}

static gboolean
row_fits (const WpSassRow *row, const WpSassBits *bits)
{
  if (bits->sm < row->since || (row->until && bits->sm > row->until))
    return FALSE;
  for (guint k = 0; k < G_N_ELEMENTS (row->match); k++)
    if (!wp_sass_bits_match (bits, &row->match[k]))
      return FALSE;
  return TRUE;
}

static const WpSassRow *
find_row (const WpSassBits *bits)
{
  const Index *index = get_index ();
  guint opcode = wp_sass_bits_get (bits, 0, 12);

  for (guint k = index->first[opcode]; k < index->first[opcode + 1]; k++)
    if (row_fits (index->rows[k], bits))
      return index->rows[k];
  return NULL;
}

static gboolean
is_last_word (const WpSassField *field)
{
  return field->width == 0 && field->flag == WP_WORD_NONE;
}

static gboolean
decode_words (const WpSassRow *row, const WpSassBits *bits, WpSassInstr *instr, WpSassField *wrong)
{
  for (const WpSassField *field = row->words; !is_last_word (field); field++)
    {
      guint16 word = wp_sass_field_word (bits, field);

      if (word == WP_WORD_BAD)
        {
          *wrong = *field;
          return FALSE;
        }
      if (word == WP_WORD_NONE)
        continue;
      g_assert (instr->n_words < WP_SASS_MAX_WORDS);
      instr->words[instr->n_words++] = word;
    }
  return TRUE;
}

static void
drop_last (WpSassInstr *instr)
{
  instr->n_operands--;
  memset (&instr->operands[instr->n_operands], 0, sizeof instr->operands[0]);
}

/* Operands from START on that say nothing go, from the last one on. */
static void
trim (WpSassInstr *instr, guint start)
{
  while (instr->n_operands > start
         && wp_sass_operand_is_default (&instr->operands[instr->n_operands - 1]))
    drop_last (instr);
}

static gboolean
is_left_out (const WpSassSlot *slot, const WpSassOperand *operand)
{
  if (slot->omit == WP_OMIT_RZ)
    return operand->number == 255;
  if (slot->omit == WP_OMIT_ALL_ONES)
    return operand->value == (G_GINT64_CONSTANT (1) << (slot->width + slot->low_width)) - 1;
  return slot->omit == WP_OMIT_DEFAULT && wp_sass_operand_is_default (operand);
}

static gboolean
decode_slots (const WpSassRow *row, const WpSassBits *bits, WpSassInstr *instr, WpSassField *wrong)
{
  guint start = 0; /* of operands that may be left out from their end on */

  for (const WpSassSlot *slot = row->slots; slot->kind != WP_SLOT_NONE; slot++)
    {
      guint n = instr->n_operands;

      if (!wp_sass_bits_match (bits, &slot->when) || !wp_sass_bits_match (bits, &slot->when_2))
        continue;
      if (slot->omit != WP_OMIT_REST)
        {
          trim (instr, start);
          n = instr->n_operands;
        }
      if (!wp_sass_slot_decode (row, slot, bits, instr, wrong))
        return FALSE;
      if (is_left_out (slot, &instr->operands[n]))
        drop_last (instr);
      if (slot->omit != WP_OMIT_REST)
        start = instr->n_operands;
    }
  trim (instr, start);
  return TRUE;
}

static WpSassControl
decode_control (const WpSassBits *bits)
{
  WpSassControl control = {
    .stall = wp_sass_bits_get (bits, BIT_STALL, 4),
    .yield = !wp_sass_bits_get (bits, BIT_YIELD, 1),
    .write_barrier = wp_sass_bits_get (bits, BIT_WRITE_BARRIER, 3),
    .read_barrier = wp_sass_bits_get (bits, BIT_READ_BARRIER, 3),
    .wait = wp_sass_bits_get (bits, BIT_WAIT, 6),
    .reuse = wp_sass_bits_get (bits, BIT_REUSE, 4),
  };

  return control;
}

static guint64
read_64 (const guint8 *bytes)
{
  guint64 value = 0;

  for (guint k = 0; k < 8; k++)
    value |= (guint64)bytes[k] << (8 * k);
  return value;
}

static void
start_instr (const WpSassRow *row, const WpSassBits *bits, WpSassInstr *instr)
{
  instr->op = row->op;
  instr->guard = wp_sass_bits_get (bits, BIT_GUARD, 3);
  instr->guard_not = wp_sass_bits_get (bits, BIT_GUARD_NOT, 1);
  instr->guard_is_uniform = row->guard_uniform || row->is_uniform;
  instr->control = decode_control (bits);
  instr->low = bits->low;
  instr->high = bits->high;
}

static gchar *
describe_field (const WpSassRow *row, const WpSassBits *bits, const WpSassField *field)
{
  return g_strdup_printf ("%s at 0x%" G_GINT64_MODIFIER "x has the value %u in bits %u to %u, "
                          "which is not known on sm_%u",
                          wp_sass_op_name (row->op), bits->address, wp_sass_field_get (bits, field),
                          field->bit, field->bit + field->width - 1, bits->sm);
}

gboolean
wp_sass_decode (guint sm, const guint8 *code, guint64 address, WpSassInstr *instr, gchar **problem)
{
  WpSassBits bits
      = { .low = read_64 (code), .high = read_64 (code + 8), .sm = sm, .address = address };
  WpSassField wrong = { 0 };
  const WpSassRow *row;

  g_return_val_if_fail (sm >= FIRST_SM && sm <= LAST_SM, FALSE);

  memset (instr, 0, sizeof *instr);
  row = find_row (&bits);
  if (!row)
    {
      *problem
          = g_strdup_printf ("opcode 0x%03x at 0x%" G_GINT64_MODIFIER "x is not known on sm_%u",
                             (guint)wp_sass_bits_get (&bits, 0, 12), address, sm);
      return FALSE;
    }
  start_instr (row, &bits, instr);
  if (!decode_words (row, &bits, instr, &wrong) || !decode_slots (row, &bits, instr, &wrong))
    {
      *problem = describe_field (row, &bits, &wrong);
      return FALSE;
    }
  if (row->finish)
    row->finish (&bits, instr);
  return TRUE;
}
