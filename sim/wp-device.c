/* SPDX-License-Identifier: MIT */
/* SMs meet only at the dispatcher, so each runs a whole time t by itself; a heap tells whose turn is next, by time
 * and, at one time, by number.
 */
#include "sim/wp-device-private.h"

#include <stdlib.h>

static bool
is_before (const WpDevice *device, uint32_t a, uint32_t b)
{
  WpTick time_a = device->sms[a].next, time_b = device->sms[b].next;

  return time_a != time_b ? time_a < time_b : a < b;
}

/* The SM at the root is no longer as early as it was. */
static void
sift_root (WpDevice *device)
{
  uint32_t moving = device->order[0];
  uint32_t i = 0;

  for (uint32_t child = 1; child < device->n_sms; child = 2 * i + 1)
    {
      if (child + 1 < device->n_sms
          && is_before (device, device->order[child + 1], device->order[child]))
        child++;
      if (!is_before (device, device->order[child], moving))
        break;
      device->order[i] = device->order[child];
      i = child;
    }
  device->order[i] = moving;
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

/* Breadth first, until every SM is full or none are left; they launch at once (MODEL.md, section 4). */
static void
hand_out_first (WpDevice *device)
{
  uint64_t block;

  for (uint32_t i = 0; i < device->machine->resident_blocks; i++)
    for (uint32_t sm = 0; sm < device->n_sms; sm++)
      if (wp_device_take_block (device, &block))
        wp_sm_hand_out (&device->sms[sm], block, 0);
}

/* The ends of the repeats of PROGRAM that run for long. */
static void
find_long_repeats (WpDevice *device, const WpProgram *program)
{
  const WpCode *code = device->machine->code + program->first_code;
  uint32_t *distances = device->look_at + program->first_code;
  uint64_t outer[64], sum = 0;
  uint32_t depth = 0;

  for (uint32_t pc = 0; pc < program->n_code; pc++)
    if (code[pc].kind == WP_CODE_INSTRUCTION)
      sum++;
    else if (code[pc].kind == WP_CODE_REPEAT)
      {
        outer[depth++] = sum;
        sum = 0;
      }
    else
      {
        if (sum > WP_LONG_REPEAT / code[code[pc].arg].count)
          distances[pc] = wp_skip_get_distance (device, sum);
        sum *= code[code[pc].arg].count;
        sum += outer[--depth];
      }
}

/* What OP does after itself, given that it is code[PC] of PROGRAM: then most steps need not look at the code. */
static void
find_following (const WpDevice *device, const WpProgram *program, uint32_t pc, WpOp *op)
{
  const WpCode *code = device->machine->code + program->first_code;
  const uint32_t *distances = device->look_at + program->first_code;

  op->after = pc + 1;
  op->then = WP_THEN_CODE;
  if (pc + 1 == program->n_code)
    return;
  if (code[pc + 1].kind == WP_CODE_INSTRUCTION)
    op->then = WP_THEN_NEXT;
  if (code[pc + 1].kind == WP_CODE_END && code[code[pc + 1].arg + 1].kind == WP_CODE_INSTRUCTION
      && distances[pc + 1] == 0)
    {
      op->then = WP_THEN_LOOP;
      op->back = code[code[pc + 1].arg + 1].arg;
    }
}

/* VALUE that no instruction has stands for one that nobody reads: the last of a warp. */
static bool
init_ops (WpDevice *device)
{
  const WpMachine *m = device->machine;
  uint32_t n_values = 0;

  device->ops = calloc (m->n_instrs + (size_t)1, sizeof *device->ops);
  device->look_at = calloc (m->n_code + (size_t)1, sizeof *device->look_at);
  if (device->ops == NULL || device->look_at == NULL)
    return false;
  for (uint32_t i = 0; i < m->n_programs; i++)
    find_long_repeats (device, &m->programs[i]);
  for (uint32_t i = 0; i < m->n_programs; i++)
    n_values = m->programs[i].n_values > n_values ? m->programs[i].n_values : n_values;
  for (uint32_t i = 0; i < m->n_instrs; i++)
    {
      const WpInstr *instr = &m->instrs[i];

      device->ops[i] = (WpOp){
        .issue = instr->issue,
        .completion = instr->posted ? 0 : instr->completion,
        .deps = instr->n_deps > 0 ? m->deps + instr->first_dep : NULL,
        .n_deps = instr->n_deps,
        .row = instr->pipeline == WP_NO_PIPELINE ? m->n_pipelines : instr->pipeline,
        .value = instr->value == WP_NO_VALUE ? n_values : instr->value,
        .slots = instr->slots,
        .posted = instr->posted,
      };
    }
  for (uint32_t i = 0; i < m->n_programs; i++)
    for (uint32_t pc = 0; pc < m->programs[i].n_code; pc++)
      {
        const WpCode *code = m->code + m->programs[i].first_code + pc;

        if (code->kind == WP_CODE_INSTRUCTION)
          find_following (device, &m->programs[i], pc, &device->ops[code->arg]);
      }
  return true;
}

static bool
init_sms (WpDevice *device)
{
  const WpMachine *m = device->machine;

  device->sms = calloc (m->simulated_sms, sizeof *device->sms);
  device->order = calloc (m->simulated_sms, sizeof *device->order);
  if (device->sms == NULL || device->order == NULL)
    return false;
  if (m->dataflow)
    {
      device->unrolled = calloc (m->n_programs + (size_t)1, sizeof *device->unrolled);
      if (device->unrolled == NULL)
        return false;
      for (uint32_t i = 0; i < m->n_programs; i++)
        if (!wp_unroll (m, i, &device->unrolled[i]))
          return false;
    }
  for (; device->n_sms < m->simulated_sms; device->n_sms++)
    {
      device->order[device->n_sms] = device->n_sms;
      if (!wp_sm_init (&device->sms[device->n_sms], device, m, device->policy, device->unrolled,
                       device->n_sms))
        {
          device->n_sms++; /* to be cleared, too */
          return false;
        }
    }
  return true;
}

static bool
init_observers (WpDevice *device, const WpObserver *const *observers, size_t n)
{
  device->observers = calloc (n + 2, sizeof *device->observers); /* and a tape */
  if (device->observers == NULL)
    return false;
  for (size_t i = 0; i < n; i++)
    device->observers[i] = observers[i];
  device->n_observers = device->n_listeners = n;
  return true;
}

WpDevice *
wp_device_new (const WpMachine *machine, const WpPolicy *policy, const WpObserver *const *observers,
               size_t n_observers, const char **problem)
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
  device->result = wp_result_new (machine);
  if (device->result == NULL || !init_observers (device, observers, n_observers)
      || !init_ops (device) || !init_sms (device) || !wp_skip_new (device, &device->skip))
    {
      wp_device_free (device);
      return NULL;
    }
  hand_out_first (device);
  *problem = NULL;
  return device;
}

