/* SPDX-License-Identifier: MIT */
/* A warp alone in dataflow order issues the earliest instruction that is available, one for each
 * ilp-latency; between two barriers nothing but its own results sets the time.
 */
#include "sim/bounds/wp-alone.h"
#include "sim/engine/core/wp-flow.h"

#include <stdlib.h>

typedef struct
{
  const WpMachine *machine;
  uint32_t segment;
  WpUnrolled unrolled;
  WpFlow flow;
  WpTick *ready;  /* [n]: as the flow's, with the step that set it */
  uint64_t *from; /* [n]: its position, WP_NOWHERE: none */
  WpTick *length; /* [n]: of that edge */
  uint32_t *producer;
  WpFirstIssue *firsts;
  WpAloneResult *result;
  bool has_issued, ended;
  uint64_t last_position;
  WpTick release, release_length;
  uint64_t release_position;
  uint32_t end_instr; /* that completes last so far */
} Warp;

static bool
warp_init (Warp *warp, const WpMachine *machine, uint32_t program, uint32_t segment,
           WpFirstIssue *firsts, WpAloneResult *result)
{
  size_t n = (size_t)machine->programs[program].n_dynamic + 1;

  *warp = (Warp){
    .machine = machine, .segment = segment, .firsts = firsts, .result = result, .release = -1
  };
  *result = (WpAloneResult){ .end = { .time = -1 } };
  warp->ready = calloc (n, sizeof *warp->ready);
  warp->from = malloc (n * sizeof *warp->from);
  warp->length = calloc (n, sizeof *warp->length);
  warp->producer = calloc (n, sizeof *warp->producer);
  if (!wp_unroll (machine, program, &warp->unrolled)
      || !wp_flow_init (&warp->flow, &warp->unrolled, 1, machine->n_pipelines)
      || warp->ready == NULL || warp->from == NULL || warp->length == NULL
      || warp->producer == NULL)
    return false;
  for (size_t k = 0; k < n; k++)
    warp->from[k] = WP_NOWHERE;
  wp_flow_start (&warp->flow, &warp->unrolled, machine->n_pipelines);
  return true;
}

static void
warp_clear (Warp *warp)
{
  wp_unrolled_clear (&warp->unrolled);
  wp_flow_clear (&warp->flow);
  free (warp->ready);
  free (warp->from);
  free (warp->length);
  free (warp->producer);
}

/* Fills in what STEP, which has the edge of its last producer, waited for: COMPLETE is when that
 * completes, FROM its position (WP_NOWHERE: none). Returns the time of its issue. */
static WpTick
find_issue (const Warp *warp, WpTick complete, uint64_t from, uint64_t position, WpTrailEntry *step)
{
  WpTick base = warp->has_issued ? warp->result->last + warp->machine->ilp_latency : 0;
  WpTick now = base;

  if (from != WP_NOWHERE && complete >= base)
    {
      now = complete;
      step->edge = WP_EDGE_DEPENDENCY;
      step->back = position - from;
    }
  else
    {
      step->edge = warp->has_issued ? WP_EDGE_ILP : WP_EDGE_START;
      step->length = warp->has_issued ? warp->machine->ilp_latency : 0;
      step->back = warp->has_issued ? position - warp->last_position : 0;
    }
  if (warp->release >= now)
    {
      now = warp->release;
      step->edge = WP_EDGE_BARRIER;
      step->length = warp->release_length;
      step->back = position - warp->release_position;
    }
  return now;
}

static bool
put_down (Warp *warp, WpTrailEntry *step, WpTick now, WpTrail *trail)
{
  step->gap = warp->has_issued ? (uint64_t)(now - warp->result->last) : 0;
  warp->has_issued = true;
  warp->result->last = now;
  warp->last_position = trail->position;
  warp->result->counts.n_walked++;
  warp->result->counts.singles++;
  return wp_trail_add (trail, *step);
}

/* What depends on K, which issued NOW at POSITION. */
static void
tell (Warp *warp, uint32_t k, WpTick now, uint64_t position)
{
  for (uint32_t i = warp->unrolled.first[k]; i < warp->unrolled.first[k + 1]; i++)
    {
      const WpSuccessor *successor = &warp->unrolled.successors[i];
      WpTick complete = now + successor->latency;

      if (warp->from[successor->consumer] != WP_NOWHERE
          && complete <= warp->ready[successor->consumer])
        continue;
      warp->ready[successor->consumer] = complete;
      warp->from[successor->consumer] = position;
      warp->length[successor->consumer] = successor->latency;
      warp->producer[successor->consumer] = warp->unrolled.instrs[k];
    }
  wp_flow_issued (&warp->flow, warp->machine, k, now, now);
}

/* The earliest one that is available, or WP_FLOW_NONE. */
static uint32_t
choose (const Warp *warp)
{
  uint32_t k = WP_FLOW_NONE;

  for (uint32_t p = 0; p < warp->machine->n_pipelines; p++)
    {
      uint32_t first = wp_flow_peek (&warp->flow, p);

      k = first < k ? first : k;
    }
  return k;
}

static void
count_slots (Warp *warp, const WpInstr *instr)
{
  warp->result->counts.filled += instr->slots > 1;
  wp_sum_add (&warp->result->counts.reissues, instr->slots - 1);
}

