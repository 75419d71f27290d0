/* SPDX-License-Identifier: MIT */
/* Numbers in a column, their decimal points one below the other: measure all of them first, then
 * print them. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The widths, in characters, before the point and from the point on. Begins as zeros. */
typedef struct
{
  gint whole, part;
} WpDecimals;

/* Makes room for NUMBER. */
void wp_decimals_add (WpDecimals *column, const gchar *number);

/* Prints NUMBER on standard output in a column at least WIDTH wide, without the blanks behind it;
 * returns how many those are. */
gint wp_decimals_print (const WpDecimals *column, gint width, const gchar *number);

/* How wide the column is that is at least WIDTH wide. */
gint wp_decimals_get_width (const WpDecimals *column, gint width);

G_END_DECLS
