/* SPDX-License-Identifier: MIT */
/* A slot says what kind of operand it is and where its parts are; each kind is one function here.
 * What stands at bits 32 and 64 of arithmetic depends on the form, so that ALU_B and ALU_C are
 * first turned into the slot of a register, a constant or an immediate. */
#include "exec/sass/wp-sass-operand.h"

enum
{
  BIT_MIDDLE = 32, /* of operand B, or what the form puts there */
  BIT_LAST = 64,   /* of operand C, or B */
  BIT_OFFSET = 38, /* of a constant, in bytes */
  OFFSET_WIDTH = 16,
  BIT_LONG = 37, /* ...of LDCU */
  LONG_WIDTH = 17,
  BIT_BANK = 54,
  BANK_WIDTH = 5,
  BIT_DESCRIPTOR = 91, /* the bank is a descriptor in a uniform register */
  NO_REGISTER = 255,
  TRUE_PREDICATE = 7,
  OLD_URZ = 63, /* before sm_100 */
  FORM_SHIFT = 9,
  BIT_REUSE = 122 /* of the registers at 24, 32 and 64 */
};

typedef gboolean (*SlotDecode) (const WpSassSlot *slot, const WpSassBits *bits,
                                WpSassOperand *operand);

guint
wp_sass_field_get (const WpSassBits *bits, const WpSassField *field)
{
  guint value = wp_sass_bits_get (bits, field->bit, field->width);

  if (field->high_width > 0)
    value |= wp_sass_bits_get (bits, field->high, field->high_width) << field->width;
  return value;
}

guint16
wp_sass_field_word (const WpSassBits *bits, const WpSassField *field)
{
  guint value;

  if (!wp_sass_bits_match (bits, &field->when))
    return WP_WORD_NONE;
  if (field->width == 0)
    return field->flag;
  value = wp_sass_field_get (bits, field);
  if (!field->values)
    return value ? field->flag : WP_WORD_NONE;
  return value < field->n ? field->values[value] : WP_WORD_BAD;
}

static guint
count_registers (const WpSassSlot *slot, const WpSassBits *bits)
{
  const WpSassField *count = &slot->count;
  guint value = count->values ? wp_sass_field_get (bits, count) : 0;

  if (count->values && value < count->n && count->values[value] > 0)
    return count->values[value];
  return MAX (slot->n, 1);
}

static gint64
sign_extend (guint64 value, guint width)
{
  guint unused = 64 - width;

  return (gint64)(value << unused) >> unused;
}

static guint8
get_uniform (const WpSassBits *bits, guint bit)
{
  guint number = wp_sass_bits_get (bits, bit, bits->sm >= 100 ? 8 : 6);

  return bits->sm < 100 && number == OLD_URZ ? NO_REGISTER : number;
}

/* A register is kept by the operand that it is, A, B or C, wherever it stands. */
static void
set_reuse (const WpSassSlot *slot, const WpSassBits *bits, WpSassOperand *operand)
{
  guint place = slot->reuse               ? slot->reuse
                : slot->bit == 24         ? 1
                : slot->bit == BIT_MIDDLE ? 2
                : slot->bit == BIT_LAST   ? 3
                                          : 0;

  if (!slot->is_dest && place > 0)
    operand->reuse = wp_sass_bits_get (bits, BIT_REUSE + place - 1, 1);
}

static gboolean
decode_register (const WpSassSlot *slot, const WpSassBits *bits, WpSassOperand *operand)
{
  operand->kind = WP_SASS_REGISTER;
  operand->number = wp_sass_bits_get (bits, slot->bit, 8);
  operand->n_registers = operand->number == NO_REGISTER ? 0 : count_registers (slot, bits);
  set_reuse (slot, bits, operand);
  return TRUE;
}

static gboolean
decode_uniform (const WpSassSlot *slot, const WpSassBits *bits, WpSassOperand *operand)
{
  operand->kind = WP_SASS_UNIFORM;
  operand->number = get_uniform (bits, slot->bit);
  operand->n_registers = operand->number == NO_REGISTER ? 0 : count_registers (slot, bits);
  return TRUE;
}

static gboolean
decode_predicate (const WpSassSlot *slot, const WpSassBits *bits, WpSassOperand *operand)
{
  operand->kind = slot->kind == WP_SLOT_PREDICATE ? WP_SASS_PREDICATE : WP_SASS_UNIFORM_PREDICATE;
  operand->number = wp_sass_bits_get (bits, slot->bit, 3) ^ slot->value;
  return TRUE;
}