/* K issues: an instruction, or a barrier that waits for all before it. */
static WpAloneStatus
issue (Warp *warp, uint32_t k, WpTick complete, uint64_t from, WpTrailEntry step, WpTrail *trail)
{
  const WpInstr *instr = &warp->machine->instrs[step.instr];
  uint64_t position = trail->position;
  WpTick now = find_issue (warp, complete, from, position, &step);

  if (now >= WP_TICK_LIMIT - instr->reach - warp->machine->barrier_latency)
    return WP_ALONE_OVERFLOW;
  count_slots (warp, instr);
  wp_alone_note_first (warp->firsts, step.instr, now, false);
  if (!put_down (warp, &step, now, trail))
    return WP_ALONE_NO_MEMORY;
  if (instr->pipeline == WP_NO_PIPELINE)
    return WP_ALONE_STOPPED;
  if (now + instr->completion > warp->result->end.time)
    warp->end_instr = step.instr;
  wp_alone_end_join (&warp->result->end, (WpAloneEnd){ now + instr->completion, instr->completion,
                                                       position, instr->pipeline });
  tell (warp, k, now, position);
  return WP_ALONE_MORE;
}

static WpAloneStatus
issue_instruction (Warp *warp, WpTrail *trail)
{
  WpTick base = warp->has_issued ? warp->result->last + warp->machine->ilp_latency : 0;
  WpTick due = choose (warp) == WP_FLOW_NONE ? wp_flow_get_time (&warp->flow) : 0;
  uint32_t k;

  wp_flow_advance (&warp->flow, warp->machine, due > base ? due : base);
  k = choose (warp);
  wp_flow_take (&warp->flow, warp->machine->instrs[warp->unrolled.instrs[k]].pipeline);
  return issue (warp, k, warp->ready[k], warp->from[k],
                (WpTrailEntry){ .instr = warp->unrolled.instrs[k],
                                .segment = warp->segment,
                                .from = warp->producer[k],
                                .length = warp->length[k] },
                trail);
}

/* Up to the next barrier, or the end. */
static WpAloneStatus
walk_stretch (Warp *warp, WpTrail *trail)
{
  WpAloneStatus status = WP_ALONE_MORE;
  uint32_t k = warp->flow.stretch_end;

  while (status == WP_ALONE_MORE && warp->flow.n_left > 0)
    status = issue_instruction (warp, trail);
  if (status != WP_ALONE_MORE)
    return status;
  if (k == warp->unrolled.n)
    {
      warp->ended = true;
      return WP_ALONE_STOPPED;
    }
  return issue (warp, k, warp->result->end.time,
                warp->result->end.time < 0 ? WP_NOWHERE : warp->result->end.at,
                (WpTrailEntry){ .instr = warp->unrolled.instrs[k],
                                .segment = warp->segment,
                                .from = warp->end_instr,
                                .length = warp->result->end.length },
                trail);
}

/* All have stopped; those that have not ended go on together. False: all have ended. */
static bool
meet (Warp *warps, uint32_t n)
{
  WpAloneEnd last = { .time = -1 };
  bool some = false;

  for (uint32_t i = 0; i < n; i++)
    {
      const Warp *warp = &warps[i];
      WpAloneEnd arrival
          = warp->ended ? warp->result->end
                        : (WpAloneEnd){ .time = warp->result->last, .at = warp->last_position };

      some |= !warp->ended;
      if (arrival.time > last.time)
        last = arrival;
    }
  for (uint32_t i = 0; some && i < n; i++)
    if (!warps[i].ended)
      {
        Warp *warp = &warps[i];
        WpTick latency = warp->machine->barrier_latency;

        warp->release = last.time + latency;
        warp->release_length = last.length + latency;
        warp->release_position = last.at;
        wp_alone_end_join (&warp->result->end, (WpAloneEnd){ warp->release, warp->release_length,
                                                             last.at, WP_NO_PIPELINE });
        wp_flow_open (&warp->flow, warp->machine, warp->flow.stretch_end + 1, warp->release);
      }
  return some;
}

static WpAloneStatus
walk_all (Warp *warps, uint32_t n, WpTrail *trail)
{
  for (uint32_t i = 0; i < n; i++)
    wp_flow_open (&warps[i].flow, warps[i].machine, 0, 0);
  do
    for (uint32_t i = 0; i < n; i++)
      {
        WpAloneStatus status = warps[i].ended ? WP_ALONE_STOPPED : walk_stretch (&warps[i], trail);

        if (status != WP_ALONE_STOPPED)
          return status;
      }
  while (meet (warps, n));
  return WP_ALONE_STOPPED;
}

WpAloneStatus
wp_alone_flow (const WpMachine *machine, uint32_t n, const WpBoundsSegment *segments,
               uint32_t first_segment, WpTrail *trail, WpFirstIssue *firsts, WpAloneResult *results)
{
  Warp *warps = calloc (n, sizeof *warps);
  WpAloneStatus status = warps != NULL ? WP_ALONE_STOPPED : WP_ALONE_NO_MEMORY;

  for (uint32_t i = 0; warps != NULL && i < n; i++)
    if (!warp_init (&warps[i], machine, segments[i].program, first_segment + i, firsts,
                    &results[i]))
      status = WP_ALONE_NO_MEMORY;
  if (status == WP_ALONE_STOPPED)
    status = walk_all (warps, n, trail);
  for (uint32_t i = 0; warps != NULL && i < n; i++)
    warp_clear (&warps[i]);
  free (warps);
  return status;
}
