/* SPDX-License-Identifier: MIT */
/* Where a set of schedulers issues at one time, and X was the last to issue before, the last of
 * them is the one nearest before X, or X itself, going round:
 *
 *   f(X) = the highest of the set up to X, or else the highest of all
 *
 * What several times make of it is these functions one behind another. They are put together from
 * the latest back, as that mostly ends soon: where one scheduler issued alone, all that was before
 * does not matter. Nor does it where what has been put together says the same for each X.
 *
 * Two sets need not be looked at: that of all schedulers, which leaves X as it is; and one that is
 * the same as the one after it, as f(X) is of the set, and f(f(X)) = f(X).
 */
#include "sim/engine/core/wp-sm-rotation.h"

#include "sim/engine/core/wp-sm-issue.h"

/* A function of X: who is the last to issue in the end. */
typedef uint8_t Lasts[64];

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

/* Puts f of SET before LASTS. Whether what comes of it is the same for each X. */
static INLINE bool
put_before (Lasts lasts, uint64_t set, uint32_t n)
{
  uint8_t first = lasts[wp_highest_bit (set)], last = first;
  bool alike = true;

  for (uint32_t x = 0; x < n; x++)
    {
      last = (set >> x & 1) != 0 ? lasts[x] : last;
      lasts[x] = last;
      alike &= last == first;
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

/* Of the first TO issues of each scheduler, not known yet: how many of the latest all of them made
 * together, as they mostly do where their warps start together. *ALL: whether they made no
 * others. */
static INLINE uint32_t
count_common (const WpSm *sm, const uint32_t *to, bool *all)
{
  const WpTick *end = sm->schedulers->issued + to[0];
  uint32_t n = to[0] - sm->schedulers->n_known, most = n;

  for (uint32_t i = 1; i < sm->machine->n_schedulers; i++)
    {
      const WpTick *a = end, *b = sm->schedulers[i].issued + to[i];
      uint32_t known = to[i] - sm->schedulers[i].n_known;

      most = known > most ? known : most;
      n = known < n ? known : n;
      while (a > end - n && a[-1] == b[-1])
        {
          a--;
          b--;
        }
      n = (uint32_t)(end - a);
    }
  *all = n == most;
  return n;
}

/* Who is the last behind the first TO issues of each scheduler, of which all made the latest
 * N_COMMON together, which changes nothing. */
static NOINLINE uint32_t
go_back (const WpSm *sm, const uint32_t *to, uint32_t n_common)
{
  uint32_t n = sm->machine->n_schedulers, left[64];
  uint64_t all = UINT64_MAX >> (64 - n), after = all, set;
  Lasts lasts;

  for (uint32_t i = 0; i < n; i++)
    {
      left[i] = to[i] - n_common;
      lasts[i] = (uint8_t)i;
    }
  while ((set = take_latest (sm, left)) != 0)
    {
      if (set == all || set == after)
        continue;
      if (put_before (lasts, set, n))
        return lasts[0];
      after = set;
    }
  return lasts[sm->next_scheduler > 0 ? sm->next_scheduler - 1 : n - 1];
}

/* The rotation goes on behind the first TO issues of each scheduler, the latest of which are not
 * one scheduler's alone. */
static INLINE void
rotate (WpSm *sm, const uint32_t *to)
{
  bool all;
  uint32_t n_common = count_common (sm, to, &all);

  if (!all)
    sm->next_scheduler = wp_sm_get_scheduler_after (sm, go_back (sm, to, n_common));
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
  else
    rotate (sm, to);
  for (uint32_t i = 0; i < sm->machine->n_schedulers; i++)
    sm->schedulers[i].n_known = to[i];
}
