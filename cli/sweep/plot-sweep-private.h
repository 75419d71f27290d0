/* SPDX-License-Identifier: MIT */
/* The parts of plot-sweep.h. Private to plot-sweep*.c. */
#pragma once

#include "cli/sweep/plot-sweep.h"
#include "run/base/sample.h"

G_BEGIN_DECLS

/* Columns of the table that are read. */
enum
{
  WP_SWEEP_PLOT_ERROR,
  WP_SWEEP_PLOT_SMS,
  WP_SWEEP_PLOT_BLOCKS,
  WP_SWEEP_PLOT_RESIDENT_BLOCKS,
  WP_SWEEP_PLOT_RESIDENT_WARPS,
  WP_SWEEP_PLOT_IPC,
  WP_SWEEP_PLOT_RATE,
  WP_SWEEP_PLOT_TIME,
  WP_SWEEP_PLOT_N_COLUMNS
};

/* An axis of the sweep, GPUs and parameters among them. */
typedef struct
{
  const gchar *name;
  const GArray *ranges; /* or NULL */
  gint setting;         /* of the kernel's parameters, or -1 */
  gint gpu_set;         /* of what --gpu-set gives values, or -1 */
  WpAxis axis;          /* where it is neither */
  guint64 count;
  gboolean is_numeric, bounds; /* a number; bounds depend on it */
} WpSweepPlotAxis;

/* A run, or those of all seeds together, of which these are the means. */
typedef struct
{
  guint64 row;         /* the first */
  gdouble warps, rate; /* warps resident; warps a cycle and SM */
  WpSample y;          /* what is drawn of instructions a cycle and SM; of each seed */
} WpSweepPlotRun;

struct WpSweepPlot
{
  const WpSweep *sweep;
  WpSweepPlotKind kind;
  guint share;
  GArray *axes;    /* of WpSweepPlotAxis, the one that varies slowest first */
  guint x;         /* the horizontal axis, or axes->len: warps resident */
  guint64 n_seeds; /* rows that make one point, their mean; 1: seeds are an axis like others */
  guint n_series;
  gint columns[WP_SWEEP_PLOT_N_COLUMNS]; /* places in a row */
  GArray *runs;                          /* of WpSweepPlotRun; not of bars */
  GArray *values;    /* of gdouble: of bars, each row's time, or instructions a cycle; NAN: none */
  gint base;         /* the policy that bars are compared with, or -1: there is one only */
  guint64 n_refused; /* rows without metrics */
};

/* ---- plot-sweep-axes.c ---- */

/* Makes plot->axes. */
void wp_sweep_plot_list_axes (WpSweepPlot *plot);

const WpSweepPlotAxis *wp_sweep_plot_get_axis (const WpSweepPlot *plot, guint i);

/* Which axis is WANTED of the sweep's own. */
guint wp_sweep_plot_find_axis (const WpSweepPlot *plot, WpAxis wanted);

/* The axis of --occupancy, or that of --blocks where needed occupancy is to be found and blocks
 * vary in its place: without limits all of them are resident, and none is replaced. */
guint wp_sweep_plot_find_occupancy (const WpSweepPlot *plot);

/* The first axis of numbers, of SETTINGS only where that is true, that varies, or axes->len.
 * Figures of GPUs come last. */
guint wp_sweep_plot_find_numeric (const WpSweepPlot *plot, gboolean settings);

/* The number that axis I has in ROW; where its values are no numbers, and of --gpu-set, which of
 * them. */
guint64 wp_sweep_plot_get_number (const WpSweepPlot *plot, guint64 row, guint i);

/* Where ROW is along axis I, of numbers. */
gdouble wp_sweep_plot_get_position (const WpSweepPlot *plot, guint64 row, guint i);

/* What axis I of --gpu-set has values of. */
const WpSweepGpuSet *wp_sweep_plot_get_gpu_set (const WpSweepPlot *plot, guint i);

/* Numbers of axis X (gdouble), rising, each once. Free with g_array_unref(). */
GArray *wp_sweep_plot_get_values (const WpSweepPlot *plot);

