/* SPDX-License-Identifier: MIT */
/* A plot for TeX: a tikzpicture of the package pgfplots, with its data in it. */
#include "plots/wp-plot.h"

#include <math.h>
#include <string.h>

/* Colours and marks as wp-plot-script.c has them; their numbers have no common divisor with that of
 * the dashes. */
static const gchar *const colours[]
    = { "0072b2", "d55e00", "009e73", "cc79a7", "e69f00", "000000", "56b4e9", "777777" };
static const gchar *const dashes[]
    = { "solid", "dashed", "dotted", "dashdotted", "loosely dashed" };
static const gchar *const marks[WP_PLOT_N_SYMBOLS]
    = { "o",         "+",        "square",  "x",      "triangle", "*",
        "triangle*", "pentagon", "square*", "otimes", "diamond",  "diamond*" };

/* Of bars side by side, as there: a pattern of the TikZ library of that name, or how much of the
 * colour. */
static const struct
{
  const gchar *pattern;
  guint per_cent;
} fills[WP_PLOT_N_BARS]
    = { { NULL, 85 },  { "north east lines", 0 }, { NULL, 20 }, { "crosshatch", 0 },
        { NULL, 100 }, { "north west lines", 0 }, { NULL, 0 },  { "vertical lines", 0 },
        { "grid", 0 }, { "horizontal lines", 0 }, { NULL, 70 }, { NULL, 35 } };

/* Appends TEXT with nothing in it that TeX would execute. */
static void
append_text (GString *tex, const gchar *text)
{
  g_autofree gchar *valid = g_utf8_make_valid (text, -1);

  for (const gchar *at = valid; *at != '\0'; at = g_utf8_next_char (at))
    {
      gunichar c = g_utf8_get_char (at);

      if (c == '\\')
        g_string_append (tex, "\\textbackslash{}");
      else if (c == '^')
        g_string_append (tex, "\\textasciicircum{}");
      else if (c == '~')
        g_string_append (tex, "\\textasciitilde{}");
      else if (c < 128 && strchr ("#$%&_{}", (gint)c) != NULL)
        g_string_append_printf (tex, "\\%c", (gchar)c);
      else if (g_unichar_iscntrl (c))
        g_string_append_c (tex, ' ');
      else
        g_string_append_unichar (tex, c);
    }
}

static void
append_length (GString *tex, const gchar *name, gdouble mm)
{
  g_string_append_printf (tex, "  %s=", name);
  wp_plot_append_number (tex, mm);
  g_string_append (tex, "mm,\n");
}

static void
append_label (GString *tex, gchar axis, const gchar *label)
{
  if (label == NULL)
    return;
  g_string_append_printf (tex, "  %clabel={", axis);
  append_text (tex, label);
  g_string_append (tex, "},\n");
}

static void
append_end (GString *tex, gchar axis, const gchar *end, gdouble value)
{
  if (isnan (value))
    return;
  g_string_append_printf (tex, "  %c%s=", axis, end);
  wp_plot_append_number (tex, value);
  g_string_append (tex, ",\n");
}

static void
append_axis (GString *tex, gchar axis, const WpPlotAxis *range)
{
  append_label (tex, axis, range->label);
  if (range->is_log)
    g_string_append_printf (tex, "  %cmode=log,\n", axis);
  append_end (tex, axis, "min", range->from);
  append_end (tex, axis, "max", range->to);
}

static void
append_places (GString *tex, const WpPlot *plot)
{
  if (plot->places->len == 0)
    return;
  g_string_append (tex, "  xtick={");
  for (guint i = 0; i < plot->places->len; i++)
    g_string_append_printf (tex, i > 0 ? ",%u" : "%u", i);
  g_string_append (tex, "},\n  xticklabels={");
  for (guint i = 0; i < plot->places->len; i++)
    {
      g_string_append (tex, i > 0 ? ",{" : "{");
      append_text (tex, g_ptr_array_index (plot->places, i));
      g_string_append_c (tex, '}');
    }
  g_string_append (tex, "},\n  xticklabel style={rotate=45, anchor=east},\n");
}

/* Of one of several bars side by side. */
static void
append_fill (GString *tex, const WpPlot *plot, guint look)
{
  const guint fill = look % WP_PLOT_N_BARS, colour = look % (guint)G_N_ELEMENTS (colours);

  g_string_append (tex, "ybar, bar width=");
  wp_plot_append_number (tex, wp_plot_get_bar_width (plot));
  if (fills[fill].pattern != NULL)
    g_string_append_printf (tex, ", draw=black, pattern=%s, pattern color=warpipe%u, mark=none",
                            fills[fill].pattern, colour);
  else
    g_string_append_printf (tex, ", draw=black, fill=warpipe%u!%u, mark=none", colour,
                            fills[fill].per_cent);
}

