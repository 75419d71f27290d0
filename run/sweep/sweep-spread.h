/* SPDX-License-Identifier: MIT */
/* A sweep over several seeds: mean and spread over the seeds of a combination, in further columns
 * of the combination's last row (seeds vary fastest, so that its rows follow one another).
 *
 * A row is found by itself, with these columns empty. They are filled in when it takes its place in
 * the table, after the rows before it.
 */
#pragma once

#include "run/sweep/sweep-points.h"

G_BEGIN_DECLS

typedef struct WpSweepSpread WpSweepSpread;

/* For a table whose first line is HEADER. NULL: SWEEP (borrowed) has one seed. */
WpSweepSpread *wp_sweep_spread_new (const WpSweep *sweep, const gchar *header);
void wp_sweep_spread_free (WpSweepSpread *spread);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpSweepSpread, wp_sweep_spread_free)

/* Takes LINE, that of ROW (from 0); to be called with all rows in order. Returns the line to write
 * in its place, free with g_free(), or NULL: LINE stays as it is. DATA is a WpSweepSpread; for
 * WpSweepTable. */
gchar *wp_sweep_spread_complete (gpointer data, guint64 row, const gchar *line);

/* The number of columns; append to LINE their names, or as many empty cells, each after a comma;
 * none where there is one seed. */
guint wp_sweep_spread_count_columns (const WpSweep *sweep);
void wp_sweep_spread_append_names (const WpSweep *sweep, GString *line);
void wp_sweep_spread_append_empty (const WpSweep *sweep, GString *line);

G_END_DECLS
