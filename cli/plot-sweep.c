/* SPDX-License-Identifier: MIT */
/* What is drawn of a row is taken from its text, so that it does not matter whether it was simulated now, or by another
 * machine, or stood in a file that is gone on with.
 *
 * One axis of the sweep, or the occupancy that its runs reach, goes to the right. The others that vary make series, one for
 * each of their combinations. Bounds depend on some of them only (not on the policy), so that there may be fewer lines than
 * series.
 */
#include "cli/plot-sweep.h"

#include "cli/cli-bounds.h"
#include "cli/cli-csv.h"
#include "cli/cli-plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FEW_VALUES 4 /* with as many, needed occupancy is the default */
#define FEW_LINES 4  /* so many ridges can have their figure beside them */
#define SAMPLES 64   /* of a curved line */
#define BETWEEN 48   /* further values of a parameter at which bounds are found */

const gchar *const wp_sweep_plot_kinds[] = { "throughput", "cpi", "needed", NULL };

/* Columns that are read. */
enum
{
  ERROR,
  SMS,
  BLOCKS,
  RESIDENT_BLOCKS,
  RESIDENT_WARPS,
  IPC,
  RATE,
  N_COLUMNS
};

static const gchar *const columns[N_COLUMNS]
    = { "error", "sms", "blocks", "resident_blocks", "resident_warps", "ipc", "warp_throughput" };

/* An axis of the sweep, GPUs and parameters among them. */
typedef struct
{
  const gchar *name;
  const GArray *ranges; /* or NULL */
  gint setting;         /* of the kernel's parameters, or -1 */
  WpAxis axis;          /* where it is none */
  guint64 count;
  gboolean is_numeric, bounds; /* a number; bounds depend on it */
} Axis;

/* A run. */
typedef struct
{
  guint64 row;
  gdouble warps, ipc, rate; /* warps resident; instructions, and warps, a cycle and SM */
} Run;

/* Of one warp on an SM. */
typedef struct
{
  gdouble latency, throughput; /* cycles */
  gdouble instructions;
} Bounds;

struct WpSweepPlot
{
  const WpSweep *sweep;
  WpSweepPlotKind kind;
  guint share;
  GArray *axes; /* of Axis, that which varies slowest first */
  guint x;      /* the axis that goes to the right, or axes->len: warps resident */
  guint n_series;
  gint columns[N_COLUMNS]; /* places in a row */
  GArray *runs;            /* of Run */
  guint64 n_refused;       /* rows without figures */
};

/* ---- Axes ---- */

static void
add_axis (WpSweepPlot *plot, const gchar *name, const GArray *ranges, gint setting, WpAxis axis)
{
  const gboolean is_setting = setting >= 0;
  const Axis added = { .name = name,
                       .ranges = ranges,
                       .setting = setting,
                       .axis = axis,
                       .count = wp_sweep_count (ranges),
                       .is_numeric = is_setting
                                     || (axis != WP_AXIS_GPU && axis != WP_AXIS_POLICY
                                         && axis != WP_AXIS_ORDER && axis != WP_AXIS_MEMORY),
                       .bounds = is_setting
                                 || (axis != WP_AXIS_OCCUPANCY && axis != WP_AXIS_POLICY
                                     && axis != WP_AXIS_ACTIVE_SET && axis != WP_AXIS_MEMORY
                                     && axis != WP_AXIS_SEED) };

  g_array_append_val (plot->axes, added);
}

/* In the order of a row's digits. */
static void
list_axes (WpSweepPlot *plot)
{
  static const gchar *const names[WP_N_AXES]
      = { "gpu",       "threads", "registers",  "shared-memory", "blocks", "sms",
          "occupancy", "policy",  "active-set", "order",         "memory", "seed" };
  const WpSweep *sweep = plot->sweep;

  plot->axes = g_array_new (FALSE, FALSE, sizeof (Axis));
  add_axis (plot, names[WP_AXIS_GPU], sweep->axes[WP_AXIS_GPU], -1, WP_AXIS_GPU);
  for (guint i = 0; i < sweep->kernel->parameters->len; i++)
    {
      const IdgParameter *parameter = g_ptr_array_index (sweep->kernel->parameters, i);

      add_axis (plot, parameter->name, sweep->settings[i], (gint)i, WP_N_AXES);
    }
  for (guint i = WP_AXIS_GPU + 1; i < WP_N_AXES; i++)
    add_axis (plot, names[i], sweep->axes[i], -1, (WpAxis)i);
}