static void
append_look (GString *tex, const WpPlot *plot, const WpPlotSeries *series)
{
  const guint look = series->look;
  gboolean line = series->style != WP_PLOT_POINTS && series->style != WP_PLOT_BARS;
  gboolean symbol = series->style == WP_PLOT_POINTS || series->style == WP_PLOT_LINES_AND_POINTS;

  g_string_append_printf (tex, "color=warpipe%u, ", look % (guint)G_N_ELEMENTS (colours));
  if (series->style == WP_PLOT_BARS && plot->n_bars > 0)
    {
      append_fill (tex, plot, look);
      return;
    }
  if (series->style == WP_PLOT_BARS)
    {
      g_string_append (tex,
                       "ybar, bar width=0.6, fill, fill opacity=0.55, draw opacity=1, mark=none");
      return;
    }
  g_string_append (tex, line ? dashes[look % G_N_ELEMENTS (dashes)] : "only marks");
  if (series->style == WP_PLOT_STEPS)
    g_string_append (tex, ", const plot");
  g_string_append_printf (tex, ", mark=%s, mark options={solid}",
                          symbol ? marks[look % WP_PLOT_N_SYMBOLS] : "none");
  if (series->style == WP_PLOT_LINES_AND_POINTS && series->points->len > 8)
    g_string_append_printf (tex, ", mark repeat=%u", series->points->len / 8);
}

/* What interrupts a line is an empty line, and so is a place that a logarithmic axis lacks. */
static void
append_points (GString *tex, const WpPlot *plot, const WpPlotSeries *series)
{
  gboolean was_there = FALSE;

  g_string_append (tex, series->has_bars ? " table [x index=0, y index=1, y error plus index=2, "
                                           "y error minus index=3] {\n"
                                         : " table {\n");
  for (guint k = 0; k < series->points->len; k++)
    {
      const WpPlotPoint *point = &g_array_index (series->points, WpPlotPoint, k);
      gboolean is_there = !isnan (point->y) && (!plot->x.is_log || point->x > 0)
                          && (!plot->y.is_log || point->y > 0);
      const gdouble numbers[] = { wp_plot_place_bar (plot, series, point->x), point->y,
                                  point->high - point->y, point->y - point->low };

      if (!is_there && was_there)
        g_string_append (tex, "\n");
      for (guint i = 0; is_there && i < (series->has_bars ? 4 : 2); i++)
        {
          g_string_append (tex, i > 0 ? " " : "");
          wp_plot_append_number (tex, numbers[i]);
        }
      g_string_append (tex, is_there ? "\n" : "");
      was_there = is_there;
    }
  g_string_append (tex, "};\n");
}

static void
append_series (GString *tex, const WpPlot *plot, const WpPlotSeries *series, gboolean named)
{
  const gchar *name = wp_plot_find_entry (plot, series->look);

  g_string_append (tex, "\\addplot[");
  append_look (tex, plot, series);
  if (series->has_bars)
    g_string_append (tex, ", error bars/.cd, y dir=both, y explicit");
  if (!named || name == NULL)
    g_string_append (tex, series->has_bars ? ", /pgfplots/.cd, forget plot" : ", forget plot");
  g_string_append_c (tex, ']');
  append_points (tex, plot, series);
  if (!named || name == NULL)
    return;
  g_string_append (tex, "\\addlegendentry{");
  append_text (tex, name);
  g_string_append (tex, "}\n");
}

static void
append_head (GString *tex, const WpPlot *plot, const WpPlotPaper *paper)
{
  const gdouble width = wp_plot_is_in_print (paper) ? paper->width : 160;

  g_string_append (tex, "% Written by warpipe, for TeX: \\usepackage{pgfplots} "
                        "\\pgfplotsset{compat=1.16}, and \\input this file.\n");
  if (plot->n_bars > 0)
    g_string_append (tex, "% Its bars have patterns: \\usetikzlibrary{patterns}\n");
  for (guint i = 0; i < G_N_ELEMENTS (colours); i++)
    g_string_append_printf (tex, "\\definecolor{warpipe%u}{HTML}{%s}\n", i, colours[i]);
  g_string_append (tex, "\\begin{tikzpicture}\n\\begin{axis}[\n");
  append_length (tex, "width", width);
  append_length (tex, "height",
                 wp_plot_is_in_print (paper) && paper->height > 0 ? paper->height : width * 3 / 5);
  append_axis (tex, 'x', &plot->x);
  append_axis (tex, 'y', &plot->y);
  append_places (tex, plot);
  g_string_append (tex,
                   "  axis lines=left, grid=major, grid style={gray!25}, unbounded coords=jump,\n"
                   "  legend cell align=left, legend style={draw=none, font=\\small, ");
  g_string_append (tex, wp_plot_is_narrow (paper)
                            ? "at={(0.5,-0.3)}, anchor=north, legend columns=2},\n]\n"
                            : "at={(1.02,1)}, anchor=north west},\n]\n");
}

gchar *
wp_plot_get_tex (const WpPlot *plot, const WpPlotPaper *paper)
{
  GString *tex = g_string_new (NULL);
  gboolean named[WP_PLOT_N_LOOKS] = { FALSE };

  append_head (tex, plot, paper);
  for (guint i = 0; i < plot->series->len; i++)
    {
      const WpPlotSeries *series = g_ptr_array_index (plot->series, i);

      if (series->points->len == 0)
        continue;
      append_series (tex, plot, series, !named[series->look % WP_PLOT_N_LOOKS]);
      named[series->look % WP_PLOT_N_LOOKS] = TRUE;
    }
  g_string_append (tex, "\\end{axis}\n\\end{tikzpicture}\n");
  return g_string_free (tex, FALSE);
}
