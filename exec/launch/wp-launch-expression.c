/* SPDX-License-Identifier: MIT */
/* Expressions, by precedence climbing. A name in brackets before an operand is a cast where it is
 * the name of a type, else a name. */
#include "exec/launch/wp-launch-operators.h"
#include "exec/launch/wp-launch-tensor.h"
#include "exec/launch/wp-launch-type.h"

#include <math.h>
#include <string.h>

#define MAX_DEPTH 100
#define MAX_MEMBERS 4096

static WpLaunchValue *parse_operand (WpLaunchParser *parser);

static gboolean
enter (WpLaunchParser *parser)
{
  return ++parser->depth <= MAX_DEPTH
         || wp_launch_parser_fail (parser, "more than %d levels of brackets and operators",
                                   MAX_DEPTH);
}

static WpLaunchValue *
make_whole (WpLaunchWhole whole, guint bytes)
{
  WpLaunchValue *value = wp_launch_value_new (WP_LAUNCH_WHOLE);

  value->whole = whole;
  value->bytes = (guint8)bytes;
  return value;
}

static WpLaunchValue *
make_float (gdouble number, guint bytes)
{
  WpLaunchValue *value = wp_launch_value_new (WP_LAUNCH_FLOAT);

  value->number = number;
  value->bytes = (guint8)bytes;
  return value;
}

/* The operators from PRECEDENCE on. */
static WpLaunchValue *
parse_binary (WpLaunchParser *parser, guint precedence)
{
  g_autoptr (WpLaunchValue) left = NULL;

  if (!enter (parser))
    return NULL;
  left = parse_operand (parser);
  while (left && parser->token.kind == WP_TOKEN_SIGN
         && wp_launch_precedence (parser->token.sign) >= precedence)
    {
      g_autofree gchar *sign = g_strdup (parser->token.sign);
      g_autoptr (WpLaunchValue) right = NULL;

      wp_launch_parser_next (parser);
      right = parse_binary (parser, wp_launch_precedence (sign) + 1);
      if (right == NULL || !wp_launch_apply (parser, sign, left, right))
        return NULL;
    }
  parser->depth--;
  return g_steal_pointer (&left);
}

WpLaunchValue *
wp_launch_parse_value (WpLaunchParser *parser)
{
  g_autoptr (WpLaunchValue) value = parse_binary (parser, 1);
  g_autoptr (WpLaunchValue) yes = NULL, no = NULL;
  gboolean is_true;

  if (value == NULL || !wp_launch_parser_is (parser, "?"))
    return g_steal_pointer (&value);
  if (value->kind != WP_LAUNCH_WHOLE && value->kind != WP_LAUNCH_FLOAT)
    {
      wp_launch_parser_fail (parser, "\"?\" after what is no number");
      return NULL;
    }
  is_true = value->kind == WP_LAUNCH_WHOLE ? value->whole != 0 : value->number != 0;
  wp_launch_parser_next (parser);
  if (!enter (parser))
    return NULL;
  yes = wp_launch_parse_value (parser);
  if (yes == NULL || !wp_launch_parser_expect (parser, ":"))
    return NULL;
  no = wp_launch_parse_value (parser);
  parser->depth--;
  if (no == NULL)
    return NULL;
  return is_true ? g_steal_pointer (&yes) : g_steal_pointer (&no);
}

/* The text of a type from the token FROM up to before the present one. */
static gchar *
text_from (const WpLaunchParser *parser, const gchar *from)
{
  return g_strstrip (g_strndup (from, (gsize)(parser->token.begin - from)));
}

/* "unsigned char const *": NULL, and the parser stands where it stood, where the words are no type.
 */
