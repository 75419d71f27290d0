/* SPDX-License-Identifier: MIT */
/* Threads of this process that find rows of a sweep. They take rows from one queue, in the order in
 * which they were pushed, and put them into another when they have ended, however they ended.
 */
#pragma once

#include "run/sweep/sweep-worker.h"

G_BEGIN_DECLS

typedef struct WpSweepThreads WpSweepThreads;

/* A row for a thread to find. */
typedef struct
{
  WpSweepRow row;
  gdouble seconds; /* that it took */
  GError *error;   /* or NULL; with an error, or without `row.text`, the row was not found */
} WpSweepJob;

void wp_sweep_job_free (WpSweepJob *job);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpSweepJob, wp_sweep_job_free)

/* N (at least 1) threads, or as many as can be had, for rows of SWEEP (borrowed), which stop after
 * about MAX_ISSUES events (0: no limit). NULL with ERROR where there is none. */
WpSweepThreads *wp_sweep_threads_new (const WpSweep *sweep, guint n, guint64 max_issues,
                                      GError **error);

/* Queues ROW. */
void wp_sweep_threads_push (WpSweepThreads *threads, guint64 row);

/* A row that has ended, for which it waits SECONDS at most; or NULL. Free with wp_sweep_job_free().
 */
WpSweepJob *wp_sweep_threads_pop (WpSweepThreads *threads, gdouble seconds);

/* How far the rows are that have begun and not ended, added up: of two that are half done, 1. */
gdouble wp_sweep_threads_get_begun (WpSweepThreads *threads);

/* Whether they have reached the limit of events and stopped. */
gboolean wp_sweep_threads_have_stopped (WpSweepThreads *threads);

/* Ends the threads; rows that were not found are given up. Those that have ended can still be
 * popped. */
void wp_sweep_threads_stop (WpSweepThreads *threads);

/* Stops the threads, if that has not been done, and frees all. */
void wp_sweep_threads_free (WpSweepThreads *threads);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpSweepThreads, wp_sweep_threads_free)

G_END_DECLS
