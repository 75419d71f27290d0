/* SPDX-License-Identifier: MIT */
/* Numbers of any format that the hardware converts between, exactly and one at a time: the general
 * means, beside which the common conversions have loops of their own (wp-rows-convert.c). */
#pragma once

#include "exec/machine/wp-rows.h"

G_BEGIN_DECLS

typedef enum
{
  WP_S2, /* whole numbers: those with a sign are even */
  WP_U2,
  WP_S4,
  WP_U4,
  WP_S8,
  WP_U8,
  WP_S16,
  WP_U16,
  WP_S32,
  WP_U32,
  WP_S64,
  WP_U64,
  WP_F16,
  WP_BF16,
  WP_TF32, /* as it lies in 32 bits: single precision whose low 13 bits are 0 */
  WP_F32,
  WP_F64,
  WP_E4M3, /* no infinity; all ones is no number (Open Compute Project, 8-bit formats) */
  WP_E5M2,
  WP_E2M1, /* numbers alone, no infinity and no NaN (the same, microscaling formats); two in a byte
            */
  WP_E2M3, /* likewise, in a byte below two bits that are 0 */
  WP_E3M2,
  WP_E8, /* powers of two from 2^-127 on, without a sign; all ones is no number */
  WP_N_TYPES
} WpType;

static inline gboolean
wp_type_is_integer (WpType type)
{
  return type <= WP_U64;
}

/* How many bits it takes, as it lies beside others. */
guint wp_type_bits (WpType type);

typedef enum
{
  WP_NUMBER_FINITE,
  WP_NUMBER_INFINITE,
  WP_NUMBER_NONE /* NaN */
} WpNumberKind;

/* digits * 2^exponent with a sign; of a NaN, digits are the fraction with its first bit at bit 63.
 */
typedef struct
{
  WpNumberKind kind;
  gboolean negative;
  gint exponent;
  guint64 digits;
} WpNumber;

/* The number whose bits of TYPE are BITS; bits above the type's do not count. */
WpNumber wp_number_read (WpType type, guint64 bits);

/* Its bits in TYPE, a format of floating point, rounded. Beyond the largest number stands infinity
 * or the largest one, as the rounding has it; IS_FINITE (.SATFINITE): always the largest one. A NaN
 * is the one that the hardware writes: all bits but the sign, in double precision its own as a
 * quiet one, and in a format of numbers alone the largest one. WP_E8: of the number without its
 * sign; 0 and what is smaller than 2^-127 is that. */
guint64 wp_number_write (WpType type, WpNumber number, WpRounding rounding, gboolean is_finite);

/* As a whole number of TYPE, as near as the type allows, extended to 64 bits. A NaN is 0, or with
 * IS_INDEFINITE what the hardware gives without .NTZ: the highest bit alone. */
guint64 wp_number_to_integer (WpType type, WpNumber number, WpRounding rounding,
                              gboolean is_indefinite);

/* The whole number next to it. */
WpNumber wp_number_round (WpNumber number, WpRounding rounding);

G_END_DECLS
