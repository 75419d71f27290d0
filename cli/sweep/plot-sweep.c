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

const gchar *const wp_sweep_plot_kinds[] = { "throughput", "cpi", "needed", "bars", NULL };

static const gchar *const columns[WP_SWEEP_PLOT_N_COLUMNS]
    = { "error",          "sms", "blocks",          "resident_blocks",
        "resident_warps", "ipc", "warp_throughput", "time_us" };

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

  if (plot->sweep->kernels->len > 1 || plot->sweep->normalize)
    return WP_SWEEP_PLOT_BARS;
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

/* The axis that WISH names; it must vary, and be a number where NUMERIC. axes->len with ERROR. */
static guint
find_wanted (const WpSweepPlot *plot, const gchar *wish, gboolean numeric, GError **error)
{
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint i = 0; i < plot->axes->len; i++)
    {
      const WpSweepPlotAxis *axis = wp_sweep_plot_get_axis (plot, i);

      if (axis->count == 1 || (numeric && !axis->is_numeric))
        continue;
      if (strcmp (axis->name, wish) == 0)
        return i;
      g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "", axis->name);
    }
  g_set_error (error, WP_ERROR, WP_ERROR_VALUE,
               "--plot-x \"%s\": no axis of this sweep%s; expected one of those that vary: %s",
               wish, numeric ? " that is a number" : "", names->len > 0 ? names->str : "none does");
  return plot->axes->len;
}

/* The first axis that varies and may be that of groups, from START on, or axes->len. */
static guint
find_groups (const WpSweepPlot *plot, guint start)
{
  for (guint i = start; i < plot->axes->len; i++)
    {
      const WpSweepPlotAxis *axis = wp_sweep_plot_get_axis (plot, i);

      if (axis->count > 1
          && (axis->setting >= 0 || (axis->axis != WP_AXIS_POLICY && axis->axis != WP_AXIS_SEED)))
        return i;
    }
  return plot->axes->len;
}

static gboolean
choose_bars_x (WpSweepPlot *plot, const gchar *wish, GError **error)
{
  if (wish != NULL)
    plot->x = find_wanted (plot, wish, FALSE, error);
  else
    plot->x = find_groups (plot, 0);
  if (wish != NULL && plot->x == plot->axes->len)
    return FALSE;
  /* One kernel, one GPU: its policies are a group. */
  if (plot->x == plot->axes->len)
    plot->x = wp_sweep_plot_find_axis (plot, WP_AXIS_KERNEL);
  return TRUE;
}

static gboolean
choose_axis (WpSweepPlot *plot, const gchar *wish, GError **error)
{
  if (plot->kind == WP_SWEEP_PLOT_BARS)
    return choose_bars_x (plot, wish, error);
  if (!choose_x (plot, error))
    return FALSE;
  if (wish == NULL)
    return TRUE;
  plot->x = find_wanted (plot, wish, TRUE, error);
  if (plot->x == plot->axes->len)
    return FALSE;
  if (plot->kind != WP_SWEEP_PLOT_NEEDED && plot->x == wp_sweep_plot_find_occupancy (plot))
    plot->x = plot->axes->len; /* what its runs reach */
  return plot->kind != WP_SWEEP_PLOT_NEEDED || wp_sweep_plot_get_axis (plot, plot->x)->setting >= 0
         || refuse (error,
                    "--plot-kind needed draws what a parameter of the kernel needs: --plot-x "
                    "takes a name of --set");
}

/* The number of series, and their axes in NAMES. */
static guint64
count_series (const WpSweepPlot *plot, GString *names)
{
  guint64 n = 1;

  g_string_truncate (names, 0);
  for (guint i = 0; i < plot->axes->len; i++)
    if (wp_sweep_plot_makes_series (plot, i))
      {
        n *= wp_sweep_plot_get_axis (plot, i)->count;
        g_string_append_printf (names, "%s%s", names->len > 0 ? " x " : "",
                                wp_sweep_plot_get_axis (plot, i)->name);
      }
  return n;
}

/* Bars that are compared with one are one series less, for each combination of the others. */
static guint64
count_drawn (const WpSweepPlot *plot, guint64 n_series)
{
  guint policies = plot->sweep->policies->len;

  return plot->kind == WP_SWEEP_PLOT_BARS && plot->base >= 0 ? n_series / policies * (policies - 1)
                                                             : n_series;
}

/* Where kernels as groups leave too many series, another axis becomes that of the groups, and bars
 * are means over the kernels. */
static void
try_means (WpSweepPlot *plot, const gchar *wish, guint64 *n, GString *names)
{
  const guint kernel = wp_sweep_plot_find_axis (plot, WP_AXIS_KERNEL);
  const guint64 before = count_drawn (plot, *n);
  guint other;

  if (plot->kind != WP_SWEEP_PLOT_BARS || wish != NULL || plot->x != kernel
      || before <= WP_PLOT_MAX_SERIES)
    return;
  other = find_groups (plot, kernel + 1);
  if (other == plot->axes->len)
    return;
  plot->x = other;
  *n = count_series (plot, names);
  if (count_drawn (plot, *n) <= WP_PLOT_MAX_SERIES)
    wp_cli_complain ("the plot shows geometric means of all kernels by %s: each kernel would have "
                     "%" G_GUINT64_FORMAT " bars; to see each, list less, as one GPU a plot",
                     wp_sweep_plot_get_axis (plot, other)->name, before);
}

