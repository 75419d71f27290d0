/* SPDX-License-Identifier: MIT */
/* A comparison as a table for scripts: a line for each column of it. */
#pragma once

#include "run/compare/metrics.h"

G_BEGIN_DECLS

/* The table's first line, and that of column I; with their ends. Free with g_free(). */
gchar *wp_comparison_get_csv_header (const WpComparison *comparison);
gchar *wp_comparison_get_csv_row (const WpComparison *comparison, guint i);

G_END_DECLS
