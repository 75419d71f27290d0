/* SPDX-License-Identifier: MIT */
/* Runs side by side, for people: a column each, as many as fit beside one another; the rest in
 * further tables. */
#include "run/compare/metrics.h"

#include "cli/common/cli-text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LABEL 24  /* columns of a row's name, two of indent included */
#define WIDTH 100 /* of all */
#define LEAST 11  /* of a cell, two of distance and one for a mark included */
#define MOST 24   /* of a cell, the same: longer names are cut */

/* Which value of a row is the best. */
typedef enum
{
  BEST_NONE,
  BEST_LEAST,
  BEST_MOST,
} Best;

typedef struct
{
  gchar *label; /* NULL: a line between parts, with `heading` */
  gchar *heading;
  gchar **cells;     /* [n runs] */
  gboolean *is_best; /* [n runs] */
} Row;

typedef struct
{
  const WpComparison *comparison;
  guint n;
  gboolean same_work;
  GPtrArray *rows; /* of Row */
} Table;

static void
row_free (gpointer data)
{
  Row *row = data;

  g_free (row->label);
  g_free (row->heading);
  g_strfreev (row->cells);
  g_free (row->is_best);
  g_free (row);
}

static const WpMetrics *
get_run (const WpComparison *comparison, guint i)
{
  return g_ptr_array_index (comparison->runs, i);
}

/* ---- Rows ---- */

static void
add_heading (Table *table, const gchar *heading)
{
  Row *row = g_new0 (Row, 1);

  row->heading = g_strdup (heading);
  g_ptr_array_add (table->rows, row);
}

static Row *
add_row (Table *table, const gchar *label)
{
  Row *row = g_new0 (Row, 1);

  row->label = g_strdup (label);
  row->cells = g_new0 (gchar *, table->n + 1);
  row->is_best = g_new0 (gboolean, table->n);
  g_ptr_array_add (table->rows, row);
  return row;
}

/* Marks the best of VALUES, and all that look the same; unless none looks different. */
static void
mark (Row *row, const gdouble *values, guint n, Best best)
{
  guint at = 0;
  gboolean differ = FALSE;

  for (guint i = 1; i < n; i++)
    if (isnan (values[at])
        || (best == BEST_LEAST ? values[i] < values[at] : values[i] > values[at]))
      at = i;
  for (guint i = 0; i < n; i++)
    differ |= strcmp (row->cells[i], row->cells[at]) != 0;
  for (guint i = 0; i < n && best != BEST_NONE && differ; i++)
    row->is_best[i] = strcmp (row->cells[i], row->cells[at]) == 0;
}

/* FORMAT takes a gdouble. */
static void
add_numbers (Table *table, const gchar *label, const gchar *format, const gdouble *values,
             Best best)
{
  Row *row = add_row (table, label);
  gchar text[G_ASCII_DTOSTR_BUF_SIZE];

  for (guint i = 0; i < table->n; i++)
    row->cells[i] = g_strdup (
        isnan (values[i]) ? "-" : g_ascii_formatd (text, sizeof text, format, values[i]));
  mark (row, values, table->n, best);
}

/* The number at OFFSET of WpMetrics. */
static void
add_field (Table *table, const gchar *label, const gchar *format, gsize offset, Best best)
{
  g_autofree gdouble *values = g_new (gdouble, table->n);

  for (guint i = 0; i < table->n; i++)
    values[i] = G_STRUCT_MEMBER (gdouble, get_run (table->comparison, i), offset);
  add_numbers (table, label, format, values, best);
}

/* Of several seeds: the spread of KIND, below the row of its means. */
static void
add_spread (Table *table, const gchar *format, WpSpreadKind kind)
{
  static const gchar *const labels[] = { "  std. deviation", "  least", "  most" };
  g_autofree gdouble *values = g_new (gdouble, table->n);

  if (get_run (table->comparison, 0)->spreads[kind].n == 0)
    return;
  for (guint k = 0; k < G_N_ELEMENTS (labels); k++)
    {
      for (guint i = 0; i < table->n; i++)
        {
          const WpSample *sample = &get_run (table->comparison, i)->spreads[kind];

          values[i] = k == 0   ? wp_sample_get_deviation (sample)
                      : k == 1 ? sample->least
                               : sample->most;
        }
      add_numbers (table, labels[k], k == 0 ? "%.4g" : format, values, BEST_NONE);
    }
}

static void
add_percents (Table *table, const gchar *label, gdouble *values, Best best)
{
  for (guint i = 0; i < table->n; i++)
    values[i] *= 100;
  add_numbers (table, label, "%.1f", values, best);
}

/* ---- Parts ---- */

static void
add_names (Table *table)
{
  const WpComparison *comparison = table->comparison;

  for (guint k = 0; k < comparison->names->len; k++)
    {
      Row *row = add_row (table, g_ptr_array_index (comparison->names, k));

      for (guint i = 0; i < table->n; i++)
        row->cells[i] = g_strdup (((gchar **)g_ptr_array_index (comparison->values, i))[k]);
    }
}

