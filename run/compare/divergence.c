/* SPDX-License-Identifier: MIT */
/* Up to the first difference both devices are in the same state, so that both visit the same
 * scheduler at the same time. One of them may issue nothing there (two-level scheduling sets warps
 * aside) and go on with another scheduler, or later.
 *
 * Steady states are skipped. Their issues are reported even so, but which warps could have
 * issued is known only where the engine simulates. Where the difference lies within a skipped
 * stretch, the run that asks for the candidates is repeated without skipping. */
#include "run/compare/divergence.h"

#include <string.h>

#define SLICE 4096

/* What identifies an issue. */
typedef struct
{
  WpTick time;
  guint64 block, index;
  guint32 sm, scheduler, warp;
} Key;

/* A steady state: issues FIRST to END come in rounds of N that differ by STEPS. */
typedef struct
{
  guint64 first, end; /* end 0: there is none */
  GArray *steps;      /* of Key: from a round to the next */
  WpTick over;        /* when it ends: no other does */
} Rounds;

/* One of the two simulations as it advances. */
typedef struct
{
  WpSimulation *simulation;
  WpObserver observer;
  GArray *keys;  /* of Key: issues that the other has not made yet */
  guint n_taken; /* of these, already compared */
  gboolean done;
  guint64 n_made; /* issues so far, in all */
  Rounds rounds;
  guint64 stride;  /* issues of the last slice, if it was of a steady state; else 0 */
  guint64 n_jumps; /* rounds that it is to jump over */
} Follower;

static void
follower_clear (Follower *follower)
{
  wp_simulation_free (follower->simulation);
  g_clear_pointer (&follower->keys, g_array_unref);
  g_clear_pointer (&follower->rounds.steps, g_array_unref);
}

static void
on_issue (void *data, const WpIssueEvent *event)
{
  Follower *follower = data;
  Key key = { event->time, event->block, event->index, event->sm, event->scheduler, event->warp };

  g_array_append_val (follower->keys, key);
  follower->n_made++;
}

/* ---- Steady states ---- */

static void
add_key (void *data, const WpIssueEvent *event)
{
  Key key = { event->time, event->block, event->index, event->sm, event->scheduler, event->warp };

  g_array_append_val ((GArray *)data, key);
}

static GArray *
list_round (const WpRepeat *repeat, guint64 number)
{
  GArray *keys = g_array_new (FALSE, FALSE, sizeof (Key));
  const WpObserver observer = { .data = keys, .issue = add_key };

  wp_repeat_unfold (repeat, number, 1, &observer);
  return keys;
}

/* Notes the rounds of REPEAT, the first of which comes next. */
static void
note_rounds (Follower *follower, const WpRepeat *repeat)
{
  g_autoptr (GArray) first = list_round (repeat, 0);
  Rounds *rounds = &follower->rounds;

  g_clear_pointer (&rounds->steps, g_array_unref);
  rounds->steps = list_round (repeat, 1);
  for (guint i = 0; i < first->len; i++)
    {
      Key *step = &g_array_index (rounds->steps, Key, i);
      const Key *from = &g_array_index (first, Key, i);

      step->time -= from->time;
      step->block -= from->block;
      step->index -= from->index;
    }
  rounds->first = follower->n_made - first->len;
  rounds->end = follower->n_made + wp_repeat_get_times (repeat) * first->len;
}

static const Key *
get_step (const Rounds *rounds, guint64 issue)
{
  return &g_array_index (rounds->steps, Key, (issue - rounds->first) % rounds->steps->len);
}

/* Every issue is compared, unless both come in rounds that are known to be alike. */
static uint64_t
can_repeat (void *data, const WpRepeat *repeat)
{
  Follower *follower = data;
  WpTick over = wp_repeat_get_start (repeat)
                + (WpTick)wp_repeat_get_times (repeat) * wp_repeat_get_period (repeat);

  if (over != follower->rounds.over)
    note_rounds (follower, repeat);
  follower->rounds.over = over;
  return follower->n_jumps;
}

/* Issues that wait to be compared become those of as many rounds later. */
static void
on_repeat (void *data, const WpRepeat *repeat)
{
  Follower *follower = data;
  guint64 n = wp_repeat_get_times (repeat);
  guint64 first = follower->n_made - (follower->keys->len - follower->n_taken);

  for (guint i = follower->n_taken; i < follower->keys->len; i++)
    {
      Key *key = &g_array_index (follower->keys, Key, i);
      const Key *step = get_step (&follower->rounds, first + i - follower->n_taken);

      key->time += (WpTick)n * step->time;
      key->block += n * step->block;
      key->index += n * step->index;
    }
  follower->n_made += n * follower->rounds.steps->len;
  follower->n_jumps -= n;
}

