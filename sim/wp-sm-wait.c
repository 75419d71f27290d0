/* SPDX-License-Identifier: MIT */
/* What a warp waits for: when its next instruction is ready, and what sets that time. A warp that is ready stands in
 * its scheduler's bitmask, one that is not yet in a heap; nothing looks at it in between.
 */
#include "sim/wp-sm.h"

static uint32_t
get_row (const WpSm *sm, uint32_t pipeline)
{
  return pipeline == WP_NO_PIPELINE ? sm->machine->n_pipelines : pipeline;
}

static void
set_ready (WpSm *sm, const WpWarp *warp, uint32_t pipeline)
{
  WpScheduler *scheduler = &sm->schedulers[warp->scheduler];
  uint32_t row = get_row (sm, pipeline);

  scheduler->ready[(size_t)row * scheduler->n_words + warp->local / 64] |= UINT64_C (1)
                                                                           << warp->local % 64;
  scheduler->wanted |= UINT64_C (1) << row;
}

void
wp_sm_clear_ready (WpSm *sm, const WpWarp *warp, uint32_t pipeline)
{
  WpScheduler *scheduler = &sm->schedulers[warp->scheduler];
  uint32_t row = get_row (sm, pipeline);
  uint64_t *words = scheduler->ready + (size_t)row * scheduler->n_words;
  uint64_t any = 0;

  words[warp->local / 64] &= ~(UINT64_C (1) << warp->local % 64);
  for (uint32_t word = 0; word < scheduler->n_words; word++)
    any |= words[word];
  if (any == 0)
    scheduler->wanted &= ~(UINT64_C (1) << row);
}

/* Program order: sets ready, what it is set by, and memory_ready (MODEL.md, sections 5 and 9). */
static void
find_ready (const WpSm *sm, WpWarp *warp)
{
  const WpMachine *m = sm->machine;
  const WpInstr *instr = &m->instrs[warp->next];

  warp->ready = warp->index == 0 ? warp->start : warp->since + m->ilp_latency;
  warp->cause = WP_STALL_ILP;
  warp->memory_ready = 0;
  for (uint32_t i = 0; i < instr->n_deps; i++)
    {
      const WpDep *dep = &m->deps[instr->first_dep + i];
      uint32_t pipeline = m->instrs[dep->producer].pipeline;
      WpTick complete;

      if (warp->values[dep->value] == WP_NEVER)
        continue;
      complete = warp->values[dep->value] + dep->latency;
      if (complete > warp->ready || (complete == warp->ready && warp->cause == WP_STALL_ILP))
        {
          warp->ready = complete;
          warp->cause = WP_STALL_DEPENDENCY;
          warp->cause_pipeline = pipeline;
        }
      if (complete > warp->memory_ready && m->pipelines[pipeline].memory)
        warp->memory_ready = complete;
    }
  if (warp->released >= warp->ready && warp->released > 0)
    {
      warp->ready = warp->released;
      warp->cause = WP_STALL_BARRIER;
    }
}

/* Program order: the warp is ready, or will be woken when it is; a policy with lists wants to know of memory, too. */
static void
wait_in_order (WpSm *sm, WpWarp *warp)
{
  if (warp->ready <= sm->now)
    set_ready (sm, warp, sm->machine->instrs[warp->next].pipeline);
  else if (sm->policy->update != NULL && warp->memory_ready > sm->now)
    wp_heap_put (&sm->wakes, wp_sm_get_slot (sm, warp), warp->memory_ready);
  else
    wp_heap_put (&sm->wakes, wp_sm_get_slot (sm, warp), warp->ready);
}

/* Dataflow order: shows what the warp can offer now, and wakes it when that may change by itself. */
static void
wait_for_flow (WpSm *sm, WpWarp *warp)
{
  const WpMachine *m = sm->machine;
  uint32_t slot = wp_sm_get_slot (sm, warp);
  WpFlow *flow = &sm->flows[slot];
  WpTick turn = warp->index == 0 ? warp->start : warp->since + m->ilp_latency;
  WpTick wake;
  bool offers = flow->barrier_ready <= sm->now;

  wp_flow_advance (flow, m, sm->now);
  for (uint32_t p = 0; p < m->n_pipelines; p++)
    {
      wp_sm_clear_ready (sm, warp, p);
      if (flow->n_available[p] == 0)
        continue;
      offers = true;
      if (turn <= sm->now)
        set_ready (sm, warp, p);
    }
  wp_sm_clear_ready (sm, warp, WP_NO_PIPELINE);
  if (flow->barrier_ready <= sm->now && turn <= sm->now)
    set_ready (sm, warp, WP_NO_PIPELINE);
  wake = wp_flow_get_time (flow);
  if (flow->barrier_ready > sm->now && flow->barrier_ready < wake)
    wake = flow->barrier_ready;
  if (offers && turn > sm->now && turn < wake)
    wake = turn;
  if (wake < WP_TICK_LIMIT)
    wp_heap_put (&sm->wakes, slot, wake);
}

static void
wait_for_turn (WpSm *sm, WpWarp *warp)
{
  sm->schedulers[warp->scheduler].stale = true;
  if (sm->flows != NULL)
    wait_for_flow (sm, warp);
  else
    wait_in_order (sm, warp);
}

void
wp_sm_wake_warps (WpSm *sm)
{
  while (wp_heap_get_time (&sm->wakes) <= sm->now)
    wait_for_turn (sm, &sm->warps[wp_heap_take (&sm->wakes)]);
}

/* Program order: moves the warp to its next instruction. No repeat is empty (the machine was checked). */
void
wp_sm_step (const WpSm *sm, WpWarp *warp)
{
  const WpProgram *program = &sm->machine->programs[warp->program];
  const WpCode *code = sm->machine->code + program->first_code;
  uint32_t pc = warp->pc;

  for (; pc < program->n_code; pc++)
    if (code[pc].kind == WP_CODE_INSTRUCTION)
      {
        warp->next = code[pc].arg;
        warp->pc = pc + 1;
        return;
      }
    else if (code[pc].kind == WP_CODE_REPEAT)
      warp->counters[warp->depth++] = code[pc].count;
    else if (--warp->counters[warp->depth - 1] > 0)
      pc = code[pc].arg;
    else
      warp->depth--;
  warp->next = WP_NO_INSTR;
  warp->pc = pc;
}

/* The warp has started, issued or been released: what does it wait for now? */
void
wp_sm_go_on (WpSm *sm, WpWarp *warp)
{
  if (wp_sm_is_through (sm, warp))
    {
      warp->state = WP_WARP_DRAINING;
      sm->schedulers[warp->scheduler].stale = true;
      wp_heap_put (&sm->ends, wp_sm_get_slot (sm, warp), warp->end);
      return;
    }
  warp->state = WP_WARP_RUNNING;
  if (sm->flows == NULL)
    find_ready (sm, warp);
  wait_for_turn (sm, warp);
}
