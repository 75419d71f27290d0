/* SPDX-License-Identifier: MIT */
/* What operators do with values. */
#pragma once

#include "exec/launch/wp-launch-parser.h"

G_BEGIN_DECLS

/* How tightly the operator SIGN with two sides binds, 1 to 10; 0: it is none. */
guint wp_launch_precedence (const gchar *sign);

/* LEFT becomes LEFT SIGN RIGHT; FALSE with the parser's error. */
gboolean wp_launch_apply (WpLaunchParser *parser, const gchar *sign, WpLaunchValue *left,
                          const WpLaunchValue *right);

/* VALUE becomes SIGN VALUE. */
gboolean wp_launch_apply_unary (WpLaunchParser *parser, gchar sign, WpLaunchValue *value);

/* VALUE becomes (TYPE)VALUE. */
gboolean wp_launch_cast (WpLaunchParser *parser, const gchar *type, WpLaunchValue *value);

G_END_DECLS
