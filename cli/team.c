/* SPDX-License-Identifier: MIT */
/* A window takes some hundred microseconds where SMs are real ones: not much longer than it takes to wake a thread that
 * sleeps. So those that wait look again and again for a while before they sleep. SMs are taken one by one, as some have
 * more to do than others; which thread runs which is of no consequence. Nobody is waited for who has taken none: one
 * that comes late finds nothing to do.
 *
 *   caller    open | SM 0, 2, 3 ...   | wait until all are done | close, open | SM 0 ...
 *   others         |    1, 4, 5 ...   | look for the next round               |    1 ...
 */
#include "cli/team.h"

/* How often a thread looks before it sleeps: some ten microseconds. */
#define LOOKS 4000

/* A round may take about so long, as signals wait for its end: things that happen to an SM in one are as many. */
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
/* And those with fewer for each SM are not worth opening. */
#define WORTH_OPENING 2
/* Windows after which that is looked at. */
#define SAMPLE 64

struct WpTeam
{
  WpDevice *device;
  const WpMachine *machine;
  guint n;
  GThread **threads; /* [n - 1], NULL until they are needed */

  /* Atomic. */
  gint leaving;
  gint round;  /* goes up when there is something to do */
  gint next;   /* the SM to be taken next; beyond the last: none */
  gint n_left; /* SMs that have not been run in this round */
  gint n_asleep;
  gint unfinished; /* an SM has not come to the end of the window */
  gsize used;      /* things that have happened in this round */

  GMutex mutex; /* for sleeping only */
  GCond wake, finished;

