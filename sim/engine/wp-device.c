/* SPDX-License-Identifier: MIT */
/* SMs meet only at the dispatcher, so each runs a whole time t by itself; a heap tells whose turn
 * is next, by time and, at one time, by number.
 */
#include "sim/engine/steady/wp-replicas.h"
#include "sim/engine/steady/wp-window.h"

#include <stdlib.h>

static bool
is_before (const WpDevice *device, uint32_t a, uint32_t b)
{
  WpTick time_a = device->sms[a].next, time_b = device->sms[b].next;

  return time_a != time_b ? time_a < time_b : a < b;
}

void
wp_device_sift (WpDevice *device, uint32_t n, uint32_t i, WpBefore is_first)
{
  uint32_t *heap = device->order, moving = heap[i];

  for (uint32_t child = 2 * i + 1; child < n; child = 2 * i + 1)
    {
      if (child + 1 < n && is_first (device, heap[child + 1], heap[child]))
        child++;
      if (!is_first (device, heap[child], moving))
        break;
      heap[i] = heap[child];
      i = child;
    }
  heap[i] = moving;
}

void
wp_device_heapify (WpDevice *device, uint32_t n, WpBefore is_first)
{
  for (uint32_t i = n / 2; i-- > 0;)
    wp_device_sift (device, n, i, is_first);
}

void
wp_device_sort (WpDevice *device)
{
  for (uint32_t i = 0; i < device->n_sms; i++)
    device->order[i] = i;
  wp_device_heapify (device, device->n_sms, is_before);
}

/* When another SM may be earlier than the one at the root, which is to go on until then. */
static WpTick
find_rival (const WpDevice *device)
{
  WpTick rival = WP_TICK_LIMIT;

  for (uint32_t i = 1; i < 3 && i < device->n_sms; i++)
    if (device->sms[device->order[i]].next < rival)
      rival = device->sms[device->order[i]].next;
  return rival;
}

/* Breadth first, until every SM is full or none are left; they launch at once (MODEL.md, section
 * 4). */
static void
hand_out_first (WpDevice *device)
{
  uint64_t block;

  for (uint32_t i = 0; i < device->machine->resident_blocks; i++)
    for (uint32_t sm = 0; sm < device->n_sms; sm++)
      if (wp_device_take_block (device, &device->sms[sm], &block))
        wp_sm_hand_out (&device->sms[sm], block, 0);
}

static bool
init_sms (WpDevice *device)
{
  const WpMachine *m = device->machine;
  uint32_t n = m->simulated_sms;

  device->replicated = wp_replicas_will_do (device);
  if (device->replicated && n > WP_MAX_REPLICAS)
    n = WP_MAX_REPLICAS;
  device->sms = calloc (n, sizeof *device->sms);
  device->order = calloc (n, sizeof *device->order);
  if (device->sms == NULL || device->order == NULL)
    return false;
  for (; device->n_room < n; device->n_room++)
    if (!wp_sm_init (&device->sms[device->n_room], device, m, device->policy, device->unrolled,
                     device->n_room))
      {
        device->n_room++; /* to be cleared, too */
        return false;
      }
  device->n_sms = n;
  if (device->replicated)
    wp_replicas_hand_out_first (device);
  else
    hand_out_first (device);
  wp_device_sort (device);
  return wp_window_init (device);
}

static void
clear_sms (WpDevice *device)
{
  wp_window_clear (device);
  for (uint32_t i = 0; i < device->n_room; i++)
    wp_sm_clear (&device->sms[i]);
  free (device->sms);
  free (device->order);
  device->sms = NULL;
  device->order = NULL;
  device->n_sms = device->n_room = 0;
  device->next_block = 0;
}

static bool
unroll (WpDevice *device)
{
  const WpMachine *m = device->machine;

  device->unrolled = calloc (m->n_programs + (size_t)1, sizeof *device->unrolled);
  for (uint32_t i = 0; device->unrolled != NULL && i < m->n_programs; i++)
    if (!wp_unroll (m, i, &device->unrolled[i]))
      return false;
  return device->unrolled != NULL;
}

