/* SPDX-License-Identifier: MIT */
/* Groups of SMs (wp-device.h) do not affect one another within a window, so that threads run them
 * side by side. The caller is one of the threads, and waits for the others only if they are running
 * a group when it finds none left. A thread that comes late to a round finds nothing to do in it,
 * and takes part in the next one.
 *
 * Windows take from some ten microseconds (where a launch ends them) to milliseconds, and there are
 * many. So each thread begins with groups of its own, always the same, whose state is in its core's
 * cache, and takes others' only then. One that has nothing to do looks out for the next round for
 * some microseconds before it sleeps, which saves the kernel's way of waking it; not so where that
 * was in vain lately, as on a machine that is busy with other programs.
 */
#include "run/base/worker-pool.h"

#include <time.h>

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
 * must be with them, judged after so many seconds each; and for how many of these stints at most it
 * goes on without them, or with them, before the other is tried again. */
#define GAIN 1.1
#define STINT 0.010
#define TERM 64

/* How often a thread looks before it sleeps, at most and at least. A look takes from ten to some
 * fifty nanoseconds. */
#define MOST_LOOKS 2048
#define LEAST_LOOKS 16

/* Lines of a cache are fetched in pairs. */
#define APART 128

/* The groups that a thread begins with. */
typedef struct
{
  gint next;       /* atomic: the group to run next; from `end` on: none */
  gint begin, end; /* these never change */
  guint looks;     /* of this thread, before it sleeps */
  gchar padding[APART - 3 * sizeof (gint) - sizeof (guint)];
} Share;

struct WpWorkerPool
{
  WpDevice *device;
  const WpMachine *machine;
  guint n;           /* threads, the caller included */
  GThread **threads; /* [n - 1]: the others; NULL: not needed yet */
  Share *shares;     /* [n]: the caller's is the first */

  /* Of a round. */
  gint round;      /* atomic: its number */
  gint unfinished; /* atomic: a group has not come to the end of the window */
  gint n_left;     /* atomic: groups that have not been run */
  gsize used;      /* atomic: events */
  gint n_asleep;   /* atomic: threads that wait for `begun` */
  gint waits;      /* atomic: the caller waits for `done` */
  gint ends;       /* atomic: threads are to end */
  GMutex lock;     /* for the next two */
  GCond begun;     /* `round` or `ends` has changed */
  GCond done;      /* n_left is 0 */

  /* Set by the caller's thread between rounds. */
  guint64 slice; /* events of a group in a round */
  gboolean open, shared;
  WpTick length;
  gdouble rate;      /* events a second of the processor without other threads, when last tried */
  guint term, pause; /* stints until the other is tried; how many without, the next time */
  guint idle, rest;  /* calls until windows are tried again; how many, the next time */
  guint64 until;     /* a call ends when so many blocks have been handed out */
};

/* A thread of a pool, but for the caller's. */
typedef struct
{
  WpWorkerPool *pool;
  guint id;
} Worker;

/* Runs groups of SHARE until all have been taken; returns how many. */
static guint
run_share (WpWorkerPool *pool, Share *share, gsize *used)
{
  guint n = 0;

  if (g_atomic_int_get (&share->next) >= share->end)
    return 0;
  for (gint i = g_atomic_int_add (&share->next, 1); i < share->end;
       i = g_atomic_int_add (&share->next, 1), n++)
    {
      guint64 budget = pool->slice;

      if (!wp_device_run_in_window (pool->device, (guint)i, &budget))
        g_atomic_int_set (&pool->unfinished, 1);
      *used += (gsize)(pool->slice - budget);
    }
  return n;
}

