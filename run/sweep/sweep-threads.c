/* SPDX-License-Identifier: MIT */
/* GLib's pool of threads is the first queue. Nothing here writes, so that a slow disk delays no
 * row.
 */
#include "run/sweep/sweep-threads.h"

/* Events that a row counts for at least, where they are limited. */
#define ROW_ISSUES 64

struct WpSweepThreads
{
  const WpSweep *sweep;
  guint64 max_issues;
  guint at_once;      /* rows side by side */
  GThreadPool *pool;  /* NULL: it has been ended */
  GAsyncQueue *over;  /* of WpSweepJob: rows that have ended */
  GMutex lock;        /* for the next three */
  GPtrArray *workers; /* of WpSweepWorker: those that no thread uses now */
  guint64 issues;     /* of all rows */
  gdouble begun;      /* how far the rows are that have begun, added up */
  gint stop;          /* atomic: no row goes on */
};

void
wp_sweep_job_free (WpSweepJob *job)
{
  g_free (job->row.text);
  g_clear_error (&job->error);
  g_free (job);
}

/* ---- On a thread of the pool ---- */

/* A row, for go_on(). */
typedef struct
{
  WpSweepThreads *threads;
  gdouble share; /* of its run, in `begun` */
} Turn;

static gboolean
go_on (gpointer data, guint64 n, gdouble share)
{
  Turn *turn = data;
  WpSweepThreads *threads = turn->threads;

  g_mutex_lock (&threads->lock);
  threads->begun += share - turn->share;
  turn->share = share;
  threads->issues += n;
  if (threads->max_issues > 0 && threads->issues >= threads->max_issues)
    g_atomic_int_set (&threads->stop, 1);
  g_mutex_unlock (&threads->lock);
  return g_atomic_int_get (&threads->stop) == 0;
}

static WpSweepWorker *
take_worker (WpSweepThreads *threads)
{
  WpSweepWorker *worker = NULL;

  g_mutex_lock (&threads->lock);
  if (threads->workers->len > 0)
    worker = g_ptr_array_steal_index (threads->workers, threads->workers->len - 1);
  g_mutex_unlock (&threads->lock);
  return worker != NULL ? worker : wp_sweep_worker_new (threads->sweep, threads->at_once);
}

static void
return_worker (WpSweepThreads *threads, WpSweepWorker *worker)
{
  g_mutex_lock (&threads->lock);
  g_ptr_array_add (threads->workers, worker);
  g_mutex_unlock (&threads->lock);
}

static void
work (gpointer data, gpointer user_data)
{
  WpSweepJob *job = data;
  WpSweepThreads *threads = user_data;
  Turn turn = { .threads = threads };

  if (go_on (&turn, ROW_ISSUES, 0))
    {
      WpSweepWorker *worker = take_worker (threads);
      gint64 began = g_get_monotonic_time ();

      wp_sweep_find_row (worker, &job->row, go_on, &turn, &job->error);
      go_on (&turn, 0, 0); /* counted as a row that is over from now on */
      job->seconds = (gdouble)(g_get_monotonic_time () - began) / G_USEC_PER_SEC;
      return_worker (threads, worker);
    }
  g_async_queue_push (threads->over, job);
}

/* ---- On the caller's thread ---- */

WpSweepThreads *
wp_sweep_threads_new (const WpSweep *sweep, guint n, guint64 max_issues, GError **error)
{
  g_autoptr (WpSweepThreads) threads = g_new0 (WpSweepThreads, 1);
  g_autoptr (GError) problem = NULL;

  threads->sweep = sweep;
  threads->max_issues = max_issues;
  threads->at_once = (guint)MIN (n, sweep->n_rows);
  threads->over = g_async_queue_new_full ((GDestroyNotify)wp_sweep_job_free);
  threads->workers = g_ptr_array_new_with_free_func ((GDestroyNotify)wp_sweep_worker_free);
  g_mutex_init (&threads->lock);
  /* Threads of an exclusive pool are made at once: so it is known whether there is any. */
  threads->pool = g_thread_pool_new (work, threads, (gint)n, TRUE, &problem);
  if (problem == NULL || g_thread_pool_get_num_threads (threads->pool) > 0)
    return g_steal_pointer (&threads);
  g_set_error (error, WP_ERROR, WP_ERROR_MEMORY, "cannot start a thread: %s", problem->message);
  return NULL;
}

void
wp_sweep_threads_push (WpSweepThreads *threads, guint64 row)
{
  WpSweepJob *job = g_new0 (WpSweepJob, 1);

  job->row.index = row;
  g_thread_pool_push (threads->pool, job, NULL);
}

WpSweepJob *
wp_sweep_threads_pop (WpSweepThreads *threads, gdouble seconds)
{
  WpSweepJob *job = g_async_queue_try_pop (threads->over);

  if (job != NULL || seconds <= 0)
    return job;
  return g_async_queue_timeout_pop (threads->over, (guint64)(seconds * G_USEC_PER_SEC));
}

gdouble
wp_sweep_threads_get_begun (WpSweepThreads *threads)
{
  gdouble begun;

  g_mutex_lock (&threads->lock);
  begun = threads->begun;
  g_mutex_unlock (&threads->lock);
  return begun;
}

gboolean
wp_sweep_threads_have_stopped (WpSweepThreads *threads)
{
  return g_atomic_int_get (&threads->stop) != 0;
}

void
wp_sweep_threads_stop (WpSweepThreads *threads)
{
  g_atomic_int_set (&threads->stop, 1);
  if (threads->pool != NULL)
    g_thread_pool_free (g_steal_pointer (&threads->pool), FALSE, TRUE);
}

void
wp_sweep_threads_free (WpSweepThreads *threads)
{
  if (threads == NULL)
    return;
  wp_sweep_threads_stop (threads);
  g_async_queue_unref (threads->over);
  g_ptr_array_unref (threads->workers);
  g_mutex_clear (&threads->lock);
  g_free (threads);
}
