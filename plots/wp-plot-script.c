/* SPDX-License-Identifier: MIT */
/* Writes gnuplot scripts. Ranges, tics and the positions of texts are decided here and not left to
 * gnuplot, so that a plot looks the same in all formats, and the legend does not cover data.
 *
 * Strings are in single quotes, in which gnuplot expands nothing (in double ones, `...` runs a
 * program), and text is not enhanced, so that an underscore is an underscore. */
#include "plots/wp-plot.h"

#include <math.h>
#include <string.h>

#define LINE 80        /* characters of a line below a plot */
#define ZERO_FROM 0.88 /* the line at the place of 0 is as wide as a symbol */
#define ZERO_TO 1.13
#define WIDE_PLACES 8 /* with more bars, there is no room for a number above each */

gboolean
wp_plot_has_wide_places (guint n)
{
  return n <= WIDE_PLACES;
}

/* ---- Looks ---- */

/* Okabe and Ito's colours, which colour-blind readers can distinguish, but with grey instead of
 * yellow, which is too pale on white. */
static const gchar *const colours[]
    = { "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#000000", "#56b4e9", "#777777" };
/* Dashes. Their number and that of the colours have no common divisor, so that all combinations
 * occur. */
static const gchar *const dashes[] = { "1", "(12,5)", "(3,4)", "(12,4,3,4)", "(20,5)" };
/* Fills of bars side by side, which differ without their colours. */
static const gchar *const fills[WP_PLOT_N_BARS]
    = { "solid 0.85", "pattern 4", "solid 0.2", "pattern 1", "solid 1",   "pattern 5",
        "pattern 0",  "pattern 6", "pattern 2", "pattern 7", "solid 0.7", "solid 0.35" };
/* gnuplot's symbols and their sizes, chosen so that symbols in the same place remain visible
 * through or around each other. */
static const struct
{
  guint number;
  gdouble size;
} symbols[WP_PLOT_N_SYMBOLS]
    = { { 6, 0.9 },   { 1, 0.75 }, { 4, 0.85 }, { 2, 0.55 }, { 8, 1.1 },  { 7, 0.35 },
        { 10, 0.65 }, { 14, 1.1 }, { 5, 0.4 },  { 9, 0.5 },  { 12, 1.1 }, { 13, 0.55 } };

static const gchar *
get_colour (guint look)
{
  return colours[look % G_N_ELEMENTS (colours)];
}

static const gchar *
get_dash (guint look)
{
  return dashes[look % G_N_ELEMENTS (dashes)];
}

static void
append_symbol (GString *script, guint look, const WpPlotLayout *layout)
{
  g_string_append_printf (script, " pt %u ps ", symbols[look % WP_PLOT_N_SYMBOLS].number);
  wp_plot_append_number (script, symbols[look % WP_PLOT_N_SYMBOLS].size * layout->symbols);
}

/* ---- Words ---- */

/* Appends BEFORE, TEXT as a string, and AFTER. */
static void
append_with_text (GString *script, const gchar *before, const gchar *text, const gchar *after)
{
  g_autofree gchar *quoted = wp_plot_quote (text);

  g_string_append_printf (script, "%s%s%s", before, quoted, after);
}

/* ---- Axes ---- */

/* The layout of an axis. */
typedef struct
{
  const WpPlotAxis *axis;
  gboolean is_y;
  gdouble least, most; /* range of the data; on a logarithmic axis, of those above 0 */
  gboolean has_zero;   /* a logarithmic axis has values without a place */
  gdouble zero;        /* where those values go */
  gdouble from, to;
} Range;

static void
take_value (Range *range, gdouble value)
{
  if (range->axis->is_log && value <= 0)
    range->has_zero = TRUE;
  else
    {
      range->least = fmin (range->least, value);
      range->most = fmax (range->most, value);
    }
}

