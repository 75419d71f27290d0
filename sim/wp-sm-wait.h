/* SPDX-License-Identifier: MIT */
/* What a warp waits for in program order: when its next instruction is ready, and what sets that time. Private; plain
 * C11. Inline, as it is part of every issue (wp-sm-issue.c); LEAN is said there.
 */
#pragma once

#include "sim/wp-sm.h"

#if defined(__GNUC__)
#define UNLIKELY(condition) __builtin_expect (condition, 0)
#define INLINE inline __attribute__ ((always_inline))
#else
#define UNLIKELY(condition) (condition)
#define INLINE inline
#endif

/* Moves the warp to the next instruction from PC on, through repeats that begin and end; NULL at the end of the program.
 * No repeat is empty (the machine was checked). */
void wp_sm_walk (const WpSm *sm, WpWarp *warp, uint32_t pc);

/* Moves the warp to the instruction after OP, its present one. */
static INLINE void
wp_sm_step (const WpSm *sm, WpWarp *warp, const WpOp *op)
{
  if (op->then == WP_THEN_NEXT)
    warp->op = op + 1;
  else if (op->then == WP_THEN_LOOP && *warp->counter > 1)
    {
      --*warp->counter;
      warp->op = sm->ops + op->back;
    }
  else
    wp_sm_walk (sm, warp, op->after);
}

/* Sets ready, from BASE on, and what it is set by (MODEL.md, sections 5 and 9). */
static INLINE void
wp_sm_find_ready (const WpSm *sm, WpWarp *warp, const WpOp *op, WpTick base, const bool lean)
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
      if (!lean && complete > memory_ready && m->pipelines[dep->pipeline].memory)
        memory_ready = complete;
    }
  warp->ready = ready < base ? base : ready;
  warp->wait = wait;
  if (!lean)
    warp->memory_ready = memory_ready;
}

/* The warp will be ready after now: into the short list, or into the wheel. */
static INLINE void
wp_sm_wait_until (WpSm *sm, WpScheduler *scheduler, WpWarp *warp, WpTick time, const bool lean)
{
  uint64_t key = (uint64_t)time << 6 | warp->bit;
  uint32_t i = scheduler->near_end;

  if (!lean || time - sm->now > sm->near)
    {
      wp_wheel_put (&sm->wheel, wp_sm_get_slot (sm, warp), time);
      sm->limit = time < sm->limit ? time : sm->limit;
      return;
    }
  scheduler->near_end = i + 1;
  for (; i != scheduler->near_first && scheduler->near[(i - 1) % 64] > key; i--)
    scheduler->near[i % 64] = scheduler->near[(i - 1) % 64];
  scheduler->near[i % 64] = key;
}

/* The warp is ready, or will be woken when it is; a policy with lists wants to know of memory, too. */
static INLINE void
wp_sm_wait_in_order (WpSm *sm, WpScheduler *scheduler, WpWarp *warp, const bool lean)
{
  if (warp->ready <= sm->now)
    wp_sm_set_arrived (sm, scheduler, warp);
  else if (!lean && sm->policy->update != NULL && warp->memory_ready > sm->now)
    wp_sm_wait_until (sm, scheduler, warp, warp->memory_ready, lean);
  else
    wp_sm_wait_until (sm, scheduler, warp, warp->ready, lean);
}
