/* SPDX-License-Identifier: MIT */
/* From one period to the next all times of an event move by the period, and names by as many as are given away in one,
 * but for those of blocks and warps that are there all the time.
 */
#include "sim/wp-tape.h"

#include "sim/wp-device-private.h"

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
  uint64_t count_step; /* of an issue's index, a release's barrier, an ending warp's age */
  WpTick accept_step;
  union
  {
    WpBlockEvent block;
    WpIssueEvent issue;
    WpReleaseEvent release;
    WpWarpEvent warp_end;
  } as;
} Event;

struct WpTape
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
add (WpTape *tape, Kind kind)
{
  if (tape->n >= WP_TAPE_EVENTS)
    {
      tape->n = UINT32_MAX;
      return NULL;
    }
  tape->events[tape->n].kind = kind;
  return &tape->events[tape->n++];
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

WpTape *
wp_tape_new (const WpMachine *machine, const WpObserver *const *observers, size_t n)
{
  WpTape *tape = calloc (1, sizeof *tape);

  if (tape == NULL)
    return NULL;
  *tape = (WpTape){ .machine = machine, .observers = observers, .n_observers = n };
  tape->n = UINT32_MAX;
  tape->observer.data = tape;
  for (size_t i = 0; i < n; i++)
    {
      if (observers[i]->block_launch != NULL)
        tape->observer.block_launch = on_launch;
      if (observers[i]->issue != NULL)
        tape->observer.issue = on_issue;
      if (observers[i]->barrier_release != NULL)
        tape->observer.barrier_release = on_release;
      if (observers[i]->warp_end != NULL)
        tape->observer.warp_end = on_warp_end;
      if (observers[i]->block_end != NULL)
        tape->observer.block_end = on_block_end;
    }
  tape->events = calloc (WP_TAPE_EVENTS, sizeof *tape->events);
  if (tape->events != NULL)
    return tape;
  free (tape);
  return NULL;
}

void
wp_tape_free (WpTape *tape)
{
  if (tape == NULL)
    return;
  free (tape->events);
  free (tape);
}

const WpObserver *
wp_tape_get_observer (const WpTape *tape)
{
  return &tape->observer;
}

void
wp_tape_clear (WpTape *tape)
{
  tape->n = 0;
}

uint32_t
wp_tape_get_length (const WpTape *tape)
{
  return tape->n;
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
has_accept_time (const WpTape *tape, const WpIssueEvent *event)
{
  uint32_t pipeline = tape->machine->instrs[event->instr].pipeline;

  return event->follows
         || (pipeline != WP_NO_PIPELINE
             && tape->machine->pipelines[pipeline].queue != WP_NO_QUEUE_LIMIT);
}

void
wp_tape_settle (WpTape *tape, const WpDevice *device, const WpWalk *walk)
{
  const WpSteps *steps = walk->steps;
  size_t n_steps = wp_image_n_steps (&device->sms[0]);

  tape->period = walk->now - walk->then;
  for (uint32_t i = 0; i < tape->n; i++)
    {
      Event *event = &tape->events[i];
      WpSteps its = { false, 0 };

      if (event->kind == EVENT_ISSUE && device->sms[event->as.issue.sm].taken[event->as.issue.slot])
        its = steps[event->as.issue.sm * n_steps + event->as.issue.slot];
      if (event->kind == EVENT_RELEASE)
        its = find_block (&device->sms[event->as.release.sm],
                          steps + event->as.release.sm * n_steps, event->as.release.block);
      event->block_step = its.stays ? 0 : walk->blocks;
      event->count_step = its.stays ? its.count : 0;
      event->accept_step = tape->period;
      if (event->kind == EVENT_ISSUE && !has_accept_time (tape, &event->as.issue))
        event->accept_step = 0;
      if (event->kind == EVENT_WARP_END)
        event->count_step = steps[event->as.warp_end.sm * n_steps + n_steps - 1].count;
    }
}

static void
tell_block (const WpTape *tape, const Event *event, uint64_t i)
{
  WpBlockEvent moved = event->as.block;

  moved.time += (WpTick)i * tape->period;
  moved.block += i * event->block_step;
  if (event->kind == EVENT_LAUNCH)
    WP_TELL (tape->observers, tape->n_observers, block_launch, &moved);
  else
    WP_TELL (tape->observers, tape->n_observers, block_end, &moved);
}

static void
tell_issue (const WpTape *tape, const Event *event, uint64_t i)
{
  WpIssueEvent moved = event->as.issue;
  WpTick by = (WpTick)i * tape->period;

  moved.from = NULL;
  moved.time += by;
  moved.block += i * event->block_step;
  moved.index += i * event->count_step;
  moved.ready += by;
  moved.accept += (WpTick)i * event->accept_step;
  moved.start += by;
  moved.served += by;
  if (moved.complete >= 0)
    moved.complete += by;
  WP_TELL (tape->observers, tape->n_observers, issue, &moved);
}

static void
tell_release (const WpTape *tape, const Event *event, uint64_t i)
{
  WpReleaseEvent moved = event->as.release;

  moved.time += (WpTick)i * tape->period;
  moved.release += (WpTick)i * tape->period;
  moved.block += i * event->block_step;
  moved.barrier += i * event->count_step;
  WP_TELL (tape->observers, tape->n_observers, barrier_release, &moved);
}

static void
tell_warp_end (const WpTape *tape, const Event *event, uint64_t i)
{
  WpWarpEvent moved = event->as.warp_end;

  moved.block += i * event->block_step;
  moved.age += i * event->count_step;
  moved.start += (WpTick)i * tape->period;
  moved.end += (WpTick)i * tape->period;
  WP_TELL (tape->observers, tape->n_observers, warp_end, &moved);
}

void
wp_tape_play (const WpTape *tape, uint64_t i)
{
  for (uint32_t e = 0; e < tape->n; e++)
    switch (tape->events[e].kind)
      {
      case EVENT_LAUNCH:
      case EVENT_BLOCK_END:
        tell_block (tape, &tape->events[e], i);
        break;
      case EVENT_ISSUE:
        tell_issue (tape, &tape->events[e], i);
        break;
      case EVENT_RELEASE:
        tell_release (tape, &tape->events[e], i);
        break;
      case EVENT_WARP_END:
        tell_warp_end (tape, &tape->events[e], i);
        break;
      }
}