/* Chooses ends with some room around the data, where the axis does not set them. */
static void
find_ends (Range *range)
{
  const gdouble least = range->least, most = range->most;
  gdouble room = most > least ? (most - least) * 0.05 : fmax (fabs (most) * 0.1, 0.5);

  if (range->axis->is_log)
    {
      range->zero = least / 2;
      range->from = (range->has_zero ? range->zero : least) / 1.25;
      range->to = most * 1.25;
    }
  else
    {
      range->from = least - room;
      range->to = most + (range->is_y ? 2 : 1) * room; /* there may be text above a point */
    }
  if (!isnan (range->axis->from))
    range->from = range->axis->from;
  if (!isnan (range->axis->to))
    range->to = range->axis->to;
  if (!(range->to > range->from))
    range->to = range->from + 1;
}

/* Tells whether POINT can be drawn: on a logarithmic axis with a range from the data, only what is
 * above 0 can. */
static gboolean
has_place (const WpPlot *plot, const WpPlotPoint *point)
{
  return !isnan (point->y) && (!plot->y.is_log || point->y > 0);
}

static Range
get_range (const WpPlot *plot, gboolean is_y)
{
  Range range = { is_y ? &plot->y : &plot->x, is_y, INFINITY, -INFINITY, FALSE, 0, 0, 0 };

  for (guint i = 0; i < plot->series->len; i++)
    {
      const WpPlotSeries *series = g_ptr_array_index (plot->series, i);

      for (guint k = 0; k < series->points->len; k++)
        {
          const WpPlotPoint *point = &g_array_index (series->points, WpPlotPoint, k);

          if (!has_place (plot, point))
            continue;
          take_value (&range, is_y ? point->y : point->x);
          if (is_y && series->has_bars)
            {
              take_value (&range, point->low);
              take_value (&range, point->high);
            }
        }
    }
  if (range.most < range.least)
    range.least = range.most = 1;
  find_ends (&range);
  return range;
}

/* Returns the position of VALUE. */
static gdouble
place (const Range *range, gdouble value)
{
  return range->axis->is_log && value <= 0 ? range->zero : value;
}

/* LABEL in two lines if it has more than MOST characters (0: any number). Free with g_free(). */
static gchar *
break_label (const gchar *label, guint most)
{
  gchar *broken = g_strdup (label);
  glong length = g_utf8_strlen (label, -1);
  gchar *middle = g_utf8_offset_to_pointer (broken, length / 2), *space;

  if (most == 0 || length <= (glong)most)
    return broken;
  space = strchr (middle, ' ');
  if (space == NULL)
    space = strrchr (broken, ' ');
  if (space != NULL)
    *space = '\n';
  return broken;
}

static void
append_axis (GString *script, const Range *range, gchar name, const WpPlotLayout *layout)
{
  if (range->axis->label != NULL)
    {
      g_autofree gchar *label
          = break_label (range->axis->label, range->is_y ? layout->label_characters : 0);

      g_string_append_printf (script, "set %clabel ", name);
      /* An empty line keeps a legend below away from it. */
      append_with_text (script, "", label,
                        !range->is_y && layout->columns > 0 ? ".\"\\n\"\n" : "\n");
    }
  g_string_append_printf (script, "set %crange [", name);
  wp_plot_append_number (script, range->from);
  g_string_append (script, ":");
  wp_plot_append_number (script, range->to);
  g_string_append (script, "]\n");
  if (!range->axis->is_log)
    return;
  g_string_append_printf (script, "set logscale %c %d\n", name,
                          range->most / range->least <= 4096 ? 2 : 10);
  if (!range->has_zero)
    return;
  g_string_append_printf (script, "set %ctics add ('0' ", name);
  wp_plot_append_number (script, range->zero);
  g_string_append (script, ")\n");
}

/* Escapes the name of a place, which gnuplot uses as a format. Free with g_free(). */
static gchar *
escape_format (const gchar *name)
{
  g_auto (GStrv) parts = g_strsplit (name, "%", -1);

  return g_strjoinv ("%%", parts);
}

