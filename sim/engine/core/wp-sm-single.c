/* SPDX-License-Identifier: MIT */
#include "sim/engine/core/wp-sm-single.h"

void
wp_sm_issue_single (WpSm *sm, WpScheduler *scheduler, uint32_t bit, WpTick time)
{
  WpWarp *warp = scheduler->own_warps[bit];

  wp_sm_issue_alone (sm, scheduler, bit, warp, warp->op, time, WP_ISSUE_SINGLE, sm->n_blocking > 0);
}

void
wp_sm_issue_on_path (WpSm *sm, WpScheduler *scheduler, uint32_t bit, WpTick time)
{
  WpWarp *warp = scheduler->own_warps[bit];

  wp_sm_issue_alone (sm, scheduler, bit, warp, warp->op, time, WP_ISSUE_PATH, true);
}

void
wp_sm_issue_own (WpSm *sm, WpScheduler *scheduler, uint32_t bit, WpTick time)
{
  WpWarp *warp = scheduler->own_warps[bit];

  wp_sm_issue_alone (sm, scheduler, bit, warp, warp->op, time, WP_ISSUE_OWN, false);
}

void
wp_sm_issue_own_wanted (WpSm *sm, WpScheduler *scheduler, uint32_t bit, WpTick time)
{
  WpWarp *warp = scheduler->own_warps[bit];

  wp_sm_issue_alone (sm, scheduler, bit, warp, warp->op, time, WP_ISSUE_OWN, true);
}

/* MODEL.md, section 5, dual issue: whether WARP's next instruction OP goes out at TIME with one of
 * ROW. */
static INLINE bool
follows (const WpSm *sm, const WpScheduler *scheduler, const WpWarp *warp, const WpOp *op,
         uint32_t row, WpTick time)
{
  if (scheduler->own_accepts[op->row]->accept > time
      || (op->row == row && sm->machine->pipelines[row].pairing_never))
    return false;
  return wp_sm_is_complete (warp, op, time);
}

/* CLASS: WP_ISSUE_PAIR or WP_ISSUE_PAIR_OWN. */
static INLINE void
issue_pair (WpSm *sm, WpScheduler *scheduler, uint32_t bit, WpTick time, const WpIssueClass class)
{
  WpWarp *warp = scheduler->own_warps[bit];
  const WpOp *first = warp->op, *op = first;
  const uint32_t row = first->row;
  bool implied = false; /* nothing is chained that another may go out with */

  wp_sm_add_refusal (sm, warp, scheduler->own_accepts[row]->accept);
  wp_sm_note_issue (sm, warp, first, warp->index, time, scheduler->own_accepts[row]->accept);
  wp_sm_pass_on (sm, scheduler, warp, first, scheduler->own_accepts[row], time, class);
  if (follows (sm, scheduler, warp, warp->op, row, time))
    {
      op = warp->op;
      implied = wp_sm_is_implied (warp, op);
      wp_sm_note_follower (sm, warp, op);
      wp_sm_pass_on (sm, scheduler, warp, op, scheduler->own_accepts[op->row], time, class);
      sm->n_followers++;
    }
  wp_sm_wait_behind (sm, scheduler, bit, warp, row, op, time, implied, sm->n_blocking > 0);
}

void
wp_sm_issue_pair (WpSm *sm, WpScheduler *scheduler, uint32_t bit, WpTick time)
{
  issue_pair (sm, scheduler, bit, time, WP_ISSUE_PAIR);
}

void
wp_sm_issue_own_pair (WpSm *sm, WpScheduler *scheduler, uint32_t bit, WpTick time)
{
  issue_pair (sm, scheduler, bit, time, WP_ISSUE_PAIR_OWN);
}
