/* SPDX-License-Identifier: MIT */
/* A pool of threads finds rows; this thread hands them out, in order and not too far ahead, and gives what comes back to
 * the file. Nothing else writes, so that a disk that is slow holds up no row.
 */
#include "cli/sweep-run.h"

#define AHEAD 32 /* rows handed out at a time, for each core: none waits for this thread */
#define SYNC 0.5 /* seconds between two syncs: what a crash may cost */
#define ROW_ISSUES                                                                                 \
  64 /* what a row counts for where patience is counted, be it as short as it may */

/* A row on its way to a thread and back. */
typedef struct
{
  WpSweepRow row;
  GError *error;
} Job;

typedef struct
{
  WpSweepRun *run;
  const WpSweep *sweep;
  WpSweepFile *file;
  GAsyncQueue *over;  /* of Job: those that have ended, in whichever way */
  GMutex lock;        /* for the next two */
  GPtrArray *workers; /* of WpSweepWorker: those that nobody uses now */
  guint64 issues;     /* of all rows */
  gint stop;          /* atomic: no row goes on */
  /* Of the thread that waits: */
  guint64 first; /* rows that were there already */
  guint64 next;  /* to hand out */
  guint n_out;   /* handed out and not back */
  gdouble synced;
} Pool;

static void
job_free (Job *job)
{
  g_free (job->row.text);
  g_clear_error (&job->error);
  g_free (job);
}

/* ---- Threads ---- */

static gboolean
go_on (gpointer data, guint64 n)
{
  Pool *pool = data;

  g_mutex_lock (&pool->lock);
  pool->issues += n;
  if (pool->run->max_issues > 0 && pool->issues >= pool->run->max_issues)
    g_atomic_int_set (&pool->stop, 1);
  g_mutex_unlock (&pool->lock);
  return g_atomic_int_get (&pool->stop) == 0;
}

static WpSweepWorker *
take_worker (Pool *pool)
{
  WpSweepWorker *worker = NULL;

  g_mutex_lock (&pool->lock);
  if (pool->workers->len > 0)
    worker = g_ptr_array_steal_index (pool->workers, pool->workers->len - 1);
  g_mutex_unlock (&pool->lock);
  return worker != NULL ? worker : wp_sweep_worker_new (pool->sweep);
}

static void
return_worker (Pool *pool, WpSweepWorker *worker)
{
  g_mutex_lock (&pool->lock);
  g_ptr_array_add (pool->workers, worker);
  g_mutex_unlock (&pool->lock);
}

static void
work (gpointer data, gpointer user_data)
{
  Job *job = data;
  Pool *pool = user_data;

  if (go_on (pool, ROW_ISSUES))
    {
      WpSweepWorker *worker = take_worker (pool);

      wp_sweep_find_row (worker, &job->row, go_on, pool, &job->error);
      return_worker (pool, worker);
    }
  g_async_queue_push (pool->over, job);
}

/* ---- Handing out, and taking back ---- */

static void
hand_out (Pool *pool, GThreadPool *threads)
{
  guint64 end = MIN (pool->sweep->n_rows, wp_sweep_file_get_next (pool->file) + WP_SWEEP_WINDOW);

  for (; pool->next < end && pool->n_out < AHEAD * pool->run->max_cores; pool->next++)
    if (!wp_sweep_file_has (pool->file, pool->next))
      {
        Job *job = g_new0 (Job, 1);

        job->row.index = pool->next;
        g_thread_pool_push (threads, job, NULL);
        pool->n_out++;
      }
}

static gboolean
take_back (Pool *pool, Job *job, GError **error)
{
  gboolean done = job->error == NULL;

  pool->n_out--;
  if (!done)
    g_propagate_error (error, g_steal_pointer (&job->error));
  else if (job->row.text != NULL)
    {
      pool->run->refused += job->row.refused;
      done
          = wp_sweep_file_put (pool->file, job->row.index, g_steal_pointer (&job->row.text), error);
    }
  job_free (job);
  return done;
}

/* Takes back what has ended, waiting for a while where nothing has. */
static gboolean
take_back_all (Pool *pool, GError **error)
{
  Job *job = g_async_queue_timeout_pop (pool->over, (guint64)(WP_PACE_LOOK * 1e6));

  for (; job != NULL; job = g_async_queue_try_pop (pool->over))
    if (!take_back (pool, job, error))
      return FALSE;
  return TRUE;
}

