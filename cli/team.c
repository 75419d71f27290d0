/* SPDX-License-Identifier: MIT */
/* A window takes some hundred microseconds where SMs are real ones: not much longer than it takes to wake a thread that
 * sleeps. So those that wait look again and again for a while before they sleep. Each has SMs of its own, which stay in
 * its core's caches; only where others are late does it take some of theirs, so that nobody is waited for who is not
 * there. Which thread runs which SM is of no consequence.
 *
 *   caller    open | SM 0 .. 7     | wait until all are done | close, open | SM 0 .. 7
 *   others         |    8 .. 15    | look for the next round               |    8 .. 15
 */
#include "cli/team.h"

/* How often a thread looks before it sleeps: some ten microseconds. */
#define LOOKS 4000
/* And before it takes what is another's: less than it costs to have an SM's state in another core's cache. */
#define LOOKS_FIRST 200

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
/* And those with fewer for each SM are not worth opening; seen after so many SMs, in all windows. */
#define WORTH_OPENING 2
#define SAMPLE 1024
/* The first one's length, in cycles. */
#define FIRST_LENGTH 1024

/* Others may be kept from their cores by other programs; then they are a hindrance. How much faster it must be with them,
 * and for how many calls at most it goes on without, or with, before the other is tried again. */
#define GAIN 1.1
#define TERM 32

/* One of the team. */
typedef struct
{
  WpTeam *team;
  GThread *thread; /* NULL: the caller, or not needed yet */
  gint first, end; /* SMs of its own */
  guint64 used;    /* things that have happened in its hands in this round */
  gint next;       /* atomic: the one of its own to be run next; beyond the last: none */
  gchar padding[64];
} Member;

struct WpTeam
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
  guint64 budget = member->team->slice;

  if (!wp_device_run_in_window (member->team->device, i, &budget))
    g_atomic_int_set (&member->team->unfinished, 1);
  member->used += member->team->slice - budget;
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
  return n > 0 && g_atomic_int_add (&member->team->n_left, -n) == n;
}

/* Whether N looks, or fewer, see the end of the round. */
static gboolean
is_over (const WpTeam *team, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      if (g_atomic_int_get (&team->n_left) == 0)
        return TRUE;
      relax ();
    }
  return FALSE;
}

/* Whether it ran the last SM of the round. */
static gboolean
take_part (Member *member)
{
  WpTeam *team = member->team;
  gboolean last = take_from (member, member);

  for (guint i = 0; i < team->n && !last && !is_over (team, LOOKS_FIRST); i++)
    last = take_from (member, &team->members[i]);
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
  Member *member = data;
  WpTeam *team = member->team;

  for (gint round = wait_for_round (team, 0); !g_atomic_int_get (&team->leaving);
       round = wait_for_round (team, round))
    if (take_part (member))
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
  if (is_over (team, LOOKS))
    return;
  g_mutex_lock (&team->mutex);
  while (g_atomic_int_get (&team->n_left) > 0)
    g_cond_wait (&team->finished, &team->mutex);
  g_mutex_unlock (&team->mutex);
}

/* Gives each an equal part of the SMs. */
static void
divide (WpTeam *team)
{
  guint64 n_sms = team->machine->simulated_sms;

  for (guint i = 0; i < team->n; i++)
    {
      Member *member = &team->members[i];

      member->first = (gint)(n_sms * i / team->n);
      member->end = (gint)(n_sms * (i + 1) / team->n);
      g_atomic_int_set (&member->next, member->end);
    }
}

static void
hire (WpTeam *team)
{
  for (; team->n_took_part < team->n; team->n_took_part++)
    {
      Member *member = &team->members[team->n_took_part];

      member->thread = g_thread_try_new ("warpipe", work, member, NULL);
      if (member->thread != NULL)
        continue;
      team->n = team->n_took_part; /* the system has no more: those that there are do it */
      divide (team);
    }
}

/* All with the others' help. */
static void
share (WpTeam *team)
{
  hire (team);
  g_atomic_int_set (&team->n_left, (gint)team->machine->simulated_sms);
  for (guint i = 0; i < team->n; i++)
    g_atomic_int_set (&team->members[i].next, team->members[i].first);
  call_others (team);
  take_part (team->members);
  wait_for_others (team);
}

/* Each SM once. Returns what happened. */
static guint64
run_round (WpTeam *team)
{
  guint64 used = 0;

  g_atomic_int_set (&team->unfinished, 0);
  if (team->shared && team->n > 1)
    share (team);
  else
    for (guint i = 0; i < team->machine->simulated_sms; i++)
      run_sm (team->members, i);
  for (guint i = 0; i < team->n; i++)
    {
      used += team->members[i].used;
      team->members[i].used = 0;
    }
  return used;
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

/* Whether the others are to help in the next call, after one in which N windows took TOTAL things and SECONDS. */
static void
judge (WpTeam *team, guint n, guint64 total, gdouble seconds)
{
  gdouble rate = (gdouble)total / seconds;

  if (!team->shared)
    team->rate = rate;
  else if (rate < GAIN * team->rate)
    {
      team->shared = FALSE;
      team->term = team->pause;
      team->pause = MIN (2 * team->pause, TERM);
      return;
    }
  else
    team->pause = 1;
  if (team->term-- > 0)
    return;
  team->shared = !team->shared && team->n > 1 && total / n >= WORTH_SHARING;
  team->term = team->shared ? TERM : 0;
}

/* Whether N windows in which TOTAL things happened show that they are not worth opening: then not for a while. */
static gboolean
gives_up (WpTeam *team, guint n, guint64 total)
{
  guint64 n_sms = (guint64)n * team->machine->simulated_sms;

  if (n_sms < SAMPLE)
    return FALSE;
  if (total >= WORTH_OPENING * n_sms)
    {
      team->rest = 1;
      return FALSE;
    }
  team->idle = team->rest;
  team->rest = MIN (2 * team->rest, TERM);
  return TRUE;
}

guint64
wp_team_run (WpTeam *team, gdouble seconds)
{
  g_autoptr (GTimer) timer = g_timer_new ();
  guint64 total = 0;
  guint n = 0;

  if (team->idle > 0)
    {
      team->idle--;
      return 0;
    }
  while (team->open || wp_device_open_window (team->device, team->length))
    {
      guint64 used = run_window (team, timer);
      gdouble elapsed = g_timer_elapsed (timer, NULL);

      total += used;
      n++;
      adapt_length (team, used);
      if (elapsed >= seconds)
        judge (team, n, total, elapsed);
      if (team->open || elapsed >= seconds || gives_up (team, n, total))
        break;
    }
  return total;
}

gboolean
wp_team_is_busy (const WpTeam *team)
{
  return team->open;
}

WpTeam *
wp_team_new (WpDevice *device, const WpMachine *machine, guint n)
{
  WpTeam *team = g_new0 (WpTeam, 1);

  team->device = device;
  team->machine = machine;
  team->n = MIN (n, machine->simulated_sms);
  team->members = g_new0 (Member, team->n);
  for (guint i = 0; i < team->n; i++)
    team->members[i].team = team;
  divide (team);
  team->slice = FIRST_SLICE;
  team->length = FIRST_LENGTH * machine->ticks_per_cycle;
  team->pause = team->rest = 1;
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
  call_others (team);
  for (guint i = 1; i < team->n_took_part; i++)
    g_thread_join (team->members[i].thread);
  g_free (team->members);
  g_mutex_clear (&team->mutex);
  g_cond_clear (&team->wake);
  g_cond_clear (&team->finished);
  g_free (team);
}