/* Of a double the instruction has the upper half. */
static gboolean
decode_immediate (const WpSassSlot *slot, const WpSassBits *bits, WpSassOperand *operand)
{
  guint64 value = wp_sass_bits_get (bits, slot->bit, slot->width);

  if (slot->low_width > 0)
    value = value << slot->low_width | wp_sass_bits_get (bits, slot->low, slot->low_width);
  operand->kind = WP_SASS_IMMEDIATE;
  operand->value = value;
  if (slot->immediate == WP_IMMEDIATE_SIGNED)
    operand->value = sign_extend (value, slot->width);
  else if (slot->immediate == WP_IMMEDIATE_F64)
    operand->value = (gint64)(value << 32);
  operand->value *= MAX (slot->scale, 1);
  operand->is_unsigned = slot->width == 64 && slot->immediate == WP_IMMEDIATE_UNSIGNED;
  operand->is_float = slot->immediate >= WP_IMMEDIATE_F32;
  operand->float_kind = slot->immediate == WP_IMMEDIATE_F64      ? WP_SASS_DOUBLE
                        : slot->immediate == WP_IMMEDIATE_F16X2  ? WP_SASS_HALF
                        : slot->immediate == WP_IMMEDIATE_BF16X2 ? WP_SASS_BFLOAT
                                                                 : WP_SASS_SINGLE;
  return TRUE;
}

static gboolean
decode_value (const WpSassSlot *slot, const WpSassBits *bits, WpSassOperand *operand)
{
  operand->kind = WP_SASS_IMMEDIATE;
  operand->value = slot->value;
  return bits != NULL;
}

/* c[bank][offset], c[bank][R + offset], cx[UR][offset]. */
static gboolean
decode_constant (const WpSassSlot *slot, const WpSassBits *bits, WpSassOperand *operand)
{
  operand->kind = WP_SASS_CONSTANT;
  operand->is_descriptor = bits->sm >= 75 && wp_sass_bits_get (bits, BIT_DESCRIPTOR, 1);
  operand->number = operand->is_descriptor ? get_uniform (bits, BIT_MIDDLE)
                                           : wp_sass_bits_get (bits, BIT_BANK, BANK_WIDTH);
  operand->value = sign_extend (wp_sass_bits_get (bits, BIT_OFFSET, OFFSET_WIDTH), OFFSET_WIDTH);
  if (slot->bit > 0)
    {
      operand->is_indexed = TRUE;
      operand->index = wp_sass_bits_get (bits, slot->bit, 8);
    }
  else if (slot->scale == 0)
    operand->value &= ~(gint64)3; /* arithmetic takes whole words */
  return TRUE;
}

/* Of ULDC and LDCU. */
static gboolean
decode_uniform_constant (const WpSassSlot *slot, const WpSassBits *bits, WpSassOperand *operand)
{
  operand->kind = WP_SASS_CONSTANT;
  operand->is_indexed = operand->is_uniform_index = TRUE;
  operand->number = wp_sass_bits_get (bits, BIT_BANK, BANK_WIDTH);
  operand->uniform = get_uniform (bits, slot->bit);
  operand->value
      = bits->sm < 100
            ? sign_extend (wp_sass_bits_get (bits, BIT_OFFSET, OFFSET_WIDTH), OFFSET_WIDTH)
            : sign_extend (wp_sass_bits_get (bits, BIT_LONG, LONG_WIDTH), LONG_WIDTH);
  return TRUE;
}

static gboolean
decode_memory (const WpSassSlot *slot, const WpSassBits *bits, WpSassOperand *operand)
{
  const WpSassMemory *memory = &slot->memory;

  operand->kind = WP_SASS_MEMORY;
  if (memory->reg)
    operand->index = wp_sass_bits_get (bits, memory->reg, 8);
  operand->space = memory->space;
  operand->is_uniform_index = memory->uniform != 0 && !memory->omits_urz;
  if (memory->uniform)
    operand->uniform = get_uniform (bits, memory->uniform);
  if (memory->descriptor)
    operand->descriptor = get_uniform (bits, memory->descriptor);
  if (memory->bits > 0)
    {
      guint64 value = wp_sass_bits_get (bits, memory->offset, memory->bits);

      operand->value = memory->is_plain ? (gint64)value : sign_extend (value, memory->bits);
      operand->value *= MAX (memory->scale, 1);
    }
  return TRUE;
}

