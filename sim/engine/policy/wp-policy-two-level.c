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
append (WpScheduler *scheduler, uint32_t local)
{
  uint32_t *pending = scheduler->pending;

  if (scheduler->first_pending + scheduler->n_pending == 2 * scheduler->n_slots)
    {
      memmove (pending, pending + scheduler->first_pending, scheduler->n_pending * sizeof *pending);
      scheduler->first_pending = 0;
    }
  pending[scheduler->first_pending + scheduler->n_pending++] = local;
  scheduler->is_pending[local / 64] |= UINT64_C (1) << local % 64;
}

static bool
is_pending (const WpScheduler *scheduler, uint32_t local)
{
  return (scheduler->is_pending[local / 64] >> local % 64 & 1) != 0;
}

static void
demote (WpScheduler *scheduler)
{
  uint32_t kept = 0;

  for (uint32_t i = 0; i < scheduler->n_active; i++)
    if (is_aside (scheduler, scheduler->active[i]))
      append (scheduler, scheduler->active[i]);
    else
      scheduler->active[kept++] = scheduler->active[i];
  scheduler->n_active = kept;
}

/* How many pending warps are not set aside; MOST, if they are more. */
static uint32_t
count_willing (const WpScheduler *scheduler, uint32_t most)
{
  uint32_t n = 0;

  for (uint32_t word = 0; word < scheduler->n_words && n < most; word++)
    for (uint64_t rest = scheduler->is_pending[word] & ~scheduler->aside[word];
         rest != 0 && n < most; rest &= rest - 1)
      n++;
  return n;
}

/* Only those at the beginning of the list are looked at, up to the last that becomes active: there
 * may be thousands. */
static void
promote (const WpSm *sm, WpScheduler *scheduler)
{
  uint32_t left = count_willing (scheduler, sm->machine->active_set - scheduler->n_active);
  uint32_t *list = scheduler->pending + scheduler->first_pending, end, kept;

  for (end = 0; left > 0; end++)
    if (!is_aside (scheduler, list[end]))
      {
        scheduler->active[scheduler->n_active++] = list[end];
        scheduler->is_pending[list[end] / 64] ^= UINT64_C (1) << list[end] % 64;
        scheduler->first_pending++;
        scheduler->n_pending--;
        left--;
      }
  kept = end; /* those before `end` that stay move up to it */
  for (uint32_t i = end; i-- > 0;)
    if (is_pending (scheduler, list[i]))
      list[--kept] = list[i];
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
    {
      uint32_t local = scheduler->active[i];

      scheduler->eligible[local / 64] |= UINT64_C (1) << local % 64;
      scheduler->places[local] = i;
    }
}

static void
join (WpScheduler *scheduler, uint32_t local)
{
  append (scheduler, local);
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
  if (!is_pending (scheduler, local))
    {
      take_out (scheduler->active, &scheduler->n_active, local);
      return;
    }
  take_out (scheduler->pending + scheduler->first_pending, &scheduler->n_pending, local);
  scheduler->is_pending[local / 64] ^= UINT64_C (1) << local % 64;
}

/* Where in the list the choice begins: behind the warp that issued last, if it is there. */
static uint32_t
find_first (const WpScheduler *scheduler)
{
  uint32_t last = scheduler->last_bit;

  return !scheduler->last_gone && (scheduler->eligible[last / 64] >> last % 64 & 1) != 0
             ? scheduler->places[last] + 1
             : 0;
}

static uint32_t
pick (const WpSm *sm, const WpScheduler *scheduler)
{
  uint32_t first = find_first (scheduler), best = 0, chosen = WP_NO_BIT;

  (void)sm;
  if (first < scheduler->n_active) /* mostly that one */
    {
      uint32_t local = scheduler->active[first];

      if ((scheduler->candidates[local / 64] >> local % 64 & 1) != 0)
        return local;
    }
  for (uint32_t word = 0; word < scheduler->n_words; word++)
    for (uint64_t rest = scheduler->candidates[word]; rest != 0; rest &= rest - 1)
      {
        uint32_t local = word * 64 + wp_lowest_bit (rest);
        uint32_t behind = scheduler->places[local] - first; /* of those before it very many */

        if (chosen != WP_NO_BIT && behind > best)
          continue;
        best = behind;
        chosen = local;
      }
  return chosen;
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