static WpSimulation *
start (const WpDivergenceRun *run, const WpObserver *observer, gboolean skips, GError **error)
{
  g_autoptr (WpSimulation) simulation
      = wp_simulation_new (run->kernel, run->gpu, run->policy, &run->options, error);

  if (simulation == NULL || !wp_simulation_start (simulation, &observer, 1, skips, error))
    return NULL;
  return g_steal_pointer (&simulation);
}

/* ---- Both ---- */

typedef struct
{
  const WpProgress *progress;
  guint64 *max_issues;
  gint *interrupted;
  WpProgressMeter meter;
  Follower followers[2];
  guint32 *next; /* [SMs]: the scheduler that the rotation goes on from */
  guint32 n_schedulers;
} Pair;

static void
pair_clear (Pair *pair)
{
  follower_clear (&pair->followers[0]);
  follower_clear (&pair->followers[1]);
  wp_progress_meter_clear (&pair->meter);
  g_free (pair->next);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Pair, pair_clear)

/* Simulates another slice of SIMULATION. */
static gboolean
advance (Pair *pair, WpSimulation *simulation, gboolean *done, GError **error)
{
  WpRunStatus status = wp_device_run (simulation->device, SLICE);

  *done = status == WP_RUN_DONE;
  if (*pair->interrupted == 0)
    *pair->interrupted = wp_progress_is_cancelled (pair->progress);
  if (*pair->max_issues > 0)
    *pair->max_issues = *pair->max_issues > SLICE ? *pair->max_issues - SLICE : 1;
  if (*pair->max_issues == 1 && *pair->interrupted == 0)
    *pair->interrupted = WP_CANCELLED_LIMIT;
  if (wp_progress_meter_is_due (&pair->meter))
    {
      WpProgressReport report = { .work = WP_WORK_DIVERGENCE };

      report.share = (gdouble)wp_device_get_blocks_started (simulation->device)
                     / (gdouble)MAX (simulation->resolved->machine.n_blocks, 1);
      wp_progress_meter_report (&pair->meter, &report);
    }
  return wp_simulation_check (simulation, status, error);
}

/* FOLLOWER by a slice. */
static gboolean
go_on (Pair *pair, Follower *follower, GError **error)
{
  const Rounds *rounds = &follower->rounds;
  WpTick over = rounds->over;
  guint64 before = follower->n_made;
  gboolean steady = rounds->steps != NULL && before >= rounds->first + rounds->steps->len;

  if (!advance (pair, follower->simulation, &follower->done, error))
    return FALSE;
  steady = steady && rounds->over == over && follower->n_made <= rounds->end;
  follower->stride = steady ? follower->n_made - before : 0;
  return TRUE;
}

static guint
count_waiting (const Follower *follower)
{
  return follower->keys->len - follower->n_taken;
}

/* The simulation that is behind the other, or NULL: both have ended. */
static Follower *
find_behind (Pair *pair)
{
  Follower *a = &pair->followers[0], *b = &pair->followers[1];
  gboolean first = !a->done && (b->done || count_waiting (a) <= count_waiting (b));

  return first ? a : b->done ? NULL : b;
}

static const Key *
peek (const Follower *follower)
{
  return count_waiting (follower) > 0 ? &g_array_index (follower->keys, Key, follower->n_taken)
                                      : NULL;
}

static gboolean
is_same (const Key *a, const Key *b)
{
  return a->time == b->time && a->sm == b->sm && a->scheduler == b->scheduler
         && a->block == b->block && a->warp == b->warp && a->index == b->index;
}

/* Removes the issues that both have made alike; TRUE at a difference. */
static gboolean
compare (Pair *pair, guint64 *n)
{
  for (;;)
    {
      const Key *a = peek (&pair->followers[0]), *b = peek (&pair->followers[1]);

      if (a == NULL || b == NULL)
        break;
      if (!is_same (a, b))
        return TRUE;
      pair->next[a->sm] = (a->scheduler + 1) % pair->n_schedulers;
      pair->followers[0].n_taken++;
      pair->followers[1].n_taken++;
      ++*n;
    }
  for (guint i = 0; i < 2; i++)
    {
      Follower *follower = &pair->followers[i];

      g_array_remove_range (follower->keys, 0, follower->n_taken);
      follower->n_taken = 0;
    }
  return FALSE;
}

