/* SPDX-License-Identifier: MIT */
/* Signals are blocked while a computation runs and fetched between its slices: there is no handler,
 * no global state, and nothing is interrupted in the middle.
 */
#include "cli/common/cli-signals.h"

#include "cli/common/cli-progress.h"
#include "idg/kernel/idg-signals.h"

#include <time.h>

/* A signal that has come since, taken off the list, or 0. A WpProgress asks. */
static gint
take (gpointer data)
{
  const WpSignals *signals = data;
  const struct timespec at_once = { 0, 0 };
  gint number = sigtimedwait (&signals->held, NULL, &at_once);

  if (number > 0)
    idg_signals_set_taken (TRUE);
  return number > 0 ? number : 0;
}

void
wp_signals_hold (WpSignals *signals)
{
  idg_signals_list (&signals->held);
  idg_signals_set_taken (FALSE);
  sigprocmask (SIG_BLOCK, &signals->held, &signals->before);
  signals->progress = wp_cli_progress_get ();
  signals->progress.is_cancelled = take;
  signals->progress.data = signals;
}

WpExit
wp_signals_get_status (gint interrupted)
{
  if (interrupted == 0)
    return WP_EXIT_DONE;
  return interrupted == SIGINT || interrupted == WP_CANCELLED_LIMIT ? WP_EXIT_INTERRUPTED
                                                                    : (WpExit)(128 + interrupted);
}

WpExit
wp_signals_release (const WpSignals *signals, gboolean done, gint interrupted, const GError *error)
{
  gint number, late = 0;

  while ((number = take ((gpointer)signals)) != 0)
    late = number;
  sigprocmask (SIG_SETMASK, &signals->before, NULL);
  if (done)
    return wp_signals_get_status (interrupted);
  /* What could not be written since its reader had to be left is no error. */
  return interrupted != 0 || late != 0
             ? wp_signals_get_status (interrupted != 0 ? interrupted : late)
             : wp_cli_fail (error);
}
