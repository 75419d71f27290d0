/* SPDX-License-Identifier: MIT */
/* Whole numbers are computed in 128 bits and must fit into 64, signed or not: nobody who writes
 * 1024*1024*1024*4 means 0. Floats are doubles, rounded to float where both sides are. */
#include "exec/launch/wp-launch-operators.h"

#include "exec/launch/wp-launch-type.h"

#include <math.h>
#include <string.h>

static const struct
{
  const gchar *sign;
  guint precedence;
} operators[] = {
  { "||", 1 }, { "&&", 2 }, { "|", 3 },  { "^", 4 },  { "&", 5 },  { "==", 6 },
  { "!=", 6 }, { "<", 7 },  { "<=", 7 }, { ">", 7 },  { ">=", 7 }, { "<<", 8 },
  { ">>", 8 }, { "+", 9 },  { "-", 9 },  { "*", 10 }, { "/", 10 }, { "%", 10 },
};

guint
wp_launch_precedence (const gchar *sign)
{
  for (gsize k = 0; k < G_N_ELEMENTS (operators); k++)
    if (strcmp (operators[k].sign, sign) == 0)
      return operators[k].precedence;
  return 0;
}

static gboolean
fits (WpLaunchWhole whole)
{
  return whole >= G_MININT64 && whole <= (WpLaunchWhole)G_MAXUINT64;
}

static gboolean
divide (WpLaunchParser *parser, gchar sign, WpLaunchValue *left, WpLaunchWhole right)
{
  if (right == 0)
    return wp_launch_parser_fail (parser, "division by 0 before this");
  left->whole = sign == '/' ? left->whole / right : left->whole % right;
  return TRUE;
}

static gboolean
shift (WpLaunchParser *parser, gchar sign, WpLaunchValue *left, WpLaunchWhole right)
{
  if (right < 0 || right > 63)
    return wp_launch_parser_fail (parser, "a shift by less than 0 or more than 63 before this");
  if (sign == '<')
    left->whole *= (WpLaunchWhole)1 << right; /* below 2^64 * 2^63 */
  else
    left->whole >>= right;
  return TRUE;
}

static gboolean
compare (const gchar *sign, gint order)
{
  switch (sign[0])
    {
    case '<':
      return sign[1] ? order <= 0 : order < 0;
    case '>':
      return sign[1] ? order >= 0 : order > 0;
    case '=':
      return order == 0;
    default:
      return order != 0;
    }
}

static gboolean
apply_whole (WpLaunchParser *parser, const gchar *sign, WpLaunchValue *left, WpLaunchWhole right)
{
  guint precedence = wp_launch_precedence (sign);
  gboolean is_right = TRUE;

  if (precedence == 6 || precedence == 7)
    left->whole = compare (sign, (left->whole > right) - (left->whole < right));
  else if (precedence == 8)
    is_right = shift (parser, sign[0], left, right);
  else if (precedence <= 2)
    left->whole = sign[0] == '|' ? left->whole || right : left->whole && right;
  else if (sign[0] == '/' || sign[0] == '%')
    is_right = divide (parser, sign[0], left, right);
  else if (sign[0] == '*')
    is_right = !__builtin_mul_overflow (left->whole, right, &left->whole)
               || wp_launch_parser_fail (parser, "more than 64 bits before this");
  else if (precedence == 9)
    left->whole += sign[0] == '+' ? right : -right;
  else
    left->whole = sign[0] == '|'   ? left->whole | right
                  : sign[0] == '^' ? left->whole ^ right
                                   : left->whole & right;
  return is_right
         && (fits (left->whole) || wp_launch_parser_fail (parser, "more than 64 bits before this"));
}

static gdouble
number_of (const WpLaunchValue *value)
{
  return value->kind == WP_LAUNCH_WHOLE ? (gdouble)value->whole : value->number;
}

static gboolean
apply_float (WpLaunchParser *parser, const gchar *sign, WpLaunchValue *left,
             const WpLaunchValue *right)
{
  gdouble a = number_of (left), b = number_of (right);
  guint precedence = wp_launch_precedence (sign);
  gboolean is_double = (left->kind == WP_LAUNCH_FLOAT && left->bytes == 8)
                       || (right->kind == WP_LAUNCH_FLOAT && right->bytes == 8);

  if (precedence == 6 || precedence == 7)
    {
      left->kind = WP_LAUNCH_WHOLE;
      left->whole = compare (sign, (a > b) - (a < b));
      left->bytes = 4;
      return TRUE;
    }
  left->kind = WP_LAUNCH_FLOAT;
  left->bytes = is_double ? 8 : 4;
  if (precedence < 9 || sign[0] == '%')
    return wp_launch_parser_fail (parser, "\"%s\" is for whole numbers before this", sign);
  left->number = sign[0] == '+' ? a + b : sign[0] == '-' ? a - b : sign[0] == '*' ? a * b : a / b;
  if (!is_double)
    left->number = (gfloat)left->number;
  return TRUE;
}

