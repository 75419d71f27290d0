/* SPDX-License-Identifier: MIT */
/* A window takes some hundred microseconds where SMs are real ones: not much longer than it takes
 * to wake a thread that sleeps. So those that wait look again and again for a while before they
 * sleep. Each has SMs of its own, which stay in its core's caches; only where others are late does
 * it take some of theirs, so that nobody is waited for who is not there. Which thread runs which SM
 * is of no consequence.
 *
 *   caller    open | SM 0 .. 7     | wait until all are done | close, open | SM 0 .. 7
 *   others         |    8 .. 15    | look for the next round               |    8 .. 15
 */
#include "run/base/worker-pool.h"

/* How often a thread looks before it sleeps: some ten microseconds. */
#define LOOKS 4000
/* And before it takes what is another's: less than it costs to have an SM's state in another core's
 * cache. */
#define LOOKS_FIRST 200

/* A round may take about so long, as signals wait for its end: things that happen to an SM in one
 * are as many. */
#define SHORT 0.005 /* seconds */
#define LONG 0.020
#define FIRST_SLICE (1 << 8)
#define LAST_SLICE (1 << 16)

/* A window that takes longer than this stays open, in seconds. */
#define PATIENCE 0.5

/* Things that happen in a window without need of one: some milliseconds. */
#define FEW (1 << 16)
#define MANY (1 << 19)

/* Windows with fewer of them, on average, are over before the others have noticed. */
#define WORTH_SHARING 500
/* And those with fewer for each SM are not worth opening; seen after so many SMs, in all windows.
 */
#define WORTH_OPENING 2
#define SAMPLE 1024
/* The first one's length, in cycles. */
#define FIRST_LENGTH 1024

/* Others may be kept from their cores by other programs; then they are a hindrance. How much faster
 * it must be with them, and for how many calls at most it goes on without, or with, before the
 * other is tried again. */
#define GAIN 1.1
#define TERM 32

/* One of the team. */
typedef struct
{
  WpWorkerPool *pool;
  GThread *thread; /* NULL: the caller, or not needed yet */
  gint first, end; /* SMs of its own */
  guint64 used;    /* things that have happened in its hands in this round */
  gint next;       /* atomic: the one of its own to be run next; beyond the last: none */
  gchar padding[64];
} Member;

struct WpWorkerPool
{
  WpDevice *device;
  const WpMachine *machine;
  guint n;
  Member *members; /* [n]: the caller is the first */

  /* Atomic. */
  gint leaving;
  gint round;  /* goes up when there is something to do */
  gint n_left; /* SMs that have not been run in this round */
  gint n_asleep;
  gint unfinished; /* an SM has not come to the end of the window */

  GMutex mutex; /* for sleeping only */
  GCond wake, finished;

  /* The caller's own, but that others read the slice in a round. */
  guint64 slice; /* for each SM in a round */
  gboolean open, shared;
  guint n_took_part;
  WpTick length;
  gdouble rate;      /* things a second without the others, when last tried */
  guint term, pause; /* calls until the other is tried; how many without, the next time */
  guint idle, rest;  /* calls until windows are tried again; how many, the next time */
};

static inline void
relax (void)
{
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause ();
#endif
}

/* ---- Everyone's part of a round ---- */

static void
run_sm (Member *member, guint i)
{
  guint64 budget = member->pool->slice;

  if (!wp_device_run_in_window (member->pool->device, i, &budget))
    g_atomic_int_set (&member->pool->unfinished, 1);
  member->used += member->pool->slice - budget;
}

/* MEMBER runs what is left of OTHER's SMs; whether it ran the last one of the round. */
static gboolean
take_from (Member *member, Member *other)
{
  gint n = 0;

  while (g_atomic_int_get (&other->next) < other->end)
    {
      gint i = g_atomic_int_add (&other->next, 1);

      if (i >= other->end)
        break;
      run_sm (member, (guint)i);
      n++;
    }
  return n > 0 && g_atomic_int_add (&member->pool->n_left, -n) == n;
}

/* Whether N looks, or fewer, see the end of the round. */
static gboolean
is_over (const WpWorkerPool *pool, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      if (g_atomic_int_get (&pool->n_left) == 0)
        return TRUE;
      relax ();
    }
  return FALSE;
}

/* Whether it ran the last SM of the round. */
static gboolean
take_part (Member *member)
{
  WpWorkerPool *pool = member->pool;
  gboolean last = take_from (member, member);

  for (guint i = 0; i < pool->n && !last && !is_over (pool, LOOKS_FIRST); i++)
    last = take_from (member, &pool->members[i]);
  return last;
}

/* Waits for another round than SEEN; returns it. */
static gint
wait_for_round (WpWorkerPool *pool, gint seen)
{
  for (guint i = 0; i < LOOKS; i++)
    {
      gint round = g_atomic_int_get (&pool->round);

      if (round != seen)
        return round;
      relax ();
    }
  g_mutex_lock (&pool->mutex);
  g_atomic_int_inc (&pool->n_asleep);
  while (g_atomic_int_get (&pool->round) == seen)
    g_cond_wait (&pool->wake, &pool->mutex);
  g_atomic_int_add (&pool->n_asleep, -1);
  g_mutex_unlock (&pool->mutex);
  return g_atomic_int_get (&pool->round);
}

