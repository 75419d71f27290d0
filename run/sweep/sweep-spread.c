/* SPDX-License-Identifier: MIT */
/* Metrics are read from the rows' text, as there is nothing else of the rows of a table that is
 * resumed.
 */
#include "run/sweep/sweep-spread.h"

#include "run/base/csv.h"
#include "run/base/sample.h"
#include "run/sweep/sweep-line.h"

#include <math.h>
#include <string.h>

/* Columns of the table. Others that vary with the seed are proportional to these, or shares. */
static const gchar *const metrics[]
    = { "cycles", "time_us", "ipc", "mean_occupancy", "mean_warp_latency", "warp_throughput" };
static const gchar *const suffixes[] = { "mean", "sd", "min", "max" };

#define N_METRICS G_N_ELEMENTS (metrics)
#define N_COLUMNS (1 + N_METRICS * G_N_ELEMENTS (suffixes))

struct WpSweepSpread
{
  const WpSweep *sweep;
  guint64 n_seeds;
  gint error, columns[N_METRICS]; /* places in a row */
  gsize tail;                  /* bytes at a row's end, from the comma before the empty cells on */
  WpSample samples[N_METRICS]; /* of the combination so far */
};

static guint64
count_seeds (const WpSweep *sweep)
{
  return wp_sweep_count (sweep->axes[WP_AXIS_SEED]);
}

WpSweepSpread *
wp_sweep_spread_new (const WpSweep *sweep, const gchar *header)
{
  WpSweepSpread *spread;

  if (count_seeds (sweep) == 1)
    return NULL;
  spread = g_new0 (WpSweepSpread, 1);
  spread->sweep = sweep;
  spread->n_seeds = count_seeds (sweep);
  spread->error = wp_csv_find_column (header, "error");
  for (gsize i = 0; i < N_METRICS; i++)
    spread->columns[i] = wp_csv_find_column (header, metrics[i]);
  spread->tail = N_COLUMNS + WP_SWEEP_LINE_END_BYTES (strlen (sweep->digest));
  return spread;
}

void
wp_sweep_spread_free (WpSweepSpread *spread)
{
  g_free (spread);
}

static void
take (WpSweepSpread *spread, const gchar *line)
{
  g_autoptr (GString) cell = g_string_new (NULL);

  for (gint i = 0; wp_csv_take_cell (&line, cell); i++)
    {
      if (i == spread->error && cell->len > 0)
        return;
      for (gsize k = 0; k < N_METRICS; k++)
        if (i == spread->columns[k])
          wp_sample_add (&spread->samples[k], g_ascii_strtod (cell->str, NULL));
    }
}

static void
append_number (GString *line, gdouble value)
{
  gchar text[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append_c (line, ',');
  if (isfinite (value))
    g_string_append (line, g_ascii_formatd (text, sizeof text, "%.12g", value));
}

static void
append_sample (GString *line, const WpSample *sample)
{
  append_number (line, sample->n > 0 ? sample->mean : NAN);
  append_number (line, wp_sample_get_deviation (sample));
  append_number (line, sample->n > 0 ? sample->least : NAN);
  append_number (line, sample->n > 0 ? sample->most : NAN);
}

/* Whether the cells at the end of LINE are empty: in a table that is resumed they have been filled
 * in. */
static gboolean
is_open (const WpSweepSpread *spread, const gchar *line, gsize length)
{
  return length >= spread->tail && strspn (line + length - spread->tail, ",") > N_COLUMNS;
}

gchar *
wp_sweep_spread_complete (gpointer data, guint64 row, const gchar *line)
{
  WpSweepSpread *spread = data;
  gsize length = strlen (line);
  GString *whole;

  if (row % spread->n_seeds == 0)
    memset (spread->samples, 0, sizeof spread->samples);
  take (spread, line);
  if ((row + 1) % spread->n_seeds != 0 || !is_open (spread, line, length))
    return NULL;
  whole = g_string_new_len (line, (gssize)(length - spread->tail));
  g_string_append_printf (whole, ",%u", spread->samples[0].n);
  for (gsize i = 0; i < N_METRICS; i++)
    append_sample (whole, &spread->samples[i]);
  wp_sweep_line_end (whole, spread->sweep->digest);
  return g_string_free (whole, FALSE);
}

guint
wp_sweep_spread_count_columns (const WpSweep *sweep)
{
  return count_seeds (sweep) > 1 ? N_COLUMNS : 0;
}

void
wp_sweep_spread_append_names (const WpSweep *sweep, GString *line)
{
  if (count_seeds (sweep) == 1)
    return;
  g_string_append (line, ",seeds");
  for (gsize i = 0; i < N_METRICS; i++)
    for (gsize k = 0; k < G_N_ELEMENTS (suffixes); k++)
      g_string_append_printf (line, ",%s_%s", metrics[i], suffixes[k]);
}

void
wp_sweep_spread_append_empty (const WpSweep *sweep, GString *line)
{
  for (gsize i = 0; count_seeds (sweep) > 1 && i < N_COLUMNS; i++)
    g_string_append_c (line, ',');
}
