/* SPDX-License-Identifier: MIT */
/* Two-level scheduling (MODEL.md, section 8; after Gebhart et al. 2011 and Narasiman et al. 2011):
 * a warp that waits for memory or at a barrier makes room in a small active set, over which the
 * choice goes round.
 *
 *   launch --> pending ----(first that is not set aside, while there is room)---> active --> ends
 *                 ^                                                                 |
 *                 +------------(waits for memory, or at a barrier)------------------+
 *
 * Nothing happens to the lists but at a visit, and a warp's situation changes only at times at
 * which the SM visits its schedulers anyhow or that memory_ready adds to them; so when exactly the
 * visits come does not matter.
 */
#include "sim/engine/policy/wp-policy-pick.h"

#include <string.h>

static bool
is_aside (const WpScheduler *scheduler, uint32_t local)
{
  return (scheduler->aside[local / 64] >> local % 64 & 1) != 0;
}

static bool
has_active_aside (const WpScheduler *scheduler)
{
  uint64_t any = 0;

  for (uint32_t word = 0; word < scheduler->n_words; word++)
    any |= scheduler->eligible[word] & scheduler->aside[word];
  return any != 0;
}

static void
demote (WpScheduler *scheduler)
{
  uint32_t kept = 0;

  for (uint32_t i = 0; i < scheduler->n_active; i++)
    if (is_aside (scheduler, scheduler->active[i]))
      scheduler->pending[scheduler->n_pending++] = scheduler->active[i];
    else
      scheduler->active[kept++] = scheduler->active[i];
  scheduler->n_active = kept;
}

static void
promote (const WpSm *sm, WpScheduler *scheduler)
{
  uint32_t kept = 0;

  for (uint32_t i = 0; i < scheduler->n_pending; i++)
    if (scheduler->n_active < sm->machine->active_set
        && !is_aside (scheduler, scheduler->pending[i]))
      scheduler->active[scheduler->n_active++] = scheduler->pending[i];
    else
      scheduler->pending[kept++] = scheduler->pending[i];
  scheduler->n_pending = kept;
}

static void
update (WpSm *sm, WpScheduler *scheduler)
{
  uint32_t n_active = scheduler->n_active;
  bool demotes = has_active_aside (scheduler);

  if (demotes)
    demote (scheduler);
  if (scheduler->n_active < sm->machine->active_set)
    promote (sm, scheduler);
  if (!demotes && scheduler->n_active == n_active && !scheduler->left)
    return;
  scheduler->left = false;
  memset (scheduler->eligible, 0, scheduler->n_words * sizeof *scheduler->eligible);
  for (uint32_t i = 0; i < scheduler->n_active; i++)
    scheduler->eligible[scheduler->active[i] / 64] |= UINT64_C (1) << scheduler->active[i] % 64;
}

static void
join (WpScheduler *scheduler, uint32_t local)
{
  scheduler->pending[scheduler->n_pending++] = local;
}

static void
take_out (uint32_t *list, uint32_t *n, uint32_t local)
{
  for (uint32_t i = 0; i < *n; i++)
    if (list[i] == local)
      {
        memmove (list + i, list + i + 1, (*n - i - 1) * sizeof *list);
        (*n)--;
        return;
      }
}

static void
leave (WpScheduler *scheduler, uint32_t local)
{
  scheduler->left = true;
  take_out (scheduler->active, &scheduler->n_active, local);
  take_out (scheduler->pending, &scheduler->n_pending, local);
}

static uint32_t
pick (const WpSm *sm, const WpScheduler *scheduler)
{
  uint32_t n = scheduler->n_active;
  uint32_t first = 0;

  (void)sm;
  for (uint32_t i = 0; i < n; i++)
    if (scheduler->active[i] == scheduler->last_bit && !scheduler->last_gone)
      first = i + 1;
  for (uint32_t i = 0;; i++)
    {
      uint32_t local = scheduler->active[(first + i) % n];

      if ((scheduler->candidates[local / 64] >> local % 64 & 1) != 0)
        return local;
    }
}

const WpPolicy wp_policy_two_level = {
  .name = "two-level",
  .summary
  = "round robin over a small active set; warps that wait for memory or a barrier leave it",
  .pick = pick,
  .update = update,
  .join = join,
  .leave = leave,
};