static const Axis *
get_axis (const WpSweepPlot *plot, guint i)
{
  return &g_array_index (plot->axes, Axis, i);
}

/* Which value of axis I ROW has. */
static guint64
get_digit (const WpSweepPlot *plot, guint64 row, guint i)
{
  for (guint k = plot->axes->len - 1; k > i; k--)
    row /= get_axis (plot, k)->count;
  return row % get_axis (plot, i)->count;
}

/* ROW with value DIGIT of axis I. */
static guint64
set_digit (const WpSweepPlot *plot, guint64 row, guint i, guint64 digit)
{
  guint64 weight = 1;

  for (guint k = plot->axes->len - 1; k > i; k--)
    weight *= get_axis (plot, k)->count;
  return row - get_digit (plot, row, i) * weight + digit * weight;
}

/* The number that axis I has in ROW. */
static guint64
get_number (const WpSweepPlot *plot, guint64 row, guint i)
{
  const Axis *axis = get_axis (plot, i);
  WpSweepPoint point;

  wp_sweep_get_point (plot->sweep, row, &point);
  if (axis->setting < 0 && axis->axis == WP_AXIS_SMS && i == plot->x
      && point.values[WP_AXIS_SMS] == 0)
    return (guint64)((const WpGpu *)g_ptr_array_index (plot->sweep->gpus,
                                                       point.values[WP_AXIS_GPU]))
        ->sms;
  return axis->setting >= 0
             ? wp_sweep_get_setting (plot->sweep, point.settings, (guint)axis->setting)
             : point.values[axis->axis];
}

static guint
find_axis (const WpSweepPlot *plot, WpAxis wanted)
{
  for (guint i = 0; i < plot->axes->len; i++)
    if (get_axis (plot, i)->setting < 0 && get_axis (plot, i)->axis == wanted)
      return i;
  g_assert_not_reached ();
}

/* The axis of --occupancy, or that of --blocks where needed occupancy is to be found and blocks vary in its place: without
 * limits all of them are resident, and none is replaced. */
static guint
find_occupancy (const WpSweepPlot *plot)
{
  const guint occupancy = find_axis (plot, WP_AXIS_OCCUPANCY);
  const guint blocks = find_axis (plot, WP_AXIS_BLOCKS);

  return plot->kind == WP_SWEEP_PLOT_NEEDED && get_axis (plot, occupancy)->count == 1
                 && get_axis (plot, blocks)->count > 1
             ? blocks
             : occupancy;
}

/* The first axis of numbers, of SETTINGS only where that is true, that varies, or axes->len. */
static guint
find_numeric (const WpSweepPlot *plot, gboolean settings)
{
  for (guint i = 0; i < plot->axes->len; i++)
    {
      const Axis *axis = get_axis (plot, i);

      if (axis->count > 1 && axis->is_numeric && (!settings || axis->setting >= 0))
        return i;
    }
  return plot->axes->len;
}

/* Whether the values of axis I make series. */
static gboolean
makes_series (const WpSweepPlot *plot, guint i)
{
  return get_axis (plot, i)->count > 1 && i != plot->x && i != find_occupancy (plot);
}

static guint
count_settings (const WpSweepPlot *plot)
{
  guint n = 0;

  for (guint i = 0; i < plot->axes->len; i++)
    n += get_axis (plot, i)->setting >= 0 && get_axis (plot, i)->count > 1;
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
  guint setting = find_numeric (plot, TRUE);

  return count_settings (plot) == 1 && get_axis (plot, setting)->count >= FEW_VALUES
                 && get_axis (plot, find_axis (plot, WP_AXIS_OCCUPANCY))->count >= FEW_VALUES
             ? WP_SWEEP_PLOT_NEEDED
             : WP_SWEEP_PLOT_THROUGHPUT;
}