/* Runs groups until all have been taken: first the thread's own. */
static void
run_groups (WpWorkerPool *pool, guint id)
{
  gsize used = 0;
  guint n = 0;

  for (guint i = 0; i < pool->n; i++)
    n += run_share (pool, &pool->shares[(id + i) % pool->n], &used);
  if (n == 0)
    return;
  g_atomic_pointer_add (&pool->used, (gssize)used);
  if (g_atomic_int_add (&pool->n_left, -(gint)n) != (gint)n || !g_atomic_int_get (&pool->waits))
    return;
  g_mutex_lock (&pool->lock);
  g_cond_signal (&pool->done);
  g_mutex_unlock (&pool->lock);
}

/* Lets the core's other thread go on. */
static void
pause_briefly (void)
{
#if defined __x86_64__ || defined __i386__
  __builtin_ia32_pause ();
#endif
}

/* Whether *X becomes VALUE (IS), or something else, while SHARE's thread looks. It looks for longer
 * the next time if so, else less long. */
static gboolean
look_out (Share *share, gint *x, gint value, gboolean is)
{
  for (guint i = 0; i < share->looks; i++)
    {
      if ((g_atomic_int_get (x) == value) == is)
        {
          share->looks = MIN (2 * share->looks, MOST_LOOKS);
          return TRUE;
        }
      pause_briefly ();
    }
  share->looks = MAX (share->looks / 2, LEAST_LOOKS);
  return FALSE;
}

/* Waits for a round after number ROUND, or for the end of the pool. */
static void
wait_for_round (WpWorkerPool *pool, guint id, gint round)
{
  if (look_out (&pool->shares[id], &pool->round, round, FALSE))
    return;
  g_mutex_lock (&pool->lock);
  g_atomic_int_inc (&pool->n_asleep);
  while (g_atomic_int_get (&pool->round) == round && !g_atomic_int_get (&pool->ends))
    g_cond_wait (&pool->begun, &pool->lock);
  g_atomic_int_add (&pool->n_asleep, -1);
  g_mutex_unlock (&pool->lock);
}

static gpointer
work (gpointer data)
{
  g_autofree Worker *worker = data;
  WpWorkerPool *pool = worker->pool;

  while (!g_atomic_int_get (&pool->ends))
    {
      gint round = g_atomic_int_get (&pool->round);

      run_groups (pool, worker->id);
      wait_for_round (pool, worker->id, round);
    }
  return NULL;
}

static void
wake_all (WpWorkerPool *pool)
{
  g_mutex_lock (&pool->lock);
  g_cond_broadcast (&pool->begun);
  g_mutex_unlock (&pool->lock);
}

/* Starts the other threads; there may be fewer than were asked for. */
static void
start_threads (WpWorkerPool *pool)
{
  guint n = 1;

  pool->threads = g_new0 (GThread *, pool->n);
  for (; n < pool->n; n++)
    {
      Worker *worker = g_new (Worker, 1);

      *worker = (Worker){ pool, n };
      pool->threads[n - 1] = g_thread_try_new ("warpipe", work, worker, NULL);
      if (pool->threads[n - 1] == NULL)
        {
          g_free (worker);
          return;
        }
    }
}

/* Waits until all groups have been run. */
static void
wait_for_others (WpWorkerPool *pool)
{
  if (g_atomic_int_get (&pool->n_left) == 0 || look_out (&pool->shares[0], &pool->n_left, 0, TRUE))
    return;
  g_mutex_lock (&pool->lock);
  g_atomic_int_set (&pool->waits, 1);
  while (g_atomic_int_get (&pool->n_left) > 0)
    g_cond_wait (&pool->done, &pool->lock);
  g_atomic_int_set (&pool->waits, 0);
  g_mutex_unlock (&pool->lock);
}

/* Runs each group once. Returns the number of events. A thread that is still about from the round
 * before may take a group as soon as its share begins anew: so that comes last. */