static gchar *
parse_type (WpLaunchParser *parser)
{
  WpToken begin = parser->token;
  g_autofree gchar *name = NULL;

  while (parser->token.kind == WP_TOKEN_NAME || wp_launch_parser_is (parser, "*")
         || wp_launch_parser_is (parser, "::"))
    wp_launch_parser_next (parser);
  name = text_from (parser, begin.begin);
  if (wp_type_parse (name).bytes > 0)
    return g_steal_pointer (&name);
  parser->token = begin;
  return NULL;
}

static WpLaunchValue *
cast (WpLaunchParser *parser, const gchar *type, WpLaunchValue *operand)
{
  g_autoptr (WpLaunchValue) value = operand;

  if (value == NULL || !wp_launch_cast (parser, type, value))
    return NULL;
  return g_steal_pointer (&value);
}

/* After "(": a cast, or an expression. */
static WpLaunchValue *
parse_brackets (WpLaunchParser *parser)
{
  WpToken begin = parser->token;
  g_autofree gchar *type = parser->token.kind == WP_TOKEN_NAME ? parse_type (parser) : NULL;
  g_autoptr (WpLaunchValue) value = NULL;

  if (type && wp_launch_parser_accept (parser, ")"))
    {
      if (!enter (parser))
        return NULL;
      value = cast (parser, type, parse_operand (parser));
      parser->depth--;
      return g_steal_pointer (&value);
    }
  parser->token = begin;
  value = wp_launch_parse_value (parser);
  if (value == NULL || !wp_launch_parser_expect (parser, ")"))
    return NULL;
  return g_steal_pointer (&value);
}

static WpLaunchValue *
parse_structure (WpLaunchParser *parser)
{
  g_autoptr (WpLaunchValue) structure = wp_launch_value_new (WP_LAUNCH_STRUCTURE);

  if (wp_launch_parser_accept (parser, "}"))
    return g_steal_pointer (&structure);
  do
    {
      WpLaunchValue *member = wp_launch_parse_value (parser);

      if (member == NULL)
        return NULL;
      g_ptr_array_add (structure->members, member);
      if (structure->members->len > MAX_MEMBERS)
        {
          wp_launch_parser_fail (parser, "more than %d members", MAX_MEMBERS);
          return NULL;
        }
    }
  while (wp_launch_parser_accept (parser, ","));
  return wp_launch_parser_expect (parser, "}") ? g_steal_pointer (&structure) : NULL;
}

static WpLaunchValue *
parse_parameter (WpLaunchParser *parser)
{
  const WpToken *token = &parser->token;
  gboolean is_braced = token->begin[1] == '{';
  g_autofree gchar *name = g_strndup (token->begin + 1 + is_braced,
                                      (gsize)(token->end - token->begin) - 1 - (is_braced ? 2 : 0));
  gint64 number;

  if (parser->lookup == NULL || !parser->lookup (name, &number, parser->data))
    {
      wp_launch_parser_fail (
          parser,
          "no parameter is called \"%s\"; expected one of the kernel file, or of "
          "--set %s=NUMBER",
          name, name);
      return NULL;
    }
  wp_launch_parser_next (parser);
  return make_whole (number, number < G_MININT32 || number > G_MAXINT32 ? 8 : 4);
}

/* min(a, b), max(a, b). */
static WpLaunchValue *
parse_choice (WpLaunchParser *parser, gboolean is_min)
{
  g_autoptr (WpLaunchValue) one = NULL, two = NULL, less = NULL;
  gboolean is_right;

  if (!wp_launch_parser_expect (parser, "(") || !enter (parser))
    return NULL;
  one = wp_launch_parse_value (parser);
  if (one == NULL || !wp_launch_parser_expect (parser, ","))
    return NULL;
  two = wp_launch_parse_value (parser);
  parser->depth--;
  if (two == NULL || !wp_launch_parser_expect (parser, ")"))
    return NULL;
  less = wp_launch_value_new (one->kind);
  less->whole = one->whole;
  less->number = one->number;
  less->bytes = one->bytes;
  is_right = one->kind <= WP_LAUNCH_FLOAT && two->kind <= WP_LAUNCH_FLOAT
             && wp_launch_apply (parser, "<", less, two);
  if (!is_right)
    {
      wp_launch_parser_fail (parser, "min() or max() of what is no number before this");
      return NULL;
    }
  return (less->whole != 0) == is_min ? g_steal_pointer (&one) : g_steal_pointer (&two);
}

