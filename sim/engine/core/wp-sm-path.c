/* SPDX-License-Identifier: MIT */
/* All of a path is known when its instruction issues, so that it is gone through there and then:
 *
 *   own pipeline   s_0 [--λ--)
 *   1st of path          b_0   s_1 [--l--)            b_i: s_i, or with contended memory the latest
 *   2nd of path                      b_1   s_2 [-l-)       beginning of its visits there
 *                                                b_2 = served, but for the spread
 *
 * Each time is looked at as it is found. Those of other instructions need not be (`safe`), as none
 * of them depends on what happens to a pipeline that these pass: whoever issues into one of those
 * is special, too.
 */
#include "sim/engine/core/wp-sm-path.h"

/* What goes through a path. */
typedef struct
{
  WpSm *sm;
  const WpScheduler *scheduler;
  const WpWarp *warp;
  const WpInstr *instr;
  uint32_t index;  /* of INSTR */
  uint64_t random; /* wp_random_of_instruction() */
  bool careful;    /* each time may be too late */
} Walker;

static INLINE bool
is_too_late (const Walker *w, WpTick time, const char *what)
{
  return w->careful
         && wp_sm_overflows (w->sm, time, what, w->sm->blocks[w->warp->block].id, w->index);
}

/* It begins in PIPELINE, which it keeps for ISSUE, in the last group for ISSUE_LAST, at *T or
 * later. */
static INLINE bool
begin (const Walker *w, WpPipeline *pipeline, WpTick issue, WpTick issue_last, WpTick *t)
{
  *t = wp_pipeline_find_begin (pipeline, w->instr->cost->write, *t);
  if (is_too_late (w, *t, "a start"))
    return false;
  wp_pipeline_keep (pipeline, issue, issue_last, *t);
  return !is_too_late (w, pipeline->free_at, "the time at which a pipeline is free");
}

/* MODEL.md, section 11: its N visits to channels of pipeline P, the K-th of its path (0: its own),
 * from *T on. */
static INLINE bool
visit (const Walker *w, WpPipeline *pipeline, uint32_t p, uint32_t k, uint32_t n, WpTick *t)
{
  const uint64_t n_channels = w->sm->machine->pipelines[p].channels;
  WpTick *const channels = pipeline->channels; /* nothing that is written changes any of these */
  const WpTick start = *t, issue = pipeline->channel_issue;

  if (n_channels == 0 || n == 0)
    return true;
  for (uint32_t j = 0; j < n; j++)
    {
      uint64_t draw = wp_random_draw (w->random, j + ((uint64_t)k << 16));
      WpTick *channel = &channels[draw * n_channels >> 32];
      WpTick first = *channel > start ? *channel : start;

      *channel = first + issue;
      if (is_too_late (w, *channel, "the time at which a channel is free"))
        return false;
      *t = first > *t ? first : *t;
    }
  pipeline->latest = *t + issue > pipeline->latest ? *t + issue : pipeline->latest;
  return true;
}

static INLINE bool
pass (const Walker *w, WpTick *t)
{
  const WpMachine *m = w->sm->machine;

  for (uint32_t i = 0; i < w->instr->cost->n_passes; i++)
    {
      const WpPass *next = &m->passes[w->instr->cost->first_pass + i];
      WpPipeline *pipeline = w->scheduler->accepts[next->pipeline];

      if (!begin (w, pipeline, next->issue, next->issue_last, t))
        return false;
      if (w->careful)
        w->sm->host->begins[i] = *t;
      if (!visit (w, pipeline, next->pipeline, i + 1, next->transactions, t))
        return false;
    }
  return true;
}

static INLINE bool
take_path (WpSm *sm, const WpScheduler *scheduler, const WpWarp *warp, const WpOp *op, uint64_t k,
           WpTick *start, WpTick *served, const bool careful)
{
  const WpMachine *m = sm->machine;
  WpPipeline *pipeline = scheduler->accepts[op->row];
  Walker w = { .sm = sm,
               .scheduler = scheduler,
               .warp = warp,
               .index = (uint32_t)(op - sm->ops),
               .careful = careful };
  WpTick t = sm->now;

  w.instr = &m->instrs[w.index];
  if (op->random)
    w.random = wp_random_of_instruction (warp->random, k);
  if (!begin (&w, pipeline, op->issue, w.instr->cost->issue_last, &t))
    return false;
  *start = t;
  wp_pipeline_note_start (pipeline, t);
  if (!visit (&w, pipeline, op->row, 0, w.instr->cost->transactions, &t) || !pass (&w, &t))
    return false;
  if (m->contended && w.instr->cost->spread != WP_NO_SPREAD)
    t += wp_random_spread (&m->spreads[w.instr->cost->spread],
                           wp_random_draw (w.random, WP_RANDOM_SPREAD));
  *served = t;
  if (is_too_late (&w, t, "a completion"))
    return false;
  if (pipeline->n_ends > 0)
    {
      if (is_too_late (&w, t + w.instr->cost->in_flight, "a completion"))
        return false;
      wp_pipeline_note_end (pipeline, t + w.instr->cost->in_flight);
    }
  if (pipeline->refuses)
    wp_pipeline_find_accept (pipeline);
  return true;
}

bool
wp_sm_take_path (WpSm *sm, const WpScheduler *scheduler, const WpWarp *warp, const WpOp *op,
                 uint64_t k, WpTick *start, WpTick *served)
{
  return take_path (sm, scheduler, warp, op, k, start, served, true);
}

WpTick
wp_sm_take_random_path (WpSm *sm, const WpScheduler *scheduler, const WpWarp *warp, const WpOp *op,
                        uint64_t k)
{
  WpTick start, served;

  take_path (sm, scheduler, warp, op, k, &start, &served, false);
  return served;
}

WpTick
wp_sm_take_safe_path (WpSm *sm, const WpScheduler *scheduler, const WpWarp *warp, const WpOp *op,
                      uint64_t k)
{
  return wp_sm_walk_safe_path (sm, scheduler, warp, op, k);
}
