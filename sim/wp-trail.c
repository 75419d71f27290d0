/* SPDX-License-Identifier: MIT */
#include "sim/wp-trail.h"

#include <stdlib.h>
#include <string.h>

/* Entries kept: 48 MB. Where a walk finds no state that recurs in so many steps, the older half is given up. */
#define MAX_ENTRIES ((size_t)1 << 20)

void
wp_trail_clear (WpTrail *trail)
{
  free (trail->entries);
  *trail = (WpTrail){ 0 };
}

void
wp_trail_reset (WpTrail *trail)
{
  trail->n = 0;
  trail->position = 0;
  trail->n_lost = 0;
}

static bool
make_room (WpTrail *trail)
{
  size_t room = trail->room == 0 ? 256 : 2 * trail->room;
  WpTrailEntry *entries;

  if (trail->n < trail->room)
    return true;
  if (trail->n == MAX_ENTRIES)
    {
      memmove (trail->entries, trail->entries + MAX_ENTRIES / 2,
               MAX_ENTRIES / 2 * sizeof *trail->entries);
      trail->n -= MAX_ENTRIES / 2;
      trail->n_lost += MAX_ENTRIES / 2;
      return true;
    }
  entries = realloc (trail->entries, room * sizeof *entries);
  if (entries == NULL)
    return false;
  trail->entries = entries;
  trail->room = room;
  return true;
}

bool
wp_trail_add (WpTrail *trail, WpTrailEntry entry)
{
  if (!make_room (trail))
    return false;
  entry.at = trail->position++;
  trail->entries[trail->n++] = entry;
  return true;
}

bool
wp_trail_fold (WpTrail *trail, size_t since, uint64_t position, uint64_t times, bool places)
{
  uint64_t length = trail->position - position;
  size_t n_folded = wp_trail_count (trail) - since;

  if (!make_room (trail))
    return false;
  /* What is folded may be lost: then so is the path that leads there. It is never longer than MAX_ENTRIES. */
  trail->entries[trail->n++]
      = (WpTrailEntry){ .at = trail->position,
                        .back = length,
                        .length = places,
                        .gap = times,
                        .instr = WP_TRAIL_FOLD,
                        .from = n_folded > UINT32_MAX ? UINT32_MAX : (uint32_t)n_folded };
  trail->position += places ? times * length : 0;
  return true;
}

/* ---- Intervals ---- */

/* How often each entry happened, itself included: a stack of the folds that reach this far, as they nest. False where
 * they nest too deep. */
static bool
find_times (const WpTrail *trail, uint64_t *times)
{
  struct
  {
    size_t first;
    uint64_t times;
  } open[WP_TRAIL_DEPTH];
  int depth = 0;

  for (size_t i = trail->n; i-- > 0;)
    {
      const WpTrailEntry *entry = &trail->entries[i];

      while (depth > 0 && i < open[depth - 1].first)
        depth--;
      times[i] = depth > 0 ? open[depth - 1].times : 1;
      if (entry->instr != WP_TRAIL_FOLD)
        continue;
      if (depth == WP_TRAIL_DEPTH)
        return false;
      open[depth].first = i - entry->from;
      open[depth].times = times[i] * (entry->gap + 1);
      depth++;
    }
  return true;
}

static int
compare_intervals (const void *one, const void *other)
{
  const WpInterval *a = one, *b = other;

  if (a->pipeline != b->pipeline)
    return a->pipeline < b->pipeline ? -1 : 1;
  if (a->wait != b->wait)
    return a->wait < b->wait ? -1 : 1;
  return a->instructions == b->instructions ? 0 : a->instructions < b->instructions ? -1 : 1;
}

/* Alike ones become one; returns how many are left. */
static uint32_t
merge_intervals (WpInterval *intervals, size_t n)
{
  size_t kept = 0;

  qsort (intervals, n, sizeof *intervals, compare_intervals);
  for (size_t i = 0; i < n; i++)
    if (kept > 0 && compare_intervals (&intervals[kept - 1], &intervals[i]) == 0)
      intervals[kept - 1].times += intervals[i].times;
    else
      intervals[kept++] = intervals[i];
  return (uint32_t)kept;
}

static uint32_t
get_pipeline (const WpMachine *machine, const WpTrailEntry *entry)
{
  return entry->edge == WP_EDGE_BARRIER ? WP_NO_PIPELINE : machine->instrs[entry->from].pipeline;
}

/* Those of SEGMENT's warp but for the last, which is in LAST as far as it goes; returns how many. */
static size_t
collect_intervals (const WpTrail *trail, const WpMachine *machine, const uint64_t *times,
                   uint32_t segment, WpInterval *intervals, WpInterval *last)
{
  size_t n = 0;

  for (size_t i = 0; i < trail->n; i++)
    {
      const WpTrailEntry *entry = &trail->entries[i];
      bool waited = entry->edge == WP_EDGE_DEPENDENCY || entry->edge == WP_EDGE_BARRIER;

      if (entry->instr == WP_TRAIL_FOLD || entry->segment != segment)
        continue;
      if (waited && entry->gap > 0 && last->instructions > 0)
        {
          intervals[n++] = (WpInterval){ .instructions = last->instructions,
                                         .wait = (WpTick)entry->gap,
                                         .pipeline = get_pipeline (machine, entry),
                                         .times = times[i] };
          last->instructions = 0;
        }
      last->instructions++;
    }
  return n;
}

bool
wp_trail_find_intervals (const WpTrail *trail, uint32_t segment, WpInterval last, WpBounds *bounds)
{
  uint64_t *times = malloc ((trail->n + 1) * sizeof *times);
  WpInterval *intervals = malloc ((trail->n + 1) * sizeof *intervals);
  bool done = times != NULL && intervals != NULL;
  size_t n;

  if (done && trail->n_lost == 0 && find_times (trail, times))
    {
      last.instructions = 0;
      last.times = 1;
      n = collect_intervals (trail, bounds->machine, times, segment, intervals, &last);
      if (last.instructions > 0)
        intervals[n++] = last;
      bounds->n_intervals = merge_intervals (intervals, n);
      bounds->intervals = intervals;
      intervals = NULL;
    }
  free (times);
  free (intervals);
  return done;
}