static WpLaunchValue *
parse_sizeof (WpLaunchParser *parser)
{
  g_autofree gchar *type = NULL;

  if (!wp_launch_parser_expect (parser, "("))
    return NULL;
  type = parse_type (parser);
  if (type == NULL)
    {
      wp_launch_parser_fail (parser, "expected a type, as float, unsigned long long, float4, int*");
      return NULL;
    }
  return wp_launch_parser_expect (parser, ")") ? make_whole (wp_type_parse (type).bytes, 8) : NULL;
}

/* Names that have a value in all programs. */
static WpLaunchValue *
parse_constant (const gchar *name)
{
  static const struct
  {
    const gchar *name;
    gint64 value;
  } wholes[] = {
    { "true", 1 },
    { "false", 0 },
    { "INT_MAX", G_MAXINT32 },
    { "INT_MIN", G_MININT32 },
    { "UINT_MAX", G_MAXUINT32 },
    { "RAND_MAX", G_MAXINT32 },
  };

  for (gsize k = 0; k < G_N_ELEMENTS (wholes); k++)
    if (strcmp (wholes[k].name, name) == 0)
      return make_whole (wholes[k].value, k < 2 ? 1 : 4);
  if (strcmp (name, "INFINITY") == 0)
    return make_float (INFINITY, 4);
  if (strcmp (name, "NAN") == 0)
    return make_float (NAN, 4);
  if (strcmp (name, "nullptr") == 0 || strcmp (name, "NULL") == 0)
    return wp_launch_value_new (WP_LAUNCH_POINTER);
  return NULL;
}

/* "tensor_map(A, f16, {64, 64}, {8, 8})", from "(" on. */
static WpLaunchValue *
parse_tensor_map (WpLaunchParser *parser)
{
  g_autoptr (GPtrArray) arguments = g_ptr_array_new_with_free_func (wp_launch_value_free);

  wp_launch_parser_next (parser);
  if (!enter (parser))
    return NULL;
  do
    {
      WpLaunchValue *value = wp_launch_parse_value (parser);

      if (value == NULL)
        return NULL;
      g_ptr_array_add (arguments, value);
    }
  while (arguments->len <= WP_TENSOR_MAP_ARGUMENTS && wp_launch_parser_accept (parser, ","));
  parser->depth--;
  return wp_launch_parser_expect (parser, ")") ? wp_launch_make_tensor_map (parser, arguments)
                                               : NULL;
}

/* "float(2)", "make_float2(1, 2)", "float2{1, 2}", "dim3(2, 3)". */
static WpLaunchValue *
parse_call (WpLaunchParser *parser, const gchar *name)
{
  const gchar *type = g_str_has_prefix (name, "make_") ? name + 5 : name;
  gboolean is_vector = wp_type_parse (type).kind == WP_TYPE_VECTOR;
  gboolean is_braced = wp_launch_parser_is (parser, "{");
  g_autoptr (WpLaunchValue) value = NULL;

  wp_launch_parser_next (parser);
  if (wp_type_parse (type).bytes == 0)
    {
      wp_launch_parser_fail (parser, "%s(...) cannot be computed here; expected its value", name);
      return NULL;
    }
  if (!enter (parser))
    return NULL;
  if (is_braced)
    value = parse_structure (parser);
  else if (!is_vector)
    value = cast (parser, type, parse_brackets (parser));
  else
    {
      value = wp_launch_value_new (WP_LAUNCH_STRUCTURE);
      do
        {
          WpLaunchValue *member = wp_launch_parse_value (parser);

          if (member == NULL)
            return NULL;
          g_ptr_array_add (value->members, member);
        }
      while (value->members->len < 5 && wp_launch_parser_accept (parser, ","));
      if (!wp_launch_parser_expect (parser, ")"))
        return NULL;
    }
  parser->depth--;
  if (value && value->kind == WP_LAUNCH_STRUCTURE)
    {
      g_free (value->type);
      value->type = g_strdup (type);
    }
  return g_steal_pointer (&value);
}