/* A + 16, 16 + A, A - 16: of elements. */
static gboolean
apply_pointer (WpLaunchParser *parser, const gchar *sign, WpLaunchValue *left,
               const WpLaunchValue *right)
{
  WpLaunchWhole offset;

  if (left->kind == WP_LAUNCH_WHOLE && right->kind == WP_LAUNCH_POINTER && sign[0] == '+')
    {
      offset = left->whole + right->offset;
      left->kind = WP_LAUNCH_POINTER;
      left->name = g_strdup (right->name);
      left->element = right->element;
      g_free (left->type);
      left->type = g_strdup (right->type);
    }
  else if (left->kind == WP_LAUNCH_POINTER && right->kind == WP_LAUNCH_WHOLE
           && wp_launch_precedence (sign) == 9)
    offset = left->offset + (sign[0] == '+' ? right->whole : -right->whole);
  else
    return wp_launch_parser_fail (parser,
                                  "before this a name is computed with; expected NAME + NUMBER, or "
                                  "$NAME for a parameter");
  if (offset < -(G_MAXINT64 >> 8) || offset > G_MAXINT64 >> 8)
    return wp_launch_parser_fail (parser, "more than 64 bits before this");
  left->offset = (gint64)offset;
  return TRUE;
}

gboolean
wp_launch_apply (WpLaunchParser *parser, const gchar *sign, WpLaunchValue *left,
                 const WpLaunchValue *right)
{
  gboolean is_right;

  if (left->kind == WP_LAUNCH_STRUCTURE || right->kind == WP_LAUNCH_STRUCTURE)
    is_right = wp_launch_parser_fail (parser, "before this a structure is computed with");
  else if (left->kind == WP_LAUNCH_POINTER || right->kind == WP_LAUNCH_POINTER)
    return apply_pointer (parser, sign, left, right);
  else if (left->kind == WP_LAUNCH_WHOLE && right->kind == WP_LAUNCH_WHOLE)
    {
      is_right = apply_whole (parser, sign, left, right->whole);
      left->bytes = MAX (MAX (left->bytes, right->bytes), 4);
      if (left->whole < G_MININT32 || left->whole > G_MAXUINT32)
        left->bytes = 8;
    }
  else
    is_right = apply_float (parser, sign, left, right);
  g_clear_pointer (&left->type, g_free);
  return is_right;
}

gboolean
wp_launch_apply_unary (WpLaunchParser *parser, gchar sign, WpLaunchValue *value)
{
  if (value->kind == WP_LAUNCH_FLOAT && sign != '~')
    value->number = sign == '-' ? -value->number : value->number;
  else if (value->kind != WP_LAUNCH_WHOLE)
    return wp_launch_parser_fail (parser, "\"%c\" before what is no number", sign);
  else
    value->whole = sign == '-' ? -value->whole : sign == '~' ? ~value->whole : value->whole;
  if (sign == '!')
    {
      value->whole = value->kind == WP_LAUNCH_FLOAT ? value->number == 0 : value->whole == 0;
      value->kind = WP_LAUNCH_WHOLE;
      value->bytes = 4;
    }
  return value->kind != WP_LAUNCH_WHOLE || fits (value->whole)
         || wp_launch_parser_fail (parser, "more than 64 bits before this");
}

/* The bits of a whole number that a type of BYTES has, with its sign. */
static WpLaunchWhole
wrap (WpLaunchWhole whole, const WpType *type)
{
  guint shift_by = 128 - 8 * type->bytes;
  unsigned __int128 bits = (unsigned __int128)whole << shift_by;

  return type->is_signed ? (WpLaunchWhole)bits >> shift_by : (WpLaunchWhole)(bits >> shift_by);
}

static gboolean
cast_to_whole (WpLaunchParser *parser, const WpType *type, WpLaunchValue *value)
{
  if (value->kind == WP_LAUNCH_FLOAT)
    {
      if (!(fabs (value->number) < 9e18))
        return wp_launch_parser_fail (parser, "a float that no whole number is before this");
      value->whole = (WpLaunchWhole)value->number;
      value->kind = WP_LAUNCH_WHOLE;
    }
  value->whole = type->kind == WP_TYPE_BOOL ? value->whole != 0 : wrap (value->whole, type);
  return TRUE;
}

gboolean
wp_launch_cast (WpLaunchParser *parser, const gchar *name, WpLaunchValue *value)
{
  WpType type = wp_type_parse (name);

  if (value->kind == WP_LAUNCH_POINTER && type.kind == WP_TYPE_POINTER)
    value->element = type.pointee;
  else if (value->kind == WP_LAUNCH_POINTER || value->kind == WP_LAUNCH_STRUCTURE
           || type.kind == WP_TYPE_POINTER || type.kind == WP_TYPE_VECTOR)
    return wp_launch_parser_fail (parser, "what is before this cannot become a %s", name);
  else if (type.kind == WP_TYPE_WHOLE || type.kind == WP_TYPE_BOOL)
    {
      if (!cast_to_whole (parser, &type, value))
        return FALSE;
    }
  else
    {
      value->number = number_of (value);
      value->kind = WP_LAUNCH_FLOAT;
      if (type.bytes == 4)
        value->number = (gfloat)value->number;
    }
  value->bytes = (guint8)type.bytes;
  g_free (value->type);
  value->type = g_strdup (name);
  return TRUE;
}