/* Whether what A and B have issued alike up to issue N goes on alike as long as both come in
 * rounds: N_ALIKE issues are whole rounds of both. */
static gboolean
go_on_alike (const Rounds *a, const Rounds *b, guint64 n, guint64 n_alike)
{
  guint64 n_a = n_alike / a->steps->len, n_b = n_alike / b->steps->len;

  for (guint64 i = n - n_alike; i < n; i++)
    {
      const Key *x = get_step (a, i), *y = get_step (b, i);

      if (n_a * (guint64)x->time != n_b * (guint64)y->time || n_a * x->block != n_b * y->block
          || n_a * x->index != n_b * y->index)
        return FALSE;
    }
  return TRUE;
}

/* How many slices of both come alike from issue N on; 0: that is not known. A slice of a steady
 * state is always as many whole rounds. */
static guint64
find_jumps (const Pair *pair, guint64 n)
{
  const Follower *a = &pair->followers[0], *b = &pair->followers[1];
  guint64 first = MAX (a->rounds.first, b->rounds.first), stride = a->stride;
  guint64 made = MAX (a->n_made, b->n_made), end = MIN (a->rounds.end, b->rounds.end);

  if (stride == 0 || stride != b->stride || count_waiting (a) >= stride
      || count_waiting (b) >= stride || n < first || n - first < stride || made >= end
      || n >= WP_DIVERGENCE_MAX_ISSUES || !go_on_alike (&a->rounds, &b->rounds, n, stride))
    return 0;
  return MIN ((end - made) / stride, (WP_DIVERGENCE_MAX_ISSUES - 1 - n) / stride);
}

/* Jumps over slices that both make alike; no others go on as they would have without. *N: issues so
 * far. */
static gboolean
jump (Pair *pair, guint64 *n, GError **error)
{
  guint64 jumps = find_jumps (pair, *n), stride = pair->followers[0].stride;

  for (guint i = 0; jumps > 0 && i < 2; i++)
    {
      Follower *follower = &pair->followers[i];

      follower->n_jumps = jumps * stride / follower->rounds.steps->len;
      while (follower->n_jumps > 0)
        {
          WpRunStatus status = wp_device_run (follower->simulation->device, 1);

          if (!wp_simulation_check (follower->simulation, status, error))
            return FALSE;
        }
    }
  *n += jumps * stride;
  return TRUE;
}

/* ---- What could have issued ---- */

/* Runs up to issue number N, and notes the candidates there. */
typedef struct
{
  guint64 n, at;
  WpPick *pick;
  const WpSimulation *simulation;
  gboolean reached;
} Asker;

static void
ask (void *data, const WpIssueEvent *event)
{
  Asker *asker = data;
  WpPick *pick = asker->pick;
  const WpMachine *machine = &asker->simulation->resolved->machine;

  if (asker->at++ != asker->n)
    return;
  asker->reached = TRUE;
  pick->n_candidates = wp_device_get_candidates (asker->simulation->device, event, NULL, 0);
  pick->candidates = g_new0 (WpCandidate, pick->n_candidates);
  wp_device_get_candidates (asker->simulation->device, event, pick->candidates, pick->n_candidates);
  for (guint i = 0; i < pick->n_candidates; i++)
    if (pick->candidates[i].slot == event->slot)
      pick->pick = i;
  g_free (pick->op);
  pick->op = g_strdup (event->instr < machine->n_instrs
                               && machine->instrs[event->instr].cost->pipeline != WP_NO_PIPELINE
                           ? machine->names[machine->instrs[event->instr].cost->name]
                           : "bar.sync");
}

/* Fills PICK with what RUN does at issue number N. PICK stays empty where it is interrupted. */
static gboolean
ask_run (Pair *pair, const WpDivergenceRun *run, guint64 n, gboolean skips, WpPick *pick,
         GError **error)
{
  Asker asker = { .n = n, .pick = pick };
  const WpObserver observer = { .data = &asker, .issue = ask };
  g_autoptr (WpSimulation) simulation = start (run, &observer, skips, error);
  gboolean done = FALSE;

  if (simulation == NULL)
    return FALSE;
  asker.simulation = simulation;
  while (!done && !asker.reached && *pair->interrupted == 0)
    if (!advance (pair, simulation, &done, error))
      return FALSE;
  if (asker.reached && pick->n_candidates == 0 && skips)
    {
      g_clear_pointer (&pick->candidates, g_free);
      return ask_run (pair, run, n, FALSE, pick, error);
    }
  pick->issues = asker.reached;
  return TRUE;
}

