/* SPDX-License-Identifier: MIT */
/* Reading token by token, with messages that say where in the text something is wrong. */
#pragma once

#include "exec/launch/wp-launch-lex.h"
#include "exec/launch/wp-launch-value.h"

G_BEGIN_DECLS

typedef struct
{
  WpToken token; /* the next one */
  WpLaunchLookup lookup;
  gpointer data;
  guint depth; /* of brackets and operators that wait for their right side */
  GError **error;
} WpLaunchParser;

/* Puts the token after the present one in its place. */
void wp_launch_parser_next (WpLaunchParser *parser);

/* Whether the next token is SIGN; _accept() then goes on after it, _expect() fails where it is not.
 */
gboolean wp_launch_parser_is (const WpLaunchParser *parser, const gchar *sign);
gboolean wp_launch_parser_accept (WpLaunchParser *parser, const gchar *sign);
gboolean wp_launch_parser_expect (WpLaunchParser *parser, const gchar *sign);

/* Sets the error to "at "REST": TEXT", unless there is one; FALSE. */
gboolean wp_launch_parser_fail (WpLaunchParser *parser, const gchar *format, ...)
    G_GNUC_PRINTF (2, 3);

/* The same without a place. */
gboolean wp_launch_parser_fail_all (WpLaunchParser *parser, const gchar *format, ...)
    G_GNUC_PRINTF (2, 3);

/* The same for a launch that is well written and cannot be made: IDG_ERROR_FIT. */
gboolean wp_launch_parser_fail_fit (WpLaunchParser *parser, const gchar *format, ...)
    G_GNUC_PRINTF (2, 3);

/* An expression up to a comma or a closing bracket; NULL with the error. */
WpLaunchValue *wp_launch_parse_value (WpLaunchParser *parser);

G_END_DECLS
