/* SPDX-License-Identifier: MIT */
/* The engine as those who run it see it: what is in core/ and steady/, put together. */
#include "sim/engine/wp-device.h"
#include "sim/engine/wp-device-private.h"

#include "sim/base/wp-measure.h"
#include "sim/engine/core/wp-plan-classes.h"
#include "sim/engine/core/wp-plan-prune.h"
#include "sim/engine/core/wp-sm-account.h"
#include "sim/engine/core/wp-sm-block.h"
#include "sim/engine/core/wp-sm-setup.h"
#include "sim/engine/core/wp-sm.h"
#include "sim/engine/policy/wp-policy.h"
#include "sim/engine/steady/wp-replicas.h"
#include "sim/engine/steady/wp-steady.h"
#include "sim/engine/steady/wp-window.h"

#include <stdlib.h>

/* Windows that wp_device_run() opens itself, where nothing else limits them. */
#define WP_WINDOW_CYCLES 4096

static void
find_groups (WpDevice *device)
{
  uint32_t n = device->n_sms, k = device->group;

  for (device->n_groups = 0; device->n_groups * k < n; device->n_groups++)
    {
      uint32_t first = device->n_groups * k;

      device->groups[device->n_groups] = (WpGroup){ first, n - first < k ? n - first : k };
    }
}

/* SMs that there is to be room for. */
static uint32_t
find_room (WpDevice *device)
{
  device->replicated = wp_replicas_will_do (device);
  return device->replicated ? wp_replicas_count_room (device) : device->machine->simulated_sms;
}

static uint32_t
find_id (const WpDevice *device, uint32_t i)
{
  return device->replicated ? wp_replicas_get_first_id (device, i) : i;
}

/* The bytes that SMs take, and the search for steady states: nearly all that a device does. All of
 * a group are like its first but for what that keeps for the others. */
static uint64_t
measure (WpDevice *device)
{
  uint32_t n = find_room (device), k = device->group;
  uint64_t bytes = wp_measure (n, sizeof *device->sms) + wp_window_measure (device, n);
  WpSm sm;

  for (uint32_t i = 0; i < k && i < n; i++)
    {
      wp_sm_describe (&sm, &device->host, device->machine, device->policy, device->unrolled,
                      find_id (device, i));
      bytes += (n - i + k - 1) / k * wp_sm_measure (&sm);
    }
  return bytes + (device->skips && n > 0 ? wp_steady_measure (device, &sm) : 0);
}

static bool
init_sms (WpDevice *device)
{
  const WpMachine *m = device->machine;
  uint32_t n = find_room (device);

  device->sms = calloc (n, sizeof *device->sms);
  device->order = calloc (n, sizeof *device->order);
  device->groups = calloc (n + (size_t)1, sizeof *device->groups);
  if (device->sms == NULL || device->order == NULL || device->groups == NULL)
    return false;
  for (; device->n_room < n; device->n_room++)
    if (!wp_sm_init (&device->sms[device->n_room], &device->host, m, device->policy,
                     device->unrolled, find_id (device, device->n_room)))
      {
        device->n_room++; /* to be cleared, too */
        return false;
      }
  device->n_sms = n;
  find_groups (device);
  if (device->replicated)
    wp_replicas_hand_out_first (device);
  else
    wp_device_hand_out_first (device);
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
  free (device->groups);
  device->sms = NULL;
  device->order = NULL;
  device->groups = NULL;
  device->n_sms = device->n_room = device->n_groups = 0;
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
wants_stalls (const WpObserver *observer)
{
  return observer->warp_end != NULL && !observer->lives_only;
}

/* Whether the fast loop does not know all that OBSERVER is to see. */
static bool
wants_details (const WpObserver *observer)
{
  return observer->issue != NULL || observer->pass != NULL || observer->barrier_release != NULL
         || (wants_stalls (observer) && !observer->no_producer);
}

static bool
init_observers (WpDevice *device, const WpObserver *const *observers, size_t n)
{
  device->host.observers = calloc (n + 2, sizeof *device->host.observers); /* and a replay */
  if (device->host.observers == NULL)
    return false;
  for (size_t i = 0; i < n; i++)
    {
      device->host.observers[i] = observers[i];
      device->host.observes_stalls |= wants_stalls (observers[i]);
      device->host.observes_details |= wants_details (observers[i]);
      device->host.observes_passes |= observers[i]->pass != NULL;
      device->host.observes_issues |= observers[i]->issue != NULL || observers[i]->pass != NULL;
    }
  device->host.n_observers = device->n_listeners = n;
  return true;
}

/* False when memory is out. */
static bool
init_plan (WpDevice *device, bool eager)
{
  if (!wp_plan_init (&device->plan, device->machine, eager)
      || !wp_plan_prune (&device->plan, device->machine))
    return false;
  wp_plan_classify (&device->plan, device->machine);
  return !device->host.observes_stalls || wp_plan_imply (&device->plan, device->machine);
}

/* SMs, unless they would take more than MOST bytes: *NEEDED of them. */
static bool
init_rest (WpDevice *device, uint64_t most, uint64_t *needed, const char **problem)
{
  *needed = measure (device);
  if (*needed > most)
    {
      *problem = WP_DEVICE_TOO_LARGE;
      return false;
    }
  if (!init_sms (device))
    {
      *problem = device->host.problem != NULL ? device->host.problem : *problem;
      return false;
    }
  return !device->skips || wp_steady_new (device, &device->steady);
}

static WpDevice *
device_new (const WpMachine *machine, const WpPolicy *policy, const WpObserver *const *observers,
            size_t n_observers, bool eager, bool skip, uint64_t most, uint64_t *needed,
            const char **problem)
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
  device->group = wp_machine_get_group (machine);
  device->policy = policy;
  device->skips = skip;
  device->host.plan = &device->plan;
  device->host.take_block = wp_device_take_block;
  device->host.prepare_to_take = wp_replicas_ask;
  device->result = wp_result_new (machine);
  if (device->result == NULL || !init_observers (device, observers, n_observers)
      || !init_plan (device, eager) || !wp_tally_init (&device->tally, machine)
      || (machine->dataflow && !unroll (device)) || !init_rest (device, most, needed, problem))
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
  uint64_t needed;

  return device_new (machine, policy, observers, n_observers, false, true, UINT64_MAX, &needed,
                     problem);
}

