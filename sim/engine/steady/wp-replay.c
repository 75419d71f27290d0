/* SPDX-License-Identifier: MIT */
/* From one period to the next all times of an event move by the period, and names by as many as are
 * given away in one, but for those of blocks and warps that are there all the time.
 */
#include "sim/engine/steady/wp-replay.h"

#include "sim/base/wp-measure.h"
#include "sim/engine/core/wp-device-core.h"

#include <stdlib.h>
#include <string.h>

typedef enum
{
  ITEM_LAUNCH,
  ITEM_ISSUE,
  ITEM_PASS,
  ITEM_RELEASE,
  ITEM_WARP_END,
  ITEM_BLOCK_END,
  ITEM_REPEAT, /* of the items before it */
} Kind;

/* What changes from one round of a level to the next. */
typedef struct
{
  uint64_t block;
  uint64_t count; /* of an issue's index and producer, a release's barrier, an ending warp's age */
} Step;

typedef struct
{
  uint32_t n, level; /* items, the last of which is before the repeat */
  uint64_t times;
  WpTick period, start; /* start: when the round that was recorded ended */
} Again;

typedef struct
{
  Kind kind;
  bool accept_moves; /* of an issue */
  union
  {
    WpBlockEvent block;
    WpIssueEvent issue;
    WpPassEvent pass;
    WpReleaseEvent release;
    WpWarpEvent warp_end;
    Again again;
  } as;
} Item;

#define NO_MARK UINT32_MAX

struct WpReplay
{
  const WpMachine *machine;
  const WpObserver *const *observers; /* [n_observers] */
  size_t n_observers;
  WpObserver observer;
  uint32_t n_levels;
  bool records;                     /* some level has a mark */
  uint32_t marks[WP_REPLAY_LEVELS]; /* or NO_MARK */
  uint32_t n, room;
  Item *items;                   /* [room] */
  Step *steps[WP_REPLAY_LEVELS]; /* likewise: of items that a repeat of that level holds */
};

/* ---- Recording ---- */

static uint32_t
find_first_mark (const WpReplay *replay)
{
  uint32_t first = NO_MARK;

  for (uint32_t l = 0; l < replay->n_levels; l++)
    first = replay->marks[l] < first ? replay->marks[l] : first;
  return first;
}

/* Drops the first N items, which are before all marks. */
static void
drop (WpReplay *replay, uint32_t n)
{
  replay->n -= n;
  memmove (replay->items, replay->items + n, replay->n * sizeof *replay->items);
  for (uint32_t l = 0; l < replay->n_levels; l++)
    {
      memmove (replay->steps[l], replay->steps[l] + n, replay->n * sizeof **replay->steps);
      if (replay->marks[l] != NO_MARK)
        replay->marks[l] -= n;
    }
}

/* Gives up the longest period while there is no room. */
static void
make_room (WpReplay *replay)
{
  uint32_t first = find_first_mark (replay);

  for (uint32_t l = 0; first == 0 && l < replay->n_levels; l++)
    if (replay->marks[l] == 0)
      replay->marks[l] = NO_MARK;
  first = find_first_mark (replay);
  replay->records = first != NO_MARK;
  drop (replay, replay->records ? first : replay->n);
}

/* A new item at the end of REPLAY; NULL: no level records. */
static Item *
add (WpReplay *replay, Kind kind)
{
  while (replay->records && replay->n == replay->room)
    make_room (replay);
  if (!replay->records)
    return NULL;
  replay->items[replay->n].kind = kind;
  return &replay->items[replay->n++];
}

static void
on_launch (void *data, const WpBlockEvent *event)
{
  Item *noted = add (data, ITEM_LAUNCH);

  if (noted != NULL)
    noted->as.block = *event;
}

static void
on_issue (void *data, const WpIssueEvent *event)
{
  Item *noted = add (data, ITEM_ISSUE);

  if (noted != NULL)
    noted->as.issue = *event;
}

static void
on_pass (void *data, const WpPassEvent *event)
{
  Item *noted = add (data, ITEM_PASS);

  if (noted != NULL)
    noted->as.pass = *event;
}

static void
on_release (void *data, const WpReleaseEvent *event)
{
  Item *noted = add (data, ITEM_RELEASE);

  if (noted != NULL)
    noted->as.release = *event;
}