static gboolean
decode_number (const WpSassSlot *slot, const WpSassBits *bits, WpSassOperand *operand)
{
  operand->kind = slot->kind == WP_SLOT_SPECIAL       ? WP_SASS_SPECIAL
                  : slot->kind == WP_SLOT_CONVERGENCE ? WP_SASS_CONVERGENCE
                                                      : WP_SASS_SCOREBOARD;
  operand->number = wp_sass_bits_get (bits, slot->bit, slot->width);
  return TRUE;
}

/* Sums are of unsigned numbers, so that wrong bits wrap around. */
static gboolean
decode_target (const WpSassSlot *slot, const WpSassBits *bits, WpSassOperand *operand)
{
  guint64 value = wp_sass_bits_get (bits, slot->bit, slot->width);
  guint width = slot->width + slot->low_width;

  if (slot->low_width > 0)
    value = value << slot->low_width | wp_sass_bits_get (bits, slot->low, slot->low_width);
  value = (guint64)sign_extend (value, width);
  value *= MAX (slot->scale, 1);
  if (slot->kind == WP_SLOT_TARGET)
    value += bits->address + WP_SASS_BYTES;
  operand->kind = WP_SASS_TARGET;
  operand->value = (gint64)value;
  return TRUE;
}

static gboolean
decode_set (const WpSassSlot *slot, const WpSassBits *bits, WpSassOperand *operand)
{
  operand->kind = WP_SASS_SCOREBOARDS;
  operand->value = (gint64)wp_sass_bits_get (bits, slot->bit, slot->width);
  return TRUE;
}

static gboolean
decode_all (const WpSassSlot *slot, const WpSassBits *bits, WpSassOperand *operand)
{
  operand->kind = slot->kind == WP_SLOT_PR    ? WP_SASS_PREDICATES
                  : slot->kind == WP_SLOT_UPR ? WP_SASS_UNIFORM_PREDICATES
                                              : WP_SASS_RPC;
  return bits != NULL;
}

static const SlotDecode decoders[WP_N_SLOTS] = {
  [WP_SLOT_REGISTER] = decode_register,
  [WP_SLOT_UNIFORM] = decode_uniform,
  [WP_SLOT_PREDICATE] = decode_predicate,
  [WP_SLOT_UNIFORM_PREDICATE] = decode_predicate,
  [WP_SLOT_IMMEDIATE] = decode_immediate,
  [WP_SLOT_CONSTANT] = decode_constant,
  [WP_SLOT_UNIFORM_CONSTANT] = decode_uniform_constant,
  [WP_SLOT_MEMORY] = decode_memory,
  [WP_SLOT_SPECIAL] = decode_number,
  [WP_SLOT_CONVERGENCE] = decode_number,
  [WP_SLOT_SCOREBOARD] = decode_number,
  [WP_SLOT_SCOREBOARDS] = decode_set,
  [WP_SLOT_RPC] = decode_all,
  [WP_SLOT_TARGET] = decode_target,
  [WP_SLOT_ADDRESS] = decode_target,
  [WP_SLOT_PR] = decode_all,
  [WP_SLOT_UPR] = decode_all,
  [WP_SLOT_VALUE] = decode_value,
};

/* What B, C and M are in each form, and at which bit. */
typedef struct
{
  guint8 kind, bit;
} Place;

static Place
find_place (guint kind, guint form)
{
  static const Place middle[8] = {
    { WP_SLOT_REGISTER, BIT_MIDDLE },  { WP_SLOT_REGISTER, BIT_MIDDLE },
    { WP_SLOT_IMMEDIATE, BIT_MIDDLE }, { WP_SLOT_CONSTANT, BIT_MIDDLE },
    { WP_SLOT_IMMEDIATE, BIT_MIDDLE }, { WP_SLOT_CONSTANT, BIT_MIDDLE },
    { WP_SLOT_UNIFORM, BIT_MIDDLE },   { WP_SLOT_UNIFORM, BIT_MIDDLE },
  };
  static const Place last = { WP_SLOT_REGISTER, BIT_LAST };
  gboolean b_is_last = form == 2 || form == 3 || form == 7;

  if (kind == WP_SLOT_M || (kind == WP_SLOT_B) != b_is_last)
    return middle[form];
  return last;
}

static guint8
make_uniform (guint8 kind)
{
  switch (kind)
    {
    case WP_SLOT_REGISTER:
      return WP_SLOT_UNIFORM;
    case WP_SLOT_PREDICATE:
      return WP_SLOT_UNIFORM_PREDICATE;
    case WP_SLOT_PR:
      return WP_SLOT_UPR;
    default:
      return kind;
    }
}

