/* SPDX-License-Identifier: MIT */
/* A sweep over several seeds: what the seeds of a combination make together, in further columns of
 * the last row of each combination (seeds vary fastest, so that its rows follow one another).
 *
 * A row is found by itself, with these columns empty; they are filled in when it takes its place in
 * the table, after the rows before it.
 */
#pragma once

#include "run/sweep/sweep.h"

G_BEGIN_DECLS

typedef struct WpSweepSpread WpSweepSpread;

/* For a table whose first line is HEADER. NULL: SWEEP (borrowed) has one seed. */
WpSweepSpread *wp_sweep_spread_new (const WpSweep *sweep, const gchar *header);
void wp_sweep_spread_free (WpSweepSpread *spread);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpSweepSpread, wp_sweep_spread_free)

/* Takes LINE, that of ROW (from 0), which follow one another. Returns what takes its place, free
 * with g_free(), or NULL: LINE stays as it is. DATA is a WpSweepSpread; for WpSweepTable. */
gchar *wp_sweep_spread_complete (gpointer data, guint64 row, const gchar *line);

/* Appends to LINE the names of the columns, or as many empty cells, each behind a comma; nothing
 * where there is one seed. */
void wp_sweep_spread_append_names (const WpSweep *sweep, GString *line);
void wp_sweep_spread_append_empty (const WpSweep *sweep, GString *line);

G_END_DECLS
