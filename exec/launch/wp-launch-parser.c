/* SPDX-License-Identifier: MIT */
#include "exec/launch/wp-launch-parser.h"

#include "idg/kernel/idg-kernel.h"

#include <string.h>

#define SHOWN 24 /* bytes of the text in a message */

void
wp_launch_parser_next (WpLaunchParser *parser)
{
  parser->token = wp_launch_lex (parser->token.end);
}

gboolean
wp_launch_parser_is (const WpLaunchParser *parser, const gchar *sign)
{
  return parser->token.kind == WP_TOKEN_SIGN && strcmp (parser->token.sign, sign) == 0;
}

gboolean
wp_launch_parser_accept (WpLaunchParser *parser, const gchar *sign)
{
  if (!wp_launch_parser_is (parser, sign))
    return FALSE;
  wp_launch_parser_next (parser);
  return TRUE;
}

static gchar *
place (const WpLaunchParser *parser)
{
  const gchar *begin = parser->token.begin;
  gsize n = strnlen (begin, SHOWN + 1);

  if (parser->token.kind == WP_TOKEN_END)
    return g_strdup ("at its end");
  if (n > SHOWN) /* whole characters only */
    for (n = SHOWN; n > 0 && (begin[n] & 0xc0) == 0x80;)
      n--;
  return g_strdup_printf ("at \"%.*s%s\"", (int)n, begin, begin[n] ? "..." : "");
}

gboolean
wp_launch_parser_fail (WpLaunchParser *parser, const gchar *format, ...)
{
  g_autofree gchar *where = place (parser), *text = NULL;
  va_list arguments;

  if (parser->error == NULL || *parser->error != NULL)
    return FALSE;
  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_set_error (parser->error, IDG_ERROR, IDG_ERROR_SYNTAX, "%s: %s", where, text);
  return FALSE;
}

static void G_GNUC_PRINTF (3, 0)
    fail_as (WpLaunchParser *parser, IdgError code, const gchar *format, va_list arguments)
{
  g_autofree gchar *text = g_strdup_vprintf (format, arguments);

  if (parser->error != NULL && *parser->error == NULL)
    g_set_error_literal (parser->error, IDG_ERROR, code, text);
}

gboolean
wp_launch_parser_fail_all (WpLaunchParser *parser, const gchar *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  fail_as (parser, IDG_ERROR_VALUE, format, arguments);
  va_end (arguments);
  return FALSE;
}

gboolean
wp_launch_parser_fail_fit (WpLaunchParser *parser, const gchar *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  fail_as (parser, IDG_ERROR_FIT, format, arguments);
  va_end (arguments);
  return FALSE;
}

gboolean
wp_launch_parser_expect (WpLaunchParser *parser, const gchar *sign)
{
  return wp_launch_parser_accept (parser, sign)
         || wp_launch_parser_fail (parser, "expected \"%s\"", sign);
}