static void
show_progress (const Pool *pool, WpPace *pace)
{
  guint64 n = wp_sweep_file_count (pool->file);
  gdouble begun = (gdouble)pool->first / pool->sweep->n_rows;
  gdouble rate = (gdouble)(n - pool->first) / wp_pace_get_elapsed (pace);
  g_autofree gchar *text = NULL;

  if (!wp_pace_is_due (pace))
    return;
  text = g_strdup_printf ("%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " rows, %.*f a second", n,
                          pool->sweep->n_rows, rate < 10 ? 1 : 0, rate);
  wp_pace_show_from (pace, begun, (gdouble)n / pool->sweep->n_rows, text);
}

static gboolean
sync_if_due (Pool *pool, const WpPace *pace, GError **error)
{
  if (wp_pace_get_elapsed (pace) - pool->synced < SYNC)
    return TRUE;
  pool->synced = wp_pace_get_elapsed (pace);
  return wp_sweep_file_sync (pool->file, error);
}

/* Until all rows are there, or a signal comes. */
static gboolean
go (Pool *pool, GThreadPool *threads, GError **error)
{
  g_auto (WpPace) pace = { 0 };
  WpSweepRun *run = pool->run;
  gboolean goes_on = TRUE;

  wp_pace_init (&pace);
  while (goes_on && wp_sweep_file_get_next (pool->file) < pool->sweep->n_rows)
    {
      hand_out (pool, threads);
      if (!take_back_all (pool, error) || !sync_if_due (pool, &pace, error))
        return FALSE;
      run->interrupted = wp_signals_take (run->signals);
      goes_on = run->interrupted == 0 && g_atomic_int_get (&pool->stop) == 0;
      show_progress (pool, &pace);
    }
  return TRUE;
}

/* ---- Beginning and end ---- */

static void
pool_init (Pool *pool, WpSweepRun *run, const WpSweep *sweep, WpSweepFile *file)
{
  *pool = (Pool){ .run = run, .sweep = sweep, .file = file };
  pool->over = g_async_queue_new_full ((GDestroyNotify)job_free);
  pool->workers = g_ptr_array_new_with_free_func ((GDestroyNotify)wp_sweep_worker_free);
  pool->first = wp_sweep_file_count (file);
  pool->next = wp_sweep_file_get_next (file);
  g_mutex_init (&pool->lock);
}

static void
pool_clear (Pool *pool)
{
  g_async_queue_unref (pool->over);
  g_ptr_array_unref (pool->workers);
  g_mutex_clear (&pool->lock);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Pool, pool_clear)

/* Threads for POOL: as many as can be had, NULL with ERROR where that is none. */
static GThreadPool *
start_threads (Pool *pool, GError **error)
{
  g_autoptr (GError) problem = NULL;
  /* Each stays with this pool, so that it is made here, if it can. */
  GThreadPool *threads = g_thread_pool_new (work, pool, (gint)pool->run->max_cores, TRUE, &problem);

  if (problem == NULL || g_thread_pool_get_num_threads (threads) > 0)
    return threads;
  g_set_error (error, WP_ERROR, WP_ERROR_MEMORY, "cannot start a thread: %s", problem->message);
  g_thread_pool_free (threads, TRUE, TRUE);
  return NULL;
}

/* Rows that were done when the others were stopped count, too; the first error is the one that is told. */
static gboolean
end (Pool *pool, GThreadPool *threads, gboolean done, GError **error)
{
  Job *job;

  g_atomic_int_set (&pool->stop, 1);
  g_thread_pool_free (threads, FALSE, TRUE);
  while ((job = g_async_queue_try_pop (pool->over)) != NULL)
    done = take_back (pool, job, done ? error : NULL) && done;
  return wp_sweep_file_sync (pool->file, done ? error : NULL) && done;
}

gboolean
wp_sweep_run (WpSweepRun *run, const WpSweep *sweep, WpSweepFile *file, GError **error)
{
  g_auto (Pool) pool = { 0 };
  GThreadPool *threads;
  gboolean done;

  pool_init (&pool, run, sweep, file);
  run->interrupted = 0;
  run->refused = 0;
  threads = start_threads (&pool, error);
  if (threads == NULL)
    return FALSE;
  done = go (&pool, threads, error);
  done = end (&pool, threads, done, error);
  if (run->interrupted == 0 && done && wp_sweep_file_get_next (file) < sweep->n_rows)
    run->interrupted = SIGINT;
  return done;
}