static void
append_places (GString *script, const WpPlot *plot)
{
  glong longest = 0;

  for (guint i = 0; i < plot->places->len; i++)
    longest = MAX (longest, g_utf8_strlen (g_ptr_array_index (plot->places, i), -1));
  g_string_append (script, "set xtics nomirror ");
  if (longest * plot->places->len > LINE)
    g_string_append (script, "rotate by 90 right ");
  for (guint i = 0; i < plot->places->len; i++)
    {
      g_autofree gchar *name = escape_format (g_ptr_array_index (plot->places, i));
      g_autofree gchar *number = g_strdup_printf (" %u", i);

      append_with_text (script, i == 0 ? "(" : ", ", name, number);
    }
  g_string_append (script, ")\n");
}

/* ---- Data ---- */

static void
append_point (GString *script, gdouble x, gdouble y)
{
  wp_plot_append_number (script, x);
  g_string_append_c (script, ' ');
  wp_plot_append_number (script, y);
  g_string_append_c (script, '\n');
}

static void
append_bar (GString *script, gdouble x, const WpPlotPoint *point)
{
  const gdouble numbers[] = { x, point->y, point->low, point->high };

  for (gsize i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      g_string_append (script, i > 0 ? " " : "");
      wp_plot_append_number (script, numbers[i]);
    }
  g_string_append_c (script, '\n');
}

/* Tells whether point I of SERIES equals one before it. Equal points are adjacent when a limit
 * makes several runs equal. */
static gboolean
comes_again (const WpPlotSeries *series, guint i)
{
  const WpPlotPoint *point = &g_array_index (series->points, WpPlotPoint, i);

  return i > 0 && series->style == WP_PLOT_POINTS && !series->has_bars && point[-1].x == point->x
         && point[-1].y == point->y;
}

static void
append_data (GString *script, const WpPlot *plot, guint i, const Range *x)
{
  const WpPlotSeries *series = g_ptr_array_index (plot->series, i);
  gboolean is_broken = TRUE, was_zero = FALSE;

  g_string_append_printf (script, "$data%u << EOD\n", i + 1);
  for (guint k = 0; k < series->points->len; k++)
    {
      const WpPlotPoint *point = &g_array_index (series->points, WpPlotPoint, k);
      gboolean is_zero = x->axis->is_log && point->x <= 0;

      /* No line connects the place of 0 with other points. */
      if (!is_broken && (!has_place (plot, point) || was_zero != is_zero))
        g_string_append (script, "\n");
      is_broken = !has_place (plot, point);
      was_zero = is_zero;
      if (is_broken || comes_again (series, k))
        continue;
      if (series->has_bars)
        {
          append_bar (script, is_zero ? x->zero : wp_plot_place_bar (plot, series, point->x),
                      point);
          continue;
        }
      if (is_zero && series->style == WP_PLOT_LINES)
        append_point (script, x->zero * ZERO_FROM, point->y);
      append_point (script,
                    is_zero ? x->zero * (series->style == WP_PLOT_LINES ? ZERO_TO : 1)
                            : wp_plot_place_bar (plot, series, point->x),
                    point->y);
    }
  g_string_append (script, "EOD\n");
}

/* Returns how many points of SERIES are between two symbols on a line. */
static guint
get_interval (const WpPlotSeries *series)
{
  return MAX (1, series->points->len / 8);
}

static void
append_line_look (GString *script, guint look)
{
  g_string_append_printf (script, " lc rgb '%s' dt %s lw 1.7", get_colour (look), get_dash (look));
}

/* One of several bars side by side. */
static void
append_box (GString *script, guint look)
{
  g_string_append_printf (script, "boxes fs %s border lc rgb '#000000' fc rgb '%s'",
                          fills[look % WP_PLOT_N_BARS], get_colour (look));
}

