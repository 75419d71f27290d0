/* SPDX-License-Identifier: MIT */
/* Text of unknown origin (names in files, arguments) as one line that every terminal and table can
 * take.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* TEXT on one line and in valid UTF-8: control characters become escapes ("\n", "\x07"). Free with
 * g_free(). */
gchar *wp_make_printable (const gchar *text);

G_END_DECLS
