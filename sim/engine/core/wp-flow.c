/* SPDX-License-Identifier: MIT */
/* Both kinds of heap hold dynamic instructions; an order by time falls back on program order, so
 * that nothing depends on how a heap was built.
 */
#include "sim/engine/core/wp-flow.h"

#include "sim/base/wp-measure.h"

#include <stdlib.h>
#include <string.h>

static size_t
find_longest (const WpUnrolled *programs, uint32_t n_programs)
{
  size_t n = 1;

  for (uint32_t i = 0; i < n_programs; i++)
    n = programs[i].n > n ? programs[i].n : n;
  return n;
}

uint64_t
wp_flow_measure (const WpUnrolled *programs, uint32_t n_programs, uint32_t n_pipelines,
                 bool arrives, bool mixes)
{
  const WpFlow *flow = NULL;
  uint64_t n = find_longest (programs, n_programs), bytes;

  bytes = wp_measure (n, sizeof *flow->n_waiting) + wp_measure (n, sizeof *flow->ready)
          + wp_measure (n, sizeof *flow->producer) + wp_measure (n, sizeof *flow->timed)
          + wp_measure (n, sizeof *flow->available)
          + wp_measure ((uint64_t)n_pipelines + 1, sizeof *flow->n_available);
  if (arrives)
    bytes += wp_measure (n, sizeof *flow->issued) + wp_measure (n, sizeof *flow->complete);
  return bytes + (mixes ? wp_measure (n, sizeof *flow->drawn) : 0);
}

bool
wp_flow_init (WpFlow *flow, const WpUnrolled *programs, uint32_t n_programs, uint32_t n_pipelines,
              bool arrives, bool mixes)
{
  size_t n = find_longest (programs, n_programs);

  *flow = (WpFlow){ 0 };
  flow->n_waiting = calloc (n, sizeof *flow->n_waiting);
  flow->ready = calloc (n, sizeof *flow->ready);
  flow->producer = calloc (n, sizeof *flow->producer);
  flow->timed = calloc (n, sizeof *flow->timed);
  flow->available = calloc (n, sizeof *flow->available);
  flow->n_available = calloc ((size_t)n_pipelines + 1, sizeof *flow->n_available);
  if (arrives)
    {
      flow->issued = calloc (n, sizeof *flow->issued);
      flow->complete = calloc (n, sizeof *flow->complete);
      if (flow->issued == NULL || flow->complete == NULL)
        return false;
    }
  if (mixes)
    {
      flow->drawn = calloc (n, sizeof *flow->drawn);
      if (flow->drawn == NULL)
        return false;
    }
  return flow->n_waiting != NULL && flow->ready != NULL && flow->producer != NULL
         && flow->timed != NULL && flow->available != NULL && flow->n_available != NULL;
}

void
wp_flow_clear (WpFlow *flow)
{
  free (flow->drawn);
  free (flow->issued);
  free (flow->complete);
  free (flow->n_waiting);
  free (flow->ready);
  free (flow->producer);
  free (flow->timed);
  free (flow->available);
  free (flow->n_available);
}

void
wp_flow_copy (WpFlow *to, const WpFlow *from, const WpUnrolled *programs, uint32_t n_programs,
              uint32_t n_pipelines)
{
  size_t n = find_longest (programs, n_programs);
  WpFlow own = *to;

  *to = *from;
  to->drawn = own.drawn;
  if (own.drawn != NULL)
    memcpy (own.drawn, from->drawn, n * sizeof *own.drawn);
  to->issued = own.issued;
  to->complete = own.complete;
  if (own.complete != NULL)
    {
      memcpy (own.issued, from->issued, n * sizeof *own.issued);
      memcpy (own.complete, from->complete, n * sizeof *own.complete);
    }
  to->n_waiting = memcpy (own.n_waiting, from->n_waiting, n * sizeof *own.n_waiting);
  to->ready = memcpy (own.ready, from->ready, n * sizeof *own.ready);
  to->producer = memcpy (own.producer, from->producer, n * sizeof *own.producer);
  to->timed = memcpy (own.timed, from->timed, n * sizeof *own.timed);
  to->available = memcpy (own.available, from->available, n * sizeof *own.available);
  to->n_available
      = memcpy (own.n_available, from->n_available, n_pipelines * sizeof *own.n_available);
}