static void
append_style (GString *script, const WpPlot *plot, const WpPlotSeries *series,
              const WpPlotLayout *layout)
{
  const guint look = series->look;

  switch (series->style)
    {
    case WP_PLOT_POINTS:
      g_string_append_printf (script, "points lc rgb '%s' lw 1.5", get_colour (look));
      append_symbol (script, look, layout);
      break;
    case WP_PLOT_BARS:
      if (plot->n_bars > 0)
        append_box (script, look);
      else
        g_string_append_printf (script, "boxes fs solid 0.55 border lc rgb '#000000' fc rgb '%s'",
                                get_colour (look));
      break;
    case WP_PLOT_LINES:
    case WP_PLOT_STEPS:
      g_string_append (script, series->style == WP_PLOT_LINES ? "lines" : "steps");
      append_line_look (script, look);
      break;
    case WP_PLOT_LINES_AND_POINTS:
      g_string_append (script, "linespoints");
      append_line_look (script, look);
      append_symbol (script, look, layout);
      g_string_append_printf (script, " pi %u", get_interval (series));
      break;
    }
}

/* Appends the bars of SERIES through its points, as plain lines, because gnuplot's error bars leave
 * a gap around the point. */
static void
append_bars (GString *script, const WpPlotSeries *series, guint i)
{
  g_string_append_printf (
      script, "$data%u using 1:3:(0):($4-$3) notitle with vectors nohead lc rgb '%s' dt 1 lw 2.5",
      i + 1, series->style == WP_PLOT_BARS ? "#000000" : get_colour (series->look));
}

static void
append_entry (GString *script, const WpPlotEntry *entry, const WpPlotLayout *layout)
{
  g_string_append (script, "keyentry with ");
  if (entry->has_box)
    append_box (script, entry->look);
  else if (entry->has_line)
    {
      g_string_append (script, entry->has_point ? "linespoints" : "lines");
      append_line_look (script, entry->look);
    }
  else
    g_string_append_printf (script, "points lc rgb '%s' lw 1.5", get_colour (entry->look));
  if (entry->has_point)
    append_symbol (script, entry->look, layout);
  append_with_text (script, " title ", entry->text, "");
}

static void
append_plot (GString *script, const WpPlot *plot, const WpPlotLayout *layout)
{
  const gchar *separator = "plot ";

  for (guint i = 0; i < plot->series->len; i++)
    {
      const WpPlotSeries *series = g_ptr_array_index (plot->series, i);

      if (series->points->len == 0)
        continue;
      if (series->has_bars && series->style != WP_PLOT_BARS)
        {
          g_string_append (script, separator);
          append_bars (script, series, i);
          separator = ", \\\n  ";
        }
      g_string_append_printf (script, "%s$data%u using 1:2 notitle with ", separator, i + 1);
      append_style (script, plot, series, layout);
      separator = ", \\\n  ";
      if (series->has_bars && series->style == WP_PLOT_BARS)
        {
          g_string_append (script, separator);
          append_bars (script, series, i);
        }
    }
  for (guint i = 0; i < plot->entries->len; i++)
    {
      g_string_append (script, separator);
      append_entry (script, &g_array_index (plot->entries, WpPlotEntry, i), layout);
    }
  g_string_append (script, "\n");
}

/* ---- Around the data ---- */

static void
append_legend (GString *script, const WpPlot *plot, const WpPlotPaper *paper,
               const WpPlotLayout *layout)
{
  if (plot->entries->len == 0)
    {
      g_string_append (script, "unset key\n");
      return;
    }
  if (layout->columns > 0)
    g_string_append_printf (script,
                            "set key outside below center horizontal maxcols %u Left reverse "
                            "samplen 2 spacing 1.1 noenhanced",
                            layout->columns);
  else
    g_string_append_printf (script,
                            "set key outside right top vertical maxcols 1 Left reverse samplen 3 "
                            "spacing %s noenhanced",
                            plot->entries->len <= 16      ? "1.15"
                            : wp_plot_is_in_print (paper) ? "0.95"
                                                          : "0.95 font ',10'");
  if (plot->legend != NULL)
    append_with_text (script, " title ", plot->legend, " left");
  g_string_append (script, "\n");
}

