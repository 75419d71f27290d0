/* SPDX-License-Identifier: MIT */
/* A plot as plain data, the gnuplot script (gnuplot 5.4) that draws it, and its data as a table or
 * for TeX, for those who draw themselves. It does not know what the data mean.
 *
 * A plot is readable without its colours: a look is a colour, a dash and a point symbol, and no two
 * of the WP_PLOT_N_LOOKS looks share both dash and symbol. Texts may contain anything: unprintable
 * characters are written as escapes, and nothing in a text has a meaning for gnuplot. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The look of what belongs to no series: a plain black line. */
#define WP_PLOT_BLACK 5
/* Another one, beside bars, of which there may be a sixth. */
#define WP_PLOT_BASE 45
#define WP_PLOT_N_BARS 12  /* side by side that differ in their patterns */
#define WP_PLOT_N_LOOKS 24 /* 12 of them differ in their symbols, too */
#define WP_PLOT_N_SYMBOLS 12

typedef struct WpPlot WpPlot;

/* A size in print. Zeros and NULL: what suits a screen. */
typedef struct
{
  gdouble width, height; /* mm; a height of 0: 3/5 of the width */
  const gchar *font;     /* its name, borrowed */
  gdouble points;        /* of the font; 0: 8 in print */
} WpPlotPaper;

/* A file format for plots. */
typedef struct
{
  const gchar *suffix;   /* ".svg" */
  const gchar *terminal; /* gnuplot's name of it, or NULL where gnuplot is not needed */
  const gchar *tail;     /* what the last bytes of a complete file contain */
  gsize n_tail;
  gchar *(*make_text) (const WpPlot *plot, const WpPlotPaper *paper); /* without gnuplot; or NULL */
} WpPlotFormat;

/* Returns the format that the suffix of FILE asks for, in upper or lower case, or NULL if it is
 * none of ours. */
const WpPlotFormat *wp_plot_format_find (const gchar *file);

/* Returns the I-th format, or NULL past the last; gnuplot draws the first. */
const WpPlotFormat *wp_plot_format_get (guint i);

/* Where letters and lines go in print. */
typedef struct
{
  gdouble width, height;  /* mm, with the legend */
  gdouble points;         /* of the font */
  guint columns;          /* of a legend below; 0: it is at the side */
  guint label_characters; /* that fit beside the vertical axis; 0: as many as there are */
  gdouble symbols;        /* what their sizes are multiplied by */
} WpPlotLayout;

/* Lays PLOT out on PAPER. */
WpPlotLayout wp_plot_lay_out (const WpPlot *plot, const WpPlotFormat *format,
                              const WpPlotPaper *paper);

/* Returns what follows "set terminal" for FORMAT, one of gnuplot's. Free with g_free(). */
gchar *wp_plot_format_get_terminal (const WpPlotFormat *format, const WpPlotPaper *paper,
                                    const WpPlotLayout *layout);

typedef enum
{
  WP_PLOT_POINTS, /* equal points are drawn once */
  WP_PLOT_LINES,
  WP_PLOT_STEPS,            /* a value holds until the next one */
  WP_PLOT_LINES_AND_POINTS, /* with a symbol now and then, to tell lines apart */
  WP_PLOT_BARS              /* x is 0, 1, ...: the index of a named place */
} WpPlotStyle;

typedef struct
{
  gdouble x, y;
  gdouble low, high; /* ends of a bar through the point; used if the series has_bars */
} WpPlotPoint;

typedef struct
{
  WpPlotStyle style;
  guint look;
  GArray *points;    /* of WpPlotPoint; y NAN interrupts the line */
  gboolean has_bars; /* for WP_PLOT_POINTS and WP_PLOT_BARS */
  guint slot;        /* of WP_PLOT_BARS: which of the bars at its place, from the left */
} WpPlotSeries;

typedef struct
{
  gchar *label;     /* including the unit */
  gboolean is_log;  /* a horizontal logarithmic axis has an extra place for 0, a vertical one has
                     * none */
  gdouble from, to; /* NAN: taken from the data */
} WpPlotAxis;

/* A point with a text next to it. */
typedef struct
{
  gdouble x, y;
  guint look; /* G_MAXUINT: only the text, above the point */
  gchar *text;
} WpPlotMark;