static gboolean
choose_x (WpSweepPlot *plot, GError **error)
{
  gboolean by_occupancy = get_axis (plot, find_occupancy (plot))->count > 1;

  plot->x = plot->axes->len;
  if (plot->kind == WP_SWEEP_PLOT_NEEDED)
    {
      plot->x = find_numeric (plot, TRUE);
      if (plot->x == plot->axes->len || !by_occupancy)
        return refuse (error, "--plot-kind needed draws the occupancy that is needed by a "
                              "parameter: both must vary, as in --occupancy 1-64 --set "
                              "alpha=1,2,4,8");
      return TRUE;
    }
  if (by_occupancy)
    return TRUE;
  plot->x = find_numeric (plot, FALSE);
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
    if (makes_series (plot, i))
      {
        n *= get_axis (plot, i)->count;
        g_string_append_printf (names, "%s%s", names->len > 0 ? " x " : "",
                                get_axis (plot, i)->name);
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

static gint
find_column (const gchar *header, const gchar *name)
{
  g_autoptr (GString) cell = g_string_new (NULL);

  for (gint i = 0; wp_csv_take_cell (&header, cell); i++)
    if (strcmp (cell->str, name) == 0)
      return i;
  g_assert_not_reached ();
}

WpSweepPlot *
wp_sweep_plot_new (const WpSweep *sweep, gint kind, guint share, GError **error)
{
  g_autoptr (WpSweepPlot) plot = g_new0 (WpSweepPlot, 1);
  g_autofree gchar *header = wp_sweep_get_header (sweep);

  plot->sweep = sweep;
  plot->share = share;
  plot->runs = g_array_new (FALSE, FALSE, sizeof (Run));
  list_axes (plot);
  plot->kind = kind >= 0 ? (WpSweepPlotKind)kind : get_default_kind (plot);
  if (!choose_x (plot, error) || !count_series (plot, error))
    return NULL;
  for (guint i = 0; i < N_COLUMNS; i++)
    plot->columns[i] = find_column (header, columns[i]);
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
  gdouble blocks = fmin (values[RESIDENT_BLOCKS], ceil (values[BLOCKS] / values[SMS]));

  return values[RESIDENT_WARPS] / values[RESIDENT_BLOCKS] * blocks;
}

void
wp_sweep_plot_take (gpointer data, guint64 row, const gchar *line)
{
  WpSweepPlot *plot = data;
  g_autoptr (GString) cell = g_string_new (NULL);
  gdouble values[N_COLUMNS] = { 0 };
  Run run = { .row = row };

  for (gint i = 0; wp_csv_take_cell (&line, cell); i++)
    for (guint k = 0; k < N_COLUMNS; k++)
      if (plot->columns[k] == i && k == ERROR && cell->len > 0)
        {
          plot->n_refused++;
          return;
        }
      else if (plot->columns[k] == i)
        values[k] = g_ascii_strtod (cell->str, NULL);
  run.warps = get_warps (values);
  run.ipc = values[IPC];
  run.rate = values[RATE];
  g_array_append_val (plot->runs, run);
}

/* ---- Bounds ---- */

/* What finding bounds takes. */
typedef struct
{
  const WpSignals *signals;
  guint64 max_steps;
  gint *interrupted;
  gboolean *are_estimates; /* out: some of those found are */
} Search;

/* The kernel of ROW, but for axis X, a parameter, which is VALUE; NULL where it is refused. */
static IdgKernel *
make_kernel (const WpSweepPlot *plot, guint64 row, guint64 value)
{
  const WpSweep *sweep = plot->sweep;
  g_autoptr (GPtrArray) list = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < plot->axes->len; i++)
    {
      const Axis *axis = get_axis (plot, i);

      if (axis->setting >= 0 && axis->ranges != NULL)
        g_ptr_array_add (list, g_strdup_printf ("%s=%" G_GUINT64_FORMAT, axis->name,
                                                i == plot->x ? value : get_number (plot, row, i)));
    }
  g_ptr_array_add (list, NULL);
  return idg_kernel_parse (sweep->text, sweep->length, sweep->kernel_name,
                           (const gchar *const *)list->pdata, NULL);
}

static void
take_bounds (const WpBounds *found, const WpMachine *machine, Bounds *bounds)
{
  gdouble ticks = (gdouble)machine->ticks_per_cycle;

  bounds->latency = wp_mean_to_double (found->latency) / ticks;
  bounds->throughput = wp_mean_to_double (found->throughput) / ticks;
  bounds->instructions = 0;
  for (guint i = 0; i < machine->n_instrs; i++)
    bounds->instructions += wp_mean_to_double (found->counts[i]);
}

/* The bounds of ROW, with VALUE of axis X where that is a parameter. What cannot run has none (NAN). False with ERROR, or
 * where a signal came. */
static gboolean
find_bounds (const WpSweepPlot *plot, guint64 row, guint64 value, const Search *search,
             Bounds *bounds, GError **error)
{
  const WpSweep *sweep = plot->sweep;
  WpSweepPoint point;
  WpRunOptions options;
  IdgKernel *kernel = make_kernel (plot, row, value);
  g_autoptr (WpResolved) resolved = NULL;
  WpBounds *found = NULL;
  g_autoptr (GError) problem = NULL;

  *bounds = (Bounds){ NAN, NAN, NAN };
  wp_sweep_get_point (sweep, row, &point);
  wp_sweep_get_options (sweep, &point, &options);
  options.occupancy = 0; /* matters not, but that a block must fit */
  if (kernel != NULL)
    resolved = wp_resolve (kernel, g_ptr_array_index (sweep->gpus, point.values[WP_AXIS_GPU]),
                           &options, NULL);
  if (resolved != NULL)
    found = wp_find_bounds (kernel, &resolved->machine, search->signals, search->max_steps,
                            search->interrupted, &problem);
  if (found != NULL)
    {
      take_bounds (found, &resolved->machine, bounds);
      *search->are_estimates |= wp_bounds_are_estimates (&resolved->machine);
    }
  wp_bounds_free (found);
  g_clear_pointer (&resolved, wp_resolved_free);
  idg_kernel_free (kernel);
  if (problem == NULL || g_error_matches (problem, WP_ERROR, WP_ERROR_LIMIT))
    return *search->interrupted == 0;
  g_propagate_error (error, g_steal_pointer (&problem));
  return FALSE;
}

/* Instructions a cycle and SM that BOUNDS allow with WARPS; infinite where nothing does. */
static gdouble
get_bound (const Bounds *bounds, gdouble warps)
{
  return bounds->instructions / fmax (bounds->throughput, bounds->latency / warps);
}

/* ---- Series and lines ---- */

/* A row of series I: axes that make none have their first value. */
static guint64
get_row (const WpSweepPlot *plot, guint i)
{
  guint64 row = 0;

  for (guint k = plot->axes->len; k-- > 0;)
    if (makes_series (plot, k))
      {
        row = set_digit (plot, row, k, i % get_axis (plot, k)->count);
        i /= get_axis (plot, k)->count;
      }
  return row;
}

static guint
get_series (const WpSweepPlot *plot, guint64 row)
{
  guint i = 0;

  for (guint k = 0; k < plot->axes->len; k++)
    if (makes_series (plot, k))
      i = i * (guint)get_axis (plot, k)->count + (guint)get_digit (plot, row, k);
  return i;
}

/* The first series that has the bounds of series I. */
static guint
get_line (const WpSweepPlot *plot, guint i)
{
  guint64 row = get_row (plot, i);

  for (guint k = 0; k < plot->axes->len; k++)
    if (makes_series (plot, k) && !get_axis (plot, k)->bounds)
      row = set_digit (plot, row, k, 0);
  return get_series (plot, row);
}

static guint
count_lines (const WpSweepPlot *plot)
{
  guint n = 0;

  for (guint i = 0; i < plot->n_series; i++)
    n += get_line (plot, i) == i;
  return n;
}

/* What axis K has in ROW, as words. */
static gchar *
describe (const WpSweepPlot *plot, guint64 row, guint k)
{
  const Axis *axis = get_axis (plot, k);
  guint64 number = get_number (plot, row, k);

  if (axis->setting < 0)
    switch (axis->axis)
      {
      case WP_AXIS_GPU:
        return wp_plot_shorten (plot->sweep->gpu_names[number]);
      case WP_AXIS_POLICY:
        return g_strdup (wp_policy_get_name (g_ptr_array_index (plot->sweep->policies, number)));
      case WP_AXIS_ORDER:
        return g_strdup (number == WP_ORDER_DATAFLOW ? "dataflow order" : "program order");
      case WP_AXIS_MEMORY:
        return g_strdup (number != 0 ? "contended memory" : "ideal memory");
      case WP_AXIS_SMS:
        if (number == 0)
          return g_strdup ("sms=all");
        break;
      default:
        break;
      }
  return g_strdup_printf ("%s=%" G_GUINT64_FORMAT, axis->name, number);
}

/* What tells series I from the others; BOUNDS: its line from the other lines. */
static gchar *
get_label (const WpSweepPlot *plot, guint i, gboolean bounds)
{
  guint64 row = get_row (plot, i);
  GString *label = g_string_new (NULL);

  for (guint k = 0; k < plot->axes->len; k++)
    if (makes_series (plot, k) && (!bounds || get_axis (plot, k)->bounds))
      {
        g_autofree gchar *words = describe (plot, row, k);

        g_string_append_printf (label, "%s%s", label->len > 0 ? ", " : "", words);
      }
  return g_string_free (label, FALSE);
}

/* ---- Words ---- */

static gchar *
get_title (const WpSweepPlot *plot)
{
  g_autofree gchar *kernel = wp_plot_shorten (plot->sweep->kernel->name);
  g_autofree gchar *gpu = wp_plot_shorten (plot->sweep->gpu_names[0]);

  return get_axis (plot, 0)->count > 1 ? g_steal_pointer (&kernel)
                                       : g_strdup_printf ("%s on %s", kernel, gpu);
}

/* What all runs have: "alpha=32, rounds=20, policy rr". */
static gchar *
get_subtitle (const WpSweepPlot *plot)
{
  const WpSweep *sweep = plot->sweep;
  GString *text = g_string_new (NULL);

  for (guint k = 1; k < plot->axes->len; k++)
    {
      const Axis *axis = get_axis (plot, k);
      g_autofree gchar *words = NULL;

      if (axis->count > 1)
        continue;
      if (axis->setting >= 0 && axis->ranges == NULL)
        {
          const IdgParameter *parameter
              = g_ptr_array_index (sweep->kernel->parameters, (guint)axis->setting);

          words = g_strdup_printf ("%s=%s", axis->name, parameter->value);
        }
      else if (axis->setting < 0 && axis->axis == WP_AXIS_POLICY)
        words = g_strdup_printf ("policy %s",
                                 wp_policy_get_name (g_ptr_array_index (sweep->policies, 0)));
      else if (axis->ranges != NULL)
        words = describe (plot, 0, k);
      if (words != NULL)
        g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "", words);
    }
  if (sweep->no_limits)
    g_string_append_printf (text, "%sno limits", text->len > 0 ? ", " : "");
  return g_string_free (text, FALSE);
}

