/* SPDX-License-Identifier: MIT */
#include "exec/machine/wp-workers.h"

struct WpWorkers
{
  GMutex mutex;
  GCond begun, done;
  GPtrArray *threads;
  guint64 round;  /* number of the loop that is run */
  guint n_busy;   /* threads that have not finished it */
  gboolean stops; /* all threads end */
  gint next;      /* element, atomic */
  gint n_started; /* threads that have a number, atomic */
  guint n;
  WpWorkersDo what;
  gpointer data;
};

static void
take_elements (WpWorkers *workers, guint worker)
{
  for (;;)
    {
      guint element = g_atomic_int_add (&workers->next, 1);
      if (element >= workers->n)
        return;
      workers->what (element, worker, workers->data);
    }
}

static gpointer
run_thread (gpointer data)
{
  WpWorkers *workers = data;
  const guint worker = 1 + (guint)g_atomic_int_add (&workers->n_started, 1);
  guint64 round = 0;

  g_mutex_lock (&workers->mutex);
  for (;;)
    {
      while (!workers->stops && workers->round == round)
        g_cond_wait (&workers->begun, &workers->mutex);
      if (workers->stops)
        break;
      round = workers->round;
      g_mutex_unlock (&workers->mutex);
      take_elements (workers, worker);
      g_mutex_lock (&workers->mutex);
      if (--workers->n_busy == 0)
        g_cond_signal (&workers->done);
    }
  g_mutex_unlock (&workers->mutex);
  return NULL;
}

WpWorkers *
wp_workers_new (guint n)
{
  WpWorkers *workers = g_new0 (WpWorkers, 1);

  if (!n)
    n = g_get_num_processors ();
  g_mutex_init (&workers->mutex);
  g_cond_init (&workers->begun);
  g_cond_init (&workers->done);
  workers->threads = g_ptr_array_new ();
  for (guint k = 1; k < n; k++)
    {
      GThread *thread = g_thread_try_new ("execute", run_thread, workers, NULL);
      if (thread)
        g_ptr_array_add (workers->threads, thread);
    }
  return workers;
}

void
wp_workers_free (WpWorkers *workers)
{
  if (!workers)
    return;
  g_mutex_lock (&workers->mutex);
  workers->stops = TRUE;
  g_cond_broadcast (&workers->begun);
  g_mutex_unlock (&workers->mutex);
  for (guint k = 0; k < workers->threads->len; k++)
    g_thread_join (g_ptr_array_index (workers->threads, k));
  g_ptr_array_unref (workers->threads);
  g_mutex_clear (&workers->mutex);
  g_cond_clear (&workers->begun);
  g_cond_clear (&workers->done);
  g_free (workers);
}

guint
wp_workers_get_n (const WpWorkers *workers)
{
  return workers->threads->len + 1;
}

void
wp_workers_run (WpWorkers *workers, guint n, WpWorkersDo what, gpointer data)
{
  if (!workers->threads->len || n < 2)
    {
      for (guint k = 0; k < n; k++)
        what (k, 0, data);
      return;
    }
  g_mutex_lock (&workers->mutex);
  workers->what = what;
  workers->data = data;
  workers->n = n;
  g_atomic_int_set (&workers->next, 0);
  workers->n_busy = workers->threads->len;
  workers->round++;
  g_cond_broadcast (&workers->begun);
  g_mutex_unlock (&workers->mutex);
  take_elements (workers, 0);
  g_mutex_lock (&workers->mutex);
  while (workers->n_busy)
    g_cond_wait (&workers->done, &workers->mutex);
  g_mutex_unlock (&workers->mutex);
}
