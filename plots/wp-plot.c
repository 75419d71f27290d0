/* SPDX-License-Identifier: MIT */
/* Builds plots: the plain data that wp-plot-script.c turns into a script. */
#include "plots/wp-plot.h"

#include <math.h>

#define GROUP 0.8 /* of a place: what its bars take up together */

#define NARROW 140 /* mm: a legend at the side would leave less than its own width to the data */

static void
series_free (gpointer data)
{
  WpPlotSeries *series = data;

  g_array_unref (series->points);
  g_free (series);
}

static void
mark_clear (gpointer data)
{
  g_free (((WpPlotMark *)data)->text);
}

static void
entry_clear (gpointer data)
{
  g_free (((WpPlotEntry *)data)->text);
}

static GArray *
new_list (gsize size, GDestroyNotify clear)
{
  GArray *list = g_array_new (FALSE, FALSE, (guint)size);

  g_array_set_clear_func (list, clear);
  return list;
}

WpPlot *
wp_plot_new (void)
{
  WpPlot *plot = g_new0 (WpPlot, 1);

  plot->x.from = plot->x.to = plot->y.from = plot->y.to = NAN;
  plot->series = g_ptr_array_new_with_free_func (series_free);
  plot->marks = new_list (sizeof (WpPlotMark), mark_clear);
  plot->entries = new_list (sizeof (WpPlotEntry), entry_clear);
  plot->places = g_ptr_array_new_with_free_func (g_free);
  return plot;
}

void
wp_plot_free (WpPlot *plot)
{
  if (plot == NULL)
    return;
  g_free (plot->title);
  g_free (plot->subtitle);
  g_free (plot->x.label);
  g_free (plot->y.label);
  g_free (plot->legend);
  g_ptr_array_unref (plot->series);
  g_array_unref (plot->marks);
  g_array_unref (plot->entries);
  g_ptr_array_unref (plot->places);
  g_free (plot);
}

WpPlotSeries *
wp_plot_add_series (WpPlot *plot, WpPlotStyle style, guint look)
{
  WpPlotSeries *series = g_new (WpPlotSeries, 1);

  *series = (WpPlotSeries){ .style = style,
                            .look = look,
                            .points = g_array_new (FALSE, FALSE, sizeof (WpPlotPoint)) };
  g_ptr_array_add (plot->series, series);
  return series;
}

void
wp_plot_series_add (WpPlotSeries *series, gdouble x, gdouble y)
{
  wp_plot_series_add_spread (series, x, y, y, y);
}

void
wp_plot_series_add_spread (WpPlotSeries *series, gdouble x, gdouble y, gdouble low, gdouble high)
{
  const WpPlotPoint point = { x, isfinite (x) && isfinite (y) ? y : NAN, low, high };

  g_array_append_val (series->points, point);
}

void
wp_plot_add_mark (WpPlot *plot, gdouble x, gdouble y, guint look, const gchar *text)
{
  const WpPlotMark mark = { x, y, look, g_strdup (text) };

  g_array_append_val (plot->marks, mark);
}

void
wp_plot_add_entry (WpPlot *plot, guint look, gboolean has_line, gboolean has_point,
                   const gchar *text)
{
  const WpPlotEntry entry
      = { .text = g_strdup (text), .look = look, .has_line = has_line, .has_point = has_point };

  g_array_append_val (plot->entries, entry);
}

void
wp_plot_add_box_entry (WpPlot *plot, guint look, const gchar *text)
{
  const WpPlotEntry entry = { .text = g_strdup (text), .look = look, .has_box = TRUE };

  g_array_append_val (plot->entries, entry);
}

gdouble
wp_plot_get_bar_width (const WpPlot *plot)
{
  return plot->n_bars > 0 ? fmin (0.6, GROUP / plot->n_bars) : 0.6;
}

gdouble
wp_plot_place_bar (const WpPlot *plot, const WpPlotSeries *series, gdouble x)
{
  if (series->style != WP_PLOT_BARS || plot->n_bars < 2)
    return x;
  return x + (series->slot - (plot->n_bars - 1) / 2.0) * wp_plot_get_bar_width (plot);
}

const gchar *
wp_plot_find_entry (const WpPlot *plot, guint look)
{
  for (guint i = 0; i < plot->entries->len; i++)
    {
      const WpPlotEntry *entry = &g_array_index (plot->entries, WpPlotEntry, i);

      if (entry->look == look)
        return entry->text;
    }
  return NULL;
}

gboolean
wp_plot_is_in_print (const WpPlotPaper *paper)
{
  return paper->width > 0;
}

gboolean
wp_plot_is_narrow (const WpPlotPaper *paper)
{
  return wp_plot_is_in_print (paper) && paper->width < NARROW;
}

void
wp_plot_append_number (GString *text, gdouble value)
{
  gchar digits[G_ASCII_DTOSTR_BUF_SIZE];

  /* Adding 0.0 turns -0 into 0. */
  g_string_append (text, g_ascii_formatd (digits, sizeof digits, "%.9g", value + 0.0));
}

gboolean
wp_plot_has_points (const WpPlot *plot)
{
  for (guint i = 0; i < plot->series->len; i++)
    {
      const WpPlotSeries *series = g_ptr_array_index (plot->series, i);

      for (guint k = 0; k < series->points->len; k++)
        if (!isnan (g_array_index (series->points, WpPlotPoint, k).y))
          return TRUE;
    }
  return FALSE;
}
