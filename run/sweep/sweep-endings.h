/* SPDX-License-Identifier: MIT */
/* Cells at the end of a row that depend on rows before it: its speed-up over the first policy, and
 * then what sweep-spread.h says. A row is found by itself, with these cells empty. They are filled
 * in when it takes its place in the table.
 */
#pragma once

#include "run/sweep/sweep-points.h"

G_BEGIN_DECLS

/* The name of the column. */
#define WP_SWEEP_SPEED_UP "speed_up"

typedef struct WpSweepEndings WpSweepEndings;

/* For a table whose first line is HEADER. SWEEP is borrowed. */
WpSweepEndings *wp_sweep_endings_new (const WpSweep *sweep, const gchar *header);
void wp_sweep_endings_free (WpSweepEndings *endings);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpSweepEndings, wp_sweep_endings_free)

/* Takes LINE, that of ROW (from 0); to be called with all rows in order. Returns the line to write
 * in its place, free with g_free(), or NULL: LINE stays as it is. DATA is a WpSweepEndings; for
 * WpSweepTable. */
gchar *wp_sweep_endings_complete (gpointer data, guint64 row, const gchar *line);

G_END_DECLS
