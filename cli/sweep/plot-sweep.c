/* SPDX-License-Identifier: MIT */
/* Values are taken from a row's text, so that it does not matter whether the row was simulated now,
 * or by another computer, or read from a file that is resumed.
 *
 * One axis of the sweep, or the occupancy that its runs reach, is horizontal; the others that vary
 * make series.
 */
#include "cli/sweep/plot-sweep-private.h"

#include "cli/common/cli-plot.h"
#include "run/base/csv.h"
#include "run/sweep/sweep-row.h"

#include <math.h>
#include <string.h>

#define FEW_VALUES 4 /* with as many, needed occupancy is the default */

const gchar *const wp_sweep_plot_kinds[] = { "throughput", "cpi", "needed", NULL };

static const gchar *const columns[WP_SWEEP_PLOT_N_COLUMNS]
    = { "error", "sms", "blocks", "resident_blocks", "resident_warps", "ipc", "warp_throughput" };

/* The parameters that vary. */
static guint
count_settings (const WpSweepPlot *plot)
{
  guint n = 0;

  for (guint i = 0; i < plot->axes->len; i++)
    {
      const WpSweepPlotAxis *axis = wp_sweep_plot_get_axis (plot, i);

      n += axis->setting >= 0 && axis->count > 1;
    }
  return n;
}

/* ---- What to draw ---- */

static gboolean
refuse (GError **error, const gchar *why)
{
  g_set_error (error, WP_ERROR, WP_ERROR_VALUE, "%s", why);
  return FALSE;
}

static WpSweepPlotKind
get_default_kind (const WpSweepPlot *plot)
{
  const guint setting = wp_sweep_plot_find_numeric (plot, TRUE);
  const guint occupancy = wp_sweep_plot_find_axis (plot, WP_AXIS_OCCUPANCY);

  return count_settings (plot) == 1 && wp_sweep_plot_get_axis (plot, setting)->count >= FEW_VALUES
                 && wp_sweep_plot_get_axis (plot, occupancy)->count >= FEW_VALUES
             ? WP_SWEEP_PLOT_NEEDED
             : WP_SWEEP_PLOT_THROUGHPUT;
}

static gboolean
choose_x (WpSweepPlot *plot, GError **error)
{
  const guint occupancy = wp_sweep_plot_find_occupancy (plot);
  gboolean by_occupancy = wp_sweep_plot_get_axis (plot, occupancy)->count > 1;

  plot->x = plot->axes->len;
  if (plot->kind == WP_SWEEP_PLOT_NEEDED)
    {
      plot->x = wp_sweep_plot_find_numeric (plot, TRUE);
      if (plot->x == plot->axes->len || !by_occupancy)
        return refuse (error, "--plot-kind needed draws the occupancy that is needed by a "
                              "parameter: both must vary, as in --occupancy 1-64 --set "
                              "alpha=1,2,4,8");
      return TRUE;
    }
  if (by_occupancy)
    return TRUE;
  plot->x = wp_sweep_plot_find_numeric (plot, FALSE);
  return plot->x < plot->axes->len
         || refuse (error, "there is nothing to plot: no number varies; list values, as in "
                           "--occupancy 4-64/4");
}

static gboolean
count_series (WpSweepPlot *plot, GError **error)
{
  guint64 n = 1;
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint i = 0; i < plot->axes->len; i++)
    if (wp_sweep_plot_makes_series (plot, i))
      {
        n *= wp_sweep_plot_get_axis (plot, i)->count;
        g_string_append_printf (names, "%s%s", names->len > 0 ? " x " : "",
                                wp_sweep_plot_get_axis (plot, i)->name);
      }
  plot->n_series = (guint)MIN (n, G_MAXUINT);
  if (n <= WP_PLOT_MAX_SERIES)
    return TRUE;
  g_set_error (error, WP_ERROR, WP_ERROR_VALUE,
               "a plot would have %" G_GUINT64_FORMAT
               " series (%s), too many to tell apart; at most %d",
               n, names->str, WP_PLOT_MAX_SERIES);
  return FALSE;
}

WpSweepPlot *
wp_sweep_plot_new (const WpSweep *sweep, gint kind, guint share, GError **error)
{
  g_autoptr (WpSweepPlot) plot = g_new0 (WpSweepPlot, 1);
  g_autofree gchar *header = wp_sweep_get_header (sweep);

  plot->sweep = sweep;
  plot->share = share;
  plot->runs = g_array_new (FALSE, FALSE, sizeof (WpSweepPlotRun));
  wp_sweep_plot_list_axes (plot);
  plot->kind = kind >= 0 ? (WpSweepPlotKind)kind : get_default_kind (plot);
  if (!choose_x (plot, error))
    return NULL;
  plot->n_seeds = plot->x == wp_sweep_plot_find_axis (plot, WP_AXIS_SEED)
                      ? 1
                      : wp_sweep_count (sweep->axes[WP_AXIS_SEED]);
  if (!count_series (plot, error))
    return NULL;
  for (guint i = 0; i < WP_SWEEP_PLOT_N_COLUMNS; i++)
    plot->columns[i] = wp_csv_find_column (header, columns[i]);
  if (sweep->n_rows <= WP_SWEEP_PLOT_MAX_ROWS)
    return g_steal_pointer (&plot);
  g_set_error (error, WP_ERROR, WP_ERROR_VALUE,
               "a plot of %" G_GUINT64_FORMAT
               " rows shows nothing that fewer would not; at most %d",
               sweep->n_rows, WP_SWEEP_PLOT_MAX_ROWS);
  return NULL;
}

