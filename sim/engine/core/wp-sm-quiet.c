/* SPDX-License-Identifier: MIT */
#include "sim/engine/core/wp-sm-quiet.h"

#include "sim/engine/core/wp-sm-step.h"

/* No warp is asked for more turns than that: no stretch is as long. */
#define MOST_TURNS (UINT64_C (1) << 20)

/* What is quiet for fewer turns of a warp costs more to find out than it saves. */
#define LEAST_TURNS 8

/* The least time between two issues of a warp; 0: nothing is known. */
static WpTick
find_turn (const WpSm *sm)
{
  const WpMachine *m = sm->machine;

  if (sm->host->plan->places == NULL || sm->flows != NULL || m->issue_limit > 1
      || m->dual_issue > 1)
    return 0;
  return m->interval > m->ilp_latency ? m->interval : m->ilp_latency;
}

WpTick
wp_sm_find_least_quiet (const WpSm *sm)
{
  WpTick turn = find_turn (sm);

  if (sm->host->plan->eager)
    return turn > 0;
  return turn <= WP_TICK_LIMIT / LEAST_TURNS ? turn * LEAST_TURNS : 0;
}

/* When WARP, which is running, ends at the earliest, if it issues once in TURN. */
static WpTick
find_end (const WpSm *sm, const WpWarp *warp, WpTick from, WpTick turn)
{
  uint64_t n
      = sm->machine->programs[warp->program].n_dynamic - wp_sm_find_index (sm, warp, warp->op) - 1;
  WpTick begin = warp->ready > from ? warp->ready : from, turns;

  n = n < MOST_TURNS ? n : MOST_TURNS;
  turns = turn < WP_TICK_LIMIT / (WpTick)MOST_TURNS ? (WpTick)n * turn : WP_TICK_LIMIT;
  return turns < WP_TICK_LIMIT - begin ? begin + turns : WP_TICK_LIMIT;
}

WpTick
wp_sm_find_first_end (const WpSm *sm, WpTick from)
{
  WpTick turn = find_turn (sm), first = sm->due;

  if (turn == 0)
    return from;
  for (uint32_t slot = 0; slot < sm->n_slots && first > from; slot++)
    {
      const WpWarp *warp = &sm->warps[slot];
      WpTick end = WP_TICK_LIMIT;

      if (warp->state == WP_WARP_RUNNING)
        end = find_end (sm, warp, from, turn);
      else if (warp->state == WP_WARP_DRAINING)
        end = warp->end;
      first = end < first ? end : first;
    }
  return first > from ? first : from;
}