WpDevice *
wp_device_new_within (const WpMachine *machine, const WpPolicy *policy,
                      const WpObserver *const *observers, size_t n_observers, bool skip,
                      uint64_t most, uint64_t *needed, const char **problem)
{
  *needed = 0;
  return device_new (machine, policy, observers, n_observers, false, skip, most, needed, problem);
}

WpDevice *
wp_device_new_eager (const WpMachine *machine, const WpPolicy *policy,
                     const WpObserver *const *observers, size_t n_observers, const char **problem)
{
  uint64_t needed;

  return device_new (machine, policy, observers, n_observers, true, true, UINT64_MAX, &needed,
                     problem);
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
  wp_tally_clear (&device->tally);
  wp_starts_clear (&device->starts);
  wp_steady_free (device->steady);
  free (device->unrolled);
  wp_plan_clear (&device->plan);
  free (device->host.observers);
  free (device);
}

static bool
has_live_warps (const WpDevice *device)
{
  for (uint32_t i = 0; i < device->n_sms; i++)
    if (device->sms[i].n_live > 0)
      return true;
  return false;
}

/* States from before blocks were left out are as good as gone. */
static void
forget_left_out (WpDevice *device)
{
  if (device->starts.just_now && device->steady != NULL)
    wp_steady_forget (device->steady);
  device->starts.just_now = false;
}

/* Where whole periods of blocks are skipped, nothing need be estimated. */
static void
look (WpDevice *device)
{
  uint64_t next = device->next_block;

  forget_left_out (device);
  wp_steady_look (device);
  if (device->next_block == next)
    return;
  device->starts.broken = true;
  device->starts.to_leave = 0;
}

/* How long a window may be that wp_device_run() opens itself, of SMs that share pipelines: while a
 * steady state is looked for, no longer than schedulers run ahead of one another, so that a look
 * comes soon after what marked the SM; and up to the next launch, after which it comes at once. */
static WpTick
find_length (const WpDevice *device)
{
  const WpSm *sm = &device->sms[0];
  WpTick ahead = device->machine->interval;
  WpTick launch = wp_queue_get_time (&sm->launches), start = WP_TICK_LIMIT;

  if (device->plan.eager)
    return 1;
  if (sm->n_taken < sm->mark_from)
    return device->machine->ticks_per_cycle < WP_TICK_LIMIT / WP_WINDOW_CYCLES
               ? device->machine->ticks_per_cycle * WP_WINDOW_CYCLES
               : WP_TICK_LIMIT;
  if (ahead == 0) /* a window of one tick would be dear */
    ahead = device->machine->ticks_per_cycle;
  for (uint32_t i = 0; i < device->n_sms; i++)
    start = device->sms[i].next < start ? device->sms[i].next : start;
  ahead = ahead < WP_TICK_LIMIT / WP_MAX_AHEAD ? WP_MAX_AHEAD * ahead + 1 : WP_TICK_LIMIT;
  return launch - start < ahead ? launch - start + 1 : ahead;
}

