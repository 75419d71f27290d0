/* SPDX-License-Identifier: MIT */
/* What takes long goes slice by slice: between two of them it is asked whether a signal has come,
 * and a line tells how far it is.
 */
#pragma once

#include "cli/common/cli.h"

#include <signal.h>

G_BEGIN_DECLS

/* Signals that end a command cleanly: held back from before its files are made until they are whole
 * or gone, and asked for at times that suit. */
typedef struct
{
  sigset_t held, before;
} WpSignals;

/* Holds SIGINT, SIGTERM and SIGHUP, but for those that are ignored (nohup, a shell's background).
 */
void wp_signals_hold (WpSignals *signals);

/* One that has come since, taken off the list, or 0. */
gint wp_signals_take (const WpSignals *signals);

/* The same, for who asks by a pointer. */
gint wp_signals_look (gpointer signals);

/* Ends a command: lets signals through again (those that came too late to matter are dropped), says
 * ERROR unless it is DONE, and returns the exit status: that of the error, else of a program that
 * signal INTERRUPTED ended, or none (0). */
WpExit wp_signals_release (const WpSignals *signals, gboolean done, gint interrupted,
                           const GError *error);

/* Seconds between two looks, about. */
#define WP_PROGRESS_LOOK 0.02

typedef struct
{
  GTimer *timer;
  guint64 slice;     /* things that may happen until the next look */
  gboolean terminal; /* standard error is one */
  gboolean shown;    /* a line of progress stands there */
  gdouble last;      /* when it was last written */
} WpProgress;

/* Time begins here. */
void wp_progress_init (WpProgress *progress);

/* Removes the line of progress. */
void wp_progress_clear (WpProgress *progress);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WpProgress, wp_progress_clear)

/* Seconds since then. */
gdouble wp_progress_get_elapsed (const WpProgress *progress);

/* Finds the next slice, after one that took SECONDS. */
void wp_progress_adapt (WpProgress *progress, gdouble seconds);

/* Whether a line of progress is due: only on a terminal, after a second, and a few times a second.
 */
gboolean wp_progress_is_due (const WpProgress *progress);

/* Shows that SHARE (0 .. 1) is done, RATE (what is done in a second, in words), and the time left.
 */
void wp_progress_show (WpProgress *progress, gdouble share, const gchar *rate);

/* The same where BEGUN of it had been done before time began. */
void wp_progress_show_from (WpProgress *progress, gdouble begun, gdouble share, const gchar *rate);

G_END_DECLS
