/* SPDX-License-Identifier: MIT */
/* Has gnuplot draw a figure. */
#pragma once

#include <stdio.h>

#include "plots/wp-plot.h"

G_BEGIN_DECLS

#define WP_PLOT_ERROR (wp_plot_error_quark ())
GQuark wp_plot_error_quark (void);

typedef enum
{
  WP_PLOT_ERROR_MISSING, /* there is no gnuplot */
  WP_PLOT_ERROR_GNUPLOT, /* it failed */
  WP_PLOT_ERROR_FILE     /* what it reads or writes could not be read or written */
} WpPlotError;

/* Asked now and then while gnuplot draws: what is not 0 ends it. */
typedef gint (*WpPlotStop) (gpointer data);

/* Draws PLOT, which has points, as FORMAT, and writes the picture, whole, to OUT. Where STOP has said anything but 0,
 * gnuplot is gone, nothing is written, and that is in *STOPPED. Signals that the caller blocks are not blocked in gnuplot.
 * False with ERROR. */
gboolean wp_plot_draw (const WpPlot *plot, const WpPlotFormat *format, FILE *out, WpPlotStop stop,
                       gpointer data, gint *stopped, GError **error);

G_END_DECLS
