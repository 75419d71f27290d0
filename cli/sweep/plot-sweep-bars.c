/* SPDX-License-Identifier: MIT */
/* Grouped bars: a group for each value of one axis, a bar in it for each series. Where policies
 * vary a bar is how much faster than the one that all are compared with, for the same kernel, GPU,
 * settings and seed; else instructions a cycle. Several kernels are the groups, followed by their
 * geometric mean, or there is only that. */
#include "cli/sweep/plot-sweep-private.h"

#include "cli/common/cli.h"

#include <math.h>

#define MEAN "geo. mean"

/* ---- What is drawn ---- */

static guint
get_kernel_axis (const WpSweepPlot *plot)
{
  return wp_sweep_plot_find_axis (plot, WP_AXIS_KERNEL);
}

static guint
count_kernels (const WpSweepPlot *plot)
{
  return plot->sweep->kernels->len;
}

/* The policy of series I; of the one that all are compared with nothing is drawn. */
static gboolean
is_base (const WpSweepPlot *plot, guint i)
{
  guint policy = wp_sweep_plot_find_axis (plot, WP_AXIS_POLICY);

  return plot->base >= 0 && wp_sweep_plot_makes_series (plot, policy)
         && wp_sweep_plot_get_number (plot, wp_sweep_plot_get_row (plot, i), policy)
                == (guint64)plot->base;
}

/* ---- Figures ---- */

static gdouble
get_value (const WpSweepPlot *plot, guint64 row)
{
  return g_array_index (plot->values, gdouble, row);
}

/* What is drawn of ROW: NAN where it or the row that it is compared with has no figures. */
static gdouble
get_figure (const WpSweepPlot *plot, guint64 row)
{
  guint policy = wp_sweep_plot_find_axis (plot, WP_AXIS_POLICY);

  if (plot->base < 0)
    return get_value (plot, row);
  return get_value (plot, wp_sweep_plot_set_digit (plot, row, policy, (guint64)plot->base))
         / get_value (plot, row);
}

/* The geometric mean over all kernels of what ROW has; NAN where one of them has no figure. */
static gdouble
get_mean (const WpSweepPlot *plot, guint64 row)
{
  gdouble sum = 0;

  for (guint i = 0; i < count_kernels (plot); i++)
    sum += log (get_figure (plot, wp_sweep_plot_set_digit (plot, row, get_kernel_axis (plot), i)));
  return exp (sum / count_kernels (plot));
}

/* A speed-up as what it gains, in per cent: bars begin at 0, and most speed-ups are near to 1. */
static gdouble
scale (const WpSweepPlot *plot, gdouble figure)
{
  return plot->base >= 0 ? 100 * (figure - 1) : figure;
}

/* Adds to SERIES, at PLACE, the mean of ROW's figures over all seeds, or of their geometric MEANs
 * over the kernels. False where there is none. */
static gboolean
add_bar (const WpSweepPlot *plot, WpPlotSeries *series, guint place, guint64 row, gboolean mean)
{
  guint seeds = wp_sweep_plot_find_axis (plot, WP_AXIS_SEED);
  WpSample sample = { 0 };

  for (guint64 i = 0; i < plot->n_seeds; i++)
    {
      guint64 one = plot->n_seeds > 1 ? wp_sweep_plot_set_digit (plot, row, seeds, i) : row;

      wp_sample_add (&sample, mean ? get_mean (plot, one) : get_figure (plot, one));
    }
  if (sample.n < plot->n_seeds)
    return FALSE;
  wp_plot_series_add_spread (series, place, scale (plot, sample.mean), scale (plot, sample.least),
                             scale (plot, sample.most));
  return TRUE;
}

/* ---- The figure ---- */

static void
add_places (const WpSweepPlot *plot, WpPlot *figure)
{
  const WpSweepPlotAxis *axis = wp_sweep_plot_get_axis (plot, plot->x);

  for (guint64 i = 0; i < axis->count; i++)
    g_ptr_array_add (
        figure->places,
        wp_sweep_plot_describe (plot, wp_sweep_plot_set_digit (plot, 0, plot->x, i), plot->x));
  if (plot->x == get_kernel_axis (plot) && count_kernels (plot) > 1)
    g_ptr_array_add (figure->places, g_strdup (MEAN));
}

/* Draws series I as bar number SLOT of each group; returns how many of its bars are missing. */
static guint
draw_series (const WpSweepPlot *plot, WpPlot *figure, guint i, guint slot)
{
  const WpSweepPlotAxis *axis = wp_sweep_plot_get_axis (plot, plot->x);
  WpPlotSeries *series = wp_plot_add_series (figure, WP_PLOT_BARS, slot);
  guint64 row = wp_sweep_plot_get_row (plot, i);
  guint missing = 0;

  series->slot = slot;
  series->has_bars = plot->n_seeds > 1;
  for (guint64 k = 0; k < axis->count; k++)
    missing += !add_bar (plot, series, (guint)k, wp_sweep_plot_set_digit (plot, row, plot->x, k),
                         wp_sweep_plot_is_mean (plot));
  if (figure->places->len > axis->count)
    missing += !add_bar (plot, series, (guint)axis->count, row, TRUE);
  return missing;
}

/* The line at 0, where the bars of what all are compared with would end. */
static void
draw_base (const WpSweepPlot *plot, WpPlot *figure)
{
  const WpPolicy *policy;
  WpPlotSeries *line;

  if (plot->base < 0)
    return;
  policy = g_ptr_array_index (plot->sweep->policies, (guint)plot->base);
  line = wp_plot_add_series (figure, WP_PLOT_LINES, WP_PLOT_BASE);
  wp_plot_series_add (line, figure->x.from, 0);
  wp_plot_series_add (line, figure->x.to, 0);
  wp_plot_add_entry (figure, WP_PLOT_BASE, TRUE, FALSE, wp_policy_get_name (policy));
}

void
wp_sweep_plot_draw_bars (const WpSweepPlot *plot, WpPlot *figure)
{
  guint slot = 0, missing = 0;

  add_places (plot, figure);
  figure->x.from = -0.6;
  figure->x.to = figure->places->len - 0.4;
  for (guint i = 0; i < plot->n_series; i++)
    if (!is_base (plot, i))
      {
        g_autofree gchar *words = wp_sweep_plot_get_label (plot, i);

        wp_plot_add_box_entry (figure, slot, *words != '\0' ? words : "simulated");
        missing += draw_series (plot, figure, i, slot++);
      }
  figure->n_bars = slot;
  draw_base (plot, figure);
  if (plot->n_seeds > 1)
    figure->legend
        = g_strdup_printf ("means of %" G_GUINT64_FORMAT " seeds,\nleast to most", plot->n_seeds);
  if (missing > 0)
    wp_cli_complain ("warning: the plot lacks %u bar%s: a run that it is made of has no figures",
                     missing, missing == 1 ? "" : "s");
}