static void
on_warp_end (void *data, const WpWarpEvent *event)
{
  Item *noted = add (data, ITEM_WARP_END);

  if (noted != NULL)
    noted->as.warp_end = *event;
}

static void
on_block_end (void *data, const WpBlockEvent *event)
{
  Item *noted = add (data, ITEM_BLOCK_END);

  if (noted != NULL)
    noted->as.block = *event;
}

static uint32_t
find_room (const WpMachine *machine)
{
  uint32_t n_sms = machine->simulated_sms;

  return WP_REPLAY_EVENTS * (n_sms < WP_REPLAY_SMS ? n_sms : WP_REPLAY_SMS);
}

uint64_t
wp_replay_measure (const WpMachine *machine, uint32_t n_levels)
{
  const WpReplay *replay = NULL;
  uint32_t room = find_room (machine);

  return wp_measure (room, sizeof *replay->items)
         + n_levels * wp_measure (room, sizeof **replay->steps);
}

WpReplay *
wp_replay_new (const WpMachine *machine, const WpObserver *const *observers, size_t n,
               uint32_t n_levels)
{
  WpReplay *replay = calloc (1, sizeof *replay);
  bool done = replay != NULL;

  if (!done)
    return NULL;
  *replay = (WpReplay){ .machine = machine,
                        .observers = observers,
                        .n_observers = n,
                        .n_levels = n_levels,
                        .room = find_room (machine) };
  replay->observer.data = replay;
  for (size_t i = 0; i < n; i++)
    {
      if (observers[i]->block_launch != NULL)
        replay->observer.block_launch = on_launch;
      if (observers[i]->issue != NULL)
        replay->observer.issue = on_issue;
      if (observers[i]->pass != NULL)
        replay->observer.pass = on_pass;
      if (observers[i]->barrier_release != NULL)
        replay->observer.barrier_release = on_release;
      if (observers[i]->warp_end != NULL)
        replay->observer.warp_end = on_warp_end;
      if (observers[i]->block_end != NULL)
        replay->observer.block_end = on_block_end;
    }
  replay->items = malloc (replay->room * sizeof *replay->items); /* written before read */
  done = replay->items != NULL;
  for (uint32_t l = 0; l < n_levels; l++)
    {
      replay->marks[l] = NO_MARK;
      replay->steps[l] = malloc (replay->room * sizeof **replay->steps);
      done = done && replay->steps[l] != NULL;
    }
  if (done)
    return replay;
  wp_replay_free (replay);
  return NULL;
}

void
wp_replay_free (WpReplay *replay)
{
  if (replay == NULL)
    return;
  for (uint32_t l = 0; l < replay->n_levels; l++)
    free (replay->steps[l]);
  free (replay->items);
  free (replay);
}

const WpObserver *
wp_replay_get_observer (const WpReplay *replay)
{
  return &replay->observer;
}

void
wp_replay_mark (WpReplay *replay, uint32_t level)
{
  replay->marks[level] = NO_MARK;
  if (find_first_mark (replay) == NO_MARK)
    replay->n = 0;
  replay->marks[level] = replay->n;
  replay->records = true;
}

void
wp_replay_unmark (WpReplay *replay, uint32_t level)
{
  replay->marks[level] = NO_MARK;
  replay->records = find_first_mark (replay) != NO_MARK;
}

uint32_t
wp_replay_get_length (const WpReplay *replay, uint32_t level)
{
  return replay->marks[level] == NO_MARK ? UINT32_MAX : replay->n - replay->marks[level];
}

void
wp_replay_add_repeat (WpReplay *replay, const WpRepeat *repeat)
{
  Item *item;

  /* A level whose mark has to go now, so that there is room, has no use for the repeat; one that
   * keeps its mark has all items of it. */
  item = add (replay, ITEM_REPEAT);
  if (item != NULL)
    item->as.again
        = (Again){ repeat->n, repeat->level, repeat->times, repeat->period, repeat->start };
}

/* ---- Steps ---- */

