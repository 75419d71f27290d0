/* SPDX-License-Identifier: MIT */
/* Signals that end a command cleanly, and the progress line: what a command hands to a long
 * computation of run/, and how it ends after it.
 */
#pragma once

#include "cli/common/cli.h"
#include "run/base/progress.h"

#include <signal.h>

G_BEGIN_DECLS

/* Signals are held back from before a command makes its files until these are whole or gone. */
typedef struct
{
  sigset_t held, before;
  WpProgress progress; /* for run/: cancelled by a signal, shown on a terminal */
} WpSignals;

/* Holds the signals of idg_signals_list(), and makes SIGNALS->progress. SIGNALS may not move after
 * that. */
void wp_signals_hold (WpSignals *signals);

/* The exit status of a command that was cancelled: INTERRUPTED is a signal's number or
 * WP_CANCELLED_LIMIT; 0 gives WP_EXIT_DONE. */
WpExit wp_signals_get_status (gint interrupted);

/* Ends a command: lets signals through again (those that came too late to matter are dropped),
 * prints ERROR unless it is DONE, and returns the exit status: that of ERROR, else of
 * INTERRUPTED. */
WpExit wp_signals_release (const WpSignals *signals, gboolean done, gint interrupted,
                           const GError *error);

G_END_DECLS
