/* SPDX-License-Identifier: MIT */
/* Groups of SMs (wp-device.h) do not affect one another within a window, so that threads run them
 * side by side: each takes the next one that nobody has taken. The caller is one of the threads,
 * and waits for the others only if they are running one when it finds none left. A thread that
 * comes late to a round finds nothing to do in it, and takes part in the next one.
 *
 * Windows take from some hundred microseconds (where a launch ends them) to milliseconds. A pool of
 * our own, whose threads spun between windows and kept to SMs of their own, was not measurably
 * faster than GLib's: on a busy machine of four cores GLib's took 0.74 to 1.13 of its time
 * (medians, 24 cases of 2 to 4 cores), where runs on one core, which do the same work, took 0.91
 * to 1.10.
 */
#include "run/base/worker-pool.h"

/* Seconds that a round is to take: signals wait for its end. */
#define SHORT 0.005
#define LONG 0.020
/* Events of a group in a round. */
#define FIRST_SLICE (1 << 8)
#define LAST_SLICE (1 << 16)

/* A window that takes longer than this stays open, in seconds. */
#define PATIENCE 0.5

/* Events in a window where nothing else limits it: some milliseconds. */
#define FEW (1 << 16)
#define MANY (1 << 19)

/* Windows with fewer events, on average, are over before other threads have started. */
#define WORTH_SHARING 500
/* Those with fewer for each group are not worth opening; seen after SAMPLE groups in all
 * windows. */
#define WORTH_OPENING 2
#define SAMPLE 1024
/* The first window's length, in cycles. */
#define FIRST_LENGTH 1024

/* Other programs may keep our threads from their cores; then threads do harm. How much faster it
 * must be with them, and for how many calls at most it goes on without them, or with them, before
 * the other is tried again. */
#define GAIN 1.1
#define TERM 32

struct WpWorkerPool
{
  WpDevice *device;
  const WpMachine *machine;
  guint n;              /* threads, the caller included */
  GThreadPool *threads; /* the others; NULL: not needed yet */

  /* Of a round. */
  gint next;       /* atomic: the group to run next; past the last: none */
  gint unfinished; /* atomic: a group has not come to the end of the window */
  GMutex lock;     /* for the next three */
  GCond done;      /* n_left is 0 */
  guint n_left;    /* groups that have not been run */
  guint64 used;    /* events */

  /* Set by the caller's thread between rounds. */
  guint64 slice; /* events of a group in a round */
  gboolean open, shared;
  WpTick length;
  gdouble rate;      /* events a second without other threads, when last tried */
  guint term, pause; /* calls until the other is tried; how many without, the next time */
  guint idle, rest;  /* calls until windows are tried again; how many, the next time */
};

/* Runs groups until all have been taken. */
static void
run_groups (WpWorkerPool *pool)
{
  const gint n_groups = (gint)wp_device_get_n_groups (pool->device);
  guint64 used = 0;
  guint n = 0;

  for (gint i = g_atomic_int_add (&pool->next, 1); i < n_groups;
       i = g_atomic_int_add (&pool->next, 1), n++)
    {
      guint64 budget = pool->slice;

      if (!wp_device_run_in_window (pool->device, (guint)i, &budget))
        g_atomic_int_set (&pool->unfinished, 1);
      used += pool->slice - budget;
    }
  if (n == 0)
    return;
  g_mutex_lock (&pool->lock);
  pool->used += used;
  pool->n_left -= n;
  if (pool->n_left == 0)
    g_cond_signal (&pool->done);
  g_mutex_unlock (&pool->lock);
}

static void
work (gpointer task, gpointer pool)
{
  (void)task;
  run_groups (pool);
}

/* Calls the other threads; there may be fewer than were asked for. Calls that they have not heard
 * yet are not repeated. */
static void
call_others (WpWorkerPool *pool)
{
  if (pool->threads == NULL)
    {
      pool->threads = g_thread_pool_new (work, pool, (gint)pool->n - 1, TRUE, NULL);
      pool->n = 1 + g_thread_pool_get_num_threads (pool->threads);
    }
  for (guint i = 1 + g_thread_pool_unprocessed (pool->threads); i < pool->n; i++)
    g_thread_pool_push (pool->threads, pool, NULL);
}

/* Runs each group once. Returns the number of events. */
static guint64
run_round (WpWorkerPool *pool)
{
  pool->used = 0;
  pool->n_left = wp_device_get_n_groups (pool->device);
  g_atomic_int_set (&pool->unfinished, 0);
  g_atomic_int_set (&pool->next, 0);
  if (pool->shared && pool->n > 1)
    call_others (pool);
  run_groups (pool);
  g_mutex_lock (&pool->lock);
  while (pool->n_left > 0)
    g_cond_wait (&pool->done, &pool->lock);
  g_mutex_unlock (&pool->lock);
  return pool->used;
}

