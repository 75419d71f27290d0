/* SPDX-License-Identifier: MIT */
/* A figure as plain data, and the gnuplot script that draws it (gnuplot 5.4). Knows nothing of what
 * is plotted.
 *
 * A figure is readable without its colours: a look is a colour, a dash and a point symbol, and no
 * two of WP_PLOT_N_LOOKS have the same dash and symbol. Texts may hold anything: what does not
 * print is written as an escape, and nothing in them means anything to gnuplot.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A look for what belongs to no series of its own: a plain black line. */
#define WP_PLOT_BLACK 5
#define WP_PLOT_N_LOOKS 24 /* 12 of them differ in their symbols, too */
#define WP_PLOT_N_SYMBOLS 12

/* What a picture can be. */
typedef struct
{
  const gchar *suffix;   /* ".svg" */
  const gchar *terminal; /* what follows "set terminal" */
  const gchar *tail;     /* what its last bytes hold, if it is whole */
  gsize n_tail;
} WpPlotFormat;

/* The format that FILE's name asks for, its letters small or capital, or NULL: none of them. */
const WpPlotFormat *wp_plot_format_find (const gchar *file);

/* The I-th format, or NULL past the last. */
const WpPlotFormat *wp_plot_format_get (guint i);

typedef enum
{
  WP_PLOT_POINTS, /* a point that comes again is drawn once */
  WP_PLOT_LINES,
  WP_PLOT_STEPS,            /* a value holds until the next one */
  WP_PLOT_LINES_AND_POINTS, /* a symbol now and then, to tell lines apart */
  WP_PLOT_BARS              /* x are 0, 1, ...: places with names */
} WpPlotStyle;

typedef struct
{
  gdouble x, y;
  gdouble low,
      high; /* a bar from one to the other through the point; only where the series has_bars */
} WpPlotPoint;

typedef struct
{
  WpPlotStyle style;
  guint look;
  GArray *points;    /* of WpPlotPoint; y NAN: the line is broken there */
  gboolean has_bars; /* of WP_PLOT_POINTS and WP_PLOT_BARS */
} WpPlotSeries;

typedef struct
{
  gchar *label;     /* with its unit */
  gboolean is_log;  /* to the right 0 gets a place of its own; upwards it has none */
  gdouble from, to; /* NAN: as the data have it */
} WpPlotAxis;

/* A point with a text beside it. */
typedef struct
{
  gdouble x, y;
  guint look; /* G_MAXUINT: the text alone, above the point */
  gchar *text;
} WpPlotMark;

/* An entry of the legend; its sample is drawn in each of the styles that are set. */
typedef struct
{
  gchar *text;
  guint look;
  gboolean has_line, has_point;
} WpPlotEntry;

typedef struct
{
  gchar *title, *subtitle; /* the second smaller, or NULL */
  WpPlotAxis x, y;
  gchar *legend;     /* the legend's own title, or NULL */
  GPtrArray *series; /* of WpPlotSeries, drawn in this order */
  GArray *marks;     /* of WpPlotMark */
  GArray *entries;   /* of WpPlotEntry */
  GPtrArray *places; /* of gchar: names of the places of bars */
} WpPlot;

/* An empty figure. */
WpPlot *wp_plot_new (void);
void wp_plot_free (WpPlot *plot);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpPlot, wp_plot_free)

/* Another series, which belongs to PLOT. */
WpPlotSeries *wp_plot_add_series (WpPlot *plot, WpPlotStyle style, guint look);

/* Adds a point; one that is not finite breaks the line. */
void wp_plot_series_add (WpPlotSeries *series, gdouble x, gdouble y);

/* The same with a bar from LOW to HIGH, for which SERIES has_bars. */
void wp_plot_series_add_spread (WpPlotSeries *series, gdouble x, gdouble y, gdouble low,
                                gdouble high);

/* Texts are copied. */
void wp_plot_add_mark (WpPlot *plot, gdouble x, gdouble y, guint look, const gchar *text);
void wp_plot_add_entry (WpPlot *plot, guint look, gboolean has_line, gboolean has_point,
                        const gchar *text);

/* Whether with N bars the text of a mark is written above each in lines; else it stands upright, in
 * one. */
gboolean wp_plot_has_wide_places (guint n);

/* Whether there is a point to draw. */
gboolean wp_plot_has_points (const WpPlot *plot);

/* The script that draws PLOT, which has points, as FORMAT into OUTPUT, a file's name; NULL: to
 * standard output. The same bytes for the same figure. Free with g_free(). */
gchar *wp_plot_get_script (const WpPlot *plot, const WpPlotFormat *format, const gchar *output);

/* ---- For tests ---- */

/* TEXT as a string of gnuplot's, of which nothing is taken for anything else. Free with g_free().
 */
gchar *wp_plot_quote (const gchar *text);

G_END_DECLS