static gboolean
check_series (WpSweepPlot *plot, const gchar *wish, GError **error)
{
  g_autoptr (GString) names = g_string_new (NULL);
  guint64 n = count_series (plot, names);

  try_means (plot, wish, &n, names);
  plot->n_series = (guint)MIN (n, G_MAXUINT);
  n = count_drawn (plot, n);
  if (n <= WP_PLOT_MAX_SERIES)
    return TRUE;
  g_set_error (error, WP_ERROR, WP_ERROR_VALUE,
               "a plot would have %" G_GUINT64_FORMAT
               " series (%s), too many to tell apart; at most %d; list less, or put one of them "
               "along the horizontal axis: --plot-x NAME (--plot-kind bars takes any)",
               n, names->str, WP_PLOT_MAX_SERIES);
  return FALSE;
}

/* Gives PLOT, of bars, a value for each row. */
static void
make_values (WpSweepPlot *plot)
{
  const gdouble none = NAN;

  plot->values = g_array_new (FALSE, FALSE, sizeof (gdouble));
  for (guint64 i = 0; i < plot->sweep->n_rows; i++)
    g_array_append_val (plot->values, none);
}

WpSweepPlot *
wp_sweep_plot_new (const WpSweep *sweep, const WpSweepPlotWish *wish, GError **error)
{
  g_autoptr (WpSweepPlot) plot = g_new0 (WpSweepPlot, 1);
  g_autofree gchar *header = wp_sweep_get_header (sweep);

  plot->sweep = sweep;
  plot->share = wish->share;
  plot->base = sweep->policies->len > 1 ? 0 : -1;
  plot->runs = g_array_new (FALSE, FALSE, sizeof (WpSweepPlotRun));
  wp_sweep_plot_list_axes (plot);
  plot->kind = wish->kind >= 0 ? (WpSweepPlotKind)wish->kind : get_default_kind (plot);
  if (sweep->kernels->len > 1 && plot->kind != WP_SWEEP_PLOT_BARS)
    {
      refuse (error, "a plot of several kernels is one of bars: --plot-kind bars");
      return NULL;
    }
  if (!choose_axis (plot, wish->x, error))
    return NULL;
  plot->n_seeds = plot->x == wp_sweep_plot_find_axis (plot, WP_AXIS_SEED)
                      ? 1
                      : wp_sweep_count (sweep->axes[WP_AXIS_SEED]);
  if (!check_series (plot, wish->x, error))
    return NULL;
  for (guint i = 0; i < WP_SWEEP_PLOT_N_COLUMNS; i++)
    plot->columns[i] = wp_csv_find_column (header, columns[i]);
  if (sweep->n_rows > WP_SWEEP_PLOT_MAX_ROWS)
    {
      g_set_error (error, WP_ERROR, WP_ERROR_VALUE,
                   "a plot of %" G_GUINT64_FORMAT
                   " rows shows nothing that fewer would not; at most %d",
                   sweep->n_rows, WP_SWEEP_PLOT_MAX_ROWS);
      return NULL;
    }
  if (plot->kind == WP_SWEEP_PLOT_BARS)
    make_values (plot);
  return g_steal_pointer (&plot);
}

void
wp_sweep_plot_free (WpSweepPlot *plot)
{
  if (plot == NULL)
    return;
  g_clear_pointer (&plot->axes, g_array_unref);
  g_clear_pointer (&plot->runs, g_array_unref);
  g_clear_pointer (&plot->values, g_array_unref);
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

/* A bar. */
static void
take_value (WpSweepPlot *plot, guint64 row, const gdouble *values)
{
  gdouble value = values[plot->base >= 0 ? WP_SWEEP_PLOT_TIME : WP_SWEEP_PLOT_IPC];

  if (isfinite (value) && value > 0)
    g_array_index (plot->values, gdouble, row) = value;
  else
    plot->n_refused++;
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
  if (plot->values != NULL)
    {
      take_value (plot, row, values);
      return;
    }
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
  if (plot->kind == WP_SWEEP_PLOT_BARS)
    {
      wp_sweep_plot_draw_bars (plot, figure);
      done = TRUE;
    }
  else if (plot->kind == WP_SWEEP_PLOT_NEEDED)
    done = wp_sweep_plot_draw_needed (plot, figure, &search, error);
  else if (plot->x == plot->axes->len)
    done = wp_sweep_plot_draw_by_occupancy (plot, figure, &search, error);
  else
    done = wp_sweep_plot_draw_by_axis (plot, figure, &search, error);
  if (!done)
    return NULL;
  if (!figure->y.is_log && (plot->kind != WP_SWEEP_PLOT_BARS || plot->base < 0))
    figure->y.from = 0;
  return g_steal_pointer (&figure);
}
