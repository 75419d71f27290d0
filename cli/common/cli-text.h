/* SPDX-License-Identifier: MIT */
/* What reports for people share: colours, headings, bars, wrapped lines. They go to standard
 * output.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define WP_TEXT_WIDTH 100 /* columns of a report */

/* Escape sequences, "" where there are no colours, and the cell of a bar. */
typedef struct
{
  const gchar *bold, *dim, *plain;
  const gchar *full;
  gboolean colour;
} WpTextStyle;

/* COLOUR: with a terminal's escape sequences, UNICODE: with block characters. */
WpTextStyle wp_text_style_get (gboolean colour, gboolean unicode);

/* What standard output asks for: colours on a terminal unless NO_COLOR is set, block characters on
 * one in UTF-8. */
WpTextStyle wp_text_style_get_own (void);

/* Columns that standard output has: $COLUMNS, else those of the terminal, else
 * WP_TEXT_WIDTH. */
guint wp_text_get_width (void);

/* Prints "WHAT on GPU (TITLE), HOW", in two lines where one is too short. TITLE and HOW may be
 * NULL. */
void wp_text_print_heading (const WpTextStyle *style, const gchar *what, const gchar *gpu,
                            const gchar *title, const gchar *how);

/* TEXT with at most WIDTH characters; what is longer loses its end to "...". Free with g_free(). */
gchar *wp_text_cut (const gchar *text, glong width);

/* Prints TEXT in lines of at most 78 columns, indented by two. */
void wp_text_print_wrapped (const gchar *text);

/* Prints a bar: SHARE (0 .. 1) of WIDTH cells in COLOUR ("": none), two blanks before the first;
 * the line's end after them. */
void wp_text_print_bar (const WpTextStyle *style, const gchar *colour, gdouble share, gint width);

/* "s", or "" for 1. */
const gchar *wp_text_plural (gint64 n);

G_END_DECLS