/* Groups of SMs, each by itself for a while. False: they need one another now. */
static bool
run_groups (WpDevice *device, uint64_t *budget)
{
  uint32_t n_groups = device->n_groups;

  if (device->group == 1
      || !(wp_window_is_open (device) || wp_window_open (device, find_length (device))))
    return false;
  for (uint32_t i = 0; i < device->n_groups; i++)
    if (!wp_window_run (device, i, budget))
      return true;
  wp_window_close (device);
  if (device->n_groups > n_groups && device->steady != NULL)
    wp_steady_forget (device->steady);
  if (device->sms[0].marked && !device->host.failed)
    look (device);
  return true;
}

/* The SM that is the first in time. */
static void
run_first (WpDevice *device, uint64_t *budget)
{
  WpSm *sm = &device->sms[device->order[0]];
  bool done = wp_sm_run (sm, wp_device_find_rival (device), budget);

  device->cut = !done;
  device->now = sm->now;
  if (done && device->splitting)
    {
      wp_replicas_split (device);
      wp_device_sort (device);
      if (device->steady != NULL)
        wp_steady_forget (device->steady);
    }
  else if (done)
    wp_device_sift_first (device);
  if (device->sms[0].marked && !device->host.failed
      && (device->plan.eager ? done : device->sms[device->order[0]].next > device->now))
    look (device);
}

WpRunStatus
wp_device_run (WpDevice *device, uint64_t budget)
{
  while (!device->host.failed)
    {
      bool open = wp_window_is_open (device);

      if (!open && device->sms[device->order[0]].next == WP_TICK_LIMIT)
        return has_live_warps (device) ? WP_RUN_STUCK : WP_RUN_DONE;
      if (budget == 0)
        return WP_RUN_MORE;
      if (!open && device->steady != NULL && wp_steady_is_busy (device->steady))
        wp_steady_go_on (device, &budget);
      else if (!run_groups (device, &budget))
        run_first (device, &budget);
    }
  return WP_RUN_OVERFLOW;
}

static void
stop_looking (WpDevice *device)
{
  wp_steady_free (device->steady);
  device->steady = NULL;
  device->host.n_observers = device->n_listeners;
  device->sms[0].mark_from = UINT64_MAX;
}

void
wp_device_stop_observing (WpDevice *device)
{
  if (device->steady != NULL)
    wp_steady_stop_observing (device);
  device->host.n_observers = device->n_listeners = 0;
  device->host.observes_issues = device->host.observes_passes = false;
  device->host.observes_details = false;
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
  return !skip || wp_steady_new (device, &device->steady);
}

WpTick
wp_device_get_skipped (const WpDevice *device)
{
  return device->steady == NULL ? 0 : wp_steady_get_time (device->steady);
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
          WpTick last = scheduler->issued[scheduler->n_issued];

          reached = last > reached ? last : reached;
        }
    }
  return reached;
}

/* All that happens to SM but issues has happened up to then: a stretch that it stands in may have
 * warps that end before its latest issue. */
static WpTick
find_settled (const WpSm *sm)
{
  return sm->stretch_end > 0 ? sm->stretch_begin : sm->now;
}

/* The issues of one slot each: RESULT has those of more. N_FOLLOWERS instructions went out behind
 * another one in one issue. */
static void
add_issues (WpResult *result, const WpMachine *m, uint64_t n_followers)
{
  uint64_t n;

  for (uint32_t i = 0; i < m->n_instrs; i++)
    result->issued += result->counts[i];
  n = result->issued - result->issues - n_followers;
  wp_sum_add_product (&result->slot_time, n, (uint64_t)m->interval);
  result->issues += n;
}

const WpResult *
wp_device_get_result (WpDevice *device)
{
  WpResult *result = device->result;
  const WpMachine *m = device->machine;
  WpTick reached = find_reached (device);
  uint64_t n_followers = 0;

  wp_result_reset (result, m);
  wp_tally_reset (&device->tally, m);
  for (uint32_t i = 0; i < device->n_sms; i++)
    {
      wp_sm_end_deferred (&device->sms[i], find_settled (&device->sms[i]));
      wp_sm_add_to_result (&device->sms[i], result, reached);
      wp_tally_add_sm (&device->tally, &device->sms[i]);
      n_followers += device->sms[i].n_followers * device->sms[i].count;
      if (device->sms[i].n_launched > result->most_blocks && device->starts.left_out == 0)
        result->most_blocks = device->sms[i].n_launched;
    }
  wp_tally_add_to_result (&device->tally, &device->sms[0], result);
  add_issues (result, m, n_followers);
  result->complete = result->blocks + device->starts.left_out == m->n_blocks;
  if (!result->complete)
    result->elapsed = reached;
  if (!result->complete || result->drained < result->elapsed)
    result->drained = result->elapsed;
  return result;
}

WpOverflow
wp_device_get_overflow (const WpDevice *device)
{
  return device->host.overflow;
}