void
wp_device_free (WpDevice *device)
{
  if (device == NULL)
    return;
  for (uint32_t i = 0; i < device->n_sms; i++)
    wp_sm_clear (&device->sms[i]);
  for (uint32_t i = 0; device->unrolled != NULL && i < device->machine->n_programs; i++)
    wp_unrolled_clear (&device->unrolled[i]);
  wp_result_free (device->result);
  wp_skip_free (device->skip);
  free (device->look_at);
  free (device->unrolled);
  free (device->ops);
  free (device->observers);
  free (device->sms);
  free (device->order);
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
      if (device->skip != NULL && wp_skip_is_busy (device->skip))
        {
          wp_skip_go_on (device, &budget);
          continue;
        }
      done = wp_sm_run (sm, find_rival (device), &budget);
      device->now = sm->now;
      if (done)
        sift_root (device);
      if (device->sms[0].marked && device->sms[device->order[0]].next > device->now
          && !device->failed)
        wp_skip_look (device);
    }
  return WP_RUN_OVERFLOW;
}

void
wp_device_set_skip (WpDevice *device, bool skip)
{
  if (skip || device->skip == NULL)
    return;
  wp_skip_free (device->skip);
  device->skip = NULL;
  device->sms[0].mark_from = UINT64_MAX;
  device->n_observers = device->n_listeners;
}

WpTick
wp_device_get_skipped (const WpDevice *device)
{
  return device->skip == NULL ? 0 : wp_skip_get_time (device->skip);
}

/* What SM has done until the time that the run has come to. */
static void
add_sm (WpDevice *device, WpSm *sm)
{
  WpResult *result = device->result;
  uint32_t n = device->machine->n_pipelines;

  if (device->now > sm->occupied_since)
    wp_sm_settle_occupancy (sm, device->now);
  wp_result_add (result, sm->result, 1, device->machine);
  wp_sum_add_sum (&result->stalls[WP_STALL_BARRIER], sm->waits[n + WP_WAIT_BARRIER]);
  wp_sum_add_sum (&result->stalls[WP_STALL_ILP], sm->waits[n + WP_WAIT_ILP]);
  wp_sum_add_sum (&result->stalls[WP_STALL_DEPENDENCY], sm->waits[n + WP_WAIT_DEPENDENCY]);
  for (uint32_t p = 0; p < n; p++)
    {
      wp_sum_add_sum (&result->waits[p], sm->waits[p]);
      wp_sum_add_sum (&result->stalls[WP_STALL_DEPENDENCY], sm->waits[p]);
    }
  result->issues += sm->n_issues;
  wp_sum_add_product (&result->slot_time, sm->n_issues, (uint64_t)device->machine->interval);
}

const WpResult *
wp_device_get_result (WpDevice *device)
{
  WpResult *result = device->result;
  const WpMachine *m = device->machine;

  wp_result_reset (result, m);
  for (uint32_t i = 0; i < device->n_sms; i++)
    add_sm (device, &device->sms[i]);
  for (uint32_t i = 0; i < m->n_instrs; i++)
    result->issued += result->counts[i];
  result->complete = result->blocks == m->n_blocks;
  if (!result->complete)
    result->elapsed = device->now;
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
