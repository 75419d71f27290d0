/* SPDX-License-Identifier: MIT */
/* Plots of what a command found: their options, and the files that these name. plot-*.c of a
 * command decides what is drawn. */
#pragma once

#include "cli/common/cli-files.h"
#include "cli/common/cli.h"
#include "plots/wp-plot.h"
#include "run/base/output.h"
#include "run/base/progress.h"

G_BEGIN_DECLS

/* Series that a reader can tell apart. */
#define WP_PLOT_MAX_SERIES 12

typedef struct
{
  gchar *plot, *script, *kind_name, *size, *font; /* as written, or NULL */
  const WpPlotFormat *format, *script_format;     /* of the plot; of what the script draws */
  WpPlotPaper paper;
  gchar *font_name; /* paper's */
  gint kind;        /* which of the command's, or -1: not given */
  WpOutput *plot_output, *script_output;
} WpPlotOptions;

void wp_plot_options_clear (WpPlotOptions *options);

/* Adds their options to TABLE; KINDS are those of the command, "bars|lifetimes". */
void wp_cli_add_plot_options (WpOptionTable *table, WpPlotOptions *options, const gchar *kinds);

/* Whether a plot or its script is wanted. */
gboolean wp_plot_is_wanted (const WpPlotOptions *options);

/* Checks what was written. KINDS: names, NULL-terminated. INPUTS are what the command reads.
 * OTHERS: further files that it writes, [N], NULL where it does not. False: an error has been
 * printed. */
gboolean wp_cli_parse_plot (const WpCommand *command, WpPlotOptions *options,
                            const gchar *const *kinds, const WpInputs *inputs,
                            const gchar *const *others, guint n);

/* Opens the files; to be called before anything runs. False with ERROR. */
gboolean wp_plot_open (WpPlotOptions *options, GError **error);

/* Writes the script of PLOT, then has gnuplot draw it, unless PROGRESS cancels that: *INTERRUPTED
 * is its answer then, and files that were not finished are not written. False with ERROR; the
 * script may have been written even so. */
gboolean wp_plot_write (WpPlotOptions *options, const WpPlot *plot, const WpProgress *progress,
                        gint *interrupted, GError **error);

/* NAME, a file's or a GPU's, short enough for a title. Free with g_free(). */
gchar *wp_plot_shorten (const gchar *name);

/* The same of the I-th of NAMES (NULL-terminated, all different), but with all that distinguishes
 * it from the others. Free with g_free(). */
gchar *wp_plot_shorten_one (const gchar *const *names, guint i);

/* VALUE with DIGITS significant digits, all those before the point and no exponent. Free with
 * g_free(). */
gchar *wp_plot_print (gdouble value, gint digits);

/* Whether VALUES, of which MEDIAN is the median, want a logarithmic axis: they grow by factors
 * rather than by steps. */
gboolean wp_plot_wants_log (gdouble least, gdouble median, gdouble most);

G_END_DECLS
