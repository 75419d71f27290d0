/* SPDX-License-Identifier: MIT */
/* How code below the command line says something that is no error: it hands the sentence to its
 * caller, who decides whether and where it is printed.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* NOTE is a whole sentence without a line's end, borrowed. */
typedef void (*WpNoteFunc) (gpointer data, const gchar *note);

G_END_DECLS