static bool
init_observers (WpDevice *device, const WpObserver *const *observers, size_t n)
{
  device->observers = calloc (n + 2, sizeof *device->observers); /* and a tape */
  if (device->observers == NULL)
    return false;
  for (size_t i = 0; i < n; i++)
    {
      device->observers[i] = observers[i];
      device->observes_issues |= observers[i]->issue != NULL;
    }
  device->n_observers = device->n_listeners = n;
  return true;
}

static WpDevice *
device_new (const WpMachine *machine, const WpPolicy *policy, const WpObserver *const *observers,
            size_t n_observers, bool eager, const char **problem)
{
  WpDevice *device;

  *problem = wp_machine_check (machine);
  if (*problem == NULL && machine->dataflow && !wp_policy_takes_dataflow (policy))
    *problem = "this policy does not go with dataflow order";
  if (*problem != NULL)
    return NULL;
  *problem = "out of memory";
  device = calloc (1, sizeof *device);
  if (device == NULL)
    return NULL;
  device->machine = machine;
  device->policy = policy;
  device->eager = eager;
  device->skips = true;
  device->result = wp_result_new (machine);
  if (device->result == NULL || !init_observers (device, observers, n_observers)
      || !wp_plan_init (&device->plan, machine, eager) || (machine->dataflow && !unroll (device))
      || !init_sms (device) || !wp_steady_new (device, &device->skip))
    {
      wp_device_free (device);
      return NULL;
    }
  *problem = NULL;
  return device;
}

WpDevice *
wp_device_new (const WpMachine *machine, const WpPolicy *policy, const WpObserver *const *observers,
               size_t n_observers, const char **problem)
{
  return device_new (machine, policy, observers, n_observers, false, problem);
}

WpDevice *
wp_device_new_eager (const WpMachine *machine, const WpPolicy *policy,
                     const WpObserver *const *observers, size_t n_observers, const char **problem)
{
  return device_new (machine, policy, observers, n_observers, true, problem);
}

void
wp_device_free (WpDevice *device)
{
  if (device == NULL)
    return;
  clear_sms (device);
  for (uint32_t i = 0; device->unrolled != NULL && i < device->machine->n_programs; i++)
    wp_unrolled_clear (&device->unrolled[i]);
  wp_result_free (device->result);
  wp_steady_free (device->skip);
  free (device->unrolled);
  wp_plan_clear (&device->plan);
  free (device->observers);
  free (device);
}

WpRunStatus
wp_device_run (WpDevice *device, uint64_t budget)
{
  while (!device->failed)
    {
      WpSm *sm = &device->sms[device->order[0]];
      bool done;

      if (sm->next == WP_TICK_LIMIT)
        return WP_RUN_DONE;
      if (budget == 0)
        return WP_RUN_MORE;
      if (device->skip != NULL && wp_steady_is_busy (device->skip))
        {
          wp_steady_go_on (device, &budget);
          continue;
        }
      done = wp_sm_run (sm, find_rival (device), &budget);
      device->now = sm->now;
      if (done && device->splitting)
        {
          wp_replicas_part (device);
          wp_device_sort (device);
          if (device->skip != NULL)
            wp_steady_forget (device->skip);
        }
      else if (done)
        wp_device_sift (device, device->n_sms, 0, is_before);
      if (device->sms[0].marked && !device->failed
          && (device->eager ? done : device->sms[device->order[0]].next > device->now))
        wp_steady_look (device);
    }
  return WP_RUN_OVERFLOW;
}

static void
stop_looking (WpDevice *device)
{
  wp_steady_free (device->skip);
  device->skip = NULL;
  device->n_observers = device->n_listeners;
  device->sms[0].mark_from = UINT64_MAX;
}

void
wp_device_stop_observing (WpDevice *device)
{
  if (device->skip != NULL)
    wp_steady_stop_observing (device);
  device->n_observers = device->n_listeners = 0;
  device->observes_issues = false;
}

bool
wp_device_set_skip (WpDevice *device, bool skip)
{
  device->skips = skip;
  stop_looking (device);
  if (wp_replicas_will_do (device) != device->replicated)
    {
      clear_sms (device);
      if (!init_sms (device))
        return false;
    }
  return !skip || wp_steady_new (device, &device->skip);
}

WpTick
wp_device_get_skipped (const WpDevice *device)
{
  return device->skip == NULL ? 0 : wp_steady_get_time (device->skip);
}

