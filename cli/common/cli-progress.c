/* SPDX-License-Identifier: MIT */
/* The line fits on 80 columns with the longest rate. */
#include "cli/common/cli-progress.h"

#include <stdio.h>
#include <unistd.h>

#define BAR 10 /* cells */

/* "12 s", "3 min 20 s", "5 h 07 min". */
static void
print_time (gdouble seconds)
{
  guint64 n = (guint64)MIN (seconds + 0.5, 1e15);

  if (n < 120)
    fprintf (stderr, "%" G_GUINT64_FORMAT " s", n);
  else if (n < 7200)
    fprintf (stderr, "%" G_GUINT64_FORMAT " min %02" G_GUINT64_FORMAT " s", n / 60, n % 60);
  else
    fprintf (stderr, "%" G_GUINT64_FORMAT " h %02" G_GUINT64_FORMAT " min", n / 3600, n / 60 % 60);
}

/* What is done, and how fast. */
static void
print_rate (const WpProgressReport *report)
{
  gdouble rate = (gdouble)(report->done - report->earlier) / report->seconds;

  switch (report->work)
    {
    case WP_WORK_INSTRUCTIONS:
      fprintf (stderr, "%.1f million instructions a second", rate / 1e6);
      break;
    case WP_WORK_LINES:
      fprintf (stderr, "%.1f million lines a second", rate / 1e6);
      break;
    case WP_WORK_EXECUTED:
      fprintf (stderr, "%.1f million warp instructions a second executed", rate / 1e6);
      break;
    case WP_WORK_RUNS:
      fprintf (stderr, "%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " runs", report->done,
               report->total);
      break;
    case WP_WORK_ROWS:
      fprintf (stderr, "%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " rows, %.*f a second",
               report->done, report->total, rate < 10 ? 1 : 0, rate);
      break;
    case WP_WORK_DIVERGENCE:
      fputs ("looking for where schedules differ", stderr);
      break;
    case WP_WORK_LAUNCHES:
      fprintf (stderr, "%" G_GUINT64_FORMAT " launches", report->done);
      break;
    case WP_WORK_FIT:
      fputs ("fitting channels of memory", stderr);
      break;
    }
}

static void
show (gpointer data, const WpProgressReport *report)
{
  static const gchar bar[] = "##########..........";
  gdouble share, begun;

  (void)data;
  fputs ("\r\033[K", stderr);
  if (report == NULL)
    return;
  share = report->share;
  begun = report->total > 0 ? (gdouble)report->earlier / (gdouble)report->total : 0;
  fprintf (stderr, "[%.*s] %5.1f%%  ", BAR, bar + BAR - (gint)(CLAMP (share, 0, 1) * BAR),
           100 * share);
  print_rate (report);
  if (share > begun)
    {
      fputs (", ", stderr);
      print_time (report->seconds * (1 - share) / (share - begun));
      fputs (" left", stderr);
    }
  fflush (stderr);
}

WpProgress
wp_cli_progress_get (void)
{
  return (WpProgress){ .report = isatty (STDERR_FILENO) ? show : NULL };
}