static void
add_times (Table *table)
{
  g_autofree gdouble *speed_ups = g_new (gdouble, table->n);
  Best least = table->same_work ? BEST_LEAST : BEST_NONE;
  gboolean one_gpu = TRUE;

  for (guint i = 0; i < table->n; i++)
    {
      const WpMetrics *run = get_run (table->comparison, i);

      speed_ups[i] = wp_metrics_get_speed_up (run, get_run (table->comparison, 0));
      one_gpu &= strcmp (run->gpu, get_run (table->comparison, 0)->gpu) == 0;
    }
  add_heading (table, "Time");
  add_field (table, "cycles", "%.8g", G_STRUCT_OFFSET (WpMetrics, cycles),
             one_gpu ? least : BEST_NONE);
  add_spread (table, "%.8g", WP_SPREAD_CYCLES);
  add_field (table, "microseconds", "%.6g", G_STRUCT_OFFSET (WpMetrics, time_us), least);
  add_numbers (table, "times as fast", "%.4g", speed_ups, table->same_work ? BEST_MOST : BEST_NONE);
  if (table->n > 1)
    add_spread (table, "%.4g", WP_SPREAD_SPEED_UP);
  add_field (table, "instructions a cycle", "%.5g", G_STRUCT_OFFSET (WpMetrics, ipc), BEST_MOST);
  add_spread (table, "%.5g", WP_SPREAD_IPC);
  if (!table->same_work || !one_gpu)
    add_field (table, "instructions a us", "%.5g", G_STRUCT_OFFSET (WpMetrics, rate), BEST_MOST);
}

static gdouble
parse (const gchar *text)
{
  return text != NULL ? g_ascii_strtod (text, NULL) : NAN;
}

static void
add_lifetimes (Table *table)
{
  static const gchar *const labels[WP_N_PERCENTILES]
      = { "5th percentile", "median", "95th percentile" };
  g_autofree gdouble *values = g_new (gdouble, table->n);
  Best best = table->same_work ? BEST_LEAST : BEST_NONE;

  add_heading (table, "Life of a warp, cycles");
  add_field (table, "mean", "%.7g", G_STRUCT_OFFSET (WpMetrics, mean_warp_latency), best);
  add_spread (table, "%.7g", WP_SPREAD_MEAN_WARP_LATENCY);
  for (guint k = 0; k < WP_N_PERCENTILES; k++)
    {
      gboolean any = FALSE;

      for (guint i = 0; i < table->n; i++)
        {
          values[i] = parse (get_run (table->comparison, i)->percentiles[k]);
          any |= !isnan (values[i]);
        }
      if (any)
        add_numbers (table, labels[k], "%.7g", values, best);
    }
}

/* A line for each limiter, as many as any run has. */
static void
add_limiters (Table *table)
{
  guint most = 0;

  for (guint i = 0; i < table->n; i++)
    most = MAX (most, get_run (table->comparison, i)->limiters->len);
  for (guint k = 0; k < most; k++)
    {
      Row *row = add_row (table, k == 0 ? "limited by" : "");

      for (guint i = 0; i < table->n; i++)
        {
          const GPtrArray *limiters = get_run (table->comparison, i)->limiters;

          row->cells[i] = g_strdup (k < limiters->len ? g_ptr_array_index (limiters, k) : "");
        }
    }
}

static void
add_occupancy (Table *table)
{
  g_autofree gdouble *most = g_new (gdouble, table->n);

  for (guint i = 0; i < table->n; i++)
    most[i] = (gdouble)get_run (table->comparison, i)->resident_warps;
  add_heading (table, "Occupancy, warps on an SM");
  add_field (table, "mean", "%.5g", G_STRUCT_OFFSET (WpMetrics, mean_occupancy), BEST_NONE);
  add_spread (table, "%.5g", WP_SPREAD_MEAN_OCCUPANCY);
  add_numbers (table, "fit at a time", "%.0f", most, BEST_NONE);
  add_limiters (table);
}

static void
add_stalls (Table *table)
{
  static const gchar *const labels[WP_N_STALLS]
      = { "at a barrier",     "for a result",      "between own issues",
          "for the pipeline", "for the scheduler", "for its last results" };
  g_autofree gdouble *values = g_new (gdouble, table->n);

  add_heading (table, "Where the warps' time went, %");
  for (guint k = 0; k < WP_N_STALLS; k++)
    {
      gboolean any = FALSE;

      for (guint i = 0; i < table->n; i++)
        {
          values[i] = wp_metrics_get_share (get_run (table->comparison, i), k);
          any |= values[i] > 0;
        }
      if (any)
        add_percents (table, labels[k], values, BEST_NONE);
    }
}