void
wp_sweep_plot_free (WpSweepPlot *plot)
{
  if (plot == NULL)
    return;
  g_clear_pointer (&plot->axes, g_array_unref);
  g_clear_pointer (&plot->runs, g_array_unref);
  g_free (plot);
}

WpSweepPlotKind
wp_sweep_plot_get_kind (const WpSweepPlot *plot)
{
  return plot->kind;
}

/* ---- Rows ---- */

/* Warps that an SM has of a run: a small grid may not fill it. */
static gdouble
get_warps (const gdouble *values)
{
  gdouble blocks = fmin (values[WP_SWEEP_PLOT_RESIDENT_BLOCKS],
                         ceil (values[WP_SWEEP_PLOT_BLOCKS] / values[WP_SWEEP_PLOT_SMS]));

  return values[WP_SWEEP_PLOT_RESIDENT_WARPS] / values[WP_SWEEP_PLOT_RESIDENT_BLOCKS] * blocks;
}

/* A point of its own, or one of those of all seeds, which follow one another. */
static void
take_run (WpSweepPlot *plot, guint64 row, gdouble warps, gdouble ipc, gdouble rate)
{
  const WpSweepPlotRun fresh = { .row = row };
  WpSweepPlotRun *run = NULL;

  if (plot->runs->len > 0)
    run = &g_array_index (plot->runs, WpSweepPlotRun, plot->runs->len - 1);
  if (run == NULL || run->row / plot->n_seeds != row / plot->n_seeds)
    {
      g_array_append_val (plot->runs, fresh);
      run = &g_array_index (plot->runs, WpSweepPlotRun, plot->runs->len - 1);
    }
  wp_sample_add (&run->y, plot->kind == WP_SWEEP_PLOT_CPI ? 1 / ipc : ipc);
  run->warps += (warps - run->warps) / run->y.n;
  run->rate += (rate - run->rate) / run->y.n;
}

void
wp_sweep_plot_take (gpointer data, guint64 row, const gchar *line)
{
  WpSweepPlot *plot = data;
  g_autoptr (GString) cell = g_string_new (NULL);
  gdouble values[WP_SWEEP_PLOT_N_COLUMNS] = { 0 };
  gdouble warps;

  for (gint i = 0; wp_csv_take_cell (&line, cell); i++)
    for (guint k = 0; k < WP_SWEEP_PLOT_N_COLUMNS; k++)
      if (plot->columns[k] == i && k == WP_SWEEP_PLOT_ERROR && cell->len > 0)
        {
          plot->n_refused++;
          return;
        }
      else if (plot->columns[k] == i)
        values[k] = g_ascii_strtod (cell->str, NULL);
  warps = get_warps (values);
  if (isfinite (warps) && warps > 0
      && !isnan (values[WP_SWEEP_PLOT_IPC])) /* a table may have been edited */
    take_run (plot, row, warps, values[WP_SWEEP_PLOT_IPC], values[WP_SWEEP_PLOT_RATE]);
  else
    plot->n_refused++;
}

/* ---- The figure ---- */

WpPlot *
wp_sweep_plot_make (WpSweepPlot *plot, const WpProgress *progress, guint64 max_steps,
                    gint *interrupted, GError **error)
{
  gboolean are_estimates = FALSE;
  const WpSweepPlotSearch search = { progress, max_steps, interrupted, &are_estimates };
  g_autoptr (WpPlot) figure = wp_plot_new ();
  gboolean done;

  *interrupted = 0;
  wp_sweep_plot_label (plot, figure);
  if (plot->n_refused > 0)
    wp_cli_complain ("warning: the plot leaves out %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
                     " rows, which have no figures",
                     plot->n_refused, plot->sweep->n_rows);
  if (plot->kind == WP_SWEEP_PLOT_NEEDED)
    done = wp_sweep_plot_draw_needed (plot, figure, &search, error);
  else if (plot->x == plot->axes->len)
    done = wp_sweep_plot_draw_by_occupancy (plot, figure, &search, error);
  else
    done = wp_sweep_plot_draw_by_axis (plot, figure, &search, error);
  if (!done)
    return NULL;
  if (!figure->y.is_log)
    figure->y.from = 0;
  return g_steal_pointer (&figure);
}