static guint64
run_round (WpWorkerPool *pool)
{
  if (pool->shared && pool->threads == NULL)
    start_threads (pool);
  g_atomic_pointer_set (&pool->used, 0);
  g_atomic_int_set (&pool->unfinished, 0);
  g_atomic_int_set (&pool->n_left, (gint)wp_device_get_n_groups (pool->device));
  for (guint i = 0; i < pool->n; i++)
    g_atomic_int_set (&pool->shares[i].next, pool->shares[i].begin);
  if (pool->shared)
    {
      g_atomic_int_inc (&pool->round);
      if (g_atomic_int_get (&pool->n_asleep) > 0)
        wake_all (pool);
    }
  run_groups (pool, 0);
  wait_for_others (pool);
  return g_atomic_pointer_get (&pool->used);
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

/* Windows after which it is judged whether other threads help. */
typedef struct
{
  gdouble start, cpu; /* seconds by the clock, and of the processor for the caller's thread */
  guint n;
  guint64 used; /* events */
} Stint;

static gdouble
get_cpu_time (void)
{
  struct timespec time;

  return clock_gettime (CLOCK_THREAD_CPUTIME_ID, &time) == 0
             ? (gdouble)time.tv_sec + (gdouble)time.tv_nsec / 1e9
             : 0;
}

static Stint
begin_stint (GTimer *timer)
{
  return (Stint){ .start = g_timer_elapsed (timer, NULL), .cpu = get_cpu_time () };
}

/* Decides whether the next stint is to use other threads, after STINT, which ends at NOW. With them
 * time is by the clock. Without them it is the processor's, which does not depend on what else the
 * machine does: so threads are to be faster than one that has a core for itself. */
static void
judge (WpWorkerPool *pool, const Stint *stint, gdouble now)
{
  gdouble cpu = get_cpu_time () - stint->cpu;
  gdouble seconds = pool->shared || cpu <= 0 ? now - stint->start : cpu;
  gdouble rate = (gdouble)stint->used / seconds;

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
  pool->shared = !pool->shared && pool->n > 1 && stint->used / stint->n >= WORTH_SHARING;
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

void
wp_worker_pool_set_until (WpWorkerPool *pool, guint64 block)
{
  pool->until = block;
}

guint64
wp_worker_pool_run (WpWorkerPool *pool, gdouble seconds)
{
  g_autoptr (GTimer) timer = g_timer_new ();
  Stint stint = begin_stint (timer);
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
      stint.used += used;
      stint.n++;
      adapt_length (pool, used);
      if (elapsed - stint.start >= STINT)
        {
          judge (pool, &stint, elapsed);
          stint = begin_stint (timer);
        }
      if (pool->open || elapsed >= seconds || gives_up (pool, n, total)
          || wp_device_get_blocks_started (pool->device) >= pool->until)
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
  pool->slice = FIRST_SLICE;
  pool->length = FIRST_LENGTH * machine->ticks_per_cycle;
  pool->pause = pool->rest = 1;
  pool->until = G_MAXUINT64;
  pool->shares = g_new0 (Share, pool->n);
  for (guint i = 0; i < pool->n; i++)
    {
      guint64 n_groups = wp_device_get_n_groups (device);
      gint begin = (gint)(n_groups * i / pool->n), end = (gint)(n_groups * (i + 1) / pool->n);

      pool->shares[i] = (Share){ .next = end, .begin = begin, .end = end, .looks = MOST_LOOKS };
    }
  g_mutex_init (&pool->lock);
  g_cond_init (&pool->begun);
  g_cond_init (&pool->done);
  return pool;
}

static void
end_threads (WpWorkerPool *pool)
{
  g_atomic_int_set (&pool->ends, 1);
  g_atomic_int_inc (&pool->round);
  wake_all (pool);
  for (guint i = 0; pool->threads != NULL && i + 1 < pool->n; i++)
    if (pool->threads[i] != NULL)
      g_thread_join (pool->threads[i]);
  g_free (pool->threads);
}

void
wp_worker_pool_free (WpWorkerPool *pool)
{
  if (pool == NULL)
    return;
  end_threads (pool);
  g_free (pool->shares);
  g_mutex_clear (&pool->lock);
  g_cond_clear (&pool->begun);
  g_cond_clear (&pool->done);
  g_free (pool);
}