/* Whether bars are geometric means over kernels, all of them. */
gboolean wp_sweep_plot_is_mean (const WpSweepPlot *plot);

/* Whether the values of axis I make series. */
gboolean wp_sweep_plot_makes_series (const WpSweepPlot *plot, guint i);

/* The series of ROW, and a row of series I: axes that make none have their first value. */
guint wp_sweep_plot_get_series (const WpSweepPlot *plot, guint64 row);
guint64 wp_sweep_plot_get_row (const WpSweepPlot *plot, guint i);

/* The first series that has the bounds of series I: its line is drawn for all of them. */
guint wp_sweep_plot_get_line (const WpSweepPlot *plot, guint i);
guint wp_sweep_plot_count_lines (const WpSweepPlot *plot);

/* ROW with value DIGIT, its place in the list, of axis I. */
guint64 wp_sweep_plot_set_digit (const WpSweepPlot *plot, guint64 row, guint i, guint64 digit);

/* ---- plot-sweep-bounds.c ---- */

/* Of one warp on an SM. */
typedef struct
{
  gdouble latency, throughput; /* cycles */
  gdouble instructions;
} WpSweepPlotBounds;

/* What finding bounds takes. */
typedef struct
{
  const WpProgress *progress;
  guint64 max_steps;
  gint *interrupted;       /* out */
  gboolean *are_estimates; /* out: some of those found are */
} WpSweepPlotSearch;

/* The bounds of ROW, with VALUE of axis X where that is a parameter. What cannot run has none
 * (NAN). False with ERROR, or where it was cancelled. */
gboolean wp_sweep_plot_find_bounds (const WpSweepPlot *plot, guint64 row, guint64 value,
                                    const WpSweepPlotSearch *search, WpSweepPlotBounds *bounds,
                                    GError **error);

/* Instructions a cycle and SM that BOUNDS allow with WARPS; infinite where nothing does. */
gdouble wp_sweep_plot_bounds_get_ipc (const WpSweepPlotBounds *bounds, gdouble warps);

/* The warps from which on throughput bounds. */
gdouble wp_sweep_plot_bounds_get_ridge (const WpSweepPlotBounds *bounds);

/* ---- plot-sweep-words.c ---- */

/* What axis K has in ROW, as words. Free with g_free(). */
gchar *wp_sweep_plot_describe (const WpSweepPlot *plot, guint64 row, guint k);

/* What distinguishes series I from the others. Free with g_free(). */
gchar *wp_sweep_plot_get_label (const WpSweepPlot *plot, guint i);

/* Writes the titles, and what the axes are. */
void wp_sweep_plot_label (const WpSweepPlot *plot, WpPlot *figure);

/* The look of the line of series I. */
guint wp_sweep_plot_get_line_look (const WpSweepPlot *plot, guint i);

/* Makes the legend: a series that has a line of its own is one entry with it. SUFFIXES, [n_series]
 * or NULL, is what the legend adds for the line of each, or NULL: nothing. */
void wp_sweep_plot_add_entries (const WpSweepPlot *plot, WpPlot *figure, gboolean are_estimates,
                                gchar *const *suffixes);

/* ---- plot-sweep-lines.c, plot-sweep-needed.c ---- */

/* Draw all of a kind of figure, as plot->kind and plot->x choose. False with ERROR, or where it was
 * cancelled. */
gboolean wp_sweep_plot_draw_by_occupancy (const WpSweepPlot *plot, WpPlot *figure,
                                          const WpSweepPlotSearch *search, GError **error);
gboolean wp_sweep_plot_draw_by_axis (const WpSweepPlot *plot, WpPlot *figure,
                                     const WpSweepPlotSearch *search, GError **error);
gboolean wp_sweep_plot_draw_needed (const WpSweepPlot *plot, WpPlot *figure,
                                    const WpSweepPlotSearch *search, GError **error);

/* ---- plot-sweep-bars.c ---- */

void wp_sweep_plot_draw_bars (const WpSweepPlot *plot, WpPlot *figure);

G_END_DECLS
