/* SPDX-License-Identifier: MIT */
/* A computation that asked after each event would do little else, and one that asked rarely would
 * answer Ctrl-C late. How much happens in some milliseconds depends on the machine (a million
 * resident warps, 65536 transactions for each access), so the slice is found by measuring.
 */
#include "run/base/progress.h"

#define FIRST_SLICE (1 << 8)
#define LAST_SLICE (1 << 20)
#define QUIET 1.0   /* seconds before the first report */
#define REFRESH 0.2 /* seconds between two reports */

gint
wp_progress_is_cancelled (const WpProgress *progress)
{
  return progress != NULL && progress->is_cancelled != NULL
             ? progress->is_cancelled (progress->data)
             : 0;
}

void
wp_progress_meter_init (WpProgressMeter *meter, const WpProgress *progress)
{
  *meter = (WpProgressMeter){ .progress = progress,
                              .start = g_get_monotonic_time (),
                              .slice = FIRST_SLICE };
}

void
wp_progress_meter_clear (WpProgressMeter *meter)
{
  if (meter->reported)
    meter->progress->report (meter->progress->data, NULL);
  meter->reported = FALSE;
}

gdouble
wp_progress_meter_get_elapsed (const WpProgressMeter *meter)
{
  return (gdouble)(g_get_monotonic_time () - meter->start) / G_USEC_PER_SEC;
}

void
wp_progress_meter_adapt (WpProgressMeter *meter, gdouble seconds)
{
  if (seconds < WP_PROGRESS_INTERVAL / 2)
    meter->slice = MIN (2 * meter->slice, LAST_SLICE);
  else if (seconds > 2 * WP_PROGRESS_INTERVAL)
    meter->slice = MAX (meter->slice / 2, 1);
}

gboolean
wp_progress_meter_is_due (const WpProgressMeter *meter)
{
  gdouble elapsed;

  if (meter->progress == NULL || meter->progress->report == NULL)
    return FALSE;
  elapsed = wp_progress_meter_get_elapsed (meter);
  return elapsed >= QUIET && elapsed - meter->last >= REFRESH;
}

void
wp_progress_meter_report (WpProgressMeter *meter, WpProgressReport *report)
{
  report->seconds = wp_progress_meter_get_elapsed (meter);
  meter->last = report->seconds;
  meter->reported = TRUE;
  meter->progress->report (meter->progress->data, report);
}
