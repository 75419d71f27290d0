/* SPDX-License-Identifier: MIT */
/* What a warp waits for in program order: when its next instruction is ready, and what sets that
 * time. Private; plain C11. Inline, as it is part of every issue.
 */
#pragma once

#include "sim/engine/core/wp-sm.h"

/* Moves the warp to the next instruction from PC on, through repeats that begin and end; NULL at
 * the end of the program. No repeat is empty (the machine was checked). */
void wp_sm_walk (WpSm *sm, WpWarp *warp, uint32_t pc);

/* How often the repeat goes round that OP, WP_THEN_LOOP, ends. */
static inline uint32_t
wp_sm_get_iterations (const WpWarp *warp, const WpOp *op)
{
  return warp->code[warp->code[op->after].arg].count;
}

/* The loop that OP is all of has ended, or gone round on the long way, where each issue is counted.
 */
static inline void
wp_sm_count_loop (WpSm *sm, const WpWarp *warp, const WpOp *op, bool ended)
{
  if (sm->fast && op->issues == WP_ISSUE_CHAINED_SELF)
    sm->n_chained[op - sm->ops] += ended ? (int64_t)wp_sm_get_iterations (warp, op) - 1 : -1;
}

/* Moves the warp to the instruction after OP, its present one. */
static INLINE void
wp_sm_step (WpSm *sm, WpWarp *warp, const WpOp *op)
{
  if (op->then == WP_THEN_NEXT)
    warp->op = op->next;
  else if (op->then == WP_THEN_OPEN)
    {
      *++warp->counter = warp->code[op->after].count;
      warp->op = op->next;
    }
  else if (op->then == WP_THEN_LOOP && *warp->counter > 1)
    {
      --*warp->counter;
      warp->op = op->next;
      wp_sm_count_loop (sm, warp, op, false);
    }
  else
    {
      if (op->then == WP_THEN_LOOP)
        wp_sm_count_loop (sm, warp, op, true);
      wp_sm_walk (sm, warp, op->after);
    }
}

/* Sets ready, from BASE on, and what it is set by (MODEL.md, sections 5 and 9); MEMORY: also
 * memory_ready. */
static INLINE void
wp_sm_find_ready (const WpSm *sm, WpWarp *warp, const WpOp *op, WpTick base, const bool memory)
{
  const WpMachine *m = sm->machine;
  const WpTick *values = warp->values;
  const WpDep *dep = op->deps;
  WpTick ready = base - 1, memory_ready = 0; /* a dependence goes before the ILP latency on a tie */
  uint32_t wait = m->n_pipelines + WP_WAIT_ILP;

  for (uint32_t n = op->n_deps; n > 0; n--, dep++)
    {
      WpTick complete = values[dep->value] + dep->latency;

      if (complete > ready)
        {
          ready = complete;
          wait = dep->pipeline;
        }
      if (memory && complete > memory_ready && m->pipelines[dep->pipeline].memory)
        memory_ready = complete;
    }
  warp->ready = ready < base ? base : ready;
  warp->wait = wait;
  if (memory)
    warp->memory_ready = memory_ready;
}

/* The warp will be ready at TIME, after NOW. */
static INLINE void
wp_sm_wait_until (WpSm *sm, WpScheduler *scheduler, WpWarp *warp, WpTick now, WpTick time)
{
  if (sm->fast && time < WP_FAST_LIMIT)
    {
      wp_wake_list_put (time - now > sm->near ? &scheduler->far : &scheduler->near,
                        (uint64_t)time << 6 | warp->bit);
      return;
    }
  wp_wheel_put (&sm->wheel, wp_sm_get_slot (sm, warp), time);
  sm->limit = time < sm->limit ? time : sm->limit;
}

/* When a warp that is not ready is to be woken: a policy with lists wants to know of memory, too.
 */
static inline WpTick
wp_sm_get_wake (const WpSm *sm, const WpWarp *warp)
{
  return sm->policy->update != NULL && warp->memory_ready > sm->now ? warp->memory_ready
                                                                    : warp->ready;
}

/* The warp is ready, or will be woken when it is. */
static INLINE void
wp_sm_wait_in_order (WpSm *sm, WpScheduler *scheduler, WpWarp *warp)
{
  if (warp->ready <= sm->now)
    {
      wp_sm_set_arrived (sm, scheduler, warp);
      return;
    }
  wp_sm_wait_until (sm, scheduler, warp, sm->now, wp_sm_get_wake (sm, warp));
  if (sm->fast)
    wp_sm_reschedule (sm, scheduler, warp->ready);
}
