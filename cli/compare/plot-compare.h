/* SPDX-License-Identifier: MIT */
/* A comparison as a figure: times as bars, or over time what was resident, or how long warps lived.
 */
#pragma once

#include "plots/wp-plot.h"
#include "run/compare/metrics.h"
#include "traces/table/wp-curve.h"

G_BEGIN_DECLS

/* In the order of wp_compare_plot_kinds. */
typedef enum
{
  WP_COMPARE_PLOT_BARS,
  WP_COMPARE_PLOT_OCCUPANCY,
  WP_COMPARE_PLOT_LIFETIMES
} WpComparePlotKind;

#define WP_COMPARE_PLOT_KINDS "bars|occupancy|lifetimes"
extern const gchar *const wp_compare_plot_kinds[]; /* NULL-terminated */

/* What of a run WpMetrics does not hold; empty where it is not drawn. */
typedef struct
{
  GArray
      *points; /* of WpPlotPoint, x in cycles: warps resident, or per cent of the warps; or NULL */
  gdouble stretch; /* cycles that each point is the mean of, or 0 */
} WpRunCurve;

void wp_run_curve_clear (WpRunCurve *curve);

/* What CURVE holds of a run of so many SMs that ended at END, in cycles. */
void wp_run_curve_take_occupancy (WpRunCurve *curve, WpCurve *warps, WpTick end,
                                  gdouble ticks_per_cycle, guint sms);
void wp_run_curve_take_lifetimes (WpRunCurve *curve, const WpLifetimes *lifetimes,
                                  gdouble ticks_per_cycle);

/* The figure of COMPARISON; CURVES [n runs] are NULL for bars. HEADING: what all runs are of, a
 * line or two. */
WpPlot *wp_comparison_get_plot (const WpComparison *comparison, WpComparePlotKind kind,
                                const WpRunCurve *const *curves, const gchar *heading);

G_END_DECLS
