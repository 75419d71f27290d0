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
} WpFlow;

/* Room for the longest of N_PROGRAMS programs. False when memory is out: wp_flow_clear() it all the
 * same. */
bool wp_flow_init (WpFlow *flow, const WpUnrolled *programs, uint32_t n_programs,
                   uint32_t n_pipelines, bool arrives, bool mixes);
void wp_flow_clear (WpFlow *flow);

/* Makes TO, which was made for the same, equal to FROM. O(the longest program). */
void wp_flow_copy (WpFlow *to, const WpFlow *from, const WpUnrolled *programs, uint32_t n_programs,
                   uint32_t n_pipelines);

/* A warp starts with UNROLLED. O(its length). wp_flow_open() comes next. */
void wp_flow_start (WpFlow *flow, const WpUnrolled *unrolled, uint32_t n_pipelines);

/* Lets the stretch that begins with FIRST go from time NOW on: the start, or a barrier's release.
 * O(its length x log). */
void wp_flow_open (WpFlow *flow, const WpMachine *machine, uint32_t first, WpTick now);

/* Moves what is complete at NOW from timed to available. */
void wp_flow_advance (WpFlow *flow, const WpMachine *machine, WpTick now);

/* When the next timed instruction becomes available, or WP_TICK_LIMIT. */
WpTick wp_flow_get_time (const WpFlow *flow);

/* The earliest available instruction for PIPELINE, or WP_FLOW_NONE. */
uint32_t wp_flow_peek (const WpFlow *flow, uint32_t pipeline);

/* Takes out what wp_flow_peek() showed. */
void wp_flow_take (WpFlow *flow, uint32_t pipeline);

/* MODEL.md, section 5: K, an instruction on PIPELINE, has issued at NOW as INSTR (of the machine),
 * and its results count from BASE: what depends on it may be ready later for it. For its warp's end
 * it is COMPLETE then. */
void wp_flow_issued (WpFlow *flow, const WpMachine *machine, uint32_t k, uint32_t instr,
                     WpTick base, WpTick complete, WpTick now);

/* What K, which has issued, is in the machine's instrs[]. */
static inline uint32_t
wp_flow_get_instr (const WpFlow *flow, uint32_t k)
{
  return flow->drawn != NULL ? flow->drawn[k] : flow->unrolled->instrs[k];
}

/* MODEL.md, section 14: the arrive that is looked at has issued at NOW. O(instructions up to the
 * next one). */
void wp_flow_arrived (WpFlow *flow, const WpMachine *machine, WpTick now);