/* ---- The difference ---- */

/* Whether the device visits the scheduler of A before that of B, or both are the same visit. */
static gboolean
is_before (const Pair *pair, const Key *a, const Key *b)
{
  guint32 n = pair->n_schedulers;
  guint32 next = pair->next[a->sm];

  if (a->time != b->time)
    return a->time < b->time;
  if (a->sm != b->sm)
    return a->sm < b->sm;
  return (a->scheduler + n - next) % n <= (b->scheduler + n - next) % n;
}

static gboolean
fill (Pair *pair, const WpDivergenceRun runs[2], WpDivergence *divergence, GError **error)
{
  const Key *keys[2] = { peek (&pair->followers[0]), peek (&pair->followers[1]) };
  gboolean second = keys[0] == NULL || (keys[1] != NULL && !is_before (pair, keys[0], keys[1]));
  Key key = *keys[second ? 1 : 0];
  gchar text[WP_TIME_CHARS];

  divergence->kind = WP_DIVERGENCE_FOUND;
  divergence->sm = key.sm;
  divergence->scheduler = key.scheduler;
  divergence->time = g_strdup (wp_tick_format (
      key.time, pair->followers[0].simulation->resolved->machine.ticks_per_cycle, text));
  for (guint i = 0; i < 2; i++)
    if (keys[i] != NULL && keys[i]->time == key.time && keys[i]->sm == key.sm
        && keys[i]->scheduler == key.scheduler
        && !ask_run (pair, &runs[i], divergence->issues, TRUE, &divergence->picks[i], error))
      return FALSE;
  return TRUE;
}

static gboolean
start_both (Pair *pair, const WpDivergenceRun runs[2], GError **error)
{
  const WpMachine *machine;

  for (guint i = 0; i < 2; i++)
    {
      Follower *follower = &pair->followers[i];

      follower->observer = (WpObserver){
        .data = follower, .issue = on_issue, .repeat = on_repeat, .can_repeat = can_repeat
      };
      follower->keys = g_array_new (FALSE, FALSE, sizeof (Key));
      follower->simulation = start (&runs[i], &follower->observer, TRUE, error);
      if (follower->simulation == NULL)
        return FALSE;
    }
  machine = &pair->followers[0].simulation->resolved->machine;
  pair->n_schedulers = machine->n_schedulers;
  pair->next = g_new0 (guint32, machine->simulated_sms);
  return TRUE;
}

gboolean
wp_divergence_find (const WpDivergenceRun runs[2], const WpProgress *progress, guint64 *max_issues,
                    gint *interrupted, WpDivergence *divergence, GError **error)
{
  g_auto (Pair) pair
      = { .progress = progress, .max_issues = max_issues, .interrupted = interrupted };

  memset (divergence, 0, sizeof *divergence);
  divergence->kind = WP_DIVERGENCE_NONE;
  wp_progress_meter_init (&pair.meter, progress);
  if (!start_both (&pair, runs, error))
    return FALSE;
  for (;;)
    {
      Follower *behind = find_behind (&pair);

      if (behind == NULL || *interrupted != 0)
        break;
      if (divergence->issues >= WP_DIVERGENCE_MAX_ISSUES)
        {
          divergence->kind = WP_DIVERGENCE_TOO_LATE;
          return TRUE;
        }
      if (!go_on (&pair, behind, error))
        return FALSE;
      if (compare (&pair, &divergence->issues))
        return fill (&pair, runs, divergence, error);
      if (!jump (&pair, &divergence->issues, error))
        return FALSE;
    }
  if (*interrupted == 0 && (peek (&pair.followers[0]) != NULL || peek (&pair.followers[1]) != NULL))
    return fill (&pair, runs, divergence, error);
  return TRUE;
}

void
wp_divergence_clear (WpDivergence *divergence)
{
  g_free (divergence->time);
  for (guint i = 0; i < 2; i++)
    {
      g_free (divergence->picks[i].op);
      g_free (divergence->picks[i].candidates);
    }
}
