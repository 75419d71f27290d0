/* SPDX-License-Identifier: MIT */
#include "exec/machine/wp-number.h"

typedef struct
{
  guint8 exponent, fraction; /* bits */
  guint8 unused;             /* bits below the fraction */
} Format;

static Format
format_of (WpType type)
{
  static const Format formats[] = {
    [WP_F16] = { 5, 10, 0 }, [WP_BF16] = { 8, 7, 0 },  [WP_TF32] = { 8, 10, 13 },
    [WP_F32] = { 8, 23, 0 }, [WP_F64] = { 11, 52, 0 }, [WP_E4M3] = { 4, 3, 0 },
    [WP_E5M2] = { 5, 2, 0 },
  };
  return formats[type];
}

guint
wp_type_bits (WpType type)
{
  static const guint8 bits[] = { 8, 8, 16, 16, 32, 32, 64, 64 };
  Format format = wp_type_is_integer (type) ? (Format){ 0, 0, 0 } : format_of (type);

  return wp_type_is_integer (type) ? bits[type]
                                   : 1u + format.exponent + format.fraction + format.unused;
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

  Format format = format_of (type);
  guint64 fraction = bits >> format.unused & (((guint64)1 << format.fraction) - 1);
  gint top = (1 << format.exponent) - 1;
  gint exponent = bits >> (format.fraction + format.unused) & (guint64)top;
  gboolean negative = bits >> (format.exponent + format.fraction + format.unused) & 1;
  gboolean is_special = exponent == top && (type != WP_E4M3 || fraction == 7);

  if (is_special)
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

  if (type == WP_E4M3)
    return place (type, number.negative, top, is_finite ? ones - 1 : ones);
  if (is_finite || !is_away)
    return place (type, number.negative, top - 1, ones);
  return place (type, number.negative, top, 0);
}

guint64
wp_number_write (WpType type, WpNumber number, WpRounding rounding, gboolean is_finite)
{
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
  if (exponent > top || (exponent == top && (type != WP_E4M3 || fraction == 7)))
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
