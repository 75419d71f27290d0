/* SPDX-License-Identifier: MIT */
#include "traces/table/wp-row-text.h"

WpRowTimes *
wp_row_times_new (gint64 ticks_per_cycle)
{
  WpRowTimes *times = g_new0 (WpRowTimes, 1);

  times->ticks_per_cycle = ticks_per_cycle;
  times->factor = G_MAXUINT64 / (guint64)ticks_per_cycle;
  return times;
}

/* Ticks are below 2^63, so that the digits before the last four are 15 at most. */
void
wp_row_times_lead (WpRowTimes *times, guint64 cycles)
{
  times->first = cycles - cycles % 10000;
  times->n_lead = (gsize)(wp_whole_write (cycles / 10000, times->lead) - times->lead);
}

/* What is written is "0", or "1" where it is rounded to that, and the point and at most six digits.
 */
void
wp_row_times_keep (const WpRowTimes *times, WpRowFraction *fraction, guint32 rest)
{
  gchar text[WP_TIME_CHARS];
  gsize n = (gsize)(wp_tick_write (rest, times->ticks_per_cycle, text) - text) - 1;

  *fraction = (WpRowFraction){ .rest = rest, .n = (guint8)n, .up = text[0] == '1' };
  memcpy (fraction->text, text + 1, n);
}
