/* SPDX-License-Identifier: MIT */
/* The simulation sets the height of the plot. The line of a model that estimates far more is cut at
 * the top, and the legend says so. */
#include "cli/models/plot-models.h"

#include "cli/common/cli-plot.h"

#include <math.h>

#define ROOM 1.6 /* of the plot, times the highest simulated value */

/* Models that are drawn where the user has named none: the nearest, and the farthest. */
#define N_NEAREST 4
#define N_FARTHEST 2

const gchar *const wp_model_plot_kinds[] = { "throughput", "cpi", NULL };

/* The value to draw for THROUGHPUT, warps a cycle and SM. */
static gdouble
get_y (const WpModelTable *table, WpModelPlotKind kind, gdouble throughput)
{
  gdouble ipc = throughput * table->instructions;

  return kind == WP_MODEL_PLOT_CPI ? 1 / ipc : ipc;
}

/* Whether all estimates are above MOST. */
static gboolean
is_beyond (const WpPlotSeries *series, gdouble most)
{
  for (guint i = 0; i < series->points->len; i++)
    if (g_array_index (series->points, WpPlotPoint, i).y <= most)
      return FALSE;
  return TRUE;
}

static void
add_model (const WpModelTable *table, WpModelPlotKind kind, const WpEstimates *estimates,
           guint look, gdouble most, WpPlot *plot)
{
  WpPlotSeries *series = wp_plot_add_series (plot, WP_PLOT_LINES_AND_POINTS, look);
  g_autofree gchar *text = NULL;

  for (guint i = 0; i < table->n_points; i++)
    {
      gdouble throughput = estimates->results[i].throughput;

      /* Below 0 it is no estimate. */
      wp_plot_series_add (series, (gdouble)table->warps[i],
                          throughput < 0 ? NAN : get_y (table, kind, throughput));
    }
  text = g_strconcat (estimates->model->name, is_beyond (series, most) ? " (above the figure)" : "",
                      NULL);
  wp_plot_add_entry (plot, look, TRUE, TRUE, text);
}

/* ---- Which models ---- */

/* How far the estimates are from the simulation at the worst, as a ratio; infinite where one has
 * another sign. */
static gdouble
get_distance (const WpEstimates *estimates)
{
  if (isnan (estimates->smallest) || estimates->smallest <= 0)
    return INFINITY;
  return fmax (fabs (log (estimates->smallest)), fabs (log (estimates->largest)));
}

static gint
compare_distances (gconstpointer a, gconstpointer b)
{
  const WpEstimates *one = *(const WpEstimates *const *)a, *other = *(const WpEstimates *const *)b;
  gdouble d = get_distance (one), e = get_distance (other);

  return d == e ? (one > other) - (one < other) : d < e ? -1 : 1;
}

/* The estimates of TABLE that apply, the nearest first; borrowed. */
static GPtrArray *
rank (const WpModelTable *table)
{
  GPtrArray *ranked = g_ptr_array_new ();

  for (guint i = 0; i < table->n_models; i++)
    if (table->estimates[i].why == NULL)
      g_ptr_array_add (ranked, &table->estimates[i]);
  g_ptr_array_sort (ranked, compare_distances);
  return ranked;
}

/* Leaves the nearest and the farthest of RANKED where the user has named none. FALSE: all stay. */
static gboolean
leave_few (const WpModelReport *report, GPtrArray *ranked)
{
  if (report->are_chosen || ranked->len <= N_NEAREST + N_FARTHEST)
    return FALSE;
  g_ptr_array_remove_range (ranked, N_NEAREST, ranked->len - N_NEAREST - N_FARTHEST);
  return TRUE;
}

/* ---- The figure ---- */

/* The points of the simulation, above all lines. */
static gdouble
get_most (const WpModelTable *table, WpModelPlotKind kind)
{
  gdouble most = 0;

  for (guint i = 0; i < table->n_points; i++)
    if (isfinite (get_y (table, kind, table->simulated[i])))
      most = fmax (most, get_y (table, kind, table->simulated[i]));
  return most;
}

static void
label (const WpModelReport *report, const WpModelTable *table, WpModelPlotKind kind, WpPlot *plot)
{
  g_autofree gchar *kernel = wp_plot_shorten (table->kernel->name);
  g_autoptr (GString) how = g_string_new (NULL);

  for (guint i = 0; i < table->kernel->parameters->len; i++)
    {
      const IdgParameter *parameter = g_ptr_array_index (table->kernel->parameters, i);

      g_string_append_printf (how, "%s=%s, ", parameter->name, parameter->value);
    }
  g_string_append_printf (how, "policy %s%s%s", wp_policy_get_name (report->policy),
                          table->resolved->machine.contended ? ", contended memory" : "",
                          report->options->no_limits ? ", no limits" : "");
  plot->title = g_strdup_printf ("%s on %s", kernel, report->gpu->name);
  plot->subtitle = g_strdup (how->str);
  plot->x.label = g_strdup ("warps resident on an SM");
  plot->y.label = g_strdup (kind == WP_MODEL_PLOT_CPI ? "cycles an instruction, of an SM (CPI)"
                                                      : "instructions a cycle and SM (IPC)");
}

WpPlot *
wp_model_report_get_plot (const WpModelReport *report, WpModelPlotKind kind)
{
  const WpModelTable *table = g_ptr_array_index (report->tables, 0);
  WpPlot *plot = wp_plot_new ();
  const gdouble most = get_most (table, kind) * ROOM;
  WpPlotSeries *simulated;
  g_autoptr (GPtrArray) drawn = rank (table);
  guint n = 0, n_all = drawn->len;

  label (report, table, kind, plot);
  if (leave_few (report, drawn))
    {
      g_autofree gchar *how = plot->subtitle;

      plot->subtitle = g_strdup_printf ("%s; %d nearest, %d farthest of %u models", how, N_NEAREST,
                                        N_FARTHEST, n_all);
    }
  wp_plot_add_entry (plot, WP_PLOT_BLACK, FALSE, TRUE, "simulation");
  for (guint i = 0; i < table->n_models; i++)
    if (g_ptr_array_find (drawn, &table->estimates[i], NULL))
      {
        add_model (table, kind, &table->estimates[i], n, most, plot);
        n += n + 1 == WP_PLOT_BLACK ? 2 : 1;
      }
  simulated = wp_plot_add_series (plot, WP_PLOT_POINTS, WP_PLOT_BLACK);
  for (guint i = 0; i < table->n_points; i++)
    wp_plot_series_add (simulated, (gdouble)table->warps[i],
                        get_y (table, kind, table->simulated[i]));
  plot->x.is_log = plot->y.is_log = kind == WP_MODEL_PLOT_CPI;
  if (kind != WP_MODEL_PLOT_CPI)
    {
      plot->x.from = plot->y.from = 0;
      plot->y.to = most;
    }
  return plot;
}