  /* The caller's own, but that others read the slice in a round. */
  guint64 slice; /* for each SM in a round */
  gboolean open, shared;
  guint n_took_part;
  WpTick length;
  guint n_windows; /* in this sample */
  guint64 n_things;
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
run_sm (WpTeam *team, guint i)
{
  guint64 budget = team->slice;

  if (!wp_device_run_in_window (team->device, i, &budget))
    g_atomic_int_set (&team->unfinished, 1);
  g_atomic_pointer_add (&team->used, (gssize)(team->slice - budget));
}

/* Takes SMs until none is left; whether it ran the last one of the round. */
static gboolean
take_part (WpTeam *team)
{
  gint n_sms = (gint)team->machine->simulated_sms;
  gboolean last = FALSE;

  while (g_atomic_int_get (&team->next) < n_sms)
    {
      gint i = g_atomic_int_add (&team->next, 1);

      if (i >= n_sms)
        break;
      run_sm (team, (guint)i);
      last = g_atomic_int_dec_and_test (&team->n_left);
    }
  return last;
}

/* Waits for another round than SEEN; returns it. */
static gint
wait_for_round (WpTeam *team, gint seen)
{
  for (guint i = 0; i < LOOKS; i++)
    {
      gint round = g_atomic_int_get (&team->round);

      if (round != seen)
        return round;
      relax ();
    }
  g_mutex_lock (&team->mutex);
  g_atomic_int_inc (&team->n_asleep);
  while (g_atomic_int_get (&team->round) == seen)
    g_cond_wait (&team->wake, &team->mutex);
  g_atomic_int_add (&team->n_asleep, -1);
  g_mutex_unlock (&team->mutex);
  return g_atomic_int_get (&team->round);
}

static gpointer
work (gpointer data)
{
  WpTeam *team = data;

  for (gint round = wait_for_round (team, 0); !g_atomic_int_get (&team->leaving);
       round = wait_for_round (team, round))
    if (take_part (team))
      {
        g_mutex_lock (&team->mutex);
        g_cond_signal (&team->finished);
        g_mutex_unlock (&team->mutex);
      }
  return NULL;
}

/* ---- The caller's ---- */

static void
call_others (WpTeam *team)
{
  g_atomic_int_inc (&team->round);
  if (g_atomic_int_get (&team->n_asleep) == 0)
    return;
  g_mutex_lock (&team->mutex);
  g_cond_broadcast (&team->wake);
  g_mutex_unlock (&team->mutex);
}

static void
wait_for_others (WpTeam *team)
{
  for (guint i = 0; i < LOOKS; i++)
    {
      if (g_atomic_int_get (&team->n_left) == 0)
        return;
      relax ();
    }
  g_mutex_lock (&team->mutex);
  while (g_atomic_int_get (&team->n_left) > 0)
    g_cond_wait (&team->finished, &team->mutex);
  g_mutex_unlock (&team->mutex);
}

static void
hire (WpTeam *team)
{
  if (team->threads != NULL)
    return;
  team->threads = g_new0 (GThread *, team->n);
  for (guint i = 0; i + 1 < team->n; i++)
    team->threads[i] = g_thread_new ("warpipe", work, team);
  team->n_took_part = team->n;
}

/* Each SM once. Returns what happened. */
static guint64
run_round (WpTeam *team)
{
  gint n_sms = (gint)team->machine->simulated_sms;

  g_atomic_int_set (&team->unfinished, 0);
  g_atomic_pointer_set (&team->used, 0);
  if (team->shared && team->n > 1)
    {
      hire (team);
      g_atomic_int_set (&team->n_left, n_sms);
      g_atomic_int_set (&team->next, 0);
      call_others (team);
      take_part (team);
      wait_for_others (team);
    }
  else
    for (gint i = 0; i < n_sms; i++)
      run_sm (team, (guint)i);
  return (guint64)team->used;
}

/* Rounds until the window is over, or takes too long; returns what happened. */
static guint64
run_window (WpTeam *team, GTimer *timer)
{
  gdouble start = g_timer_elapsed (timer, NULL), before = start, now = start;
  guint64 used = 0;

  team->open = TRUE;
  while (team->open && now - start < PATIENCE)
    {
      used += run_round (team);
      team->open = g_atomic_int_get (&team->unfinished) != 0;
      now = g_timer_elapsed (timer, NULL);
      if (now - before < SHORT && team->open)
        team->slice = MIN (2 * team->slice, LAST_SLICE);
      else if (now - before > LONG)
        team->slice = MAX (team->slice / 2, 1);
      before = now;
    }
  if (!team->open)
    wp_device_close_window (team->device);
  return used;
}

/* The next window's length, after one in which USED things happened. Where launches limit it, longer ones are none. */
static void
adapt_length (WpTeam *team, guint64 used)
{
  gboolean limited = wp_device_get_blocks_started (team->device) < team->machine->n_blocks
                     && team->length >= team->machine->launch_latency;

  if (used < FEW && !limited && team->length < WP_TICK_LIMIT / 2)
    team->length *= 2;
  else if (used > MANY && team->length > 1)
    team->length /= 2;
}

/* Whether windows are worth opening; and sharing. */
static gboolean
look_at_sample (WpTeam *team)
{
  guint64 mean = team->n_things / team->n_windows;

  if (team->n_windows < SAMPLE && team->n_things < SAMPLE * WORTH_SHARING)
    return TRUE;
  team->shared = mean >= WORTH_SHARING;
  team->n_windows = 0;
  team->n_things = 0;
  return mean >= (guint64)WORTH_OPENING * team->machine->simulated_sms;
}

guint64
wp_team_run (WpTeam *team, gdouble seconds)
{
  g_autoptr (GTimer) timer = g_timer_new ();
  guint64 total = 0;

  while (team->open || wp_device_open_window (team->device, team->length))
    {
      guint64 used = run_window (team, timer);

      total += used;
      adapt_length (team, used);
      team->n_windows++;
      team->n_things += used;
      if (team->open || !look_at_sample (team) || g_timer_elapsed (timer, NULL) >= seconds)
        break;
    }
  return total;
}

gboolean
wp_team_is_busy (const WpTeam *team)
{
  return team->open;
}

guint
wp_team_count (const WpTeam *team)
{
  return team->n_took_part;
}

WpTeam *
wp_team_new (WpDevice *device, const WpMachine *machine, guint n)
{
  WpTeam *team = g_new0 (WpTeam, 1);

  team->device = device;
  team->machine = machine;
  team->n = MIN (n, machine->simulated_sms);
  team->next = (gint)machine->simulated_sms;
  team->slice = FIRST_SLICE;
  team->length = 1;
  team->n_took_part = 1;
  g_mutex_init (&team->mutex);
  g_cond_init (&team->wake);
  g_cond_init (&team->finished);
  return team;
}

void
wp_team_free (WpTeam *team)
{
  if (team == NULL)
    return;
  g_atomic_int_set (&team->leaving, 1);
  if (team->threads != NULL)
    call_others (team);
  for (guint i = 0; team->threads != NULL && i + 1 < team->n; i++)
    g_thread_join (team->threads[i]);
  g_free (team->threads);
  g_mutex_clear (&team->mutex);
  g_cond_clear (&team->wake);
  g_cond_clear (&team->finished);
  g_free (team);
}
