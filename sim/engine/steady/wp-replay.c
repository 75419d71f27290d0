/* SPDX-License-Identifier: MIT */
/* From one period to the next all times of an event move by the period, and names by as many as are
 * given away in one, but for those of blocks and warps that are there all the time.
 */
#include "sim/engine/steady/wp-replay.h"

#include "sim/engine/core/wp-device-core.h"

#include <stdlib.h>

typedef enum
{
  EVENT_LAUNCH,
  EVENT_ISSUE,
  EVENT_RELEASE,
  EVENT_WARP_END,
  EVENT_BLOCK_END,
} Kind;

typedef struct
{
  Kind kind;
  uint64_t block_step; /* from one period to the next */
  uint64_t
      count_step; /* of an issue's index and producer, a release's barrier, an ending warp's age */
  WpTick accept_step;
  union
  {
    WpBlockEvent block;
    WpIssueEvent issue;
    WpReleaseEvent release;
    WpWarpEvent warp_end;
  } as;
} Event;

struct WpReplay
{
  const WpMachine *machine;
  const WpObserver *const *observers; /* [n_observers] */
  size_t n_observers;
  WpObserver observer;
  WpTick period;
  uint32_t n; /* UINT32_MAX: too many */
  Event *events;
};

/* The next event of TAPE, or NULL: there is no room. */
static Event *
add (WpReplay *replay, Kind kind)
{
  if (replay->n >= WP_REPLAY_EVENTS)
    {
      replay->n = UINT32_MAX;
      return NULL;
    }
  replay->events[replay->n].kind = kind;
  return &replay->events[replay->n++];
}

static void
on_launch (void *data, const WpBlockEvent *event)
{
  Event *noted = add (data, EVENT_LAUNCH);

  if (noted != NULL)
    noted->as.block = *event;
}

static void
on_issue (void *data, const WpIssueEvent *event)
{
  Event *noted = add (data, EVENT_ISSUE);

  if (noted != NULL)
    noted->as.issue = *event;
}

static void
on_release (void *data, const WpReleaseEvent *event)
{
  Event *noted = add (data, EVENT_RELEASE);

  if (noted != NULL)
    noted->as.release = *event;
}

static void
on_warp_end (void *data, const WpWarpEvent *event)
{
  Event *noted = add (data, EVENT_WARP_END);

  if (noted != NULL)
    noted->as.warp_end = *event;
}

static void
on_block_end (void *data, const WpBlockEvent *event)
{
  Event *noted = add (data, EVENT_BLOCK_END);

  if (noted != NULL)
    noted->as.block = *event;
}

WpReplay *
wp_replay_new (const WpMachine *machine, const WpObserver *const *observers, size_t n)
{
  WpReplay *replay = calloc (1, sizeof *replay);

  if (replay == NULL)
    return NULL;
  *replay = (WpReplay){ .machine = machine, .observers = observers, .n_observers = n };
  replay->n = UINT32_MAX;
  replay->observer.data = replay;
  for (size_t i = 0; i < n; i++)
    {
      if (observers[i]->block_launch != NULL)
        replay->observer.block_launch = on_launch;
      if (observers[i]->issue != NULL)
        replay->observer.issue = on_issue;
      if (observers[i]->barrier_release != NULL)
        replay->observer.barrier_release = on_release;
      if (observers[i]->warp_end != NULL)
        replay->observer.warp_end = on_warp_end;
      if (observers[i]->block_end != NULL)
        replay->observer.block_end = on_block_end;
    }
  replay->events = calloc (WP_REPLAY_EVENTS, sizeof *replay->events);
  if (replay->events != NULL)
    return replay;
  free (replay);
  return NULL;
}

void
wp_replay_free (WpReplay *replay)
{
  if (replay == NULL)
    return;
  free (replay->events);
  free (replay);
}

const WpObserver *
wp_replay_get_observer (const WpReplay *replay)
{
  return &replay->observer;
}

void
wp_replay_clear (WpReplay *replay)
{
  replay->n = 0;
}