static void
add_stuck (const WpSm *sm, uint32_t slot, WpStuck *stuck)
{
  const WpWarp *warp = &sm->warps[slot];
  bool held = warp->state == WP_WARP_HELD;

  if (stuck->n == 0)
    {
      stuck->sm = sm->id;
      stuck->slot = slot;
      stuck->block = sm->blocks[warp->block].id;
      stuck->warp = warp->warp;
      stuck->held = held;
      stuck->barrier = held ? warp->held_at : 0;
      stuck->instr = held                                    ? warp->held_by
                     : sm->flows == NULL && warp->op != NULL ? (uint32_t)(warp->op - sm->ops)
                                                             : WP_NO_INSTR;
    }
  stuck->n += sm->count;
  if (!held)
    return;
  stuck->n_held += sm->count;
  stuck->barriers[warp->held_at / 64] |= UINT64_C (1) << warp->held_at % 64;
}

void
wp_device_get_stuck (const WpDevice *device, WpStuck *stuck)
{
  *stuck = (WpStuck){ .instr = WP_NO_INSTR };
  for (uint32_t i = 0; i < device->n_sms; i++)
    for (uint32_t slot = 0; slot < device->sms[i].n_slots; slot++)
      if (device->sms[i].taken[slot] && device->sms[i].warps[slot].state != WP_WARP_FREE)
        add_stuck (&device->sms[i], slot, stuck);
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

/* ---- Estimates ---- */

bool
wp_device_keep_starts (WpDevice *device, uint32_t n)
{
  if (!wp_starts_init (&device->starts, n))
    return false;
  wp_starts_note (&device->starts, device->next_block, 0);
  return true;
}

const WpTick *
wp_device_get_starts (const WpDevice *device, uint64_t *every, uint32_t *n)
{
  *every = device->starts.every;
  *n = device->starts.n;
  return device->starts.times;
}

bool
wp_device_has_skipped_blocks (const WpDevice *device)
{
  return device->starts.broken;
}

bool
wp_device_leave_out (WpDevice *device, uint64_t from, uint64_t n)
{
  WpStarts *starts = &device->starts;

  if (starts->broken || starts->left_out > 0 || device->next_block > from)
    return false;
  starts->from = from;
  starts->to_leave = n;
  return true;
}

uint64_t
wp_device_get_left_out (const WpDevice *device)
{
  return device->starts.left_out;
}

/* ---- For observers ---- */

/* The visit's candidates are there until the next one, and nothing has happened but to the warp
 * that issues. */
static bool
could_issue (const WpSm *sm, const WpScheduler *scheduler, uint32_t slot)
{
  uint32_t bit = sm->warps[slot].bit;

  return sm->taken[slot] && scheduler->warps[bit] == &sm->warps[slot]
         && (scheduler->candidates[bit / 64] >> bit % 64 & 1) != 0;
}

uint32_t
wp_device_get_candidates (const WpDevice *device, const WpIssueEvent *event,
                          WpCandidate *candidates, uint32_t room)
{
  const WpSm *sm = &device->sms[event->sm];
  uint32_t n = 0;

  if (event->follows || event->replayed)
    return 0;
  for (uint32_t slot = event->scheduler; slot < sm->n_slots; slot += sm->machine->n_schedulers)
    {
      const WpWarp *warp = &sm->warps[slot];
      uint32_t instr = slot == event->slot ? event->instr
                       : sm->flows != NULL ? UINT32_MAX
                                           : (uint32_t)(warp->op - sm->ops);

      if (!could_issue (sm, &sm->schedulers[event->scheduler], slot))
        continue;
      if (n < room)
        candidates[n]
            = (WpCandidate){ slot, sm->blocks[warp->block].id, warp->warp, warp->age, instr };
      n++;
    }
  return n;
}

/* ---- Several cores ---- */

bool
wp_device_has_windows (const WpDevice *device)
{
  return device->windows != NULL && !device->replicated && device->n_groups > 1;
}

uint32_t
wp_device_get_n_groups (const WpDevice *device)
{
  return device->n_groups;
}

bool
wp_device_open_window (WpDevice *device, WpTick length)
{
  return wp_device_has_windows (device)
         && (device->machine->launch_latency > 0 || device->next_block == device->machine->n_blocks)
         && (device->steady == NULL || !wp_steady_is_busy (device->steady))
         && (wp_window_is_open (device) || wp_window_open (device, length));
}

bool
wp_device_run_in_window (WpDevice *device, uint32_t i, uint64_t *budget)
{
  return wp_window_run (device, i, budget);
}

void
wp_device_close_window (WpDevice *device)
{
  wp_window_close (device);
  /* No more looks: what they find must not depend on when windows are opened. */
  device->sms[0].marked = false;
  device->sms[0].mark_from = UINT64_MAX;
  if (device->steady != NULL)
    wp_steady_forget (device->steady);
}