static gchar *
get_x_label (const WpSweepPlot *plot)
{
  const Axis *axis;
  const IdgParameter *parameter;

  if (plot->x == plot->axes->len)
    return g_strdup ("warps resident on an SM");
  axis = get_axis (plot, plot->x);
  if (axis->setting < 0)
    return g_strdup (axis->axis == WP_AXIS_THREADS         ? "threads of a block"
                     : axis->axis == WP_AXIS_REGISTERS     ? "registers of a thread"
                     : axis->axis == WP_AXIS_SHARED_MEMORY ? "shared memory of a block (bytes)"
                     : axis->axis == WP_AXIS_BLOCKS        ? "blocks of the launch"
                     : axis->axis == WP_AXIS_SMS           ? "SMs simulated"
                     : axis->axis == WP_AXIS_ACTIVE_SET    ? "active warps of a scheduler"
                                                           : "seed");
  parameter = g_ptr_array_index (plot->sweep->kernel->parameters, (guint)axis->setting);
  return parameter->text != NULL ? g_strdup_printf ("%s (%s)", parameter->name, parameter->text)
                                 : g_strdup (parameter->name);
}

static void
label (const WpSweepPlot *plot, WpPlot *figure)
{
  figure->title = get_title (plot);
  figure->subtitle = get_subtitle (plot);
  figure->x.label = get_x_label (plot);
  if (plot->kind == WP_SWEEP_PLOT_NEEDED)
    figure->y.label
        = g_strdup_printf ("warps on an SM for %u%% of the throughput bound", plot->share);
  else
    figure->y.label
        = g_strdup (plot->kind == WP_SWEEP_PLOT_CPI ? "cycles an instruction, of an SM (CPI)"
                                                    : "instructions a cycle and SM (IPC)");
}

