/* SPDX-License-Identifier: MIT */
/* Sorts records of one size in bounded memory: sorted runs that do not fit go to a temporary file.
 * Private. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct WpSorter WpSorter;

/* Makes a sorter of records of SIZE bytes, ordered by COMPARE, which must never call two records
 * equal. Free with wp_sorter_free(). */
WpSorter *wp_sorter_new (gsize size, GCompareFunc compare);
void wp_sorter_free (WpSorter *sorter);

/* Adds a copy of RECORD. False with errno set if the temporary file fails. Amortized O(log n). */
gboolean wp_sorter_add (WpSorter *sorter, gconstpointer record);

/* Passes all records in order to VISIT until it returns FALSE, and empties the sorter. Returns
 * false if VISIT did, or with errno set if the temporary file failed. */
gboolean wp_sorter_drain (WpSorter *sorter, gboolean (*visit) (gconstpointer record, gpointer data),
                          gpointer data);

G_END_DECLS