static WpLaunchValue *
parse_name (WpLaunchParser *parser)
{
  g_autofree gchar *name
      = g_strndup (parser->token.begin, (gsize)(parser->token.end - parser->token.begin));
  WpLaunchValue *value = NULL;

  wp_launch_parser_next (parser);
  if (strcmp (name, "sizeof") == 0)
    return parse_sizeof (parser);
  if (strcmp (name, "min") == 0 || strcmp (name, "max") == 0)
    return parse_choice (parser, name[1] == 'i');
  if (strcmp (name, WP_TENSOR_MAP_CALL) == 0 && wp_launch_parser_is (parser, "("))
    return parse_tensor_map (parser);
  if (wp_launch_parser_is (parser, "(") || wp_launch_parser_is (parser, "{"))
    return parse_call (parser, name);
  value = parse_constant (name);
  if (value == NULL)
    {
      GString *full = g_string_new (name);

      /* A variable of a namespace. */
      while (wp_launch_parser_accept (parser, "::") && parser->token.kind == WP_TOKEN_NAME)
        {
          g_string_append (full, "::");
          g_string_append_len (full, parser->token.begin, parser->token.end - parser->token.begin);
          wp_launch_parser_next (parser);
        }
      value = wp_launch_value_new (WP_LAUNCH_POINTER);
      value->name = g_string_free (full, FALSE);
    }
  return value;
}

static WpLaunchValue *
parse_unary (WpLaunchParser *parser, gchar sign)
{
  g_autoptr (WpLaunchValue) value = NULL;

  wp_launch_parser_next (parser);
  if (!enter (parser))
    return NULL;
  value = parse_operand (parser);
  parser->depth--;
  if (value == NULL || !wp_launch_apply_unary (parser, sign, value))
    return NULL;
  return g_steal_pointer (&value);
}

static WpLaunchValue *
parse_sign (WpLaunchParser *parser)
{
  gchar sign = parser->token.sign[0];

  if (parser->token.sign[1] == 0 && strchr ("+-!~", sign))
    return parse_unary (parser, sign);
  if (wp_launch_parser_accept (parser, "("))
    return parse_brackets (parser);
  if (wp_launch_parser_accept (parser, "{"))
    return parse_structure (parser);
  if (wp_launch_parser_is (parser, "&"))
    wp_launch_parser_fail (parser, "\"&\" is not needed: a name is where the data are on the GPU");
  else
    wp_launch_parser_fail (parser, "expected a number, a name or \"(\"");
  return NULL;
}

static WpLaunchValue *
parse_operand (WpLaunchParser *parser)
{
  WpToken token = parser->token;

  switch (token.kind)
    {
    case WP_TOKEN_WHOLE:
      wp_launch_parser_next (parser);
      return make_whole (token.whole, token.bytes);
    case WP_TOKEN_FLOAT:
      wp_launch_parser_next (parser);
      return make_float (token.number, token.bytes);
    case WP_TOKEN_PARAMETER:
      return parse_parameter (parser);
    case WP_TOKEN_NAME:
      return parse_name (parser);
    case WP_TOKEN_SIGN:
      return parse_sign (parser);
    case WP_TOKEN_WRONG:
      wp_launch_parser_fail (parser, "this is no number of at most 64 bits, and no name");
      return NULL;
    default:
      wp_launch_parser_fail (parser, "expected a number or a name");
      return NULL;
    }
}