/* TIMES NULL: by program order alone. */
static bool
is_before (const WpTick *times, uint32_t a, uint32_t b)
{
  return times != NULL && times[a] != times[b] ? times[a] < times[b] : a < b;
}

static inline void
heap_add (uint32_t *heap, uint32_t *n, const WpTick *times, uint32_t k)
{
  uint32_t i = (*n)++;

  for (; i > 0 && is_before (times, k, heap[(i - 1) / 2]); i = (i - 1) / 2)
    heap[i] = heap[(i - 1) / 2];
  heap[i] = k;
}

static inline uint32_t
heap_take (uint32_t *heap, uint32_t *n, const WpTick *times)
{
  uint32_t first = heap[0];
  uint32_t last = heap[--(*n)];
  uint32_t i = 0;

  for (uint32_t child = 1; child < *n; child = 2 * i + 1)
    {
      if (child + 1 < *n && is_before (times, heap[child + 1], heap[child]))
        child++;
      if (!is_before (times, heap[child], last))
        break;
      heap[i] = heap[child];
      i = child;
    }
  heap[i] = last;
  return first;
}

static uint32_t
get_pipeline (const WpFlow *flow, const WpMachine *machine, uint32_t k)
{
  return machine->instrs[flow->unrolled->instrs[k]].cost->pipeline;
}

void
wp_flow_start (WpFlow *flow, const WpUnrolled *unrolled, uint32_t n_pipelines)
{
  flow->unrolled = unrolled;
  flow->n_timed = flow->n_issued = 0;
  flow->offered = flow->rows = 0;
  flow->soon = 0;
  flow->arrive_producer = WP_FLOW_NONE;
  memcpy (flow->n_waiting, unrolled->n_waiting, unrolled->n * sizeof *flow->n_waiting);
  if (flow->drawn != NULL) /* barriers and arrives stay what they are */
    memcpy (flow->drawn, unrolled->instrs, unrolled->n * sizeof *flow->drawn);
  memset (flow->n_available, 0, n_pipelines * sizeof *flow->n_available);
  for (uint32_t k = 0; k < unrolled->n; k++)
    {
      flow->ready[k] = -1;
      flow->producer[k] = WP_FLOW_NONE;
    }
  for (uint32_t k = 0; flow->complete != NULL && k < unrolled->n; k++)
    {
      flow->complete[k] = -1;
      flow->issued[k] = 0;
    }
}

static const WpInstr *
get_instr (const WpFlow *flow, const WpMachine *machine, uint32_t k)
{
  return &machine->instrs[flow->unrolled->instrs[k]];
}

/* ---- Arrives ---- */

/* K, which has issued, comes before the arrive that is looked at: was it complete last? */
static void
note_before (WpFlow *flow, uint32_t k)
{
  uint32_t last = flow->arrive_producer;

  if (last == WP_FLOW_NONE || flow->complete[k] > flow->complete[last]
      || (flow->complete[k] == flow->complete[last] && flow->issued[k] < flow->issued[last]))
    flow->arrive_producer = k;
}

/* Looks for the next arrive from FIRST on, behind one that has issued, or behind a barrier. */
static void
find_arrive (WpFlow *flow, const WpMachine *machine, uint32_t first, WpTick now)
{
  uint32_t k = first;

  flow->arrive = WP_FLOW_NONE;
  flow->arrive_ready = WP_TICK_LIMIT;
  flow->n_before = 0;
  if (flow->complete == NULL)
    return;
  for (; k < flow->stretch_end && !wp_instr_is_arrive (get_instr (flow, machine, k)); k++)
    if (flow->complete[k] < 0)
      flow->n_before++;
    else
      note_before (flow, k);
  if (k == flow->stretch_end)
    return;
  flow->arrive = k;
  if (flow->n_before == 0)
    flow->arrive_ready
        = flow->arrive_producer == WP_FLOW_NONE ? now : flow->complete[flow->arrive_producer];
}

