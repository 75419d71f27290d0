/* SPDX-License-Identifier: MIT */
/* Draws a plot by running gnuplot. */
#pragma once

#include "plots/wp-child.h"

G_BEGIN_DECLS

/* Draws PLOT, which must have points, as FORMAT on PAPER and returns the whole picture. STOP, DATA,
 * *STOPPED and ERROR are as for wp_child_draw(). Free with g_string_free(). */
GString *wp_plot_draw (const WpPlot *plot, const WpPlotFormat *format, const WpPlotPaper *paper,
                       WpChildStop stop, gpointer data, gint *stopped, GError **error);

G_END_DECLS
