/* SPDX-License-Identifier: MIT */
/* One operand, from its slot in a row of the table and the bits of an instruction. */
#pragma once

#include "exec/sass/wp-sass-table.h"

G_BEGIN_DECLS

/* WIDTH (1 to 64) bits from BIT on. */
static inline guint64
wp_sass_bits_get (const WpSassBits *bits, guint bit, guint width)
{
  guint64 value = bit >= 64 ? bits->high >> (bit - 64) : bits->low >> bit;

  if (bit < 64 && bit > 0)
    value |= bits->high << (64 - bit);
  return width < 64 ? value & ((G_GUINT64_CONSTANT (1) << width) - 1) : value;
}

static inline gboolean
wp_sass_bits_match (const WpSassBits *bits, const WpSassWhen *when)
{
  if (bits->sm < when->since || (when->until && bits->sm > when->until))
    return FALSE;
  return when->width == 0
         || (when->set >> wp_sass_bits_get (bits, when->bit, when->width) & 1) != 0;
}

/* The value of FIELD's bits. */
guint wp_sass_field_get (const WpSassBits *bits, const WpSassField *field);

/* The word that FIELD has in BITS: WP_WORD_NONE where it has none, WP_WORD_BAD where its value is
 * not known. */
guint16 wp_sass_field_word (const WpSassBits *bits, const WpSassField *field);

/* Appends the operands of SLOT (one, two for a pair of halves, or none that is left out) to INSTR.
 * FORM is bits 9 to 11. Returns FALSE when a value of its fields is not known, and the field. */
gboolean wp_sass_slot_decode (const WpSassRow *row, const WpSassSlot *slot, const WpSassBits *bits,
                              WpSassInstr *instr, WpSassField *wrong);

/* PT, RZ, URZ, 0 without modifiers. */
gboolean wp_sass_operand_is_default (const WpSassOperand *operand);

G_END_DECLS