static gboolean
are_pairs (const WpSweepPlot *plot)
{
  return count_lines (plot) == plot->n_series && plot->n_series > 1;
}

/* The look of the line of series I. */
static guint
get_line_look (const WpSweepPlot *plot, guint i)
{
  return count_lines (plot) == 1 ? WP_PLOT_BLACK : i;
}

/* Entries of the legend: where each series has a line of its own, it is one entry with it. */
static void
add_entries (const WpSweepPlot *plot, WpPlot *figure, const Search *search,
             const gchar *const *suffixes)
{
  const gboolean pairs = are_pairs (plot);
  const gchar *name = *search->are_estimates ? "bounds (estimates)" : "bounds";

  if (pairs)
    figure->legend = g_strdup_printf ("points: simulated\nlines: %s", name);
  for (guint i = 0; i < plot->n_series; i++)
    {
      g_autofree gchar *words = get_label (plot, i, FALSE);
      g_autofree gchar *text
          = g_strconcat (plot->n_series > 1 ? words : "simulated", pairs ? suffixes[i] : "", NULL);

      wp_plot_add_entry (figure, i, pairs, TRUE, text);
    }
  for (guint i = 0; i < plot->n_series && !pairs; i++)
    if (get_line (plot, i) == i)
      {
        g_autofree gchar *words = get_label (plot, i, TRUE);
        g_autofree gchar *text
            = g_strconcat (name, *words != '\0' ? ", " : "", words, suffixes[i], NULL);

        wp_plot_add_entry (figure, get_line_look (plot, i), TRUE, FALSE, text);
      }
}

