/* SPDX-License-Identifier: MIT */
/* The rows of a comparison's text, before they are laid out: a cell for each column. */
#pragma once

#include "run/compare/metrics.h"

G_BEGIN_DECLS

#define WP_COMPARISON_LABEL 24 /* columns of a row's name, two of indent included */

typedef struct
{
  gchar *label;      /* NULL: the row begins a part, called: */
  gchar *heading;    /* or NULL */
  gchar **cells;     /* [n runs] */
  gboolean *is_best; /* [n runs]: to be marked */
} WpComparisonRow;

/* All rows of COMPARISON, of WpComparisonRow; those of what varies come first. Free with
 * g_ptr_array_unref(). */
GPtrArray *wp_comparison_make_rows (const WpComparison *comparison);

G_END_DECLS
