/* SPDX-License-Identifier: MIT */
/* Dataflow order (Lemeire's instruction states): what one warp has that may issue out of program
 * order. Private; plain C11.
 *
 *   waiting --(all producers issued)--> timed --(their results complete)--> available --(picked)-->
 * issued
 *
 * A timed instruction lies in a heap by time; an available one in its pipeline's heap by program
 * order, because the warp offers the earliest whose pipeline accepts. Only the stretch up to the
 * next barrier is looked at; the barrier itself is available once all before it is complete, and so
 * is each arrive of the stretch, the first of which is looked at.
 */
#pragma once

#include "sim/engine/core/wp-unroll.h"

#define WP_FLOW_NONE UINT32_MAX

typedef struct
{
  const WpUnrolled *unrolled;
  uint32_t stretch_end; /* the next barrier, or unrolled->n */
  uint32_t n_left;      /* instructions of the stretch that have not issued */
  uint8_t turn;         /* of what issued last: as of a WpOp */
  uint64_t offered;     /* wp-sm-many.c: the classes of what the warp has shown its scheduler */
  WpTick soon;          /* wp-sm-many.c: when the warp wakes, by its scheduler's list; 0: not so */
  WpTick barrier_ready; /* when that barrier may be issued; WP_TICK_LIMIT: not known yet */
  uint32_t n_timed;
  /* The first arrive of the stretch that has not issued, a dynamic instruction, or WP_FLOW_NONE: */
  uint32_t arrive;
  uint32_t n_before;        /* instructions of the stretch before it that have not issued */
  WpTick arrive_ready;      /* when it may issue; WP_TICK_LIMIT: not known yet */
  uint32_t arrive_producer; /* which of those before it was complete last, of several the one that
                               issued first; WP_FLOW_NONE: none */
  uint32_t *drawn;          /* [n]: of those that have issued which instruction that was, in the
                               machine's instrs[]; NULL where no context is a mix */
  uint32_t n_issued;        /* since the warp started */
  uint32_t *issued; /* [n]: the how-many-th issue each was; NULL where the machine has no arrive */
  WpTick *complete; /* [n]: when each is complete; -1: it has not issued; NULL likewise */
  uint32_t *n_waiting;   /* [n]: producers that have not issued */
  WpTick *ready;         /* [n]: when all results so far are complete; -1 where there is none */
  uint32_t *producer;    /* [n]: the dynamic instruction that sets `ready`, or WP_FLOW_NONE */
  uint32_t *timed;       /* heap by (ready, program order) */
  uint32_t *available;   /* [n]: a heap for each pipeline, one behind another */
  uint32_t *n_available; /* [n_pipelines] */
  uint64_t rows;         /* a bit for each pipeline that has some */
} WpFlow;

/* Room for the longest of N_PROGRAMS programs. False when memory is out: wp_flow_clear() it all the
 * same. */
bool wp_flow_init (WpFlow *flow, const WpUnrolled *programs, uint32_t n_programs,
                   uint32_t n_pipelines, bool arrives, bool mixes);
void wp_flow_clear (WpFlow *flow);

/* The bytes that wp_flow_init() takes. */
uint64_t wp_flow_measure (const WpUnrolled *programs, uint32_t n_programs, uint32_t n_pipelines,
                          bool arrives, bool mixes);

/* Makes TO, which was made for the same, equal to FROM. O(the longest program). */
void wp_flow_copy (WpFlow *to, const WpFlow *from, const WpUnrolled *programs, uint32_t n_programs,
                   uint32_t n_pipelines);

/* A warp starts with UNROLLED. O(its length). wp_flow_open() comes next. */
void wp_flow_start (WpFlow *flow, const WpUnrolled *unrolled, uint32_t n_pipelines);

/* Lets the stretch that begins with FIRST go from time NOW on: the start, or a barrier's release.
 * O(its length x log). */
void wp_flow_open (WpFlow *flow, const WpMachine *machine, uint32_t first, WpTick now);

/* When the next timed instruction becomes available, or WP_TICK_LIMIT. */
static inline WpTick
wp_flow_get_time (const WpFlow *flow)
{
  return flow->n_timed == 0 ? WP_TICK_LIMIT : flow->ready[flow->timed[0]];
}

