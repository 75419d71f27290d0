/* SPDX-License-Identifier: MIT */
/* A sweep as a figure: its runs as points, what bounds them as lines (MODEL.md, section 10). */
#pragma once

#include "plots/wp-plot.h"
#include "run/base/progress.h"
#include "run/sweep/sweep.h"

G_BEGIN_DECLS

/* In the order of wp_sweep_plot_kinds. */
typedef enum
{
  WP_SWEEP_PLOT_THROUGHPUT, /* instructions a cycle, by occupancy or by what else varies */
  WP_SWEEP_PLOT_CPI,        /* cycles an instruction, likewise */
  WP_SWEEP_PLOT_NEEDED,     /* the least occupancy that will do, by a parameter of the kernel */
  WP_SWEEP_PLOT_BARS        /* grouped bars, compared with one policy where several vary */
} WpSweepPlotKind;

#define WP_SWEEP_PLOT_KINDS "throughput|cpi|needed|bars"
extern const gchar *const wp_sweep_plot_kinds[]; /* NULL-terminated */

#define WP_SWEEP_PLOT_MAX_ROWS 100000
#define WP_SWEEP_PLOT_SHARE 98 /* per cent of the throughput bound that will do */

typedef struct WpSweepPlot WpSweepPlot;

/* What to draw. */
typedef struct
{
  gint kind;      /* of WpSweepPlotKind, or -1: what suits */
  guint share;    /* per cent */
  const gchar *x; /* the name of the horizontal axis, as of its option; or NULL: what suits */
} WpSweepPlotWish;

/* A plot of SWEEP (borrowed). NULL with ERROR where such a plot would show nothing, or more than
 * can be told apart. */
WpSweepPlot *wp_sweep_plot_new (const WpSweep *sweep, const WpSweepPlotWish *wish, GError **error);
void wp_sweep_plot_free (WpSweepPlot *plot);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpSweepPlot, wp_sweep_plot_free)

WpSweepPlotKind wp_sweep_plot_get_kind (const WpSweepPlot *plot);

/* Takes what it needs of ROW (from 0), a line of the table. DATA is a WpSweepPlot; for
 * WpSweepTable. */
void wp_sweep_plot_take (gpointer data, guint64 row, const gchar *line);

/* The figure of the rows taken; finds the bounds first. Prints on standard error what is left out.
 * NULL with ERROR, or where *INTERRUPTED is not 0: see wp_find_bounds(). */
WpPlot *wp_sweep_plot_make (WpSweepPlot *plot, const WpProgress *progress, guint64 max_steps,
                            gint *interrupted, GError **error);

G_END_DECLS
