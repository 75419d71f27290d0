/* SPDX-License-Identifier: MIT */
/* How many periods can follow: until blocks run out, or begin to run other programs; until a repeat
 * ends; and not so far that a time might overflow, so that a run that must overflow does so in
 * full.
 */
#include "sim/engine/steady/wp-steady.h"

#include "sim/base/wp-measure.h"
#include "sim/engine/core/wp-device-core.h"
#include "sim/engine/core/wp-look.h"
#include "sim/engine/core/wp-sm-account.h"
#include "sim/engine/core/wp-sm-block.h"
#include "sim/engine/core/wp-sm-wait.h"
#include "sim/engine/steady/wp-replay.h"

#include <stdlib.h>

#define MAX_LEVELS 4
/* Most memory for states, in words: 64 MiB. A run that needs more is never skipped. */
#define MAX_WORDS ((size_t)1 << 23)
/* Issues of the first SM that pay for each word kept, or compared beyond the first ones; and those
 * that skipping must save. Such that looking takes some percent of the run at most (as
 * WP_ISSUES_PER_LOOK). */
#ifdef WP_STEADY_EAGERLY
#define ISSUES_PER_WORD 0
#define MIN_ISSUES_SAVED 1
#else
#define ISSUES_PER_WORD 1
#define MIN_ISSUES_SAVED 1024
#endif
#define FREE_WORDS 32
/* Events that are replayed at a time, at least. */
#define BATCH 4096

typedef struct
{
  int64_t *words; /* the state that is kept */
  uint64_t n;     /* looks since the level began anew; 0: no state is kept */
  WpTick time;    /* of the state */
  uint64_t n_issues;
  uint64_t like_end; /* blocks from it up to here run the same programs */
} Level;

struct WpSteady
{
  uint32_t n_levels;
  Level levels[MAX_LEVELS];
  WpTick longest; /* of all latencies */
  WpTick skipped;
  uint64_t chance;  /* of how long breaks are */
  WpReplay *replay; /* where somebody observes */
  WpSteps *steps;   /* the same */
  const WpObserver *
      *others;     /* the same: [n_listeners], those who see every event of some periods */
  uint64_t *takes; /* the same: how many of the periods that are left each takes by one call */
  bool at_once;    /* nobody needs to see every event: all that recurs is skipped as it is found */
  /* The period that is skipped. */
  int64_t *words;  /* what it adds to the state */
  WpWalk walk;     /* over them */
  uint64_t left;   /* how often it is to be skipped still */
  WpRepeat repeat; /* of what observers saw; rounds: how often they have seen it again */
};

/* ---- Before the run ---- */

static bool
init_levels (WpSteady *steady, size_t n_words)
{
  for (uint32_t i = 0; i < steady->n_levels; i++)
    {
      steady->levels[i].words = calloc (n_words, sizeof (int64_t));
      if (steady->levels[i].words == NULL)
        return false;
    }
  return true;
}

/* Whether anything is done twice: the body of a repeat, or by a block what the one before did. */
static bool
repeats_anything (const WpMachine *m)
{
  for (uint32_t i = 0; i < m->n_programs; i++)
    if (m->programs[i].depth > 0)
      return true;
  for (uint32_t i = 0; i < m->n_block_ranges; i++)
    {
      uint64_t last = i + 1 < m->n_block_ranges ? m->block_ranges[i + 1].first_block : m->n_blocks;

      if ((last < m->n_blocks ? last : m->n_blocks) > m->block_ranges[i].first_block + 1)
        return true;
    }
  return false;
}

/* Whether a state may come again, and be known by it: not where everything is done once, nor where
 * random numbers are drawn or a policy does not say what it remembers. */
static bool
can_recur (const WpDevice *device)
{
  return repeats_anything (device->machine) && !wp_machine_is_random (device->machine)
         && (device->policy->tell == NULL || device->policy->digest != NULL);
}

/* Whether all observers take any repeat by one call. */
static bool
is_at_once (const WpDevice *device)
{
  for (size_t i = 0; i < device->host.n_observers; i++)
    if (device->host.observers[i]->repeat == NULL || device->host.observers[i]->can_repeat != NULL)
      return false;
  return true;
}

static uint32_t
count_levels (const WpDevice *device, size_t n_words)
{
  return !is_at_once (device) || n_words > MAX_WORDS / MAX_LEVELS ? 1 : MAX_LEVELS;
}