/* wp_flow_advance() where there is some. */
void wp_flow_admit_timed (WpFlow *flow, const WpMachine *machine, WpTick now);

/* Moves what is complete at NOW from timed to available. */
static inline void
wp_flow_advance (WpFlow *flow, const WpMachine *machine, WpTick now)
{
  if (wp_flow_get_time (flow) <= now)
    wp_flow_admit_timed (flow, machine, now);
}

/* The earliest available instruction for PIPELINE, which has one. */
static inline uint32_t
wp_flow_peek (const WpFlow *flow, uint32_t pipeline)
{
  return flow->available[flow->unrolled->pipeline_first[pipeline]];
}

/* wp_flow_take() where others are left. */
void wp_flow_take_first (WpFlow *flow, uint32_t pipeline);

/* Takes out what wp_flow_peek() showed. */
static inline void
wp_flow_take (WpFlow *flow, uint32_t pipeline)
{
  flow->n_left--;
  if (flow->n_available[pipeline] > 1)
    {
      wp_flow_take_first (flow, pipeline);
      return;
    }
  flow->n_available[pipeline] = 0;
  flow->rows &= ~(UINT64_C (1) << pipeline);
}

/* MODEL.md, section 5: K, an instruction on PIPELINE, has issued at NOW as INSTR (of the machine),
 * and its results count from BASE: what depends on it may be ready later for it. For its warp's end
 * it is COMPLETE then. */
void wp_flow_issued (WpFlow *flow, const WpMachine *machine, uint32_t k, uint32_t instr,
                     WpTick base, WpTick complete, WpTick now);

/* K has no producer left to issue: timed, or available. */
void wp_flow_admit (WpFlow *flow, const WpMachine *machine, uint32_t k, WpTick now);

/* wp_flow_issued() where no context is a mix and the machine has no arrive. */
static inline void
wp_flow_issued_plainly (WpFlow *flow, const WpMachine *machine, uint32_t k, WpTick base, WpTick now)
{
  const WpUnrolled *unrolled = flow->unrolled;
  const WpSuccessor *successor = unrolled->successors + unrolled->first[k];
  const WpSuccessor *const end = unrolled->successors + unrolled->first[k + 1];

  for (; successor < end; successor++)
    {
      uint32_t consumer = successor->consumer;
      WpTick available = base + successor->latency;

      if (available > flow->ready[consumer])
        {
          flow->ready[consumer] = available;
          flow->producer[consumer] = k;
        }
      if (--flow->n_waiting[consumer] > 0 || consumer >= flow->stretch_end)
        continue;
      if (flow->n_timed == 0 && flow->ready[consumer] > now)
        flow->timed[flow->n_timed++] = consumer;
      else
        wp_flow_admit (flow, machine, consumer, now);
    }
}

/* Whether one timed instruction is complete at NOW, and no other. */
static inline bool
wp_flow_has_one_due (const WpFlow *flow, WpTick now)
{
  const uint32_t *timed = flow->timed;
  uint32_t n = flow->n_timed;

  if (n == 0 || flow->ready[timed[0]] > now)
    return false;
  return n == 1 || (flow->ready[timed[1]] > now && (n == 2 || flow->ready[timed[2]] > now));
}

/* wp_flow_take_timed() where others are left. */
void wp_flow_take_first_timed (WpFlow *flow);

/* Takes out the first timed instruction, which issues at once. */
static inline void
wp_flow_take_timed (WpFlow *flow)
{
  flow->n_left--;
  if (flow->n_timed > 1)
    wp_flow_take_first_timed (flow);
  else
    flow->n_timed = 0;
}

/* What K, which has issued, is in the machine's instrs[]. */
static inline uint32_t
wp_flow_get_instr (const WpFlow *flow, uint32_t k)
{
  return flow->drawn != NULL ? flow->drawn[k] : flow->unrolled->instrs[k];
}

/* MODEL.md, section 14: the arrive that is looked at has issued at NOW. O(instructions up to the
 * next one). */
void wp_flow_arrived (WpFlow *flow, const WpMachine *machine, WpTick now);
