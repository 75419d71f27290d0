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

#include <stddef.h>

/* A function of X: who is the last to issue in the end. */
typedef uint8_t Lasts[64];

/* Of N schedulers each the latest issue on record that counts. What is before `from` is known, as
 * what is before the first of the record, which is at no time. */
typedef struct
{
  const WpTick *at[64];
  uint32_t n;
  WpTick from;
} Latest;

/* Whose is the latest of all; 0: none is left. For four, as most GPUs have, no loop. */
static INLINE uint64_t
find_last (const Latest *latest)
{
  const WpTick *const *at = latest->at;
  WpTick last = -1;
  uint64_t set = 0;

  if (latest->n == 4)
    {
      WpTick a = *at[0] > *at[1] ? *at[0] : *at[1];
      WpTick b = *at[2] > *at[3] ? *at[2] : *at[3];

      last = a > b ? a : b;
      set = (uint64_t)(*at[0] == last) | (uint64_t)(*at[1] == last) << 1
            | (uint64_t)(*at[2] == last) << 2 | (uint64_t)(*at[3] == last) << 3;
      return last < latest->from ? 0 : set;
    }
  for (uint32_t i = 0; i < latest->n; i++)
    last = *at[i] > last ? *at[i] : last;
  for (uint32_t i = 0; i < latest->n; i++)
    set |= (uint64_t)(*at[i] == last) << i;
  return last < latest->from ? 0 : set;
}

/* The latest of SET do not count any more. */
static INLINE void
take_off (Latest *latest, uint64_t set)
{
  for (uint32_t i = 0; i < latest->n; i++)
    latest->at[i] -= set >> i & 1;
}

/* Whether all of LATEST have the K-th issue behind their latest together, and it counts. */
static INLINE bool
is_common (const Latest *latest, ptrdiff_t k)
{
  const WpTick *const *at = latest->at;
  WpTick time = at[0][k];
  bool same = true;

  if (latest->n == 4)
    return time >= latest->from && at[1][k] == time && at[2][k] == time && at[3][k] == time;
  for (uint32_t i = 1; i < latest->n; i++)
    same &= at[i][k] == time;
  return same && time >= latest->from;
}

/* Those do not count that all made together, as mostly where their warps start together: they
 * change nothing. */
static INLINE void
take_off_common (Latest *latest)
{
  ptrdiff_t k = 0;

  while (is_common (latest, k))
    k--;
  for (uint32_t i = 0; i < latest->n; i++)
    latest->at[i] += k;
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

/* Who is the last behind LATEST, which is not one scheduler's alone. */
static NOINLINE uint32_t
go_back (const WpSm *sm, Latest *latest)
{
  uint32_t n = latest->n;
  uint64_t all = UINT64_MAX >> (64 - n), after = all, set;
  Lasts lasts;

  for (uint32_t i = 0; i < n; i++)
    lasts[i] = (uint8_t)i;
  for (; (set = find_last (latest)) != 0; take_off (latest, set))
    {
      if (set == all || set == after)
        continue;
      if (put_before (lasts, set, n))
        return lasts[0];
      after = set;
    }
  return lasts[sm->next_scheduler > 0 ? sm->next_scheduler - 1 : n - 1];
}

void
wp_sm_find_rotation_at (WpSm *sm, WpTick time)
{
  Latest latest; /* not all of its room, which takes time */
  uint64_t set;

  latest.n = sm->machine->n_schedulers;
  latest.from = sm->rotated;
  for (uint32_t i = 0; i < latest.n; i++)
    {
      const WpScheduler *scheduler = &sm->schedulers[i];

      latest.at[i] = scheduler->issued + scheduler->n_issued;
      while (*latest.at[i] >= time)
        latest.at[i]--;
    }
  sm->rotated = time;
  set = find_last (&latest);
  if (set == UINT64_MAX >> (64 - latest.n) && latest.n > 1)
    {
      take_off_common (&latest);
      set = find_last (&latest);
    }
  if (set == 0)
    return;
  sm->next_scheduler = wp_sm_get_scheduler_after (
      sm, (set & (set - 1)) == 0 ? wp_lowest_bit (set) : go_back (sm, &latest));
}
