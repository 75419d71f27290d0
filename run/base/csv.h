/* SPDX-License-Identifier: MIT */
/* Tables that scripts read, as RFC 4180 has them, but that a row is a line. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Appends TEXT as a cell to LINE, in quotes where it must be. What would end the line, or print
 * badly, is written as an escape, as in messages; before what a spreadsheet would take for a
 * formula (it begins with =, +, - or @, and is no number) comes an apostrophe. */
void wp_csv_append_text (GString *line, const gchar *text);

/* Sets CELL to the next one of a line, *AT behind it; *AT is the line's beginning at first. False:
 * there is none left. */
gboolean wp_csv_take_cell (const gchar **at, GString *cell);

/* The place, from 0, of the column NAME in the line HEADER, which must have it. O(length of
 * HEADER). */
gint wp_csv_find_column (const gchar *header, const gchar *name);

G_END_DECLS
