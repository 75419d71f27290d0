/* SPDX-License-Identifier: MIT */
#include "exec/machine/wp-number.h"

/* What the highest exponent stands for. */
typedef enum
{
  TOP_IS_SPECIAL, /* infinity, and with a fraction NaN */
  TOP_HAS_NAN,    /* numbers, but with all ones NaN */
  TOP_IS_NUMBERS
} Top;

typedef struct
{
  guint8 exponent, fraction; /* bits */
  guint8 unused;             /* bits below the fraction */
  Top top;
} Format;

static Format
format_of (WpType type)
{
  static const Format formats[] = {
    [WP_F16] = { 5, 10, 0, TOP_IS_SPECIAL },   [WP_BF16] = { 8, 7, 0, TOP_IS_SPECIAL },
    [WP_TF32] = { 8, 10, 13, TOP_IS_SPECIAL }, [WP_F32] = { 8, 23, 0, TOP_IS_SPECIAL },
    [WP_F64] = { 11, 52, 0, TOP_IS_SPECIAL },  [WP_E4M3] = { 4, 3, 0, TOP_HAS_NAN },
    [WP_E5M2] = { 5, 2, 0, TOP_IS_SPECIAL },   [WP_E2M1] = { 2, 1, 0, TOP_IS_NUMBERS },
    [WP_E2M3] = { 2, 3, 0, TOP_IS_NUMBERS },   [WP_E3M2] = { 3, 2, 0, TOP_IS_NUMBERS },
  };
  return formats[type];
}

guint
wp_type_bits (WpType type)
{
  static const guint8 bits[WP_N_TYPES] = {
    [WP_S2] = 2,   [WP_U2] = 2,    [WP_S4] = 4,    [WP_U4] = 4,   [WP_S8] = 8,   [WP_U8] = 8,
    [WP_S16] = 16, [WP_U16] = 16,  [WP_S32] = 32,  [WP_U32] = 32, [WP_S64] = 64, [WP_U64] = 64,
    [WP_F16] = 16, [WP_BF16] = 16, [WP_TF32] = 32, [WP_F32] = 32, [WP_F64] = 64, [WP_E4M3] = 8,
    [WP_E5M2] = 8, [WP_E2M1] = 4,  [WP_E2M3] = 8,  [WP_E3M2] = 8, [WP_E8] = 8,
  };

  return bits[type];
}

/* Whether EXPONENT and FRACTION of FORMAT stand for no finite number. */
static gboolean
is_special (Format format, gint exponent, guint64 fraction)
{
  const gint top = (1 << format.exponent) - 1;
  const guint64 ones = ((guint64)1 << format.fraction) - 1;

  return exponent == top
         && (format.top == TOP_IS_SPECIAL || (format.top == TOP_HAS_NAN && fraction == ones));
}

/* ---- Reading ---- */

static WpNumber
read_integer (WpType type, guint64 bits)
{
  guint width = wp_type_bits (type);
  gboolean is_signed = type % 2 == 0;
  guint64 value = bits << (64 - width);

  if (is_signed && value >> 63)
    return (WpNumber){ WP_NUMBER_FINITE, TRUE, 0, (0 - value) >> (64 - width) };
  return (WpNumber){ WP_NUMBER_FINITE, FALSE, 0, value >> (64 - width) };
}

#define E8_BIAS 127
#define E8_NAN 255

static WpNumber
read_e8 (guint64 bits)
{
  const gint exponent = bits & E8_NAN;

  if (exponent == E8_NAN)
    return (WpNumber){ WP_NUMBER_NONE, FALSE, 0, 0 };
  return (WpNumber){ WP_NUMBER_FINITE, FALSE, exponent - E8_BIAS, 1 };
}

static gint
bias_of (Format format)
{
  return (1 << (format.exponent - 1)) - 1;
}

WpNumber
wp_number_read (WpType type, guint64 bits)
{
  if (wp_type_is_integer (type))
    return read_integer (type, bits);
  if (type == WP_E8)
    return read_e8 (bits);

  Format format = format_of (type);
  guint64 fraction = bits >> format.unused & (((guint64)1 << format.fraction) - 1);
  gint exponent = bits >> (format.fraction + format.unused) & (((guint64)1 << format.exponent) - 1);
  gboolean negative = bits >> (format.exponent + format.fraction + format.unused) & 1;

  if (is_special (format, exponent, fraction))
    return (WpNumber){ fraction ? WP_NUMBER_NONE : WP_NUMBER_INFINITE, negative, 0,
                       fraction << (64 - format.fraction) };
  if (exponent)
    fraction |= (guint64)1 << format.fraction;
  return (WpNumber){ WP_NUMBER_FINITE, negative,
                     MAX (exponent, 1) - bias_of (format) - format.fraction, fraction };
}

/* ---- Rounding ---- */

/* DIGITS / 2^SHIFT as a whole number. */
static guint64
shift_rounded (guint64 digits, gint shift, gboolean negative, WpRounding rounding)
{
  if (shift <= 0)
    return digits << -shift;

  guint64 whole = shift < 64 ? digits >> shift : 0;
  guint64 rest = shift < 64 ? digits << (64 - shift) : digits >> MIN (shift - 64, 63);
  guint64 half = (guint64)1 << 63;

  if (shift > 64) /* the rest is less than half, and not nothing */
    rest = digits ? 1 : 0;
  if (rest == 0)
    return whole;
  if (rounding == WP_ROUND_NEAREST)
    return whole + (rest > half || (rest == half && whole & 1));
  return whole + (rounding == (negative ? WP_ROUND_DOWN : WP_ROUND_UP));
}