/* The steps of the block that the release is of: of one that has gone in between, none. */
static WpSteps
find_block (const WpSm *sm, const WpSteps *steps, uint64_t id)
{
  for (uint32_t slot = 0; slot < sm->n_slots; slot++)
    {
      const WpWarp *warp = &sm->warps[slot];

      if (sm->taken[slot] && warp->warp == 0 && sm->blocks[warp->block].id == id)
        return steps[sm->n_slots + warp->block];
    }
  return (WpSteps){ false, 0 };
}

/* What pipelines accept at any time says nothing about when: see wp-pipeline.h. */
static bool
has_accept_time (const WpReplay *replay, const WpIssueEvent *event)
{
  uint32_t pipeline = replay->machine->instrs[event->instr].cost->pipeline;

  return event->follows
         || (pipeline != WP_NO_PIPELINE
             && (replay->machine->pipelines[pipeline].queue != WP_NO_QUEUE_LIMIT
                 || replay->machine->pipelines[pipeline].inflight > 0));
}

/* The steps of the warp in SLOT of SM: of one that has gone, none. */
static WpSteps
find_warp (const WpDevice *device, const WpSteps *steps, uint32_t sm, uint32_t slot)
{
  if (device->sms[sm].taken[slot])
    return steps[sm * wp_snapshot_n_steps (&device->sms[0]) + slot];
  return (WpSteps){ false, 0 };
}

static Step
find_step (const WpDevice *device, const WpWalk *walk, const Item *item)
{
  const WpSteps *steps = walk->steps;
  size_t n_steps = wp_snapshot_n_steps (&device->sms[0]);
  WpSteps its = { false, 0 };

  if (item->kind == ITEM_ISSUE)
    its = find_warp (device, steps, item->as.issue.sm, item->as.issue.slot);
  if (item->kind == ITEM_PASS)
    its = find_warp (device, steps, item->as.pass.sm, item->as.pass.slot);
  if (item->kind == ITEM_RELEASE)
    its = find_block (&device->sms[item->as.release.sm], steps + item->as.release.sm * n_steps,
                      item->as.release.block);
  if (item->kind == ITEM_RELEASE && item->as.release.name > 0)
    its.count = 0;
  if (item->kind == ITEM_WARP_END)
    return (Step){ walk->blocks, steps[item->as.warp_end.sm * n_steps + n_steps - 1].count };
  return its.stays ? (Step){ 0, its.count } : (Step){ walk->blocks, 0 };
}

WpRepeat
wp_replay_settle (WpReplay *replay, const WpDevice *device, const WpWalk *walk, uint32_t level)
{
  uint32_t first = replay->marks[level];

  for (uint32_t i = first; i < replay->n; i++)
    {
      Item *item = &replay->items[i];

      replay->steps[level][i] = find_step (device, walk, item);
      if (item->kind == ITEM_ISSUE)
        item->accept_moves = has_accept_time (replay, &item->as.issue);
    }
  return (WpRepeat){ .replay = replay,
                     .first = first,
                     .n = replay->n - first,
                     .level = level,
                     .period = walk->now - walk->then,
                     .start = walk->now };
}

/* ---- Unfolding ---- */

/* Who is shown something. */
typedef struct
{
  const WpObserver *const *observers; /* [n] */
  size_t n;
} Audience;

#define SHOW(call, event) WP_NOTIFY (audience->observers, audience->n, call, event)

static void
show_block (const Item *item, Step step, WpTick by, const Audience *audience)
{
  WpBlockEvent moved = item->as.block;

  moved.time += by;
  moved.block += step.block;
  if (item->kind == ITEM_LAUNCH)
    SHOW (block_launch, &moved);
  else
    SHOW (block_end, &moved);
}

static void
show_issue (const Item *item, Step step, WpTick by, const Audience *audience)
{
  WpIssueEvent moved = item->as.issue;

  moved.replayed = true;
  moved.time += by;
  moved.block += step.block;
  moved.index += step.count;
  if (moved.producer != WP_NO_PRODUCER)
    moved.producer += step.count;
  moved.ready += by;
  moved.accept += item->accept_moves ? by : 0;
  moved.start += by;
  moved.served += by;
  if (moved.complete >= 0)
    moved.complete += by;
  SHOW (issue, &moved);
}

