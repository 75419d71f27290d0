/* SPDX-License-Identifier: MIT */
/* When a warp's next instruction may issue: the rule `ready` of MODEL.md, section 5, for program
 * and for dataflow order. Nothing else in the engine says it again, but that wp-plan.c works out
 * what comes of it where a warp waits for its last issue alone (WP_ISSUE_CHAINED). Private; plain
 * C11. Inline, as it is part of every issue.
 */
#pragma once

#include "sim/engine/core/wp-sm-state.h"

/* MODEL.md, section 5: no instruction issues before its warp's start, nor, but for the first,
 * before the warp's last issue + ilp-latency, or the stall of what issued last. In program order it
 * is asked where that was a barrier, which has none. */
static inline WpTick
wp_sm_get_turn (const WpSm *sm, const WpWarp *warp)
{
  uint8_t turn = sm->flows != NULL ? sm->flows[wp_sm_get_slot (sm, warp)].turn : 0;

  return warp->index == 0 ? warp->start : warp->since + sm->turns[turn];
}

/* The same of a warp that has FLOW. */
static inline WpTick
wp_sm_get_turn_in_flow (const WpSm *sm, const WpWarp *warp, const WpFlow *flow)
{
  return warp->index == 0 ? warp->start : warp->since + sm->turns[flow->turn];
}

/* MODEL.md, section 5: start(producer) + Lambda(producer), with what was served for what started
 * (section 11). Of a producer that has not issued, earlier than any time. */
static inline WpTick
wp_sm_get_completion (const WpWarp *warp, const WpDep *dep)
{
  return warp->values[dep->value] + dep->latency;
}

/* MODEL.md, section 5: the release of the last barrier that the warp issued. On a tie it goes
 * before all else (section 9). */
static inline void
wp_sm_mind_release (const WpSm *sm, WpWarp *warp)
{
  if (warp->released >= warp->ready)
    {
      warp->ready = warp->released;
      warp->wait = sm->machine->n_pipelines + WP_WAIT_BARRIER;
    }
}

/* MODEL.md, section 5: ready(w) in program order, of OP, the warp's next instruction, and what sets
 * it: `wait`. TURN is wp_sm_get_turn(). MEMORY: sets memory_ready, too (section 8). RELEASED: a
 * barrier has been released since the warp's last issue, which has waited for earlier ones. */
static INLINE void
wp_sm_find_ready (const WpSm *sm, WpWarp *warp, const WpOp *op, WpTick turn, const bool memory,
                  const bool released)
{
  const WpDep *dep = op->deps;
  WpTick ready = turn - 1, memory_ready = 0; /* a dependence goes before the ILP latency on a tie */
  uint32_t wait = sm->wait_ilp;

  for (uint32_t n = op->n_deps; n > 0; n--, dep++)
    {
      WpTick complete = wp_sm_get_completion (warp, dep);

      if (LIKELY (complete > ready))
        {
          ready = complete;
          wait = dep->pipeline;
        }
      if (memory && complete > memory_ready && sm->ops[dep->producer].memory)
        memory_ready = complete;
    }
  warp->ready = ready < turn ? turn : ready;
  warp->wait = wait;
  if (memory)
    warp->memory_ready = memory_ready;
  if (released)
    wp_sm_mind_release (sm, warp);
}

/* MODEL.md, section 5, dual issue: whether all dependences of OP, the warp's next instruction, are
 * complete at TIME. */
static inline bool
wp_sm_is_complete (const WpWarp *warp, const WpOp *op, WpTick time)
{
  for (uint32_t i = 0; i < op->n_deps; i++)
    if (wp_sm_get_completion (warp, &op->deps[i]) > time)
      return false;
  return true;
}

/* MODEL.md, section 5: since when the warp was ready, in dataflow order, for what is complete at
 * COMPLETE by PRODUCER, an instruction as written or WP_NO_INSTR, and what set it: `wait`. TURN is
 * wp_sm_get_turn(). */
static INLINE void
wp_sm_find_ready_behind (const WpSm *sm, WpWarp *warp, WpTick turn, WpTick complete,
                         uint32_t producer)
{
  warp->ready = turn;
  warp->wait = sm->machine->n_pipelines + WP_WAIT_ILP;
  if (complete >= warp->ready && producer != WP_NO_INSTR
      && sm->machine->instrs[producer].cost->pipeline != WP_NO_PIPELINE)
    {
      warp->ready = complete;
      warp->wait = wp_instr_get_last_pipeline (sm->machine, &sm->machine->instrs[producer]);
    }
  wp_sm_mind_release (sm, warp);
}

/* MODEL.md, section 5: since when the warp was ready for its dynamic instruction K, an available
 * one, in dataflow order, and what set it: `wait`. A barrier and an arrive wait for all
 * instructions before them. Where the last of these is an arrive, nothing has waited for it: it was
 * complete when it issued. */
static inline void
wp_sm_find_ready_in_flow (const WpSm *sm, WpWarp *warp, uint32_t k)
{
  const WpFlow *flow = &sm->flows[wp_sm_get_slot (sm, warp)];
  bool barrier = k == flow->stretch_end, arrive = k == flow->arrive;
  uint32_t index = arrive ? flow->arrive_producer : flow->producer[k];
  WpTick complete = barrier ? warp->end : arrive ? flow->arrive_ready : flow->ready[k];
  uint32_t producer = warp->end_instr;

  if (!barrier)
    producer = index == WP_FLOW_NONE ? WP_NO_INSTR : wp_flow_get_instr (flow, index);
  wp_sm_find_ready_behind (sm, warp, wp_sm_get_turn (sm, warp), complete, producer);
}