/* An entry of the legend. Its sample is drawn in each of the styles that are set. */
typedef struct
{
  gchar *text;
  guint look;
  gboolean has_line, has_point, has_box;
} WpPlotEntry;

struct WpPlot
{
  gchar *title, *subtitle; /* the subtitle is smaller, or NULL */
  WpPlotAxis x, y;
  gchar *legend;     /* title of the legend, or NULL */
  GPtrArray *series; /* of WpPlotSeries, drawn in this order */
  GArray *marks;     /* of WpPlotMark */
  GArray *entries;   /* of WpPlotEntry */
  GPtrArray *places; /* of gchar: names of the places of bars */
  guint n_bars;      /* that stand side by side at a place, with patterns; 0: one without */
};

/* Returns an empty plot. Free with wp_plot_free(). */
WpPlot *wp_plot_new (void);
void wp_plot_free (WpPlot *plot);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpPlot, wp_plot_free)

/* Adds a series, which belongs to PLOT, and returns it. */
WpPlotSeries *wp_plot_add_series (WpPlot *plot, WpPlotStyle style, guint look);

/* Adds a point. One that is not finite interrupts the line. */
void wp_plot_series_add (WpPlotSeries *series, gdouble x, gdouble y);

/* Adds a point with a bar from LOW to HIGH; SERIES must have has_bars set. */
void wp_plot_series_add_spread (WpPlotSeries *series, gdouble x, gdouble y, gdouble low,
                                gdouble high);

/* These copy their texts. */
void wp_plot_add_mark (WpPlot *plot, gdouble x, gdouble y, guint look, const gchar *text);
void wp_plot_add_entry (WpPlot *plot, guint look, gboolean has_line, gboolean has_point,
                        const gchar *text);

/* The same with a bar as the sample, of a plot whose bars stand side by side. */
void wp_plot_add_box_entry (WpPlot *plot, guint look, const gchar *text);

/* Where a point of SERIES of PLOT is drawn that is at X: bars stand beside one another. */
gdouble wp_plot_place_bar (const WpPlot *plot, const WpPlotSeries *series, gdouble x);

/* How wide a bar is, in places. */
gdouble wp_plot_get_bar_width (const WpPlot *plot);

/* Tells whether, with N bars, the text of a mark is written horizontally above its bar, in several
 * lines; otherwise it is vertical, in one line. */
gboolean wp_plot_has_wide_places (guint n);

/* Tells whether there is any point to draw. */
gboolean wp_plot_has_points (const WpPlot *plot);

/* Tells whether a plot on PAPER is for print, where the caption has its title, and whether that is
 * too narrow for a legend at its side. */
gboolean wp_plot_is_in_print (const WpPlotPaper *paper);
gboolean wp_plot_is_narrow (const WpPlotPaper *paper);

/* Returns the text of the legend for what has LOOK, or NULL if there is none. Borrowed. */
const gchar *wp_plot_find_entry (const WpPlot *plot, guint look);

/* Appends VALUE with nine significant digits, in the C locale. */
void wp_plot_append_number (GString *text, gdouble value);

/* Returns the script that draws PLOT, which must have points, as FORMAT, one of gnuplot's, on PAPER
 * into the file OUTPUT (NULL: to standard output). Equal plots give equal bytes. Free with
 * g_free(). */
gchar *wp_plot_get_script (const WpPlot *plot, const WpPlotFormat *format, const WpPlotPaper *paper,
                           const gchar *output);

/* Returns the points of PLOT as CSV: series, style (points, lines, steps, lines and points, bars),
 * x and y under the names of the axes, and low and high, the ends of a bar through the point. Free
 * with g_free(). */
gchar *wp_plot_get_csv (const WpPlot *plot, const WpPlotPaper *paper);

/* Returns PLOT as TeX for the package pgfplots, to be \input where a picture is to stand. Free with
 * g_free(). */
gchar *wp_plot_get_tex (const WpPlot *plot, const WpPlotPaper *paper);

/* ---- For tests ---- */

/* Returns TEXT as a gnuplot string literal in which nothing has a special meaning. Free with
 * g_free(). */
gchar *wp_plot_quote (const gchar *text);

G_END_DECLS