static gchar **
new_suffixes (const WpSweepPlot *plot)
{
  gchar **suffixes = g_new0 (gchar *, plot->n_series + 1);

  for (guint i = 0; i < plot->n_series; i++)
    suffixes[i] = g_strdup ("");
  return suffixes;
}

/* ---- By occupancy ---- */

static gdouble
get_most_warps (const WpSweepPlot *plot)
{
  gdouble most = 1;

  for (guint i = 0; i < plot->runs->len; i++)
    most = fmax (most, g_array_index (plot->runs, Run, i).warps);
  return most;
}

/* What is drawn of IPC. */
static gdouble
get_y (const WpSweepPlot *plot, gdouble ipc)
{
  return plot->kind == WP_SWEEP_PLOT_CPI ? 1 / ipc : ipc;
}

/* The roofline: rising, then flat; of cycles an instruction, a curve that falls. */
static void
add_roofline (const WpSweepPlot *plot, WpPlot *figure, guint i, const Bounds *bounds, gdouble most)
{
  const gdouble ridge = bounds->latency / bounds->throughput;
  WpPlotSeries *line = wp_plot_add_series (figure, WP_PLOT_LINES, get_line_look (plot, i));
  const gdouble end = fmin (ridge, most);

  if (plot->kind == WP_SWEEP_PLOT_CPI)
    for (guint k = 0; k <= SAMPLES && end > 1; k++)
      {
        gdouble warps = pow (end, (gdouble)k / SAMPLES);

        wp_plot_series_add (line, warps, 1 / get_bound (bounds, warps));
      }
  else
    {
      wp_plot_series_add (line, 0, 0);
      if (ridge < most)
        wp_plot_series_add (line, ridge, get_bound (bounds, ridge));
    }
  wp_plot_series_add (line, most, get_y (plot, get_bound (bounds, most)));
}

/* The point from which on throughput bounds. */
static void
mark_ridge (const WpSweepPlot *plot, WpPlot *figure, guint i, const Bounds *bounds, gdouble most,
            gchar **suffix)
{
  gdouble ridge = bounds->latency / bounds->throughput;
  /* Of cycles an instruction there is no room beside the line. */
  gboolean has_room = count_lines (plot) <= FEW_LINES && plot->kind != WP_SWEEP_PLOT_CPI;
  g_autofree gchar *number = wp_plot_print (ridge, 3), *text = NULL;

  if (!isfinite (ridge))
    return;
  if (!has_room || ridge > most)
    {
      g_free (*suffix);
      *suffix = g_strdup_printf (" (needs %s warps)", number);
    }
  if (ridge > most)
    return;
  text = has_room ? g_strdup_printf ("needs %s warps", number) : g_strdup ("");
  wp_plot_add_mark (figure, ridge, get_y (plot, get_bound (bounds, ridge)), get_line_look (plot, i),
                    text);
}

/* Lines go as far as points, and as the last ridge, where that is not too far off. */
static gdouble
find_end (const WpSweepPlot *plot, const Bounds *bounds, gdouble most)
{
  gdouble end = most;

  for (guint i = 0; i < plot->n_series; i++)
    {
      gdouble ridge = bounds[i].latency / bounds[i].throughput;

      if (ridge <= 3 * most)
        end = fmax (end, ridge * 1.1);
    }
  return end;
}

static gboolean
draw_rooflines (const WpSweepPlot *plot, WpPlot *figure, const Search *search, GError **error)
{
  g_autofree Bounds *bounds = g_new0 (Bounds, plot->n_series);
  g_auto (GStrv) suffixes = new_suffixes (plot);
  gdouble end;

  for (guint i = 0; i < plot->n_series; i++)
    {
      guint line = get_line (plot, i);

      if (line < i)
        bounds[i] = bounds[line];
      else if (!find_bounds (plot, get_row (plot, i), 0, search, &bounds[i], error))
        return FALSE;
    }
  end = find_end (plot, bounds, get_most_warps (plot));
  for (guint i = 0; i < plot->n_series; i++)
    if (get_line (plot, i) == i && bounds[i].latency > 0)
      {
        add_roofline (plot, figure, i, &bounds[i], end);
        mark_ridge (plot, figure, i, &bounds[i], end, &suffixes[i]);
      }
  add_entries (plot, figure, search, (const gchar *const *)suffixes);
  figure->x.is_log = figure->y.is_log = plot->kind == WP_SWEEP_PLOT_CPI;
  if (!figure->x.is_log)
    {
      figure->x.from = 0;
      figure->x.to = end * 1.03;
    }
  return TRUE;
}