static void
show_pass (const Item *item, Step step, WpTick by, const Audience *audience)
{
  WpPassEvent moved = item->as.pass;

  moved.time += by;
  moved.block += step.block;
  moved.index += step.count;
  moved.start += by;
  SHOW (pass, &moved);
}

static void
show_release (const Item *item, Step step, WpTick by, const Audience *audience)
{
  WpReleaseEvent moved = item->as.release;

  moved.time += by;
  moved.release += by;
  moved.block += step.block;
  moved.barrier += step.count;
  SHOW (barrier_release, &moved);
}

static void
show_warp_end (const Item *item, Step step, WpTick by, const Audience *audience)
{
  WpWarpEvent moved = item->as.warp_end;

  moved.block += step.block;
  moved.age += step.count;
  moved.start += by;
  moved.end += by;
  SHOW (warp_end, &moved);
}

/* By how much item I has moved where REPEAT is. Of levels that it is in no round of, no rounds have
 * passed. */
static Step
add_steps (const WpRepeat *repeat, uint32_t i)
{
  Step sum = { 0, 0 };

  for (uint32_t l = 0; l < repeat->replay->n_levels; l++)
    if (repeat->rounds[l] > 0)
      {
        sum.block += repeat->rounds[l] * repeat->replay->steps[l][i].block;
        sum.count += repeat->rounds[l] * repeat->replay->steps[l][i].count;
      }
  return sum;
}

/* The repeat at item I, in the round where OUTER is. */
static WpRepeat
get_inner (const WpRepeat *outer, uint32_t i)
{
  const Item *item = &outer->replay->items[i];
  WpRepeat inner = *outer;

  inner.first = i - item->as.again.n;
  inner.n = item->as.again.n;
  inner.level = item->as.again.level;
  inner.times = item->as.again.times;
  inner.period = item->as.again.period;
  inner.start = item->as.again.start;
  return inner;
}

static void
show_repeat (const WpRepeat *repeat, const WpObserver *observer)
{
  if (observer->repeat != NULL)
    observer->repeat (observer->data, repeat);
  else
    wp_repeat_unfold (repeat, 1, repeat->times, observer);
}

static void
show_item (const WpRepeat *repeat, uint32_t i, const Audience *audience)
{
  const Item *item = &repeat->replay->items[i];
  WpRepeat inner;

  switch (item->kind)
    {
    case ITEM_LAUNCH:
    case ITEM_BLOCK_END:
      show_block (item, add_steps (repeat, i), repeat->shift, audience);
      break;
    case ITEM_ISSUE:
      show_issue (item, add_steps (repeat, i), repeat->shift, audience);
      break;
    case ITEM_PASS:
      show_pass (item, add_steps (repeat, i), repeat->shift, audience);
      break;
    case ITEM_RELEASE:
      show_release (item, add_steps (repeat, i), repeat->shift, audience);
      break;
    case ITEM_WARP_END:
      show_warp_end (item, add_steps (repeat, i), repeat->shift, audience);
      break;
    case ITEM_REPEAT:
      inner = get_inner (repeat, i);
      for (size_t o = 0; o < audience->n; o++)
        show_repeat (&inner, audience->observers[o]);
      break;
    }
}

void
wp_replay_show (const WpRepeat *repeat, uint64_t first, uint64_t n,
                const WpObserver *const *observers, size_t n_observers)
{
  const Audience audience = { observers, n_observers };
  WpRepeat at = *repeat;

  at.rounds[at.level] += first;
  at.shift += (WpTick)first * at.period;
  for (; n > 0; n--)
    {
      for (uint32_t i = at.first; i < at.first + at.n; i++)
        show_item (&at, i, &audience);
      at.rounds[at.level]++;
      at.shift += at.period;
    }
}

void
wp_repeat_unfold (const WpRepeat *repeat, uint64_t first, uint64_t n, const WpObserver *observer)
{
  wp_replay_show (repeat, first, n, &observer, 1);
}

uint64_t
wp_repeat_get_times (const WpRepeat *repeat)
{
  return repeat->times;
}

WpTick
wp_repeat_get_period (const WpRepeat *repeat)
{
  return repeat->period;
}

WpTick
wp_repeat_get_start (const WpRepeat *repeat)
{
  return repeat->start + repeat->shift;
}
