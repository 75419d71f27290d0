/* SPDX-License-Identifier: MIT */
/* The points of a plot as a table (RFC 4180). */
#include "plots/wp-plot.h"

#include <math.h>
#include <string.h>

static const gchar *const styles[] = {
  [WP_PLOT_POINTS] = "points", [WP_PLOT_LINES] = "lines",
  [WP_PLOT_STEPS] = "steps",   [WP_PLOT_LINES_AND_POINTS] = "lines and points",
  [WP_PLOT_BARS] = "bars",
};

static gboolean
is_number (const gchar *text)
{
  gchar *end;

  g_ascii_strtod (text, &end);
  return end > text && *end == '\0';
}

/* With an apostrophe before what a spreadsheet would take for a formula. */
static void
append_text (GString *csv, const gchar *text)
{
  g_autofree gchar *guarded = NULL;

  if (*text != '\0' && strchr ("=+-@", *text) != NULL && !is_number (text))
    text = guarded = g_strconcat ("'", text, NULL);
  if (strpbrk (text, ",\"\r\n") == NULL)
    {
      g_string_append (csv, text);
      return;
    }
  g_string_append_c (csv, '"');
  for (; *text != '\0'; text++)
    {
      if (*text == '"')
        g_string_append_c (csv, '"');
      g_string_append_c (csv, *text);
    }
  g_string_append_c (csv, '"');
}

/* A bar stands at the place that has its index. */
static void
append_x (GString *csv, const WpPlot *plot, const WpPlotSeries *series, gdouble x)
{
  if (series->style == WP_PLOT_BARS && x >= 0 && x < plot->places->len)
    append_text (csv, g_ptr_array_index (plot->places, (guint)x));
  else
    wp_plot_append_number (csv, x);
}

static void
append_point (GString *csv, const WpPlot *plot, const WpPlotSeries *series,
              const WpPlotPoint *point)
{
  const gchar *name = wp_plot_find_entry (plot, series->look);

  append_text (csv, name != NULL ? name : "");
  g_string_append_printf (csv, ",%s,", styles[series->style]);
  append_x (csv, plot, series, point->x);
  g_string_append_c (csv, ',');
  wp_plot_append_number (csv, point->y);
  g_string_append_c (csv, ',');
  if (series->has_bars)
    wp_plot_append_number (csv, point->low);
  g_string_append_c (csv, ',');
  if (series->has_bars)
    wp_plot_append_number (csv, point->high);
  g_string_append_c (csv, '\n');
}

gchar *
wp_plot_get_csv (const WpPlot *plot, const WpPlotPaper *paper)
{
  GString *csv = g_string_new ("series,style,");

  (void)paper;
  append_text (csv, plot->x.label != NULL ? plot->x.label : "x");
  g_string_append_c (csv, ',');
  append_text (csv, plot->y.label != NULL ? plot->y.label : "y");
  g_string_append (csv, ",low,high\n");
  for (guint i = 0; i < plot->series->len; i++)
    {
      const WpPlotSeries *series = g_ptr_array_index (plot->series, i);

      for (guint k = 0; k < series->points->len; k++)
        {
          const WpPlotPoint *point = &g_array_index (series->points, WpPlotPoint, k);

          if (!isnan (point->y))
            append_point (csv, plot, series, point);
        }
    }
  return g_string_free (csv, FALSE);
}
