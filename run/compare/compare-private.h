/* SPDX-License-Identifier: MIT */
/* Private to run/compare: from runs that have ended to columns (compare-columns.c). */
#pragma once

#include "run/compare/compare.h"

G_BEGIN_DECLS

/* Looks for where the schedules of columns diverge that differ by their policy alone, or of
 * two-level by its active set: of several seeds with the first one. FALSE with ERROR. */
gboolean wp_compare_find_divergences (const WpCompare *compare, const GPtrArray *runs,
                                      WpBatch *batch, WpComparison *comparison, GError **error);

/* Puts the metrics of all columns into COMPARISON; those of single runs are taken over. */
void wp_compare_fill (const WpCompare *compare, GPtrArray *runs, WpComparison *comparison);

G_END_DECLS
