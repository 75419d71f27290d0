/* SPDX-License-Identifier: MIT */
/* Private to run/api/: rows of tables (warpipe.h) from lines of CSV. */
#pragma once

#include "include/warpipe/warpipe.h"

G_BEGIN_DECLS

/* The table with first line HEADER, which may end with a line's end, and N rows; its rows go to
 * FUNC with DATA. Free with wp_table_free(). */
typedef struct WpTable WpTable;

WpTable *wp_table_new (const gchar *header, guint64 n, WpTableFunc func, gpointer data);
void wp_table_free (WpTable *table);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpTable, wp_table_free)

/* Hands on the next row, LINE, which may end with a line's end. False: no more is wanted. */
gboolean wp_table_put (WpTable *table, const gchar *line);

G_END_DECLS
