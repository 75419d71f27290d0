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
 * Where blocks launch at once (L = 0) a window ends when the first warp may.
 *
 * In a window each SM has a host of its own, which nobody else writes, so that nothing is shared
 * but what nobody writes at all.
 */
#include "sim/engine/steady/wp-window.h"

#include "sim/base/wp-measure.h"
#include "sim/engine/core/wp-sm-block.h"
#include "sim/engine/core/wp-sm-quiet.h"
#include "sim/engine/core/wp-sm.h"
#include "sim/engine/steady/wp-replicas.h"

#include <stdlib.h>

/* What an SM sees of its device in a window. */
typedef struct
{
  WpSmHost host;
  bool blocks_left;    /* when the window was opened */
  WpTick *requests;    /* [resident_blocks]: when it asked for blocks */
  uint32_t n_requests; /* in this window */
  uint32_t n_served;   /* of these, when it closes */
  bool marked;         /* it was to be looked at */
} View;

struct WpWindow
{
  WpTick end;  /* 0: none is open */
  WpTick wait; /* where blocks launch at once: it is not asked before whether warps end soon */
  View *views; /* [n_room] */
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

/* Replicas ask when the window closes. */
static void
do_not_prepare (WpSmHost *host, WpSm *sm)
{
  (void)host;
  (void)sm;
}

static bool
init_views (WpDevice *device, View *views)
{
  const WpMachine *m = device->machine;
  WpTick *requests = calloc (device->n_room, m->resident_blocks * sizeof *requests);

  for (uint32_t i = 0; requests != NULL && i < device->n_room; i++)
    views[i] = (View){ .host = { .plan = &device->plan,
                                 .take_block = note_request,
                                 .prepare_to_take = do_not_prepare },
                       .requests = requests + (size_t)i * m->resident_blocks };
  return requests != NULL;
}

/* Whether there are windows with N SMs. */
static bool
are_wanted (const WpDevice *device, uint32_t n)
{
  return device->host.n_observers == 0 && n >= 2 && (!device->replicated || device->group > 1);
}

uint64_t
wp_window_measure (const WpDevice *device, uint32_t n)
{
  if (!are_wanted (device, n))
    return 0;
  return wp_measure (n, sizeof (View))
         + wp_measure ((uint64_t)n * device->machine->resident_blocks, sizeof (WpTick));
}

bool
wp_window_init (WpDevice *device)
{
  if (!are_wanted (device, device->n_sms))
    return true;
  device->windows = calloc (1, sizeof *device->windows);
  if (device->windows == NULL)
    return false;
  device->windows->views = calloc (device->n_room, sizeof *device->windows->views);
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

/* For how long from START no SM asks for a block where blocks launch at once; 0: not for long
 * enough, as far as is known. */
static WpTick
find_quiet (WpDevice *device, WpTick start)
{
  WpTick least = wp_sm_find_least_quiet (&device->sms[0]), first = WP_TICK_LIMIT;

  if (least == 0 || start < device->windows->wait)
    return 0;
  device->windows->wait = start < WP_TICK_LIMIT - least ? start + least : WP_TICK_LIMIT;
  for (uint32_t i = 0; i < device->n_sms && first - start >= least; i++)
    {
      WpTick end = wp_sm_find_first_end (&device->sms[i], start);

      first = end < first ? end : first;
    }
  return first - start >= least ? first - start : 0;
}

bool
wp_window_open (WpDevice *device, WpTick length)
{
  const WpMachine *m = device->machine;
  WpTick start = WP_TICK_LIMIT;

  if (device->windows == NULL || device->windows->end > 0 || device->host.failed || device->cut)
    return false;
  for (uint32_t i = 0; i < device->n_sms; i++)
    start = device->sms[i].next < start ? device->sms[i].next : start;
  if (start == WP_TICK_LIMIT)
    return false;
  if (device->next_block < m->n_blocks)
    {
      WpTick launch = m->launch_latency > 0 ? m->launch_latency : find_quiet (device, start);

      length = launch < length ? launch : length;
    }
  if (length <= 0)
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
wp_window_is_open (const WpDevice *device)
{
  return device->windows != NULL && device->windows->end > 0;
}

/* The SM of GROUP that comes next before the window's end, or NULL: none does. It may have to stand
 * at its gate: when the first of the others goes on, at equal times those before it first. */
static WpSm *
find_next (const WpDevice *device, const WpGroup *group)
{
  WpSm *sms = device->sms + group->first, *next = NULL;
  WpTick gate = WP_TICK_LIMIT;

  for (uint32_t i = 0; i < group->n; i++)
    if (!sms[i].host->failed && (next == NULL || sms[i].next < next->next))
      next = &sms[i];
  if (next == NULL || next->next >= device->windows->end)
    return NULL;
  for (uint32_t i = 0; i < group->n; i++)
    if (!sms[i].host->failed && &sms[i] != next && sms[i].next < gate)
      gate = sms[i].next + (&sms[i] > next);
  next->gate = gate;
  return next;
}

bool
wp_window_run (WpDevice *device, uint32_t i, uint64_t *budget)
{
  const WpGroup *group = &device->groups[i];
  WpSm *sm;

  while (sm = find_next (device, group), sm != NULL)
    {
      WpTick end = device->windows->end;

      if (*budget == 0)
        return false;
      if (!wp_sm_can_stand (sm))
        {
          end = sm->gate < end ? sm->gate : end;
          sm->gate = WP_TICK_LIMIT;
        }
      wp_sm_run (sm, end, budget);
      device->windows->views[sm - device->sms].marked |= sm->marked;
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

  return time_a != time_b ? time_a < time_b : device->sms[a].id < device->sms[b].id;
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

/* SM asked at NOW for BLOCK, and gets it. */
static void
hand_out (WpDevice *device, WpSm *sm, WpTick now, uint64_t block)
{
  WpTick launch = now + device->machine->launch_latency;

  if (launch < WP_TICK_LIMIT)
    wp_sm_hand_out (sm, block, launch);
  else
    wp_sm_host_fail (
        &device->host, now,
        (WpOverflow){
            .what = "a block's launch", .sm = sm->id, .block = block, .instr = UINT32_MAX });
}

/* How many requests at NOW those of GROUP have. */
static uint64_t
count_requests (const WpDevice *device, const WpGroup *group, WpTick now)
{
  uint64_t n = 0;

  for (uint32_t i = group->first; i < group->first + group->n; i++)
    {
      const View *view = &device->windows->views[i];

      for (uint32_t r = view->n_served; r < view->n_requests && view->requests[r] == now; r++)
        n++;
    }
  return n;
}

/* The first N of the requests that GROUP has at NOW, which are those of FROM, too: GROUP gets
 * blocks from BLOCK on. */
static void
serve_group (WpDevice *device, const WpGroup *group, const WpGroup *from, WpTick now, uint64_t n,
             uint64_t block)
{
  for (uint32_t i = 0; i < group->n; i++)
    {
      const View *view = &device->windows->views[from->first + i];

      for (uint32_t r = view->n_served; n > 0 && r < view->n_requests && view->requests[r] == now;
           r++, n--)
        hand_out (device, &device->sms[group->first + i], now, block++);
    }
}

/* The requests of GROUP, which has replicas, at NOW. What they do until the window ends does not
 * depend on who gets blocks: where those run out, replicas part only now. */
static void
serve_replicas (WpDevice *device, uint32_t g, WpTick now)
{
  const WpGroup *group = &device->groups[g];
  uint64_t n = count_requests (device, group, now), count = device->sms[group->first].count;
  uint64_t left, first;

  wp_device_pass_over (device);
  first = device->next_block;
  left = device->machine->n_blocks - first;
  if (left >= n * count)
    {
      device->next_block += n * count;
      wp_starts_note (&device->starts, device->next_block, now);
      serve_group (device, group, group, now, n, first);
    }
  else if (left > 0)
    {
      uint64_t n_served = left / n;
      uint32_t rest = wp_replicas_divide (device, g, (uint32_t)n_served, left % n > 0);

      device->next_block = device->machine->n_blocks;
      if (n_served > 0)
        serve_group (device, group, group, now, n, first);
      serve_group (device, &device->groups[rest], group, now, left % n, first + n_served * n);
    }
  for (uint32_t i = group->first; i < group->first + group->n; i++)
    {
      View *view = &device->windows->views[i];

      while (view->n_served < view->n_requests && view->requests[view->n_served] == now)
        view->n_served++;
    }
}

/* The group that SM I, the first of those that ask for a block at one time, stands for others in;
 * UINT32_MAX: it stands for itself. */
static uint32_t
find_replicas (const WpDevice *device, uint32_t i)
{
  if (device->sms[i].count > 1)
    for (uint32_t g = 0; g < device->n_groups; g++)
      if (i - device->groups[g].first < device->groups[g].n)
        return g;
  return UINT32_MAX;
}

/* The earliest request, of SM I, and those that are served with it; or its failure, which ends the
 * run. */
static void
serve (WpDevice *device, uint32_t i)
{
  View *view = &device->windows->views[i];
  WpTick now = get_time (device, i);
  uint32_t group = find_replicas (device, i);
  uint64_t block;

  if (view->n_served == view->n_requests)
    wp_sm_host_fail (&device->host, now, view->host.overflow);
  else if (group != UINT32_MAX)
    serve_replicas (device, group, now);
  else
    {
      view->n_served++;
      if (wp_device_take_block_at (device, &device->sms[i], now, &block))
        hand_out (device, &device->sms[i], now, block);
    }
}

/* All requests, in order. */
static void
serve_all (WpDevice *device)
{
  uint32_t n = find_asking (device);

  while (n > 0 && !device->host.failed)
    {
      uint32_t i = device->order[0];

      serve (device, i);
      if (device->replicated) /* others may have been served, too; there are few */
        n = find_asking (device);
      else
        {
          if (get_time (device, i) == WP_TICK_LIMIT)
            device->order[0] = device->order[--n];
          wp_device_sift (device, n, 0, is_before);
        }
    }
}

void
wp_window_close (WpDevice *device)
{
  serve_all (device);
  for (uint32_t i = 0; i < device->n_sms; i++)
    {
      View *view = &device->windows->views[i];
      WpSm *sm = &device->sms[i];

      device->host.left_fast_loop |= view->host.left_fast_loop;
      sm->marked = view->marked;
      view->n_requests = view->n_served = 0;
      view->host.left_fast_loop = view->marked = false;
      sm->host = &device->host;
      sm->gate = WP_TICK_LIMIT;
      if (sm->now > device->now)
        device->now = sm->now;
    }
  device->windows->end = 0;
  wp_device_sort (device);
}
