/* SPDX-License-Identifier: MIT */
/* What both halves of the fast loop do alike, wp-sm-fast.c where schedulers run ahead of one
 * another and wp-sm-lockstep.c where they go on in step: which warp, and an issue that is
 * chained. Private; plain C11. Inline, as it is most of what such an issue costs.
 */
#pragma once

#include "sim/engine/core/wp-sm-path.h"
#include "sim/engine/core/wp-sm-state.h"
#include "sim/engine/core/wp-sm-wait.h"

/* Whether CHOICE tries the last first: then it is passed on as a set, not as a bit. */
static INLINE bool
is_greedy (const WpChoice choice)
{
  return choice == WP_CHOICE_GREEDY || choice == WP_CHOICE_GREEDY_HIGHEST;
}

/* Whom SCHEDULER has chosen last, as choose() wants it. */
static INLINE uint64_t
get_last (const WpScheduler *scheduler, const WpChoice choice)
{
  if (is_greedy (choice))
    return scheduler->last_gone ? 0 : UINT64_C (1) << scheduler->last_bit;
  return choice == WP_CHOICE_BLOCK && scheduler->last_gone ? WP_NO_BIT : scheduler->last_bit;
}

/* As wp-policy-block.c says. LAST: the one before, or WP_NO_BIT: its warp has gone. */
static INLINE uint64_t
choose_in_block (const WpSm *sm, const WpScheduler *scheduler, uint64_t arrived, uint64_t last)
{
  WpWarp *const *warps = scheduler->own_warps;
  uint32_t first = wp_lowest_bit (arrived), block, slot, bit;
  uint64_t rest;

  if ((arrived & (arrived - 1)) == 0) /* as mostly in a steady state */
    return first;
  block = warps[first]->block;
  if (last != WP_NO_BIT && warps[last]->block == block)
    {
      rest = arrived & ~UINT64_C (1) << last;
      bit = rest != 0 ? wp_lowest_bit (rest) : first;
      return warps[bit]->block == block ? bit : first;
    }
  slot = last != WP_NO_BIT ? wp_sm_get_slot (sm, warps[last]) : scheduler->last_slot;
  for (rest = arrived; rest != 0; rest &= rest - 1)
    {
      bit = wp_lowest_bit (rest);
      if (warps[bit]->block != block)
        return first;
      if (wp_sm_get_slot (sm, warps[bit]) > slot)
        return bit;
    }
  return first;
}

/* The bit of ARRIVED, not 0, that comes next. LAST: get_last(). */
static INLINE uint64_t
choose (WpSm *sm, WpScheduler *scheduler, uint64_t arrived, uint64_t last, const WpChoice choice)
{
  uint64_t rest;

  if (choice == WP_CHOICE_LOWEST)
    return wp_lowest_bit (arrived);
  if (choice == WP_CHOICE_ROTATE)
    {
      rest = arrived & ~UINT64_C (1) << last;
      return wp_lowest_bit (rest != 0 ? rest : arrived);
    }
  if (is_greedy (choice))
    {
      rest = arrived & last;
      rest = rest != 0 ? rest : arrived;
      return choice == WP_CHOICE_GREEDY ? wp_lowest_bit (rest) : wp_highest_bit (rest);
    }
  if (choice == WP_CHOICE_BLOCK)
    return choose_in_block (sm, scheduler, arrived, last);
  scheduler->own_candidates = arrived;
  return sm->policy->pick (sm, scheduler);
}

/* Whether CHOICE may ask for the SM's slot of the last warp. */
static INLINE bool
wants_slot (const WpChoice choice)
{
  return choice == WP_CHOICE_PICK || choice == WP_CHOICE_BLOCK;
}

/* Which pipelines may refuse a warp. Those that do, and those that others may close, know of who
 * wants them. */
typedef enum
{
  BLOCKING_NONE,
  BLOCKING_OTHERS,                /* only such that others may close */
  BLOCKING_ONE = BLOCKING_OTHERS, /* in step: of those that others may close, one at most, which all
                                     schedulers have together */
  BLOCKING_ALL,
} Blocking;

static inline Blocking
wp_sm_get_blocking (const WpSm *sm)
{
  return sm->n_blocking == 0       ? BLOCKING_NONE
         : sm->n_own_blocking == 0 ? BLOCKING_OTHERS
                                   : BLOCKING_ALL;
}

/* The warp goes round a loop; false: the loop is over. Of a loop of one instruction nothing but the
 * iterations left is kept of it. */
static INLINE bool
go_round (WpWarp *warp)
{
  if (--*warp->counter != 0)
    return true;
  *warp->counter = 1;
  return false;
}

/* Goes on behind OP, issued at TIME, where it is chained; false: it is not, or the loop that it
 * goes round is over. */