/* SLOT as it is in the form of the instruction. */
static WpSassSlot
place_slot (const WpSassRow *row, const WpSassSlot *slot, const WpSassBits *bits)
{
  guint form = wp_sass_bits_get (bits, FORM_SHIFT, 3);
  WpSassSlot placed = *slot;
  Place place;

  if (slot->kind == WP_SLOT_B || slot->kind == WP_SLOT_C || slot->kind == WP_SLOT_M)
    {
      place = find_place (slot->kind, form);
      placed.kind = place.kind;
      placed.bit = place.kind == WP_SLOT_CONSTANT ? 0 : place.bit;
      placed.width = 32;
      placed.reuse = slot->kind == WP_SLOT_B ? 2 : 3;
      if (place.bit == BIT_LAST)
        placed.mods = slot->mods_at_64;
      if (place.kind == WP_SLOT_IMMEDIATE)
        placed.mods = (WpSassMods){ 0 };
    }
  if (row->is_uniform)
    placed.kind = make_uniform (placed.kind);
  return placed;
}

static gboolean
set_word (const WpSassBits *bits, const WpSassField *field, guint16 *word, WpSassField *wrong)
{
  guint16 found = wp_sass_field_word (bits, field);

  if (found == WP_WORD_BAD)
    {
      *wrong = *field;
      return FALSE;
    }
  *word = found;
  return TRUE;
}

static gboolean
set_mods (const WpSassSlot *slot, const WpSassBits *bits, WpSassOperand *operand,
          WpSassField *wrong)
{
  const WpSassMods *mods = &slot->mods;

  operand->negate = mods->negate && wp_sass_bits_get (bits, mods->negate, 1);
  operand->absolute = mods->absolute && wp_sass_bits_get (bits, mods->absolute, 1);
  operand->invert = mods->invert && wp_sass_bits_get (bits, mods->invert, 1);
  for (guint k = 0; k < G_N_ELEMENTS (mods->words); k++)
    if (!set_word (bits, &mods->words[k], &operand->words[k], wrong))
      return FALSE;
  return set_word (bits, &slot->memory.index, &operand->index_word, wrong);
}

/* Two halves in the text, the upper first. */
static void
split_halves (WpSassInstr *instr)
{
  WpSassOperand *first = &instr->operands[instr->n_operands - 1];
  guint32 both = (guint32)first->value;

  if (instr->n_operands == WP_SASS_MAX_OPERANDS)
    return;
  first[1] = first[0];
  first[0].value = both >> 16;
  first[1].value = both & 0xffff;
  instr->n_operands++;
}

gboolean
wp_sass_slot_decode (const WpSassRow *row, const WpSassSlot *slot, const WpSassBits *bits,
                     WpSassInstr *instr, WpSassField *wrong)
{
  WpSassSlot placed = place_slot (row, slot, bits);
  WpSassOperand *operand = &instr->operands[instr->n_operands];

  g_assert (instr->n_operands < WP_SASS_MAX_OPERANDS);
  operand->index = operand->uniform = operand->descriptor = NO_REGISTER;
  operand->is_dest = slot->is_dest;
  instr->n_operands++;
  if (!decoders[placed.kind](&placed, bits, operand))
    return FALSE;
  if (!set_mods (&placed, bits, operand, wrong))
    return FALSE;
  if (operand->kind == WP_SASS_IMMEDIATE && operand->is_float
      && (operand->float_kind == WP_SASS_HALF || operand->float_kind == WP_SASS_BFLOAT))
    split_halves (instr);
  return TRUE;
}

void
wp_sass_complement (const WpSassBits *bits, WpSassInstr *instr)
{
  if (!bits || !wp_sass_has (instr, WP_WORD_X))
    return;
  for (guint k = 0; k < instr->n_operands; k++)
    if (instr->operands[k].negate)
      {
        instr->operands[k].negate = FALSE;
        instr->operands[k].invert = TRUE;
      }
}

gboolean
wp_sass_operand_is_default (const WpSassOperand *operand)
{
  switch (operand->kind)
    {
    case WP_SASS_PREDICATE:
    case WP_SASS_UNIFORM_PREDICATE:
      return operand->number == TRUE_PREDICATE && !operand->invert;
    case WP_SASS_IMMEDIATE:
    case WP_SASS_TARGET:
    case WP_SASS_SCOREBOARDS:
      return operand->value == 0;
    case WP_SASS_REGISTER:
    case WP_SASS_UNIFORM:
      return operand->number == NO_REGISTER && !operand->negate && !operand->invert;
    default:
      return FALSE;
    }
}
