/* SPDX-License-Identifier: MIT */
/* Windows: stretches of time in which SMs need nothing of one another (see wp-device.h).
 *
 *   window        t                         t + L
 *   SM 0          ...... asks at x ..........|            launches at x + L
 *   SM 1          ..... asks at y ...........|          launches at y + L
 *
 * No block is handed out within a window: requests are kept, and served when it closes, in the
 * order in which they would have been (by time, then by SM). None could have launched before the
 * window's end. A place is freed at most once in a window, as the block that gets it launches after
 * it; so an SM asks no more often than it has places.
 *
 * In a window each SM has a host of its own, which nobody else writes, so that nothing is shared
 * but what nobody writes at all.
 */
#include "sim/engine/steady/wp-window.h"

#include "sim/engine/core/wp-sm-block.h"
#include "sim/engine/core/wp-sm.h"

#include <stdlib.h>

/* What an SM sees of its device in a window. */
typedef struct
{
  WpSmHost host;
  bool blocks_left;    /* when the window was opened */
  WpTick *requests;    /* [resident_blocks]: when it asked for blocks */
  uint32_t n_requests; /* in this window */
  uint32_t n_served;   /* of these, when it closes */
} View;

struct WpWindow
{
  WpTick end;  /* 0: none is open */
  View *views; /* [n_sms] */
};

/* The dispatcher in a window. */
static bool
note_request (WpSmHost *host, WpSm *sm, uint64_t *block)
{
  View *view = (View *)host; /* its first member */

  (void)block;
  if (view->blocks_left && !host->failed)
    view->requests[view->n_requests++] = sm->now;
  return false;
}

static bool
init_views (WpDevice *device, View *views)
{
  const WpMachine *m = device->machine;
  WpTick *requests = calloc (device->n_sms, m->resident_blocks * sizeof *requests);

  for (uint32_t i = 0; requests != NULL && i < device->n_sms; i++)
    views[i] = (View){ .host = { .plan = &device->plan, .take_block = note_request },
                       .requests = requests + (size_t)i * m->resident_blocks };
  return requests != NULL;
}

bool
wp_window_init (WpDevice *device)
{
  if (device->replicated || device->host.n_observers > 0 || device->n_sms < 2
      || wp_machine_shares (device->machine))
    return true;
  device->windows = calloc (1, sizeof *device->windows);
  if (device->windows == NULL)
    return false;
  device->windows->views = calloc (device->n_sms, sizeof *device->windows->views);
  return device->windows->views != NULL && init_views (device, device->windows->views);
}

void
wp_window_clear (WpDevice *device)
{
  if (device->windows == NULL)
    return;
  if (device->windows->views != NULL)
    free (device->windows->views[0].requests);
  free (device->windows->views);
  free (device->windows);
  device->windows = NULL;
}

bool
wp_window_open (WpDevice *device, WpTick length)
{
  const WpMachine *m = device->machine;
  WpTick start = WP_TICK_LIMIT;

  if (device->windows == NULL || device->host.failed)
    return false;
  for (uint32_t i = 0; i < device->n_sms; i++)
    start = device->sms[i].next < start ? device->sms[i].next : start;
  if (device->next_block < m->n_blocks && length > m->launch_latency)
    length = m->launch_latency;
  if (start == WP_TICK_LIMIT || length <= 0)
    return false;
  device->windows->end = length < WP_TICK_LIMIT - start ? start + length : WP_TICK_LIMIT;
  for (uint32_t i = 0; i < device->n_sms; i++)
    {
      device->windows->views[i].blocks_left = device->next_block < m->n_blocks;
      device->sms[i].host = &device->windows->views[i].host;
    }
  return true;
}

bool
wp_window_run (WpDevice *device, uint32_t i, uint64_t *budget)
{
  WpTick end = device->windows->end;
  WpSm *sm = &device->sms[i];

  while (sm->next < end && !sm->host->failed)
    {
      if (*budget == 0)
        return false;
      wp_sm_run (sm, end, budget);
      sm->marked = false;
    }
  return true;
}

/* ---- Closing ---- */

/* When SM I asks for the next block, or fails; WP_TICK_LIMIT: neither any more. Before it fails it
 * asks. */
static WpTick
get_time (const WpDevice *device, uint32_t i)
{
  const View *view = &device->windows->views[i];

  if (view->n_served < view->n_requests)
    return view->requests[view->n_served];
  return view->host.failed ? view->host.failed_at : WP_TICK_LIMIT;
}

static bool
is_before (const WpDevice *device, uint32_t a, uint32_t b)
{
  WpTick time_a = get_time (device, a), time_b = get_time (device, b);

  return time_a != time_b ? time_a < time_b : a < b;
}

/* Makes order[] a heap of those SMs that ask or fail; returns how many they are. */
static uint32_t
find_asking (WpDevice *device)
{
  uint32_t n = 0;

  for (uint32_t i = 0; i < device->n_sms; i++)
    if (get_time (device, i) != WP_TICK_LIMIT)
      device->order[n++] = i;
  wp_device_heapify (device, n, is_before);
  return n;
}

/* The earliest request, of SM I; or its failure, which ends the run. */
static void
serve (WpDevice *device, uint32_t i)
{
  View *view = &device->windows->views[i];
  WpTick now = get_time (device, i), launch = now + device->machine->launch_latency;
  uint64_t block;

  if (view->n_served == view->n_requests)
    {
      wp_sm_host_fail (&device->host, now, view->host.overflow);
      return;
    }
  view->n_served++;
  if (!wp_device_take_block (&device->host, &device->sms[i], &block))
    return;
  if (launch < WP_TICK_LIMIT)
    wp_sm_hand_out (&device->sms[i], block, launch);
  else
    wp_sm_host_fail (&device->host, now, (WpOverflow){ "a block's launch", i, block, UINT32_MAX });
}

void
wp_window_close (WpDevice *device)
{
  uint32_t n = find_asking (device);

  while (n > 0 && !device->host.failed)
    {
      uint32_t i = device->order[0];

      serve (device, i);
      if (get_time (device, i) == WP_TICK_LIMIT)
        device->order[0] = device->order[--n];
      wp_device_sift (device, n, 0, is_before);
    }
  for (uint32_t i = 0; i < device->n_sms; i++)
    {
      View *view = &device->windows->views[i];

      view->n_requests = view->n_served = 0;
      device->sms[i].host = &device->host;
      if (device->sms[i].now > device->now)
        device->now = device->sms[i].now;
    }
  device->windows->end = 0;
  /* No more looks: what they find must not depend on when windows are opened. */
  device->sms[0].mark_from = UINT64_MAX;
  wp_device_sort (device);
}