uint32_t
wp_replay_get_length (const WpReplay *replay)
{
  return replay->n;
}

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
  uint32_t pipeline = replay->machine->instrs[event->instr].pipeline;

  return event->follows
         || (pipeline != WP_NO_PIPELINE
             && replay->machine->pipelines[pipeline].queue != WP_NO_QUEUE_LIMIT);
}

void
wp_replay_settle (WpReplay *replay, const WpDevice *device, const WpWalk *walk)
{
  const WpSteps *steps = walk->steps;
  size_t n_steps = wp_snapshot_n_steps (&device->sms[0]);

  replay->period = walk->now - walk->then;
  for (uint32_t i = 0; i < replay->n; i++)
    {
      Event *event = &replay->events[i];
      WpSteps its = { false, 0 };

      if (event->kind == EVENT_ISSUE && device->sms[event->as.issue.sm].taken[event->as.issue.slot])
        its = steps[event->as.issue.sm * n_steps + event->as.issue.slot];
      if (event->kind == EVENT_RELEASE)
        its = find_block (&device->sms[event->as.release.sm],
                          steps + event->as.release.sm * n_steps, event->as.release.block);
      event->block_step = its.stays ? 0 : walk->blocks;
      event->count_step = its.stays ? its.count : 0;
      event->accept_step = replay->period;
      if (event->kind == EVENT_ISSUE && !has_accept_time (replay, &event->as.issue))
        event->accept_step = 0;
      if (event->kind == EVENT_WARP_END)
        event->count_step = steps[event->as.warp_end.sm * n_steps + n_steps - 1].count;
    }
}

static void
replay_block (const WpReplay *replay, const Event *event, uint64_t i)
{
  WpBlockEvent moved = event->as.block;

  moved.time += (WpTick)i * replay->period;
  moved.block += i * event->block_step;
  if (event->kind == EVENT_LAUNCH)
    WP_NOTIFY (replay->observers, replay->n_observers, block_launch, &moved);
  else
    WP_NOTIFY (replay->observers, replay->n_observers, block_end, &moved);
}

static void
replay_issue (const WpReplay *replay, const Event *event, uint64_t i)
{
  WpIssueEvent moved = event->as.issue;
  WpTick by = (WpTick)i * replay->period;

  moved.replayed = true;
  moved.time += by;
  moved.block += i * event->block_step;
  moved.index += i * event->count_step;
  if (moved.producer != WP_NO_PRODUCER)
    moved.producer += i * event->count_step;
  moved.ready += by;
  moved.accept += (WpTick)i * event->accept_step;
  moved.start += by;
  moved.served += by;
  if (moved.complete >= 0)
    moved.complete += by;
  WP_NOTIFY (replay->observers, replay->n_observers, issue, &moved);
}

static void
replay_release (const WpReplay *replay, const Event *event, uint64_t i)
{
  WpReleaseEvent moved = event->as.release;

  moved.time += (WpTick)i * replay->period;
  moved.release += (WpTick)i * replay->period;
  moved.block += i * event->block_step;
  moved.barrier += i * event->count_step;
  WP_NOTIFY (replay->observers, replay->n_observers, barrier_release, &moved);
}

static void
replay_warp_end (const WpReplay *replay, const Event *event, uint64_t i)
{
  WpWarpEvent moved = event->as.warp_end;

  moved.block += i * event->block_step;
  moved.age += i * event->count_step;
  moved.start += (WpTick)i * replay->period;
  moved.end += (WpTick)i * replay->period;
  WP_NOTIFY (replay->observers, replay->n_observers, warp_end, &moved);
}

void
wp_replay_play (const WpReplay *replay, uint64_t i)
{
  for (uint32_t e = 0; e < replay->n; e++)
    switch (replay->events[e].kind)
      {
      case EVENT_LAUNCH:
      case EVENT_BLOCK_END:
        replay_block (replay, &replay->events[e], i);
        break;
      case EVENT_ISSUE:
        replay_issue (replay, &replay->events[e], i);
        break;
      case EVENT_RELEASE:
        replay_release (replay, &replay->events[e], i);
        break;
      case EVENT_WARP_END:
        replay_warp_end (replay, &replay->events[e], i);
        break;
      }
}
