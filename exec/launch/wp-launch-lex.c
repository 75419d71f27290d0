/* SPDX-License-Identifier: MIT */
/* Numbers follow C++ 17 (lex.icon, lex.fcon): decimal, 0x, 0b and octal, ' between digits, u, l, ll
 * and f behind them. A literal of 32 bits is one that has no l and fits. */
#include "exec/launch/wp-launch-lex.h"

#include <math.h>
#include <string.h>

/* Signs, longer ones first where one begins another. */
static const gchar *const signs[]
    = { "<<<", ">>>", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "::", "+",
        "-",   "*",   "/",  "%",  "<",  ">",  "(",  ")",  "{",  "}",  ",",  "?",
        ":",   "!",   "~",  "&",  "|",  "^",  ";",  "=",  "[",  "]",  "." };

static gboolean
is_name (gchar c)
{
  return g_ascii_isalnum (c) || c == '_';
}

static gint
digit (gchar c, guint base)
{
  gint value = g_ascii_xdigit_value (c);

  return value >= 0 && (guint)value < base ? value : -1;
}

/* The digits of a whole number in BASE; FALSE where they do not fit into 64 bits. */
static gboolean
read_digits (const gchar **at, guint base, guint64 *value)
{
  *value = 0;
  while (digit (**at, base) >= 0 || (**at == '\'' && digit ((*at)[1], base) >= 0))
    {
      if (**at != '\'')
        {
          guint one = (guint)digit (**at, base);

          if (*value > (G_MAXUINT64 - one) / base)
            return FALSE;
          *value = *value * base + one;
        }
      ++*at;
    }
  return TRUE;
}

static void
read_whole (WpToken *token, const gchar *at, guint base)
{
  gboolean is_unsigned = FALSE, fits;
  guint longs = 0;

  token->kind = WP_TOKEN_WRONG;
  fits = read_digits (&at, base, &token->whole);
  for (; *at == 'u' || *at == 'U' || *at == 'l' || *at == 'L'; at++)
    {
      is_unsigned = is_unsigned || *at == 'u' || *at == 'U';
      longs += *at == 'l' || *at == 'L';
    }
  if (fits && !is_name (*at) && longs <= 2)
    token->kind = WP_TOKEN_WHOLE;
  token->bytes
      = longs > 0 || token->whole > (is_unsigned || base != 10 ? G_MAXUINT32 : G_MAXINT32) ? 8 : 4;
  token->end = at;
}

static void
read_float (WpToken *token)
{
  gchar *end;

  token->number = g_ascii_strtod (token->begin, &end);
  token->bytes = 8;
  if (*end == 'f' || *end == 'F')
    {
      token->bytes = 4;
      token->number = (gfloat)token->number;
      end++;
    }
  token->kind = is_name (*end) || !isfinite (token->number) ? WP_TOKEN_WRONG : WP_TOKEN_FLOAT;
  token->end = end;
}

/* Whether the digits at AT go on as a float: 1., 1e5, 2f. */
static gboolean
is_float (const gchar *at)
{
  while (g_ascii_isdigit (*at))
    at++;
  if (*at == 'e' || *at == 'E')
    return g_ascii_isdigit (at[1]) || ((at[1] == '-' || at[1] == '+') && g_ascii_isdigit (at[2]));
  return *at == '.';
}

static void
read_number (WpToken *token)
{
  const gchar *at = token->begin;

  if (*at == '0' && (at[1] == 'x' || at[1] == 'X') && g_ascii_isxdigit (at[2]))
    read_whole (token, at + 2, 16);
  else if (*at == '0' && (at[1] == 'b' || at[1] == 'B'))
    read_whole (token, at + 2, 2);
  else if (is_float (at))
    read_float (token);
  else
    read_whole (token, at, *at == '0' && g_ascii_isdigit (at[1]) ? 8 : 10);
}

static void
read_sign (WpToken *token)
{
  token->kind = WP_TOKEN_WRONG;
  token->end = token->begin + 1;
  for (gsize k = 0; k < G_N_ELEMENTS (signs); k++)
    if (g_str_has_prefix (token->begin, signs[k]))
      {
        token->kind = WP_TOKEN_SIGN;
        g_strlcpy (token->sign, signs[k], sizeof token->sign);
        token->end = token->begin + strlen (signs[k]);
        return;
      }
}

WpToken
wp_launch_lex (const gchar *at)
{
  WpToken token = { 0 };

  while (g_ascii_isspace (*at))
    at++;
  token.begin = token.end = at;
  if (*at == 0)
    token.kind = WP_TOKEN_END;
  else if (g_ascii_isdigit (*at) || (*at == '.' && g_ascii_isdigit (at[1])))
    read_number (&token);
  else if (*at == '$' && is_name (at[1]))
    {
      token.kind = WP_TOKEN_PARAMETER;
      for (token.end++; is_name (*token.end);)
        token.end++;
    }
  else if (*at == '$' && at[1] == '{' && strchr (at, '}'))
    {
      token.kind = WP_TOKEN_PARAMETER;
      token.end = strchr (at, '}') + 1;
    }
  else if (is_name (*at))
    {
      token.kind = WP_TOKEN_NAME;
      while (is_name (*token.end))
        token.end++;
    }
  else
    read_sign (&token);
  return token;
}
