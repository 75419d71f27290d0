/* SPDX-License-Identifier: MIT */
/* The least occupancy that will do, by a parameter of the kernel: points are found from runs, lines
 * from bounds. */
#include "cli/sweep/plot-sweep-private.h"

#include "cli/common/cli-text.h"
#include "cli/common/cli.h"

#include <math.h>

#define BETWEEN 48 /* further values of a parameter at which bounds are found */

/* Values at which lines are drawn: VALUES, and others between them. Free with g_array_unref(). */
static GArray *
get_more_values (const GArray *values, gboolean is_log)
{
  const gdouble least = g_array_index (values, gdouble, 0);
  const gdouble most = g_array_index (values, gdouble, values->len - 1);
  GArray *more = g_array_new (FALSE, FALSE, sizeof (gdouble));
  guint next = 0;

  for (guint i = 0; i <= BETWEEN; i++)
    {
      gdouble share = (gdouble)i / BETWEEN;
      gdouble value = is_log ? fmax (least, 1) * pow (most / fmax (least, 1), share)
                             : least + (most - least) * share;
      gdouble whole = floor (value + 0.5);

      for (; next < values->len && g_array_index (values, gdouble, next) <= whole; next++)
        g_array_append_val (more, g_array_index (values, gdouble, next));
      if (more->len == 0 || g_array_index (more, gdouble, more->len - 1) < whole)
        g_array_append_val (more, whole);
    }
  return more;
}

/* What has been found for VALUES. */
typedef struct
{
  GArray *values;            /* of axis X */
  WpSweepPlotBounds *bounds; /* [n_series][values->len] */
  gdouble *least;            /* likewise: warps of a run that will do; NAN: of none */
} Found;

static void
found_clear (Found *found)
{
  g_clear_pointer (&found->values, g_array_unref);
  g_clear_pointer (&found->bounds, g_free);
  g_clear_pointer (&found->least, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Found, found_clear)

static gdouble
get_value (const Found *found, guint i)
{
  return g_array_index (found->values, gdouble, i);
}

/* Which of the values axis X has in ROW. */
static guint
find_value (const WpSweepPlot *plot, const Found *found, guint64 row)
{
  const gdouble value = (gdouble)wp_sweep_plot_get_number (plot, row, plot->x);
  guint low = 0, high = found->values->len - 1;

  while (low < high)
    {
      guint middle = (low + high) / 2;

      if (get_value (found, middle) < value)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* Series that share a line share its bounds. */
static gboolean
find_all_bounds (const WpSweepPlot *plot, Found *found, const WpSweepPlotSearch *search,
                 GError **error)
{
  const guint n = found->values->len;

  for (guint i = 0; i < plot->n_series; i++)
    {
      const guint line = wp_sweep_plot_get_line (plot, i);

      for (guint k = 0; k < n; k++)
        if (line < i)
          found->bounds[i * n + k] = found->bounds[line * n + k];
        else if (!wp_sweep_plot_find_bounds (plot, wp_sweep_plot_get_row (plot, i),
                                             (guint64)get_value (found, k), search,
                                             &found->bounds[i * n + k], error))
          return FALSE;
    }
  return TRUE;
}

/* The line of series I. */
static gboolean
draw_line (const WpSweepPlot *plot, WpPlot *figure, guint i, const Found *found, const GArray *more,
           const WpSweepPlotSearch *search, GError **error)
{
  const WpSweepPlotBounds *known = found->bounds + (gsize)i * found->values->len;
  WpPlotSeries *line
      = wp_plot_add_series (figure, WP_PLOT_LINES, wp_sweep_plot_get_line_look (plot, i));
  guint next = 0;

  for (guint k = 0; k < more->len; k++)
    {
      gdouble value = g_array_index (more, gdouble, k);
      WpSweepPlotBounds bounds;

      if (next < found->values->len && get_value (found, next) == value)
        bounds = known[next++];
      else if (!wp_sweep_plot_find_bounds (plot, wp_sweep_plot_get_row (plot, i), (guint64)value,
                                           search, &bounds, error))
        return FALSE;
      wp_plot_series_add (line, value, wp_sweep_plot_bounds_get_ridge (&bounds));
    }
  return TRUE;
}

static gboolean
draw_lines (const WpSweepPlot *plot, WpPlot *figure, const Found *found,
            const WpSweepPlotSearch *search, GError **error)
{
  g_autoptr (GArray) more = get_more_values (found->values, figure->x.is_log);

  for (guint i = 0; i < plot->n_series; i++)
    if (wp_sweep_plot_get_line (plot, i) == i
        && !draw_line (plot, figure, i, found, more, search, error))
      return FALSE;
  return TRUE;
}

static void
find_least (const WpSweepPlot *plot, Found *found)
{
  const gdouble share = plot->share / 100.0 - 1e-9; /* rows have twelve digits */
  const guint n = found->values->len;

  for (guint i = 0; i < plot->n_series * n; i++)
    found->least[i] = NAN;
  for (guint i = 0; i < plot->runs->len; i++)
    {
      const WpSweepPlotRun *run = &g_array_index (plot->runs, WpSweepPlotRun, i);
      guint at = wp_sweep_plot_get_series (plot, run->row) * n + find_value (plot, found, run->row);

      if (run->rate * found->bounds[at].throughput >= share)
        found->least[at] = fmin (found->least[at], run->warps);
    }
}

/* A point for each that was found; warns of those that were not. */
static void
add_points (const WpSweepPlot *plot, WpPlot *figure, const Found *found)
{
  const guint n = found->values->len;
  guint missing = 0;

  for (guint i = 0; i < plot->n_series; i++)
    {
      WpPlotSeries *series = wp_plot_add_series (figure, WP_PLOT_POINTS, i);

      for (guint k = 0; k < n; k++)
        if (isnan (found->least[i * n + k]))
          missing++;
        else
          wp_plot_series_add (series, get_value (found, k), found->least[i * n + k]);
    }
  if (missing > 0)
    wp_cli_complain ("warning: the plot lacks %u of %u points: no run comes to %u%% of the "
                     "throughput bound there; %smore warps in --occupancy or a lower --share may "
                     "show where one does",
                     missing, plot->n_series * n, plot->share,
                     plot->sweep->no_limits ? "" : "--no-limits, ");
}

gboolean
wp_sweep_plot_draw_needed (const WpSweepPlot *plot, WpPlot *figure, const WpSweepPlotSearch *search,
                           GError **error)
{
  g_auto (Found) found = { wp_sweep_plot_get_values (plot), NULL, NULL };
  const guint n = found.values->len;

  found.bounds = g_new (WpSweepPlotBounds, (gsize)plot->n_series * n);
  found.least = g_new (gdouble, (gsize)plot->n_series * n);
  figure->x.is_log = n > 1 && get_value (&found, n - 1) > 1;
  if (!find_all_bounds (plot, &found, search, error)
      || !draw_lines (plot, figure, &found, search, error))
    return FALSE;
  find_least (plot, &found);
  add_points (plot, figure, &found);
  wp_sweep_plot_add_entries (plot, figure, *search->are_estimates, NULL);
  return TRUE;
}
