/* SPDX-License-Identifier: MIT */
/* What warpipe compare shows of its runs beside their metrics: the page and the plot, for which it
 * observes the runs. */
#pragma once

#include "cli/compare/compare-options.h"
#include "run/base/output.h"

G_BEGIN_DECLS

/* Sets the callbacks of OPTIONS->compare, whose data are OPTIONS. */
void wp_compare_view_attach (WpCompareOptions *options);

/* Writes RUNS as one page into HTML, and finishes that. FALSE with ERROR; it does nothing where
 * BATCH is interrupted meanwhile. */
gboolean wp_compare_view_write_page (const WpComparison *comparison, const GPtrArray *runs,
                                     WpBatch *batch, WpOutput *html, GError **error);

/* Draws the plot that OPTIONS ask for, if any. FALSE with ERROR. */
gboolean wp_compare_view_draw (WpCompareOptions *options, const WpComparison *comparison,
                               const GPtrArray *runs, WpBatch *batch, GError **error);

G_END_DECLS