static gpointer
work (gpointer data)
{
  Member *member = data;
  WpWorkerPool *pool = member->pool;

  for (gint round = wait_for_round (pool, 0); !g_atomic_int_get (&pool->leaving);
       round = wait_for_round (pool, round))
    if (take_part (member))
      {
        g_mutex_lock (&pool->mutex);
        g_cond_signal (&pool->finished);
        g_mutex_unlock (&pool->mutex);
      }
  return NULL;
}

/* ---- The caller's ---- */

static void
call_others (WpWorkerPool *pool)
{
  g_atomic_int_inc (&pool->round);
  if (g_atomic_int_get (&pool->n_asleep) == 0)
    return;
  g_mutex_lock (&pool->mutex);
  g_cond_broadcast (&pool->wake);
  g_mutex_unlock (&pool->mutex);
}

static void
wait_for_others (WpWorkerPool *pool)
{
  if (is_over (pool, LOOKS))
    return;
  g_mutex_lock (&pool->mutex);
  while (g_atomic_int_get (&pool->n_left) > 0)
    g_cond_wait (&pool->finished, &pool->mutex);
  g_mutex_unlock (&pool->mutex);
}

/* Gives each an equal part of the SMs. */
static void
divide (WpWorkerPool *pool)
{
  guint64 n_sms = pool->machine->simulated_sms;

  for (guint i = 0; i < pool->n; i++)
    {
      Member *member = &pool->members[i];

      member->first = (gint)(n_sms * i / pool->n);
      member->end = (gint)(n_sms * (i + 1) / pool->n);
      g_atomic_int_set (&member->next, member->end);
    }
}

static void
hire (WpWorkerPool *pool)
{
  for (; pool->n_took_part < pool->n; pool->n_took_part++)
    {
      Member *member = &pool->members[pool->n_took_part];

      member->thread = g_thread_try_new ("warpipe", work, member, NULL);
      if (member->thread != NULL)
        continue;
      pool->n = pool->n_took_part; /* the system has no more: those that there are do it */
      divide (pool);
    }
}

/* All with the others' help. */
static void
share (WpWorkerPool *pool)
{
  hire (pool);
  g_atomic_int_set (&pool->n_left, (gint)pool->machine->simulated_sms);
  for (guint i = 0; i < pool->n; i++)
    g_atomic_int_set (&pool->members[i].next, pool->members[i].first);
  call_others (pool);
  take_part (pool->members);
  wait_for_others (pool);
}

/* Each SM once. Returns what happened. */
static guint64
run_round (WpWorkerPool *pool)
{
  guint64 used = 0;

  g_atomic_int_set (&pool->unfinished, 0);
  if (pool->shared && pool->n > 1)
    share (pool);
  else
    for (guint i = 0; i < pool->machine->simulated_sms; i++)
      run_sm (pool->members, i);
  for (guint i = 0; i < pool->n; i++)
    {
      used += pool->members[i].used;
      pool->members[i].used = 0;
    }
  return used;
}

/* Rounds until the window is over, or takes too long; returns what happened. */
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

/* The next window's length, after one in which USED things happened. Where launches limit it,
 * longer ones are none. */
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

/* Whether the others are to help in the next call, after one in which N windows took TOTAL things
 * and SECONDS. */
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

/* Whether N windows in which TOTAL things happened show that they are not worth opening: then not
 * for a while. */
static gboolean
gives_up (WpWorkerPool *pool, guint n, guint64 total)
{
  guint64 n_sms = (guint64)n * pool->machine->simulated_sms;

  if (n_sms < SAMPLE)
    return FALSE;
  if (total >= WORTH_OPENING * n_sms)
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
  pool->n = MIN (n, machine->simulated_sms);
  pool->members = g_new0 (Member, pool->n);
  for (guint i = 0; i < pool->n; i++)
    pool->members[i].pool = pool;
  divide (pool);
  pool->slice = FIRST_SLICE;
  pool->length = FIRST_LENGTH * machine->ticks_per_cycle;
  pool->pause = pool->rest = 1;
  pool->n_took_part = 1;
  g_mutex_init (&pool->mutex);
  g_cond_init (&pool->wake);
  g_cond_init (&pool->finished);
  return pool;
}

void
wp_worker_pool_free (WpWorkerPool *pool)
{
  if (pool == NULL)
    return;
  g_atomic_int_set (&pool->leaving, 1);
  call_others (pool);
  for (guint i = 1; i < pool->n_took_part; i++)
    g_thread_join (pool->members[i].thread);
  g_free (pool->members);
  g_mutex_clear (&pool->mutex);
  g_cond_clear (&pool->wake);
  g_cond_clear (&pool->finished);
  g_free (pool);
}
