/* SPDX-License-Identifier: MIT */
/* The parts of the bounds' text, and what they share. */
#pragma once

#include "cli/common/cli-text.h"
#include "cli/report/report-bounds.h"

G_BEGIN_DECLS

/* Helpers: report-bounds-words.c. */
gboolean wp_bounds_is_zero (WpMean mean);

/* "cycle" or "cycles", to follow NUMBER. Static. */
const gchar *wp_bounds_name_cycles (const gchar *number);

/* An op and its context (or NULL), "ld.global stride-2", cut where it is long. Free with g_free().
 */
gchar *wp_bounds_join_op (const gchar *op, const gchar *context);

/* The latency bound with its critical path: report-bounds-path.c. */
void wp_bounds_report_print_latency (const WpBoundsReport *report, const WpTextStyle *style);

/* The throughput bound as a worksheet: report-bounds-sheet.c. */
void wp_bounds_report_print_worksheet (const WpBoundsReport *report, const WpTextStyle *style);

/* The throughput at every occupancy: report-bounds-curve.c. */
void wp_bounds_report_print_curve (const WpBoundsReport *report, const WpTextStyle *style);

G_END_DECLS