static INLINE bool
go_on (WpScheduler *scheduler, WpWarp *warp, const WpOp *op, WpTick time, const Blocking blocking)
{
  if (op->issues != WP_ISSUE_CHAINED
      && (op->issues < WP_ISSUE_CHAINED
          || (op->issues == WP_ISSUE_CHAINED_LOOP && !go_round (warp))))
    return false;
  warp->values[op->value] = time;
  wp_sm_extend_end (warp, time + op->completion);
  warp->op = op->next;
  if (blocking != BLOCKING_NONE && op->next->row != op->row)
    {
      uint64_t member = UINT64_C (1) << warp->bit; /* there is one word of them */

      scheduler->own_want[op->row] &= ~member;
      scheduler->own_want[op->next->row] |= member;
    }
  return true;
}

/* MODEL.md, section 5, can issue: of ACCEPTED, those of SCHEDULER that ROW's pipeline does not
 * refuse at TIME. *SOONEST: it accepts none of the others before. */
static INLINE uint64_t
find_let_in (const WpScheduler *scheduler, uint32_t row, uint64_t accepted, WpTick time,
             WpTick *soonest)
{
  uint64_t members = accepted & scheduler->own_want[row];
  WpTick accept = scheduler->own_accepts[row]->accept;

  if (members == 0 || accept <= time)
    return accepted;
  *soonest = accept < *soonest ? accept : *soonest;
  return accepted ^ members;
}

/* The same of blocking[] from FIRST to END. */
static INLINE uint64_t
find_accepted (const WpSm *sm, const WpScheduler *scheduler, uint64_t arrived, WpTick time,
               uint32_t first, uint32_t end, WpTick *soonest)
{
  uint64_t accepted = arrived;

  for (const uint32_t *row = sm->blocking + first; row < sm->blocking + end; row++)
    accepted = find_let_in (scheduler, *row, accepted, time, soonest);
  return accepted;
}

/* The same for pipelines of SCHEDULER's own: of those in *CLOSED, a set of rows, out of which it
 * takes those that accept at TIME. */
static INLINE uint64_t
find_open (const WpScheduler *scheduler, uint64_t arrived, WpTick time, uint64_t *closed,
           WpTick *soonest)
{
  uint64_t accepted = arrived;

  for (uint64_t rest = *closed; rest != 0; rest &= rest - 1)
    {
      uint32_t row = wp_lowest_bit (rest);
      WpTick accept = scheduler->own_accepts[row]->accept;
      uint64_t members = arrived & scheduler->own_want[row];

      if (accept <= time)
        *closed &= ~(rest & -rest);
      else if (members != 0)
        {
          accepted &= ~members;
          *soonest = accept < *soonest ? accept : *soonest;
        }
    }
  return accepted;
}

/* Of a scheduler's own pipelines, those that the issue of OP may close, as rows. */
static INLINE uint64_t
find_closed (const WpSm *sm, const WpOp *op, const bool pair)
{
  uint64_t rows = UINT64_C (1) << op->row;

  if (pair)
    rows |= UINT64_C (1) << op->next->row;
  return rows & sm->own_blocking;
}

/* Whether OP of a pair may enter PIPELINE: what comes of it is safe. */
static INLINE bool
is_pair_free (const WpPipeline *pipeline, const WpOp *op)
{
  return pipeline->free_at < WP_FAST_LIMIT && (!op->random || pipeline->latest < WP_FAST_LIMIT);
}

/* Whether wp_sm_issue_pair() does for the issue of OP by SCHEDULER. */
static INLINE bool
is_plain_pair (const WpSm *sm, const WpScheduler *scheduler, const WpOp *op)
{
  if (op->issues != WP_ISSUE_PAIR && op->issues != WP_ISSUE_PAIR_OWN)
    return false;
  if (!sm->careful && !op->meets && !op->next->meets)
    return true;
  return is_pair_free (scheduler->own_accepts[op->row], op)
         && is_pair_free (scheduler->own_accepts[op->next->row], op->next);
}

/* Whether nothing that OP, issued by SCHEDULER, begins with is too late, where each time must be
 * looked at. */
static NOINLINE bool
is_safe (const WpSm *sm, const WpScheduler *scheduler, const WpOp *op)
{
  const WpPipeline *pipeline = scheduler->own_accepts[op->row];

  return pipeline->free_at < sm->safe
         && (op->bounded
             || (pipeline->latest < sm->safe
                 && (!op->special || wp_sm_is_path_safe (sm, scheduler, op))));
}

/* Whether all that others have done to the pipeline that OP meets them in is long before any time
 * that is not safe. */
static INLINE bool
is_met_early (const WpScheduler *scheduler, const WpOp *op)
{
  const WpPipeline *pipeline = scheduler->own_accepts[op->met];

  return pipeline->free_at < WP_UNCHECKED_LIMIT && pipeline->latest < WP_UNCHECKED_LIMIT;
}

/* Whether the issue of OP by SCHEDULER needs none of what is left out here. */
static INLINE bool
is_plain (const WpSm *sm, const WpScheduler *scheduler, const WpOp *op)
{
  if (op->issues < WP_ISSUE_SINGLE)
    return false;
  if (UNLIKELY (sm->careful))
    return is_safe (sm, scheduler, op);
  return !op->meets || is_met_early (scheduler, op) || is_safe (sm, scheduler, op);
}
