/* SPDX-License-Identifier: MIT */
/* How the line of a row ends, and what a line of a table is that someone else may have changed. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The names of the columns that wp_sweep_line_end() fills in, as the end of a header. */
#define WP_SWEEP_LINE_END ",sweep,check\n"

/* Bytes that wp_sweep_line_end() appends where the digest has N. */
#define WP_SWEEP_LINE_END_BYTES(n) (1 + (n) + 1 + 8 + 1)

/* Ends LINE, a row's cells: with the sweep's DIGEST, a sum of all before it and a line's end. */
void wp_sweep_line_end (GString *line, const gchar *digest);

typedef enum
{
  WP_SWEEP_LINE_ROW,
  WP_SWEEP_LINE_CHANGED, /* it was a row of this sweep: its cells and their sum differ */
  WP_SWEEP_LINE_TORN,    /* the beginning of a row, as a crash leaves it */
  WP_SWEEP_LINE_OTHER
} WpSweepLine;

/* What LINE is in a table of N_ROWS, of LENGTH bytes with its end; ROW receives which row, from 0,
 * where it is one, or was. */
WpSweepLine wp_sweep_line_read (const gchar *line, gsize length, const gchar *digest,
                                guint64 n_rows, guint64 *row);

/* Why LINE is no row: OTHERWISE, or where that is NULL the file is of another sweep, unless
 * it shows what has been done to it. */
const gchar *wp_sweep_line_explain (const gchar *line, gsize length, const gchar *otherwise);

/* Why START, the first N bytes of a file, is not the beginning of HEADER. */
const gchar *wp_sweep_line_explain_header (const gchar *start, gsize n, const gchar *header);

G_END_DECLS
