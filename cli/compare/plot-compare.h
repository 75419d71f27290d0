/* SPDX-License-Identifier: MIT */
/* Plots of a comparison: times as bars, the warps resident over time, or how long warps lived. */
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

/* What to draw of a run beside its metrics; empty where it is not drawn. */
typedef struct
{
  GArray *points;  /* of WpPlotPoint, x in cycles, y in warps or per cent of them; or NULL */
  gdouble stretch; /* cycles that each point is the mean of, or 0 */
} WpRunCurve;

void wp_run_curve_clear (WpRunCurve *curve);

/* Fill CURVE: with the warps resident on one of SMS SMs until the run's END, or with the
 * distribution of LIFETIMES. */
void wp_run_curve_take_occupancy (WpRunCurve *curve, WpCurve *warps, WpTick end,
                                  gdouble ticks_per_cycle, guint sms);
void wp_run_curve_take_lifetimes (WpRunCurve *curve, const WpLifetimes *lifetimes,
                                  gdouble ticks_per_cycle);

/* The plot of COMPARISON; CURVES [n runs] are not used for bars. HEADING, a line or two, says what
 * all runs have in common. Free with wp_plot_free(). */
WpPlot *wp_comparison_get_plot (const WpComparison *comparison, WpComparePlotKind kind,
                                const WpRunCurve *const *curves, const gchar *heading);

G_END_DECLS
