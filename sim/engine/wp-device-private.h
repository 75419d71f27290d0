/* SPDX-License-Identifier: MIT */
/* What the SMs ask of the device that they are part of. Private to the engine; plain C11. */
#pragma once

#include "sim/engine/steady/wp-steady.h"
#include "sim/engine/wp-device.h"
#include "sim/engine/wp-notify.h"
#include "sim/engine/wp-sm.h"

struct WpDevice
{
  const WpMachine *machine;
  const WpPolicy *policy;
  const WpObserver **observers; /* [n_observers] */
  size_t n_observers;
  size_t n_listeners;   /* of them: those that were asked for; one behind them is a tape */
  bool observes_issues; /* somebody listens to issues */
  uint32_t n_sms;       /* in use: SMs, or lanes of them */
  uint32_t n_room;      /* in sms[] and order[] */
  WpSm *sms;
  uint32_t *order;     /* a heap of SMs by (next, id) */
  uint64_t next_block; /* the next to be handed out */
  WpTick now;
  bool failed;
  bool replicated; /* sms[] are lanes: see wp-lanes.h */
  bool eager;      /* to find steady states: see wp_device_new_eager() */
  bool skips;      /* what recurs is simulated once */
  bool splitting;  /* sms[1] keeps what sms[0] was: see wp-lanes.h */
  WpOverflow overflow;
  WpPlan plan;
  WpUnrolled *unrolled; /* [n_programs], dataflow order only */
  WpResult *result;
  WpSteady *skip; /* NULL: nothing is skipped */

  /* Windows (wp-window.c). */
  WpDevice *own; /* [n_sms]: what each SM sees of the device in a window; NULL: there are none */
  WpTick window_end;   /* 0: none is open */
  const WpSm *only;    /* of an SM's own: that SM; else NULL */
  WpTick failed_at;    /* of an SM's own */
  WpTick *requests;    /* [resident_blocks], of an SM's own: when it asked for blocks; else NULL */
  uint32_t n_requests; /* in this window */
  uint32_t n_served;   /* of these, when it closes */
};

/* wp_device_new() for few warps whose runs are short but for what recurs: steady states are looked
 * for at each round of each repeat, which other runs would pay too much for; also within a time, so
 * that rounds that take no time are skipped, too: their repeats have a period of 0. One SM only. */
WpDevice *wp_device_new_eager (const WpMachine *machine, const WpPolicy *policy,
                               const WpObserver *const *observers, size_t n_observers,
                               const char **problem);

/* Makes order[] a heap of all SMs. */
void wp_device_sort (WpDevice *device);

/* The first N of order[] as a heap by IS_FIRST (whether A goes before B): makes one of them; and
 * again, when the one at place I may have become later. */
typedef bool (*WpBefore) (const WpDevice *device, uint32_t a, uint32_t b);
void wp_device_heapify (WpDevice *device, uint32_t n, WpBefore is_first);
void wp_device_sift (WpDevice *device, uint32_t n, uint32_t i, WpBefore is_first);

/* The next block for SM, which has room, or false: none is left, or it is handed out later. Of a
 * lane, for its first SM. */
static inline bool
wp_device_take_block (WpDevice *device, WpSm *sm, uint64_t *block)
{
  if (device->next_block == device->machine->n_blocks)
    return false;
  if (device->requests != NULL)
    {
      if (!device->failed)
        device->requests[device->n_requests++] = sm->now;
      return false;
    }
  *block = sm->count > 1 ? sm->asked_from + sm->n_asked++ : device->next_block;
  device->next_block += device->splitting ? 1 : sm->count;
  return true;
}

/* Tells the device's observers. */
#define WP_DEVICE_NOTIFY(device, call, event)                                                      \
  WP_NOTIFY ((device)->observers, (device)->n_observers, call, event)

/* Whether TIME may not be: then notes WHAT it was to be, and the run is over. */
static inline bool
wp_device_overflows (WpDevice *device, WpTick time, const char *what, uint32_t sm, uint64_t block,
                     uint32_t instr)
{
  if (time < WP_TICK_LIMIT)
    return false;
  if (!device->failed)
    device->overflow = (WpOverflow){ what, sm, block, instr };
  if (!device->failed && device->only != NULL)
    device->failed_at = device->only->now;
  device->failed = true;
  return true;
}
