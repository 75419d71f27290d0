/* SPDX-License-Identifier: MIT */
/* The words of a launch: numbers, names, and signs as C++ has them, <<< and >>> included. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  WP_TOKEN_END,
  WP_TOKEN_WHOLE,
  WP_TOKEN_FLOAT,
  WP_TOKEN_NAME,
  WP_TOKEN_PARAMETER, /* $name, ${name} */
  WP_TOKEN_SIGN,
  WP_TOKEN_WRONG,
} WpTokenKind;

typedef struct
{
  WpTokenKind kind;
  gchar sign[4]; /* "<<", ">>>", "+" */
  const gchar *begin, *end;
  guint64 whole;
  gdouble number;
  guint8 bytes; /* of a number: 4 or 8 */
} WpToken;

/* The token at AT, after blanks. A WP_TOKEN_WRONG is what begins like a number and is none. */
WpToken wp_launch_lex (const gchar *at);

G_END_DECLS
