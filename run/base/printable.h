/* SPDX-License-Identifier: MIT */
/* Text of unknown origin (names in files, arguments) as one line that every terminal and table can
 * take.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* TEXT on one line and in valid UTF-8: control characters, and those that
 * reorder text or are not seen, become escapes ("\n", "\x07", "\u202e"). Free with
 * g_free(). */
gchar *wp_make_printable (const gchar *text);

/* The same, in which the middle of what is longer than a message should be is "... (N bytes more)
 * ...": an argument that a message quotes may be as long as it likes. Free with g_free(). */
gchar *wp_make_message (const gchar *text);

G_END_DECLS
