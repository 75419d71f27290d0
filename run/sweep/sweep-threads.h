/* SPDX-License-Identifier: MIT */
/* Threads of this process that find rows of a sweep. They take rows from one queue, in the order in
 * which these were pushed, and put them, ended in whichever way, into another.
 */
#pragma once

#include "run/sweep/sweep-worker.h"

G_BEGIN_DECLS

typedef struct WpSweepThreads WpSweepThreads;

/* A row on its way to a thread and back. */
typedef struct
{
  WpSweepRow row;
  gdouble seconds; /* that it took */
  GError *error;   /* or NULL; where there is one, or `row.text` is NULL, it was not found */
} WpSweepJob;

void wp_sweep_job_free (WpSweepJob *job);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpSweepJob, wp_sweep_job_free)

/* N (at least 1) threads, or as many as can be had, for rows of SWEEP (borrowed), which stop after
 * about MAX_ISSUES events (0: no limit). NULL with ERROR where there is none. */
WpSweepThreads *wp_sweep_threads_new (const WpSweep *sweep, guint n, guint64 max_issues,
                                      GError **error);

/* Gives them ROW to find. */
void wp_sweep_threads_push (WpSweepThreads *threads, guint64 row);

/* A row that has ended, waiting for one for SECONDS at most, or NULL. Free with
 * wp_sweep_job_free(). */
WpSweepJob *wp_sweep_threads_pop (WpSweepThreads *threads, gdouble seconds);

/* Whether they have stopped by themselves, after max_issues. */
gboolean wp_sweep_threads_have_stopped (WpSweepThreads *threads);

/* Ends them; rows that were not found are given up. What has ended can be popped still. */
void wp_sweep_threads_stop (WpSweepThreads *threads);

/* Stops them first, if that has not been done. */
void wp_sweep_threads_free (WpSweepThreads *threads);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpSweepThreads, wp_sweep_threads_free)

G_END_DECLS
