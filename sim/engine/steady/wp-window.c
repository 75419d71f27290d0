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
 * In a window each SM sees a device of its own, which nobody else writes, so that nothing is shared
 * but what nobody writes at all.
 */
#include "sim/engine/steady/wp-window.h"

#include <stdlib.h>

bool
wp_window_init (WpDevice *device)
{
  const WpMachine *m = device->machine;
  WpTick *requests;

  if (device->replicated || device->n_observers > 0 || device->n_sms < 2)
    return true;
  device->own = calloc (device->n_sms, sizeof *device->own);
  if (device->own == NULL)
    return false;
  requests = calloc (device->n_sms, m->resident_blocks * sizeof *requests);
  device->own[0].requests = requests;
  if (requests == NULL)
    return false;
  for (uint32_t i = 0; i < device->n_sms; i++)
    device->own[i] = (WpDevice){
      .machine = m,
      .policy = device->policy,
      .plan = device->plan,
      .unrolled = device->unrolled,
      .only = &device->sms[i],
      .requests = requests + (size_t)i * m->resident_blocks,
    };
  return true;
}

void
wp_window_clear (WpDevice *device)
{
  if (device->own != NULL)
    free (device->own[0].requests);
  free (device->own);
  device->own = NULL;
}

bool
wp_device_has_windows (const WpDevice *device)
{
  return device->own != NULL;
}

bool
wp_device_open_window (WpDevice *device, WpTick length)
{
  const WpMachine *m = device->machine;
  WpTick start = WP_TICK_LIMIT;

  if (device->own == NULL || device->failed
      || (device->skip != NULL && wp_steady_is_busy (device->skip)))
    return false;
  for (uint32_t i = 0; i < device->n_sms; i++)
    start = device->sms[i].next < start ? device->sms[i].next : start;
  if (device->next_block < m->n_blocks && length > m->launch_latency)
    length = m->launch_latency;
  if (start == WP_TICK_LIMIT || length <= 0)
    return false;
  device->window_end = length < WP_TICK_LIMIT - start ? start + length : WP_TICK_LIMIT;
  for (uint32_t i = 0; i < device->n_sms; i++)
    {
      device->own[i].next_block = device->next_block;
      device->sms[i].device = &device->own[i];
    }
  return true;
}

bool
wp_device_run_in_window (WpDevice *device, uint32_t i, uint64_t *budget)
{
  WpSm *sm = &device->sms[i];

  while (sm->next < device->window_end && !device->own[i].failed)
    {
      if (*budget == 0)
        return false;
      wp_sm_run (sm, device->window_end, budget);
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
  const WpDevice *own = &device->own[i];

  if (own->n_served < own->n_requests)
    return own->requests[own->n_served];
  return own->failed ? own->failed_at : WP_TICK_LIMIT;
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
  WpDevice *own = &device->own[i];
  WpTick launch = get_time (device, i) + device->machine->launch_latency;
  uint64_t block;

  if (own->n_served == own->n_requests)
    {
      device->failed = true;
      device->overflow = own->overflow;
      return;
    }
  own->n_served++;
  if (wp_device_take_block (device, &device->sms[i], &block)
      && !wp_device_overflows (device, launch, "a block's launch", i, block, UINT32_MAX))
    wp_sm_hand_out (&device->sms[i], block, launch);
}

void
wp_device_close_window (WpDevice *device)
{
  uint32_t n = find_asking (device);

  while (n > 0 && !device->failed)
    {
      uint32_t i = device->order[0];

      serve (device, i);
      if (get_time (device, i) == WP_TICK_LIMIT)
        device->order[0] = device->order[--n];
      wp_device_sift (device, n, 0, is_before);
    }
  for (uint32_t i = 0; i < device->n_sms; i++)
    {
      device->own[i].n_requests = device->own[i].n_served = 0;
      device->sms[i].device = device;
      if (device->sms[i].now > device->now)
        device->now = device->sms[i].now;
    }
  device->window_end = 0;
  device->sms[0].mark_from
      = UINT64_MAX; /* no more looks: what they find must not depend on when windows are opened */
  if (device->skip != NULL)
    wp_steady_forget (device->skip);
  wp_device_sort (device);
}
