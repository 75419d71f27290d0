/* SPDX-License-Identifier: MIT */
/* Rows of one policy follow those of another by a whole turn of the axes that vary faster. Times of
 * the first policy are kept for one such turn.
 */
#include "run/sweep/sweep-endings.h"

#include "run/base/csv.h"
#include "run/sweep/sweep-line.h"
#include "run/sweep/sweep-spread.h"

#include <math.h>
#include <string.h>

struct WpSweepEndings
{
  const WpSweep *sweep;
  WpSweepSpread *spread; /* or NULL */
  gint error, time;      /* places in a row */
  guint64 turn;          /* rows of one policy that follow one another */
  GArray *times;         /* of gdouble, of a turn of the first policy; NAN: none */
  gsize tail;            /* bytes at a row's end after the cell of its speed-up */
};

WpSweepEndings *
wp_sweep_endings_new (const WpSweep *sweep, const gchar *header)
{
  WpSweepEndings *endings = g_new0 (WpSweepEndings, 1);

  endings->sweep = sweep;
  endings->spread = wp_sweep_spread_new (sweep, header);
  endings->error = wp_csv_find_column (header, "error");
  endings->time = wp_csv_find_column (header, "time_us");
  endings->turn = 1;
  for (guint i = WP_AXIS_POLICY + 1; i < WP_N_AXES; i++)
    endings->turn *= wp_sweep_count (sweep->axes[i]);
  endings->times = g_array_new (FALSE, FALSE, sizeof (gdouble));
  endings->tail
      = wp_sweep_spread_count_columns (sweep) + WP_SWEEP_LINE_END_BYTES (strlen (sweep->digest));
  return endings;
}

void
wp_sweep_endings_free (WpSweepEndings *endings)
{
  if (endings == NULL)
    return;
  wp_sweep_spread_free (endings->spread);
  g_array_unref (endings->times);
  g_free (endings);
}

/* The time of LINE, or NAN: it has no figures. */
static gdouble
read_time (const WpSweepEndings *endings, const gchar *line)
{
  g_autoptr (GString) cell = g_string_new (NULL);

  for (gint i = 0; wp_csv_take_cell (&line, cell); i++)
    {
      if (i == endings->error && cell->len > 0)
        return NAN;
      if (i == endings->time)
        return cell->len > 0 ? g_ascii_strtod (cell->str, NULL) : NAN;
    }
  return NAN;
}

/* The speed-up of LINE, that of ROW. */
static gdouble
find_speed_up (WpSweepEndings *endings, guint64 row, const gchar *line)
{
  const guint64 place = row % endings->turn;
  const gdouble time = read_time (endings, line);

  if (row / endings->turn % endings->sweep->policies->len == 0)
    {
      g_array_set_size (endings->times, MAX ((guint)place + 1, endings->times->len));
      g_array_index (endings->times, gdouble, place) = time;
    }
  return g_array_index (endings->times, gdouble, place) / time;
}

/* Whether the cell of the speed-up of LINE is empty, and those after it: in a table that is resumed
 * they have been filled in. */
static gboolean
is_open (const WpSweepEndings *endings, const gchar *line, gsize length)
{
  const guint n = wp_sweep_spread_count_columns (endings->sweep) + 1;

  return length > endings->tail && line[length - endings->tail - 1] == ','
         && strspn (line + length - endings->tail, ",") >= n;
}

/* LINE with its speed-up filled in, or NULL: it stays as it is. */
static gchar *
fill_speed_up (WpSweepEndings *endings, guint64 row, const gchar *line)
{
  const gsize length = strlen (line),
              end = WP_SWEEP_LINE_END_BYTES (strlen (endings->sweep->digest));
  gdouble speed_up;
  GString *whole;
  gchar text[G_ASCII_DTOSTR_BUF_SIZE];

  if (!endings->sweep->normalize)
    return NULL;
  speed_up = find_speed_up (endings, row, line);
  if (!isfinite (speed_up) || !is_open (endings, line, length))
    return NULL;
  whole = g_string_new_len (line, (gssize)(length - endings->tail));
  g_string_append (whole, g_ascii_formatd (text, sizeof text, "%.12g", speed_up));
  g_string_append_len (whole, line + length - endings->tail, (gssize)(endings->tail - end));
  wp_sweep_line_end (whole, endings->sweep->digest);
  return g_string_free (whole, FALSE);
}

gchar *
wp_sweep_endings_complete (gpointer data, guint64 row, const gchar *line)
{
  WpSweepEndings *endings = data;
  g_autofree gchar *first = fill_speed_up (endings, row, line);
  gchar *second = endings->spread != NULL ? wp_sweep_spread_complete (endings->spread, row,
                                                                      first != NULL ? first : line)
                                          : NULL;

  return second != NULL ? second : g_steal_pointer (&first);
}
