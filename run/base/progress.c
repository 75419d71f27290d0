/* SPDX-License-Identifier: MIT */
/* Signals are held back while slices run and asked for between them: no handler, no global state,
 * and nothing is interrupted in the middle.
 */
#include "run/base/progress.h"

#include "cli/common/commands.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

/* Things that happen between two looks: as many as take some milliseconds, found by trying, for
 * what one of them takes depends on the machine (a million resident warps, 65536 transactions for
 * each access). */
#define FIRST_SLICE (1 << 8)
#define LAST_SLICE (1 << 20)

#define QUIET 1.0   /* seconds before progress is shown */
#define REFRESH 0.2 /* seconds between two lines of progress */
#define BAR 10      /* cells; with the longest rate a line fits on 80 columns */

/* ---- Signals ---- */

void
wp_signals_hold (WpSignals *signals)
{
  const gint numbers[] = { SIGINT, SIGTERM, SIGHUP };

  sigemptyset (&signals->held);
  for (gsize i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      struct sigaction action;

      if (sigaction (numbers[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
        sigaddset (&signals->held, numbers[i]);
    }
  sigprocmask (SIG_BLOCK, &signals->held, &signals->before);
}

gint
wp_signals_take (const WpSignals *signals)
{
  const struct timespec at_once = { 0, 0 };
  gint number = sigtimedwait (&signals->held, NULL, &at_once);

  return number > 0 ? number : 0;
}

gint
wp_signals_look (gpointer signals)
{
  return wp_signals_take (signals);
}

WpExit
wp_signals_release (const WpSignals *signals, gboolean done, gint interrupted, const GError *error)
{
  while (wp_signals_take (signals) != 0)
    ;
  sigprocmask (SIG_SETMASK, &signals->before, NULL);
  if (!done)
    return wp_cli_fail (error);
  if (interrupted == 0)
    return WP_EXIT_DONE;
  return interrupted == SIGINT ? WP_EXIT_INTERRUPTED : (WpExit)(128 + interrupted);
}

/* ---- Slices and progress ---- */

void
wp_progress_init (WpProgress *progress)
{
  *progress = (WpProgress){ .timer = g_timer_new (),
                            .slice = FIRST_SLICE,
                            .terminal = isatty (STDERR_FILENO) };
}

void
wp_progress_clear (WpProgress *progress)
{
  if (progress->shown)
    fputs ("\r\033[K", stderr);
  progress->shown = FALSE;
  g_clear_pointer (&progress->timer, g_timer_destroy);
}

gdouble
wp_progress_get_elapsed (const WpProgress *progress)
{
  return g_timer_elapsed (progress->timer, NULL);
}

void
wp_progress_adapt (WpProgress *progress, gdouble seconds)
{
  if (seconds < WP_PROGRESS_LOOK / 2)
    progress->slice = MIN (2 * progress->slice, LAST_SLICE);
  else if (seconds > 2 * WP_PROGRESS_LOOK)
    progress->slice = MAX (progress->slice / 2, 1);
}

gboolean
wp_progress_is_due (const WpProgress *progress)
{
  gdouble elapsed = wp_progress_get_elapsed (progress);

  return progress->terminal && elapsed >= QUIET && elapsed - progress->last >= REFRESH;
}

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

void
wp_progress_show (WpProgress *progress, gdouble share, const gchar *rate)
{
  wp_progress_show_from (progress, 0, share, rate);
}

void
wp_progress_show_from (WpProgress *progress, gdouble begun, gdouble share, const gchar *rate)
{
  static const gchar bar[] = "##########..........";
  gint full = (gint)(CLAMP (share, 0, 1) * BAR);
  gdouble elapsed = wp_progress_get_elapsed (progress);

  fprintf (stderr, "\r\033[K[%.*s] %5.1f%%  %s", BAR, bar + BAR - full, 100 * share, rate);
  if (share > begun)
    {
      fputs (", ", stderr);
      print_time (elapsed * (1 - share) / (share - begun));
      fputs (" left", stderr);
    }
  fflush (stderr);
  progress->last = elapsed;
  progress->shown = TRUE;
}