uint64_t
wp_steady_measure (const WpDevice *device, const WpSm *sm)
{
  const WpMachine *m = device->machine;
  size_t n_words = wp_snapshot_count (sm, m->simulated_sms);
  uint32_t n_levels = count_levels (device, n_words);
  uint64_t bytes;

  if (!can_recur (device) || n_words > MAX_WORDS)
    return 0;
  bytes = n_levels * wp_measure (n_words, sizeof (int64_t));
  if (device->host.n_observers > 0)
    bytes += wp_replay_measure (m, n_levels)
             + wp_measure (wp_snapshot_n_steps (sm) * (uint64_t)m->simulated_sms, sizeof (WpSteps));
  return bytes;
}

bool
wp_steady_new (WpDevice *device, WpSteady **result)
{
  const WpMachine *m = device->machine;
  size_t n_words = wp_snapshot_count (&device->sms[0], m->simulated_sms);
  bool observed = device->host.n_observers > 0;
  WpSteady *steady;

  *result = NULL;
  if (!can_recur (device) || n_words > MAX_WORDS)
    return true;
  steady = calloc (1, sizeof *steady);
  if (steady == NULL)
    return false;
  steady->longest = device->plan.longest;
  steady->at_once = is_at_once (device);
  steady->n_levels = count_levels (device, n_words);
  if (observed)
    {
      size_t n_steps = wp_snapshot_n_steps (&device->sms[0]) * m->simulated_sms;

      steady->replay
          = wp_replay_new (m, device->host.observers, device->host.n_observers, steady->n_levels);
      steady->steps = calloc (n_steps, sizeof *steady->steps);
      steady->others = calloc (device->host.n_observers, sizeof *steady->others);
      steady->takes = calloc (device->host.n_observers, sizeof *steady->takes);
    }
  if (!init_levels (steady, n_words)
      || (observed
          && (steady->replay == NULL || steady->steps == NULL || steady->others == NULL
              || steady->takes == NULL)))
    {
      wp_steady_free (steady);
      return false;
    }
  if (observed)
    device->host.observers[device->host.n_observers++] = wp_replay_get_observer (steady->replay);
  device->sms[0].mark_from = 0;
  device->sms[0].look_at = wp_look_get_launch_distance (m);
  *result = steady;
  return true;
}

void
wp_steady_free (WpSteady *steady)
{
  if (steady == NULL)
    return;
  for (uint32_t i = 0; i < steady->n_levels; i++)
    free (steady->levels[i].words);
  wp_replay_free (steady->replay);
  free (steady->steps);
  free (steady->others);
  free (steady->takes);
  free (steady);
}

void
wp_steady_forget (WpSteady *steady)
{
  for (uint32_t i = 0; i < steady->n_levels; i++)
    steady->levels[i].n = 0;
}

/* ---- Looking ---- */

/* The first block after FIRST that does not run what that one does, or the end of the grid. */
static uint64_t
find_like_end (const WpMachine *m, uint64_t first)
{
  const WpRow *row = wp_machine_get_row (m, first);

  for (uint32_t i = 0; i < m->n_block_ranges; i++)
    {
      const WpBlockRange *range = &m->block_ranges[i];

      if (range->first_block > first && &m->rows[range->row] != row)
        return range->first_block < m->n_blocks ? range->first_block : m->n_blocks;
    }
  return m->n_blocks;
}

/* Brings states and totals up to date. */
static void
settle (WpDevice *device)
{
  for (uint32_t i = 0; i < device->n_sms; i++)
    {
      wp_sm_end_deferred (&device->sms[i], device->now);
      wp_sm_settle_occupancy (&device->sms[i], device->now);
    }
}

/* Keeps the state for level L. Returns words. */
static uint64_t
keep (WpDevice *device, uint32_t l, WpTick now)
{
  Level *level = &device->steady->levels[l];
  WpWalk walk = { .mode = WP_SNAPSHOT_TAKE, .now = now, .word = level->words };

  settle (device);
  wp_snapshot_walk (device, &walk);
  level->time = now;
  level->n_issues = device->sms[0].n_taken;
  level->like_end = find_like_end (device->machine, device->next_block);
  if (device->steady->replay != NULL)
    wp_replay_mark (device->steady->replay, l);
  return wp_snapshot_get_cost (&walk, level->words);
}