/* ---- By another axis ---- */

static gint
compare_points (gconstpointer left, gconstpointer right)
{
  const WpPlotPoint *a = left, *b = right;

  return a->x < b->x ? -1 : a->x > b->x ? 1 : a->y < b->y ? -1 : a->y > b->y;
}

static gint
compare_numbers (gconstpointer left, gconstpointer right)
{
  const gdouble *a = left, *b = right;

  return *a < *b ? -1 : *a > *b;
}

/* Numbers of axis X, rising, each once. Free with g_array_unref(). */
static GArray *
get_values (const WpSweepPlot *plot)
{
  GArray *values = g_array_new (FALSE, FALSE, sizeof (gdouble));
  guint n = 0;

  for (guint64 i = 0; i < get_axis (plot, plot->x)->count; i++)
    {
      gdouble value = (gdouble)get_number (plot, set_digit (plot, 0, plot->x, i), plot->x);

      g_array_append_val (values, value);
    }
  g_array_sort (values, compare_numbers);
  for (guint i = 0; i < values->len; i++)
    if (i == 0 || g_array_index (values, gdouble, i) > g_array_index (values, gdouble, n - 1))
      g_array_index (values, gdouble, n++) = g_array_index (values, gdouble, i);
  g_array_set_size (values, n);
  return values;
}

static gboolean
wants_log (const GArray *values)
{
  guint first = values->len > 1 && g_array_index (values, gdouble, 0) == 0;

  return wp_plot_wants_log (g_array_index (values, gdouble, first),
                            g_array_index (values, gdouble, (values->len + first) / 2),
                            g_array_index (values, gdouble, values->len - 1));
}

/* A point for each run, and one of its line for each run of the series that the line is of. */
static gboolean
draw_by_axis (const WpSweepPlot *plot, WpPlot *figure, const Search *search, GError **error)
{
  g_autoptr (GArray) values = get_values (plot);
  g_auto (GStrv) suffixes = new_suffixes (plot);
  g_autofree WpPlotSeries **lines = g_new0 (WpPlotSeries *, plot->n_series);

  figure->x.is_log = wants_log (values);
  for (guint i = 0; i < plot->n_series; i++)
    if (get_line (plot, i) == i)
      lines[i] = wp_plot_add_series (figure, WP_PLOT_LINES, get_line_look (plot, i));
  for (guint i = 0; i < plot->runs->len; i++)
    {
      const Run *run = &g_array_index (plot->runs, Run, i);
      guint series = get_series (plot, run->row);
      guint64 x = get_number (plot, run->row, plot->x);
      Bounds bounds;

      if (lines[series] == NULL)
        continue;
      if (!find_bounds (plot, run->row, x, search, &bounds, error))
        return FALSE;
      wp_plot_series_add (lines[series], (gdouble)x, get_y (plot, get_bound (&bounds, run->warps)));
    }
  for (guint i = 0; i < plot->n_series; i++)
    if (lines[i] != NULL)
      g_array_sort (lines[i]->points, compare_points);
  add_entries (plot, figure, search, (const gchar *const *)suffixes);
  return TRUE;
}

static void
add_points (const WpSweepPlot *plot, WpPlot *figure)
{
  g_autofree WpPlotSeries **series = g_new (WpPlotSeries *, plot->n_series);

  for (guint i = 0; i < plot->n_series; i++)
    series[i] = wp_plot_add_series (figure, WP_PLOT_POINTS, i);
  for (guint i = 0; i < plot->runs->len; i++)
    {
      const Run *run = &g_array_index (plot->runs, Run, i);
      gdouble x
          = plot->x == plot->axes->len ? run->warps : (gdouble)get_number (plot, run->row, plot->x);

      wp_plot_series_add (series[get_series (plot, run->row)], x, get_y (plot, run->ipc));
    }
}

/* ---- Needed occupancy ---- */

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

