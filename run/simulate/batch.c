/* SPDX-License-Identifier: MIT */
/* A pool of threads takes the runs, the longest first. Where one fails, those after it in the list
 * are given up and those before it go on, so that the error is always that of the first.
 */
#include "run/simulate/batch.h"

#include <math.h>

#define NONE G_MAXINT /* no run has failed */

typedef struct
{
  WpBatch *batch;
  WpBatchRun *runs;
  GAsyncQueue *over; /* runs that have ended, however they ended */
  gint failed;       /* atomic: the first that has failed, or NONE */
  gint stop;         /* atomic: all runs are to end */
  guint64 issues;    /* of all runs; under `lock` */
  guint at_once;     /* runs side by side */
  gdouble begun;     /* how far those are that have begun, added up; under `lock` */
  GMutex lock;
} Pool;

static gboolean
is_given_up (Pool *pool, gint index)
{
  return g_atomic_int_get (&pool->stop) != 0 || index > g_atomic_int_get (&pool->failed);
}

static void
set_failed (Pool *pool, gint index)
{
  gint first = g_atomic_int_get (&pool->failed);

  while (index < first && !g_atomic_int_compare_and_exchange (&pool->failed, first, index))
    first = g_atomic_int_get (&pool->failed);
}

/* A run, for go_on(). */
typedef struct
{
  Pool *pool;
  gint index;
  gdouble share; /* of the run, in the pool's `begun` */
} Turn;

/* Counts events; the limit on them is one for all runs. */
static gboolean
go_on (gpointer data, guint64 n, gdouble share)
{
  Turn *turn = data;
  Pool *pool = turn->pool;

  g_mutex_lock (&pool->lock);
  pool->begun += share - turn->share;
  turn->share = share;
  pool->issues += n;
  if (pool->batch->max_issues > 0 && pool->issues >= pool->batch->max_issues)
    g_atomic_int_set (&pool->stop, 1);
  g_mutex_unlock (&pool->lock);
  return !is_given_up (pool, turn->index);
}

static gboolean
simulate (Pool *pool, gint index, GError **error)
{
  WpBatchRun *run = &pool->runs[index];
  const WpPolicy *policy = run->policy != NULL ? run->policy : pool->batch->policy;
  g_autoptr (WpSimulation) simulation
      = wp_simulation_new (run->kernel, run->gpu, policy, &run->options, error);
  Turn turn = { .pool = pool, .index = index };
  const WpResult *result;
  guint n_observers = 0;
  gboolean done;

  if (simulation == NULL)
    return FALSE;
  simulation->at_once = pool->at_once;
  while (n_observers < WP_BATCH_OBSERVERS && run->observers[n_observers] != NULL)
    n_observers++;
  if (!wp_simulation_start (simulation, run->observers, n_observers, TRUE, error)
      || !wp_simulation_drive (simulation, go_on, &turn, &done, error))
    return FALSE;
  go_on (&turn, 0, 0); /* counted as a run that is over from now on */
  result = wp_simulation_get_result (simulation);
  run->cycles = (gdouble)result->elapsed / (gdouble)simulation->resolved->machine.ticks_per_cycle;
  run->warps = result->warps;
  run->instructions = result->issued;
  run->sms = simulation->resolved->machine.simulated_sms;
  if (run->look != NULL && wp_device_get_result (simulation->device)->complete)
    run->look (simulation, run->data);
  return TRUE;
}

static void
work (gpointer data, gpointer user_data)
{
  gint index = GPOINTER_TO_INT (data) - 1; /* 0 would be no pointer */
  Pool *pool = user_data;

  if (!is_given_up (pool, index) && !simulate (pool, index, &pool->runs[index].error))
    set_failed (pool, index);
  g_async_queue_push (pool->over, data);
}

/* ---- Waiting ---- */

