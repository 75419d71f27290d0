/* SPDX-License-Identifier: MIT */
/* Where a set of schedulers issues at one time, at which the rotation begins with X, the last of
 * them is the one nearest before X, going round, and the rotation goes on behind it:
 *
 *   f(X) = (the highest of the set below X, or else the highest of all) + 1
 *
 * What several times make of it is these functions one behind another. They are put together from
 * the latest back, as that mostly ends soon: where one scheduler issued alone, all that was before
 * does not matter. Nor does it where what has been put together says the same for each X.
 *
 * Two sets need not be looked at: that of all schedulers, which leaves X as it is; and one that is
 * the same as the one after it, as f(f(X)) = f(X): the scheduler before f(X) is of the set.
 */
#include "sim/engine/core/wp-sm-rotation.h"

#include "sim/engine/core/wp-sm-issue.h"

/* A function of X: what the rotation goes on with. */
typedef uint8_t Turns[64];

/* Of each scheduler the first LEFT issues on record, of which `n_known` do not count: takes off the
 * latest, and says whose they were. 0: none are left. */
static INLINE uint64_t
take_latest (const WpSm *sm, uint32_t *left)
{
  uint32_t n = sm->machine->n_schedulers;
  WpTick latest = -1;
  uint64_t set = 0;

  for (uint32_t i = 0; i < n; i++)
    {
      const WpScheduler *scheduler = &sm->schedulers[i];
      WpTick issued = left[i] > scheduler->n_known ? scheduler->issued[left[i] - 1] : -1;

      set = issued > latest ? 0 : set;
      set |= (uint64_t)(issued >= latest) << i;
      latest = issued > latest ? issued : latest;
    }
  if (latest < 0)
    return 0;
  for (uint64_t rest = set; rest != 0; rest &= rest - 1)
    left[wp_lowest_bit (rest)]--;
  return set;
}

/* Puts f of SET before TURNS. Whether what comes of it is the same for each X. */
static bool
put_before (Turns turns, uint64_t set, uint32_t n)
{
  uint32_t highest = wp_highest_bit (set);
  uint8_t turn = turns[highest + 1 == n ? 0 : highest + 1], first = turn;
  bool alike = true;

  for (uint32_t x = 0; x < n; x++)
    {
      uint8_t behind = turns[x + 1 == n ? 0 : x + 1]; /* read before it is replaced */

      turns[x] = turn;
      alike &= turn == first;
      turn = (set >> x & 1) != 0 ? behind : turn;
    }
  return alike;
}

/* Of each scheduler, TO: how many issues are before TIME. The schedulers whose latest of them, not
 * known yet, is the latest of all. */
static INLINE uint64_t
find_latest (const WpSm *sm, WpTick time, uint32_t *to)
{
  WpTick latest = -1;
  uint64_t set = 0;

  for (uint32_t i = 0; i < sm->machine->n_schedulers; i++)
    {
      const WpScheduler *scheduler = &sm->schedulers[i];
      uint32_t n = scheduler->n_issued, known = scheduler->n_known;

      while (n > known && scheduler->issued[n - 1] >= time)
        n--;
      to[i] = n;
      if (n == known || scheduler->issued[n - 1] < latest)
        continue;
      set = scheduler->issued[n - 1] > latest ? 0 : set;
      set |= UINT64_C (1) << i;
      latest = scheduler->issued[n - 1];
    }
  return set;
}

/* Whether all schedulers issued at the same times, up to the first TO issues of each, as they
 * mostly do where their warps start together: then the rotation is where it was. */
static INLINE bool
are_alike (const WpSm *sm, const uint32_t *to)
{
  const WpScheduler *first = sm->schedulers;
  const WpTick *end = first->issued + to[0];
  uint32_t n = to[0] - first->n_known;

  for (uint32_t i = 1; i < sm->machine->n_schedulers; i++)
    {
      const WpTick *a = end - n, *b = sm->schedulers[i].issued + sm->schedulers[i].n_known;

      if (to[i] - sm->schedulers[i].n_known != n)
        return false;
      while (a < end && *a == *b)
        {
          a++;
          b++;
        }
      if (a < end)
        return false;
    }
  return true;
}

/* What the rotation goes on with behind the first TO issues of each scheduler, the latest of which
 * are those of SET, not of one alone. */
static NOINLINE uint32_t
go_back (const WpSm *sm, const uint32_t *to, uint64_t set)
{
  uint32_t n = sm->machine->n_schedulers, left[64];
  uint64_t all = UINT64_MAX >> (64 - n), after = all;
  Turns turns;

  for (uint32_t i = 0; i < n; i++)
    {
      left[i] = to[i] - (uint32_t)(set >> i & 1);
      turns[i] = (uint8_t)i;
    }
  for (; set != 0; set = take_latest (sm, left))
    {
      if (set == all || set == after)
        continue;
      if (put_before (turns, set, n))
        return turns[0];
      after = set;
    }
  return turns[sm->next_scheduler];
}

void
wp_sm_find_rotation_at (WpSm *sm, WpTick time)
{
  uint32_t to[64];
  uint64_t set = find_latest (sm, time, to);

  sm->rotated = time;
  if (set == 0)
    return;
  if ((set & (set - 1)) == 0)
    sm->next_scheduler = wp_sm_get_scheduler_after (sm, wp_lowest_bit (set));
  else if (!are_alike (sm, to))
    sm->next_scheduler = go_back (sm, to, set);
  for (uint32_t i = 0; i < sm->machine->n_schedulers; i++)
    sm->schedulers[i].n_known = to[i];
}