WpNumber
wp_number_round (WpNumber number, WpRounding rounding)
{
  if (number.kind == WP_NUMBER_FINITE && number.exponent < 0)
    {
      number.digits = shift_rounded (number.digits, -number.exponent, number.negative, rounding);
      number.exponent = 0;
    }
  return number;
}

/* ---- Writing ---- */

static guint64
place (WpType type, gboolean negative, guint64 exponent, guint64 fraction)
{
  Format format = format_of (type);

  return ((guint64)negative << (format.exponent + format.fraction) | exponent << format.fraction
          | fraction)
         << format.unused;
}

static guint64
write_nan (WpType type, WpNumber number)
{
  Format format = format_of (type);
  guint64 ones = ((guint64)1 << format.fraction) - 1;
  guint64 own = number.digits >> (64 - format.fraction) | (guint64)1 << (format.fraction - 1);

  return type == WP_F64 ? place (type, number.negative, (1u << format.exponent) - 1, own)
                        : place (type, FALSE, (1u << format.exponent) - 1, ones);
}

/* What is too large: the largest number, or infinity. */
static guint64
write_large (WpType type, WpNumber number, WpRounding rounding, gboolean is_finite)
{
  Format format = format_of (type);
  guint64 ones = ((guint64)1 << format.fraction) - 1;
  guint top = (1u << format.exponent) - 1;
  gboolean is_away = rounding == WP_ROUND_NEAREST
                     || rounding == (number.negative ? WP_ROUND_DOWN : WP_ROUND_UP)
                     || number.kind == WP_NUMBER_INFINITE;

  if (format.top == TOP_IS_NUMBERS)
    return place (type, number.negative, top, ones);
  if (format.top == TOP_HAS_NAN)
    return place (type, number.negative, top, is_finite ? ones - 1 : ones);
  if (is_finite || !is_away)
    return place (type, number.negative, top - 1, ones);
  return place (type, number.negative, top, 0);
}

/* As cuda_fp8.hpp has it (__nv_cvt_float_to_e8m0()). */
static guint64
write_e8 (WpNumber number, WpRounding rounding, gboolean is_finite)
{
  const guint64 largest = is_finite ? E8_NAN - 1 : E8_NAN;

  if (number.kind != WP_NUMBER_FINITE)
    return number.kind == WP_NUMBER_NONE ? E8_NAN : largest;
  if (number.digits == 0)
    return 0;

  gint exponent = 63 - __builtin_clzll (number.digits) + number.exponent + E8_BIAS;
  gboolean is_power = (number.digits & (number.digits - 1)) == 0;

  if (exponent < 0)
    return 0;
  if (!is_power && rounding == WP_ROUND_UP)
    exponent++;
  return MIN ((guint64)exponent, largest);
}

guint64
wp_number_write (WpType type, WpNumber number, WpRounding rounding, gboolean is_finite)
{
  if (type == WP_E8)
    return write_e8 (number, rounding, is_finite);

  Format format = format_of (type);
  gint bias = bias_of (format), top = (1 << format.exponent) - 1;

  if (number.kind == WP_NUMBER_NONE)
    return write_nan (type, number);
  if (number.kind == WP_NUMBER_INFINITE)
    return write_large (type, number, rounding, is_finite);
  if (number.digits == 0)
    return place (type, number.negative, 0, 0);

  gint highest = 63 - __builtin_clzll (number.digits);
  gint last = MAX (highest + number.exponent, 1 - bias) - format.fraction;
  guint64 digits = shift_rounded (number.digits, last - number.exponent, number.negative, rounding);
  if (digits >> (format.fraction + 1))
    digits >>= 1, last++;
  if (digits >> format.fraction == 0)
    return place (type, number.negative, 0, digits);

  gint exponent = last + format.fraction + bias;
  guint64 fraction = digits & (((guint64)1 << format.fraction) - 1);
  if (exponent > top || is_special (format, exponent, fraction))
    return write_large (type, number, rounding, is_finite);
  return place (type, number.negative, exponent, fraction);
}

guint64
wp_number_to_integer (WpType type, WpNumber number, WpRounding rounding, gboolean is_indefinite)
{
  guint width = wp_type_bits (type);
  gboolean is_signed = type % 2 == 0;
  guint64 largest = (guint64)-1 >> (64 - width + is_signed);
  guint64 least = is_signed ? ~largest : 0;

  if (number.kind == WP_NUMBER_NONE)
    return !is_indefinite ? 0 : is_signed ? least : (guint64)1 << (width - 1);
  number = wp_number_round (number, rounding);

  gboolean is_large
      = number.kind == WP_NUMBER_INFINITE
        || (number.digits
            && (number.exponent > 63 || number.digits > (guint64)-1 >> number.exponent));
  guint64 size = is_large ? (guint64)-1 : number.digits << number.exponent;
  if (number.negative)
    return is_signed && size <= largest ? 0 - size : size == 0 ? 0 : least;
  return MIN (size, largest);
}