/* Rounds until the window is over, or takes too long. Returns the number of events. */
static guint64
run_window (WpWorkerPool *pool, GTimer *timer)
{
  gdouble start = g_timer_elapsed (timer, NULL), before = start, now = start;
  guint64 used = 0;

  pool->open = TRUE;
  while (pool->open && now - start < PATIENCE)
    {
      used += run_round (pool);
      pool->open = g_atomic_int_get (&pool->unfinished) != 0;
      now = g_timer_elapsed (timer, NULL);
      if (now - before < SHORT && pool->open)
        pool->slice = MIN (2 * pool->slice, LAST_SLICE);
      else if (now - before > LONG)
        pool->slice = MAX (pool->slice / 2, 1);
      before = now;
    }
  if (!pool->open)
    wp_device_close_window (pool->device);
  return used;
}

/* Sets the next window's length, after one with USED events. Where launches end windows, asking for
 * longer ones changes nothing. */
static void
adapt_length (WpWorkerPool *pool, guint64 used)
{
  gboolean limited = wp_device_get_blocks_started (pool->device) < pool->machine->n_blocks
                     && pool->length >= pool->machine->launch_latency;

  if (used < FEW && !limited && pool->length < WP_TICK_LIMIT / 2)
    pool->length *= 2;
  else if (used > MANY && pool->length > 1)
    pool->length /= 2;
}

/* Decides whether the next call is to use other threads, after one in which N windows took TOTAL
 * events and SECONDS. */
static void
judge (WpWorkerPool *pool, guint n, guint64 total, gdouble seconds)
{
  gdouble rate = (gdouble)total / seconds;

  if (!pool->shared)
    pool->rate = rate;
  else if (rate < GAIN * pool->rate)
    {
      pool->shared = FALSE;
      pool->term = pool->pause;
      pool->pause = MIN (2 * pool->pause, TERM);
      return;
    }
  else
    pool->pause = 1;
  if (pool->term-- > 0)
    return;
  pool->shared = !pool->shared && pool->n > 1 && total / n >= WORTH_SHARING;
  pool->term = pool->shared ? TERM : 0;
}

/* Whether N windows with TOTAL events show that windows are not worth opening: then there are none
 * for a while. */
static gboolean
gives_up (WpWorkerPool *pool, guint n, guint64 total)
{
  guint64 n_groups = (guint64)n * wp_device_get_n_groups (pool->device);

  if (n_groups < SAMPLE)
    return FALSE;
  if (total >= WORTH_OPENING * n_groups)
    {
      pool->rest = 1;
      return FALSE;
    }
  pool->idle = pool->rest;
  pool->rest = MIN (2 * pool->rest, TERM);
  return TRUE;
}

guint64
wp_worker_pool_run (WpWorkerPool *pool, gdouble seconds)
{
  g_autoptr (GTimer) timer = g_timer_new ();
  guint64 total = 0;
  guint n = 0;

  if (pool->idle > 0)
    {
      pool->idle--;
      return 0;
    }
  while (pool->open || wp_device_open_window (pool->device, pool->length))
    {
      guint64 used = run_window (pool, timer);
      gdouble elapsed = g_timer_elapsed (timer, NULL);

      total += used;
      n++;
      adapt_length (pool, used);
      if (elapsed >= seconds)
        judge (pool, n, total, elapsed);
      if (pool->open || elapsed >= seconds || gives_up (pool, n, total))
        break;
    }
  return total;
}

gboolean
wp_worker_pool_is_busy (const WpWorkerPool *pool)
{
  return pool->open;
}

WpWorkerPool *
wp_worker_pool_new (WpDevice *device, const WpMachine *machine, guint n)
{
  WpWorkerPool *pool = g_new0 (WpWorkerPool, 1);

  pool->device = device;
  pool->machine = machine;
  pool->n = MIN (n, wp_device_get_n_groups (device));
  pool->next = (gint)wp_device_get_n_groups (device);
  pool->slice = FIRST_SLICE;
  pool->length = FIRST_LENGTH * machine->ticks_per_cycle;
  pool->pause = pool->rest = 1;
  g_mutex_init (&pool->lock);
  g_cond_init (&pool->done);
  return pool;
}

void
wp_worker_pool_free (WpWorkerPool *pool)
{
  if (pool == NULL)
    return;
  if (pool->threads != NULL)
    g_thread_pool_free (pool->threads, TRUE, TRUE);
  g_mutex_clear (&pool->lock);
  g_cond_clear (&pool->done);
  g_free (pool);
}
