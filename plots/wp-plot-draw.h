/* SPDX-License-Identifier: MIT */
/* Has gnuplot draw a figure. */
#pragma once

#include "plots/wp-child.h"

G_BEGIN_DECLS

/* Draws PLOT, which has points, as FORMAT, and returns the picture, whole; STOP, DATA, *STOPPED and
 * ERROR are as those of wp_child_draw(). */
GString *wp_plot_draw (const WpPlot *plot, const WpPlotFormat *format, WpChildStop stop,
                       gpointer data, gint *stopped, GError **error);

G_END_DECLS