/* Waits until all N runs are over. */
static void
wait_for_all (Pool *pool, guint n)
{
  g_auto (WpProgressMeter) meter = { 0 };
  WpBatch *batch = pool->batch;

  wp_progress_meter_init (&meter, batch->progress);
  for (guint done = 0; done < n;)
    {
      if (g_async_queue_timeout_pop (pool->over, (guint64)(WP_PROGRESS_INTERVAL * G_USEC_PER_SEC))
          != NULL)
        done++;
      if (batch->interrupted == 0)
        batch->interrupted = wp_progress_is_cancelled (batch->progress);
      if (batch->interrupted != 0)
        g_atomic_int_set (&pool->stop, 1);
      if (wp_progress_meter_is_due (&meter))
        {
          WpProgressReport report = { .work = WP_WORK_RUNS, .done = done, .total = n };

          g_mutex_lock (&pool->lock);
          report.share = MIN ((done + pool->begun) / n, 1);
          g_mutex_unlock (&pool->lock);
          wp_progress_meter_report (&meter, &report);
        }
    }
}

/* Threads for POOL: as many as the system gives; NULL with ERROR where that is none. */
static GThreadPool *
start_threads (Pool *pool, guint n, GError **error)
{
  g_autoptr (GError) problem = NULL;
  /* Threads of an exclusive pool are made at once: so it is known whether there is any. */
  GThreadPool *threads = g_thread_pool_new (
      work, pool, (gint)MIN (pool->batch->max_cores, MAX (n, 1)), TRUE, &problem);

  if (problem == NULL || g_thread_pool_get_num_threads (threads) > 0)
    return threads;
  g_set_error (error, WP_ERROR, WP_ERROR_MEMORY, "cannot start a thread: %s", problem->message);
  g_thread_pool_free (threads, TRUE, TRUE);
  return NULL;
}

/* Hands out all runs; those with the most work first, so that no core is left with a long one at
 * the end. */
static void
push_all (const Pool *pool, guint n, GThreadPool *threads)
{
  g_autoptr (GArray) order = g_array_new (FALSE, FALSE, sizeof (gint));

  for (gint i = 0; i < (gint)n; i++)
    {
      guint place = order->len;

      while (place > 0
             && pool->runs[g_array_index (order, gint, place - 1)].work < pool->runs[i].work)
        place--;
      g_array_insert_val (order, place, i);
    }
  for (guint i = 0; i < n; i++)
    g_thread_pool_push (threads, GINT_TO_POINTER (g_array_index (order, gint, i) + 1), NULL);
}

/* Notes that the limit on the events of all runs has ended them. */
static void
note_limit (const Pool *pool)
{
  WpBatch *batch = pool->batch;

  if (batch->interrupted == 0 && batch->max_issues > 0 && pool->issues >= batch->max_issues)
    batch->interrupted = WP_CANCELLED_LIMIT;
}

gboolean
wp_batch_run (WpBatch *batch, WpBatchRun *runs, guint n, GError **error)
{
  Pool pool = { .batch = batch, .runs = runs, .over = g_async_queue_new (), .failed = NONE };
  GThreadPool *threads = start_threads (&pool, n, error);
  gboolean done = threads != NULL;

  pool.at_once = MIN (batch->max_cores, n);
  g_mutex_init (&pool.lock);
  batch->interrupted = 0;
  batch->failed = -1;
  if (done)
    {
      push_all (&pool, n, threads);
      wait_for_all (&pool, n);
      g_thread_pool_free (threads, FALSE, TRUE);
    }
  note_limit (&pool);
  if (pool.failed != NONE && batch->interrupted == 0)
    {
      batch->failed = pool.failed;
      g_propagate_error (error, g_steal_pointer (&runs[pool.failed].error));
      done = FALSE;
    }
  for (guint i = 0; i < n; i++)
    g_clear_error (&runs[i].error);
  g_async_queue_unref (pool.over);
  g_mutex_clear (&pool.lock);
  return done;
}

gdouble
wp_batch_run_get_warp_throughput (const WpBatchRun *run)
{
  return run->cycles > 0 ? (gdouble)run->warps / run->cycles / run->sms : INFINITY;
}

gdouble
wp_batch_run_get_ipc (const WpBatchRun *run)
{
  return run->cycles > 0 ? (gdouble)run->instructions / run->cycles / run->sms : INFINITY;
}