/* K has issued and is complete at COMPLETE. */
static void
note_issue (WpFlow *flow, uint32_t k, WpTick complete)
{
  flow->complete[k] = complete;
  flow->issued[k] = flow->n_issued++;
  if (flow->arrive == WP_FLOW_NONE || k > flow->arrive)
    return;
  note_before (flow, k);
  if (--flow->n_before == 0)
    flow->arrive_ready = flow->complete[flow->arrive_producer];
}

void
wp_flow_arrived (WpFlow *flow, const WpMachine *machine, WpTick now)
{
  uint32_t k = flow->arrive;

  flow->complete[k] = now;
  flow->issued[k] = flow->n_issued++;
  note_before (flow, k);
  flow->n_left--;
  find_arrive (flow, machine, k + 1, now);
}

void
wp_flow_admit (WpFlow *flow, const WpMachine *machine, uint32_t k, WpTick now)
{
  uint32_t pipeline = get_pipeline (flow, machine, k);

  if (flow->ready[k] > now)
    {
      heap_add (flow->timed, &flow->n_timed, flow->ready, k);
      return;
    }
  flow->rows |= UINT64_C (1) << pipeline;
  heap_add (flow->available + flow->unrolled->pipeline_first[pipeline],
            &flow->n_available[pipeline], NULL, k);
}

void
wp_flow_open (WpFlow *flow, const WpMachine *machine, uint32_t first, WpTick now)
{
  uint32_t end = first;

  while (end < flow->unrolled->n && !wp_instr_is_barrier (get_instr (flow, machine, end)))
    end++;
  flow->stretch_end = end;
  flow->n_left = end - first;
  flow->barrier_ready = WP_TICK_LIMIT;
  find_arrive (flow, machine, first, now);
  for (uint32_t k = first; k < end; k++)
    if (flow->n_waiting[k] == 0 && get_pipeline (flow, machine, k) != WP_NO_PIPELINE)
      wp_flow_admit (flow, machine, k, now);
}

void
wp_flow_admit_timed (WpFlow *flow, const WpMachine *machine, WpTick now)
{
  while (flow->n_timed > 0 && flow->ready[flow->timed[0]] <= now)
    {
      uint32_t k = heap_take (flow->timed, &flow->n_timed, flow->ready);

      wp_flow_admit (flow, machine, k, now);
    }
}

void
wp_flow_take_first (WpFlow *flow, uint32_t pipeline)
{
  heap_take (flow->available + flow->unrolled->pipeline_first[pipeline],
             &flow->n_available[pipeline], NULL);
}

void
wp_flow_take_first_timed (WpFlow *flow)
{
  heap_take (flow->timed, &flow->n_timed, flow->ready);
}

/* K has issued as INSTR. Of a mix, deps[] from where each successor's is that on INSTR's set; else
 * NULL. */
static const WpDep *
find_set_deps (WpFlow *flow, const WpMachine *machine, uint32_t k, uint32_t instr)
{
  const WpInstr *what = &machine->instrs[instr];

  if (flow->drawn == NULL)
    return NULL;
  flow->drawn[k] = instr;
  return wp_instr_is_mixed (what) && what->value != WP_NO_VALUE
             ? machine->deps + wp_instr_get_set (what)
             : NULL;
}

void
wp_flow_issued (WpFlow *flow, const WpMachine *machine, uint32_t k, uint32_t instr, WpTick base,
                WpTick complete, WpTick now)
{
  const WpUnrolled *unrolled = flow->unrolled;
  const WpDep *deps = find_set_deps (flow, machine, k, instr);

  if (flow->complete != NULL)
    note_issue (flow, k, complete);
  for (uint64_t i = unrolled->first[k]; i < unrolled->first[k + 1]; i++)
    {
      const WpSuccessor *successor = &unrolled->successors[i];
      uint32_t consumer = successor->consumer;
      WpTick available = base + (deps == NULL ? successor->latency : deps[successor->dep].latency);

      if (available > flow->ready[consumer])
        {
          flow->ready[consumer] = available;
          flow->producer[consumer] = k;
        }
      if (--flow->n_waiting[consumer] == 0 && consumer < flow->stretch_end)
        wp_flow_admit (flow, machine, consumer, now);
    }
}
