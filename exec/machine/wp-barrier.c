/* SPDX-License-Identifier: MIT */
/* A barrier is complete when as many threads have arrived as it expects; each warp counts 32 as
 * soon as all of its threads that have not ended are there (PTX ISA, "bar": "the barrier count is
 * incremented by the warp size"). Without a number it expects all warps that have not ended. */
#include "exec/machine/wp-barrier.h"
#include "exec/machine/wp-diverge.h"
#include "exec/machine/wp-waits.h"

#include <string.h>

static gboolean
all_are_there (const WpBlock *block, const WpNamedBarrier *barrier)
{
  for (guint k = 0; k < block->n_warps; k++)
    if (~block->warps[k]->exited & ~barrier->lanes[k])
      return FALSE;
  return TRUE;
}

static gboolean
is_complete (const WpBlock *block, const WpNamedBarrier *barrier)
{
  return barrier->expected ? barrier->arrived >= barrier->expected : all_are_there (block, barrier);
}

static void
give_result (WpWarp *warp, const WpNamedBarrier *barrier)
{
  warp->reduced = barrier->count;
  warp->reduced_all = !barrier->is_missed;
  warp->reduced_unknown = barrier->is_unknown;
  warp->reduced_tag = barrier->tag;
}

/* Lets all go that wait, and begins anew. LAST (may be NULL) has just arrived and does not wait. */
static void
complete (WpBlock *block, guint number, WpWarp *last)
{
  WpNamedBarrier barrier = block->barriers[number];

  memset (&block->barriers[number], 0, sizeof barrier);
  if (last)
    {
      give_result (last, &barrier);
      wp_waits_leave_bar (last);
    }
  for (guint k = 0; k < block->n_warps; k++)
    if (barrier.waiting >> k & 1)
      {
        give_result (block->warps[k], &barrier);
        wp_waits_leave_bar (block->warps[k]);
        wp_warp_release (block->warps[k], number);
      }
}

static void
reduce (WpNamedBarrier *barrier, const WpWarp *warp, const WpArrival *arrival)
{
  guint32 unknown = arrival->p_unknown & warp->active;

  barrier->count += __builtin_popcount (arrival->p & warp->active);
  barrier->is_missed |= (~arrival->p & warp->active) != 0;
  barrier->is_unknown |= unknown != 0;
  if (unknown)
    barrier->tag = wp_tag_join (barrier->tag, arrival->tag);
}

void
wp_block_arrive (WpWarp *warp, const WpArrival *arrival)
{
  WpBlock *block = warp->block;
  WpNamedBarrier *barrier = &block->barriers[arrival->barrier];
  guint32 before = barrier->lanes[warp->number];

  block->used_barriers |= 1u << arrival->barrier;
  if (arrival->expected)
    barrier->expected = arrival->expected;
  /* A second arrival before the barrier is complete counts again: of BAR.ARV. */
  if (before & warp->active)
    before = 0;
  barrier->lanes[warp->number] |= warp->active;
  barrier->arrived += __builtin_popcount (warp->active);
  if (!(~warp->exited & ~(before | warp->active)))
    barrier->arrived += WP_LANES - __builtin_popcount (before | warp->active);
  warp->reduce = arrival->reduce;
  if (arrival->reduce)
    reduce (barrier, warp, arrival);
  if (is_complete (block, barrier))
    {
      complete (block, arrival->barrier, warp);
      return;
    }
  if (arrival->waits)
    {
      barrier->waiting |= (guint64)1 << warp->number;
      wp_warp_wait (warp, arrival->barrier);
    }
}

void
wp_block_check_barriers (WpBlock *block)
{
  for (guint k = 0; block->used_barriers >> k; k++)
    {
      const WpNamedBarrier *barrier = &block->barriers[k];
      if (barrier->waiting && !barrier->expected && all_are_there (block, barrier))
        complete (block, k, NULL);
    }
}