static gboolean
draw_needed_lines (const WpSweepPlot *plot, WpPlot *figure, const GArray *values,
                   const Search *search, GError **error)
{
  g_autoptr (GArray) more = get_more_values (values, figure->x.is_log);

  for (guint i = 0; i < plot->n_series; i++)
    {
      WpPlotSeries *line;

      if (get_line (plot, i) < i)
        continue;
      line = wp_plot_add_series (figure, WP_PLOT_LINES, get_line_look (plot, i));
      for (guint k = 0; k < more->len; k++)
        {
          gdouble value = g_array_index (more, gdouble, k);
          Bounds bounds;

          if (!find_bounds (plot, get_row (plot, i), (guint64)value, search, &bounds, error))
            return FALSE;
          wp_plot_series_add (line, value, bounds.latency / bounds.throughput);
        }
    }
  return TRUE;
}

/* Which of VALUES axis X has in ROW. */
static guint
find_value (const WpSweepPlot *plot, const GArray *values, guint64 row)
{
  gdouble value = (gdouble)get_number (plot, row, plot->x);
  guint i = 0;

  while (g_array_index (values, gdouble, i) < value)
    i++;
  return i;
}

/* For each series and each of VALUES the least warps of a run that will do; NAN: of none. */
static gboolean
find_least (const WpSweepPlot *plot, const GArray *values, gdouble *least, const Search *search,
            GError **error)
{
  const gdouble share = plot->share / 100.0 - 1e-9; /* rows have twelve digits */
  const guint n = plot->n_series * values->len;
  g_autofree Bounds *bounds = g_new (Bounds, n);

  for (guint i = 0; i < n; i++)
    {
      least[i] = NAN;
      if (!find_bounds (plot, get_row (plot, i / values->len),
                        (guint64)g_array_index (values, gdouble, i % values->len), search,
                        &bounds[i], error))
        return FALSE;
    }
  for (guint i = 0; i < plot->runs->len; i++)
    {
      const Run *run = &g_array_index (plot->runs, Run, i);
      guint at = get_series (plot, run->row) * values->len + find_value (plot, values, run->row);

      if (run->rate * bounds[at].throughput >= share)
        least[at] = fmin (least[at], run->warps);
    }
  return TRUE;
}

static gboolean
draw_needed (const WpSweepPlot *plot, WpPlot *figure, const Search *search, GError **error)
{
  g_autoptr (GArray) values = get_values (plot);
  g_autofree gdouble *least = g_new (gdouble, plot->n_series * values->len);
  g_auto (GStrv) suffixes = new_suffixes (plot);
  guint missing = 0;

  figure->x.is_log = values->len > 1 && g_array_index (values, gdouble, values->len - 1) > 1;
  if (!draw_needed_lines (plot, figure, values, search, error)
      || !find_least (plot, values, least, search, error))
    return FALSE;
  for (guint i = 0; i < plot->n_series; i++)
    {
      WpPlotSeries *series = wp_plot_add_series (figure, WP_PLOT_POINTS, i);

      for (guint k = 0; k < values->len; k++)
        if (isnan (least[i * values->len + k]))
          missing++;
        else
          wp_plot_series_add (series, g_array_index (values, gdouble, k),
                              least[i * values->len + k]);
    }
  if (missing > 0)
    wp_cli_complain ("warning: the plot lacks %u of %u points: no run comes to %u%% of the "
                     "throughput bound there",
                     missing, plot->n_series * values->len, plot->share);
  add_entries (plot, figure, search, (const gchar *const *)suffixes);
  return TRUE;
}

/* ---- The figure ---- */

WpPlot *
wp_sweep_plot_make (WpSweepPlot *plot, const WpSignals *signals, guint64 max_steps,
                    gint *interrupted, GError **error)
{
  gboolean are_estimates = FALSE;
  const Search search = { signals, max_steps, interrupted, &are_estimates };
  g_autoptr (WpPlot) figure = wp_plot_new ();
  gboolean done;

  *interrupted = 0;
  label (plot, figure);
  if (plot->n_refused > 0)
    wp_cli_complain ("warning: the plot leaves out %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
                     " rows, which have no figures",
                     plot->n_refused, plot->sweep->n_rows);
  if (plot->kind == WP_SWEEP_PLOT_NEEDED)
    done = draw_needed (plot, figure, &search, error);
  else if (plot->x == plot->axes->len)
    done = draw_rooflines (plot, figure, &search, error);
  else
    done = draw_by_axis (plot, figure, &search, error);
  if (!done)
    return NULL;
  if (plot->kind != WP_SWEEP_PLOT_NEEDED)
    add_points (plot, figure);
  if (!figure->y.is_log)
    figure->y.from = 0;
  return g_steal_pointer (&figure);
}
