/* SPDX-License-Identifier: MIT */
/* Tables that scripts read, as RFC 4180 has them, but that a row is a line. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Appends TEXT as a cell to LINE, in quotes where it must be. What would end the line, or print badly, is written as an
 * escape, as in messages. */
void wp_csv_append_text (GString *line, const gchar *text);

G_END_DECLS
