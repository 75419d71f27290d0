/* SPDX-License-Identifier: MIT */
/* Pipelines that instructions pass one behind another (MODEL.md, section 12): the long way into a
 * pipeline, for an op that is `special`. Private; plain C11.
 */
#pragma once

#include "sim/engine/core/wp-sm-state.h"

/* OP, dynamic instruction K of WARP, which SCHEDULER issues now, enters its pipeline and passes its
 * path: *START is when it starts in its own, *SERVED when it is served. False: a time is too late,
 * and the device has noted which. */
bool wp_sm_take_path (WpSm *sm, const WpScheduler *scheduler, const WpWarp *warp, const WpOp *op,
                      uint64_t k, WpTick *start, WpTick *served);

/* Whether all pipelines of OP's path are free before any time that is not safe. */
static INLINE bool
wp_sm_is_path_safe (const WpSm *sm, const WpScheduler *scheduler, const WpOp *op)
{
  const WpInstr *instr = &sm->machine->instrs[op - sm->ops];
  const WpPass *pass = sm->machine->passes + instr->cost->first_pass;
  WpTick latest = 0;

  for (uint32_t i = instr->cost->n_passes; i > 0; i--, pass++)
    {
      const WpPipeline *pipeline = scheduler->accepts[pass->pipeline];

      latest = pipeline->free_at > latest ? pipeline->free_at : latest;
      if (op->random)
        latest = pipeline->latest > latest ? pipeline->latest : latest;
    }
  return latest < sm->safe;
}

/* wp_sm_take_path() where that is so, of OP's own pipeline, too. Returns when it is served. */
WpTick wp_sm_take_safe_path (WpSm *sm, const WpScheduler *scheduler, const WpWarp *warp,
                             const WpOp *op, uint64_t k);

/* The same where OP draws. */
WpTick wp_sm_take_random_path (WpSm *sm, const WpScheduler *scheduler, const WpWarp *warp,
                               const WpOp *op, uint64_t k);

/* wp_sm_take_safe_path(), inline, where nothing is random. */
static INLINE WpTick
wp_sm_walk_plain_path (WpSm *sm, const WpScheduler *scheduler, const WpOp *op)
{
  const WpCost *cost = op->cost;
  const WpPass *pass = sm->machine->passes + cost->first_pass, *end = pass + cost->n_passes;
  WpPipeline *own = scheduler->own_accepts[op->row];
  WpTick start, served;

  start = served = wp_pipeline_find_begin (own, cost->write, sm->now);
  wp_pipeline_note_start (own, start);
  wp_pipeline_hold (own, op->issue, cost->issue_last, start);
  for (; pass < end; pass++)
    served = wp_pipeline_pass_safely (scheduler->own_accepts[pass->pipeline], pass, cost->write,
                                      served);
  if (own->n_ends > 0)
    wp_pipeline_note_end (own, served + cost->in_flight);
  if (own->refuses)
    wp_pipeline_find_accept (own);
  return served;
}

/* The same where something may be. */
static INLINE WpTick
wp_sm_walk_safe_path (WpSm *sm, const WpScheduler *scheduler, const WpWarp *warp, const WpOp *op,
                      uint64_t k)
{
  return op->random ? wp_sm_take_random_path (sm, scheduler, warp, op, k)
                    : wp_sm_walk_plain_path (sm, scheduler, op);
}