/* Where there is no room for its text, the point of a mark stays. */
static void
append_mark (GString *script, const WpPlot *plot, const WpPlotMark *mark, const Range *x,
             const Range *y, gboolean is_narrow)
{
  gdouble at = place (x, mark->x);
  gdouble share = x->axis->is_log ? log (at / x->from) / log (x->to / x->from)
                                  : (at - x->from) / (x->to - x->from);

  append_with_text (script, "set label ", is_narrow && mark->look != G_MAXUINT ? "" : mark->text,
                    " at ");
  wp_plot_append_number (script, at);
  g_string_append (script, ",");
  wp_plot_append_number (script, place (y, mark->y));
  if (mark->look == G_MAXUINT)
    g_string_append (script, !wp_plot_has_wide_places (plot->places->len)
                                 ? " left rotate by 90 offset 0,0.4 front\n"
                             : strchr (mark->text, '\n') != NULL ? " center offset 0,1.6 front\n"
                                                                 : " center offset 0,0.6 front\n");
  else
    g_string_append_printf (script, " %s offset %s,0.9 point pt 7 ps 0.6 lc rgb '%s' front\n",
                            share < 0.5 ? "left" : "right", share < 0.5 ? "-0.5" : "0.5",
                            get_colour (mark->look));
}

static void
append_head (GString *script, const WpPlot *plot, const WpPlotFormat *format,
             const WpPlotPaper *paper, const WpPlotLayout *layout, const gchar *output)
{
  g_autofree gchar *terminal = wp_plot_format_get_terminal (format, paper, layout);

  g_string_append_printf (
      script, "# Written by warpipe, for gnuplot 5.4.\nreset\nset encoding utf8\nset terminal %s\n",
      terminal);
  if (output != NULL)
    append_with_text (script, "set output ", output, "\n");
  if (plot->title != NULL && !wp_plot_is_in_print (paper))
    {
      g_autofree gchar *title
          = g_strjoin (plot->subtitle != NULL ? "\n" : NULL, plot->title, plot->subtitle, NULL);

      append_with_text (script, "set title ", title, " noenhanced\n");
    }
  g_string_append (script, "set border 3 lw 1.2\nset tics nomirror\n"
                           "set grid ");
  g_string_append (script, plot->places->len > 0 ? "noxtics ytics" : "xtics ytics");
  g_string_append (script, " back lt 1 lc rgb '#dddddd' lw 0.7\n");
}

gchar *
wp_plot_get_script (const WpPlot *plot, const WpPlotFormat *format, const WpPlotPaper *paper,
                    const gchar *output)
{
  GString *script = g_string_new (NULL);
  Range x = get_range (plot, FALSE), y = get_range (plot, TRUE);
  WpPlotLayout layout = wp_plot_lay_out (plot, format, paper);

  append_head (script, plot, format, paper, &layout, output);
  append_axis (script, &x, 'x', &layout);
  append_axis (script, &y, 'y', &layout);
  if (plot->places->len > 0)
    {
      append_places (script, plot);
      g_string_append (script, "set boxwidth ");
      wp_plot_append_number (script, wp_plot_get_bar_width (plot));
      g_string_append_c (script, '\n');
    }
  append_legend (script, plot, paper, &layout);
  for (guint i = 0; i < plot->marks->len; i++)
    append_mark (script, plot, &g_array_index (plot->marks, WpPlotMark, i), &x, &y,
                 wp_plot_is_narrow (paper));
  for (guint i = 0; i < plot->series->len; i++)
    if (((const WpPlotSeries *)g_ptr_array_index (plot->series, i))->points->len > 0)
      append_data (script, plot, i, &x);
  append_plot (script, plot, &layout);
  g_string_append (script, "set output\n");
  return g_string_free (script, FALSE);
}