/* How many periods can follow one that handed out BLOCKS, as far as blocks go. */
static uint64_t
count_for_blocks (const WpDevice *device, const Level *level, uint64_t blocks)
{
  if (blocks == 0)
    return UINT64_MAX;
  return device->next_block > level->like_end ? 0 : (level->like_end - device->next_block) / blocks;
}

/* The same before a time may overflow, WALK being of a period. */
static uint64_t
count_for_time (const WpSteady *steady, const WpWalk *walk)
{
  WpTick latest = walk->latest > walk->now ? walk->latest : walk->now;

  if (walk->now == walk->then)
    return UINT64_MAX;
  if (steady->longest > (WP_TICK_LIMIT - 1 - latest) / 2)
    return 0;
  return (uint64_t)((WP_TICK_LIMIT - 1 - latest - 2 * steady->longest) / (walk->now - walk->then));
}

/* How many periods can be skipped now since the state that level L keeps; 0: not alike, or not
 * worth it. Adds the words that it looked at to *COST. */
static uint64_t
compare (WpDevice *device, uint32_t l, WpWalk *walk, uint64_t *cost)
{
  WpSteady *steady = device->steady;
  const Level *level = &steady->levels[l];
  uint64_t n_issues = device->sms[0].n_taken - level->n_issues;
  uint64_t blocks = device->next_block - (uint64_t)level->words[0];
  uint64_t most = count_for_blocks (device, level, blocks), n;
  bool alike;

  walk->least = 1 + (device->plan.eager ? 0 : MIN_ISSUES_SAVED / (n_issues + 1));
  if (most < walk->least
      || (steady->replay != NULL && wp_replay_get_length (steady->replay, l) == UINT32_MAX))
    return 0;
  walk->word = level->words;
  walk->most = UINT64_MAX;
  walk->latest = 0;
  settle (device);
  alike = wp_snapshot_walk (device, walk);
  n = wp_snapshot_get_cost (walk, level->words);
  *cost += n > FREE_WORDS ? n : 0;
  most = walk->most < most ? walk->most : most;
  if (!alike || most == UINT64_MAX) /* or nothing would ever end */
    return 0;
  n = count_for_time (steady, walk);
  most = n < most ? n : most;
  return most < walk->least ? 0 : most;
}

/* A period of level L has come to its end, and N more are to follow, as compare() has found, which
 * has brought all up to date. */
static void
begin (WpDevice *device, uint32_t l, WpWalk *walk, uint64_t n)
{
  WpSteady *steady = device->steady;
  const Level *level = &steady->levels[l];

  walk->mode = WP_SNAPSHOT_SUBTRACT;
  walk->word = level->words;
  walk->steps = steady->steps;
  wp_snapshot_walk (device, walk);
  if (steady->replay != NULL)
    steady->repeat = wp_replay_settle (steady->replay, device, walk, l);
  walk->mode = WP_SNAPSHOT_MOVE;
  walk->steps = NULL;
  steady->walk = *walk;
  steady->words = level->words;
  steady->left = n;
}

/* N periods. */
static void
move_on (WpDevice *device, uint64_t n)
{
  WpSteady *steady = device->steady;
  WpTick by = (WpTick)n * (steady->walk.now - steady->walk.then);
  WpWalk walk = steady->walk;

  walk.word = steady->words;
  walk.now = device->now;
  walk.times = n;
  wp_snapshot_walk (device, &walk);
  device->now += by;
  for (uint32_t i = 0; i < device->n_sms; i++)
    wp_sm_move_on (&device->sms[i], by);
  steady->skipped += by;
  steady->left -= n;
}

/* ---- Observers ---- */

/* How many of the next N periods OBSERVER takes by one call; 0: it is to see their events. */
static uint64_t
count_for_observer (const WpSteady *steady, const WpObserver *observer, uint64_t n)
{
  WpRepeat repeat = steady->repeat;
  uint64_t most;

  if (observer->repeat == NULL || observer->can_repeat == NULL)
    return observer->repeat == NULL ? 0 : n;
  repeat.times = n;
  most = observer->can_repeat (observer->data, &repeat);
  return most < n ? most : n;
}

/* How many of the periods that are left can be shown at a time. Notes how many each takes. */
static uint64_t
count_for_observers (const WpDevice *device)
{
  const WpSteady *steady = device->steady;
  uint64_t n = steady->left, batch = 1 + BATCH / ((uint64_t)steady->repeat.n + 1);

  for (size_t i = 0; i < device->n_listeners; i++)
    {
      uint64_t most = count_for_observer (steady, device->host.observers[i], steady->left);

      steady->takes[i] = most;
      most = most > 0 ? most : batch;
      n = most < n ? most : n;
    }
  return n;
}