static void
add_uses (Table *table)
{
  g_autoptr (GPtrArray) names = wp_comparison_get_pipelines (table->comparison);
  g_autofree gdouble *values = g_new (gdouble, table->n);

  add_heading (table, "In use, % of the time");
  for (guint p = 0; p < names->len; p++)
    {
      const gchar *name = g_ptr_array_index (names, p);
      g_autofree gchar *label = g_strdup_printf ("pipeline %.*s", LABEL - 13, name);
      gboolean any = FALSE;

      for (guint i = 0; i < table->n; i++)
        {
          gdouble use = wp_metrics_get_utilization (get_run (table->comparison, i), name);

          values[i] = isnan (use) ? use : MIN (use, 1);
          any |= use > 0;
        }
      if (any)
        add_percents (table, label, values, BEST_MOST);
    }
  for (guint i = 0; i < table->n; i++)
    values[i] = get_run (table->comparison, i)->scheduler_utilization;
  add_percents (table, "issue slots", values, BEST_MOST);
}

/* ---- Layout ---- */

/* The width of each column of FIRST .. LAST - 1, all the same. */
static guint
find_width (const Table *table)
{
  guint width = LEAST;

  for (guint r = 0; r < table->rows->len; r++)
    {
      const Row *row = g_ptr_array_index (table->rows, r);

      for (guint i = 0; row->cells != NULL && i < table->n; i++)
        width = MAX (width, (guint)g_utf8_strlen (row->cells[i], -1) + 3);
    }
  return MIN (width, MOST);
}

/* TEXT, right in WIDTH columns and cut to fit. */
static void
print_cell (const gchar *text, guint width, gboolean is_best, gboolean is_last,
            const WpTextStyle *style)
{
  glong length = g_utf8_strlen (text, -1);
  glong room = (glong)width - 3;
  const gchar *from = length > room ? g_utf8_offset_to_pointer (text, length - room + 2) : text;

  printf ("%*s", (int)MAX (room - length, 0) + 2, "");
  if (is_best)
    fputs (style->bold, stdout);
  printf ("%s%s%s", length > room ? ".." : "", from, is_best ? "*" : is_last ? "" : " ");
  if (is_best)
    fputs (style->plain, stdout);
}

static void
print_columns (const Table *table, guint first, guint last, guint width, const WpTextStyle *style)
{
  guint n_names = table->comparison->names->len;

  for (guint r = 0; r < table->rows->len; r++)
    {
      const Row *row = g_ptr_array_index (table->rows, r);

      if (row->heading != NULL)
        {
          printf ("\n%s%s%s\n", style->bold, row->heading, style->plain);
          continue;
        }
      printf ("%s  %-*.*s", r < n_names ? style->bold : "", LABEL - 2, LABEL - 2, row->label);
      for (guint i = first; i < last; i++)
        print_cell (row->cells[i], width, row->is_best[i], i + 1 == last, style);
      printf ("%s\n", r < n_names ? style->plain : "");
    }
}

static void
print_divergences (const WpComparison *comparison, const WpTextStyle *style)
{
  if (comparison->divergences->len == 0)
    return;
  printf ("\n%sWhere schedules part%s%s\n", style->bold,
          get_run (comparison, 0)->spreads[0].n > 0 ? " (first seed)" : "", style->plain);
  for (guint i = 0; i < comparison->divergences->len; i++)
    {
      g_autofree gchar *text = wp_comparison_describe_divergence (
          comparison, &g_array_index (comparison->divergences, WpDivergenceOf, i));

      wp_text_print_wrapped (text);
    }
}

static void
note_lifetimes (const WpComparison *comparison)
{
  for (guint i = 0; i < comparison->runs->len; i++)
    if (get_run (comparison, i)->too_many_lifetimes)
      {
        printf ("\n  No percentiles where more than %d different lifetimes came up.\n",
                WP_MAX_LIFETIMES);
        return;
      }
}

void
wp_comparison_print_text (const WpComparison *comparison, const gchar *const *heading)
{
  WpTextStyle style = wp_text_style_get_own ();
  g_autofree gchar *verdict = wp_comparison_get_verdict (comparison);
  Table table = { .comparison = comparison, .n = comparison->runs->len, .same_work = TRUE };
  guint width, columns;

  table.rows = g_ptr_array_new_with_free_func (row_free);
  for (guint i = 0; i < table.n; i++)
    table.same_work &= wp_metrics_have_same_work (get_run (comparison, i), get_run (comparison, 0));
  add_names (&table);
  add_times (&table);
  add_lifetimes (&table);
  add_occupancy (&table);
  add_stalls (&table);
  add_uses (&table);
  for (guint i = 0; heading[i] != NULL; i++)
    printf ("%s%s%s\n", i == 0 ? style.bold : "", heading[i], i == 0 ? style.plain : "");
  width = find_width (&table);
  columns = (WIDTH - LABEL) / width;
  for (guint first = 0; first < table.n; first += columns)
    {
      if (comparison->names->len > 0)
        putchar ('\n');
      print_columns (&table, first, MIN (first + columns, table.n), width, &style);
    }
  note_lifetimes (comparison);
  print_divergences (comparison, &style);
  if (table.n > 1)
    {
      printf ("\n%sWhich is better (*: the best of a row)%s\n", style.bold, style.plain);
      wp_text_print_wrapped (verdict);
    }
  g_ptr_array_unref (table.rows);
}