/* Of the time that SM's warps have lived, what is left when all else is accounted for: the time for
 * which they were ready and not selected. Until when is accounted for: what a running warp waits
 * for in program order is known and counted when the wait begins. */
static WpSum
find_not_selected (const WpSm *sm)
{
  uint32_t n = sm->machine->n_pipelines;
  WpSum time = wp_sum_subtract (sm->result->lifetimes, sm->result->stalls[WP_STALL_DRAIN]);

  for (uint32_t slot = 0; slot < sm->n_slots; slot++)
    {
      const WpWarp *warp = &sm->warps[slot];
      bool waits = warp->state == WP_WARP_RUNNING && sm->flows == NULL;

      if (warp->state != WP_WARP_FREE)
        wp_sum_add (&time, (uint64_t)((waits ? warp->ready : warp->since) - warp->start));
    }
  for (uint32_t i = 0; i < n + WP_N_WAITS; i++)
    time = wp_sum_subtract (time, sm->waits[i]);
  return wp_sum_subtract (time, sm->result->stalls[WP_STALL_PIPELINE]);
}

/* The latest time that something has happened at: schedulers that run ahead, and SMs in a window,
 * are ahead of the rest. */
static WpTick
find_reached (const WpDevice *device)
{
  WpTick reached = device->now;

  for (uint32_t i = 0; i < device->n_sms; i++)
    {
      const WpSm *sm = &device->sms[i];

      reached = sm->now > reached ? sm->now : reached;
      for (uint32_t k = 0; k < device->machine->n_schedulers; k++)
        {
          const WpScheduler *scheduler = &sm->schedulers[k];
          WpTick last = scheduler->n_issued == 0 ? 0 : scheduler->issued[scheduler->n_issued - 1];

          reached = last > reached ? last : reached;
        }
    }
  return reached;
}

/* What SM has done UNTIL the time that the run has come to. */
static void
add_sm (WpDevice *device, WpSm *sm, WpTick until)
{
  WpResult *result = device->result;
  WpSum slot_time = { 0, 0 }, occupied = { 0, 0 };
  uint32_t n = device->machine->n_pipelines;

  wp_sm_count_open_loops (sm, 1);
  if (until > sm->occupied_since)
    wp_sum_add_product (&occupied, sm->n_live, (uint64_t)(until - sm->occupied_since));
  sm->result->stalls[WP_STALL_NOT_SELECTED] = find_not_selected (sm);
  wp_result_add (result, sm->result, sm->count, device->machine);
  wp_sum_add_times (&result->occupied, occupied, sm->count);
  wp_sum_add_times (&result->stalls[WP_STALL_BARRIER], sm->waits[n + WP_WAIT_BARRIER], sm->count);
  wp_sum_add_times (&result->stalls[WP_STALL_ILP], sm->waits[n + WP_WAIT_ILP], sm->count);
  for (uint32_t p = 0; p < n; p++)
    {
      wp_sum_add_times (&result->waits[p], sm->waits[p], sm->count);
      wp_sum_add_times (&result->stalls[WP_STALL_DEPENDENCY], sm->waits[p], sm->count);
    }
  result->issues += sm->n_issues * sm->count;
  wp_sum_add_product (&slot_time, sm->n_issues, (uint64_t)device->machine->interval);
  wp_sum_add_times (&result->slot_time, slot_time, sm->count);
  wp_sm_count_open_loops (sm, -1);
}

const WpResult *
wp_device_get_result (WpDevice *device)
{
  WpResult *result = device->result;
  const WpMachine *m = device->machine;
  WpTick reached = find_reached (device);

  wp_result_reset (result, m);
  for (uint32_t i = 0; i < device->n_sms; i++)
    add_sm (device, &device->sms[i], reached);
  for (uint32_t i = 0; i < m->n_instrs; i++)
    result->issued += result->counts[i];
  result->complete = result->blocks == m->n_blocks;
  if (!result->complete)
    result->elapsed = reached;
  return result;
}

WpOverflow
wp_device_get_overflow (const WpDevice *device)
{
  return device->overflow;
}

uint64_t
wp_device_get_blocks_started (const WpDevice *device)
{
  return device->next_block;
}

WpTick
wp_device_get_time (const WpDevice *device)
{
  return device->now;
}