/* Shows the next N periods; returns how many events that were, counted once for all observers; 1
 * where all took them by one call. */
static uint64_t
show (WpDevice *device, uint64_t n)
{
  WpSteady *steady = device->steady;
  size_t n_others = 0;

  steady->repeat.times = n;
  for (size_t i = 0; i < device->n_listeners; i++)
    if (steady->takes[i] < n)
      steady->others[n_others++] = device->host.observers[i];
    else
      device->host.observers[i]->repeat (device->host.observers[i]->data, &steady->repeat);
  if (n_others > 0)
    wp_replay_show (&steady->repeat, 1, n, steady->others, n_others);
  steady->repeat.rounds[steady->repeat.level] += n;
  steady->repeat.shift += (WpTick)n * steady->repeat.period;
  return n_others > 0 ? n * steady->repeat.n : 1;
}

/* All N periods of level L, which are left. */
static void
skip_at_once (WpDevice *device, uint32_t l, uint64_t n)
{
  WpSteady *steady = device->steady;

  if (steady->replay != NULL)
    {
      WpRepeat repeat = steady->repeat;

      count_for_observers (device);
      show (device, n);
      repeat.times = n;
      wp_replay_add_repeat (steady->replay, &repeat);
      wp_replay_unmark (steady->replay, l);
    }
  move_on (device, n);
}

/* ---- Looking at states ---- */

/* Looks at one level: true when periods were skipped. */
static bool
look_at (WpDevice *device, uint32_t l, uint64_t *cost)
{
  WpSteady *steady = device->steady;
  Level *level = &steady->levels[l];
  WpWalk walk = {
    .mode = WP_SNAPSHOT_COMPARE, .then = level->time, .now = device->now, .longest = steady->longest
  };
  uint64_t n = level->n == 0 ? 0 : compare (device, l, &walk, cost);

  if (n > 0)
    {
      begin (device, l, &walk, n);
      level->n = 0; /* what comes after may have another period */
      if (steady->at_once)
        skip_at_once (device, l, n);
      return true;
    }
  level->n++;
  if ((level->n & (level->n - 1)) == 0)
    *cost += keep (device, l, device->now);
  return false;
}

/* No looks until as many issues have been made as pay for COST words. How many exactly changes each
 * time, so that no period falls into step with the breaks. */
static void
take_a_break (WpDevice *device, uint64_t cost)
{
  WpSteady *steady = device->steady;
  uint64_t n = device->plan.eager ? 0 : cost * ISSUES_PER_WORD / device->n_sms;

  steady->chance = steady->chance * UINT64_C (6364136223846793005) + UINT64_C (1442695040888963407);
  if (n > 0)
    device->sms[0].mark_from = device->sms[0].n_taken + n + (steady->chance >> 33) % n;
}

void
wp_steady_look (WpDevice *device)
{
  WpSteady *steady = device->steady;
  uint64_t cost = 0;
  uint32_t l = 0;

  device->sms[0].marked = false;
  if (device->host.left_fast_loop)
    wp_steady_forget (steady);
  device->host.left_fast_loop = false;
  while (l < steady->n_levels && look_at (device, l, &cost))
    l++;
  if (l > 0) /* as at first, so that a longer period skips the same in it each time */
    {
      device->sms[0].mark_from = 0;
      steady->chance = 0;
    }
  take_a_break (device, cost);
}

bool
wp_steady_is_busy (const WpSteady *steady)
{
  return steady->left > 0;
}

void
wp_steady_go_on (WpDevice *device, uint64_t *budget)
{
  uint64_t n = count_for_observers (device), n_events = show (device, n);

  move_on (device, n);
  *budget -= n_events < *budget ? n_events : *budget;
}

void
wp_steady_stop_observing (WpDevice *device)
{
  WpSteady *steady = device->steady;

  if (steady->left > 0)
    move_on (device, steady->left);
  if (steady->replay == NULL)
    return;
  wp_replay_free (steady->replay);
  steady->replay = NULL;
  steady->at_once = true;
  wp_steady_forget (steady); /* its states have words for observers */
}

WpTick
wp_steady_get_time (const WpSteady *steady)
{
  return steady->skipped;
}
