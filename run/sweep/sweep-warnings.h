/* SPDX-License-Identifier: MIT */
/* How many rows of a sweep have which warnings. */
#pragma once

#include "run/base/note.h"

G_BEGIN_DECLS

typedef struct WpSweepWarnings WpSweepWarnings;

/* For a table with HEADER, from wp_sweep_get_header(). Free with wp_sweep_warnings_free(). */
WpSweepWarnings *wp_sweep_warnings_new (const gchar *header);
void wp_sweep_warnings_free (WpSweepWarnings *warnings);

/* Counts those of a row, of which LINE is the line. O(length). */
void wp_sweep_warnings_take (WpSweepWarnings *warnings, const gchar *line);

/* Hands SAY a sentence for each name, in the order of their first rows. */
void wp_sweep_warnings_tell (const WpSweepWarnings *warnings, WpNoteFunc say, gpointer data);

G_END_DECLS
