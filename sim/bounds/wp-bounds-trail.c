/* SPDX-License-Identifier: MIT */
/* The trail is an array that is given up from its old end when it grows too long: a path is read
 * backwards, so that its newest part is always whole. */
#include "sim/bounds/wp-bounds-trail.h"

#include <stdlib.h>
#include <string.h>

/* Entries kept: 48 MB. Where no state recurs in so many steps, the older half is given up. */
#define MAX_ENTRIES ((size_t)1 << 20)

void
wp_bounds_trail_clear (WpBoundsTrail *trail)
{
  free (trail->entries);
  *trail = (WpBoundsTrail){ 0 };
}

void
wp_bounds_trail_reset (WpBoundsTrail *trail)
{
  trail->n = 0;
  trail->position = 0;
  trail->n_lost = 0;
  trail->idles = false;
}

static bool
make_room (WpBoundsTrail *trail)
{
  size_t room = trail->room == 0 ? 256 : 2 * trail->room;
  WpBoundsTrailEntry *entries;

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
wp_bounds_trail_add (WpBoundsTrail *trail, WpBoundsTrailEntry entry)
{
  if (!make_room (trail))
    return false;
  entry.at = trail->position++;
  trail->entries[trail->n++] = entry;
  return true;
}

/* How many entries there are from the step at POSITION on; one more than all where it is lost. */
static size_t
count_since (const WpBoundsTrail *trail, uint64_t position)
{
  size_t first = 0, end = trail->n;

  while (first < end)
    {
      size_t middle = first + (end - first) / 2;

      if (trail->entries[middle].at < position)
        first = middle + 1;
      else
        end = middle;
    }
  /* Rounds without positions come before the step that has the position after them. */
  while (first < trail->n && trail->entries[first].instr == WP_TRAIL_FOLD)
    first++;
  return first == trail->n || trail->entries[first].at > position ? trail->n + 1 : trail->n - first;
}

bool
wp_bounds_trail_fold (WpBoundsTrail *trail, uint64_t position, uint64_t times, bool places)
{
  uint64_t length = trail->position - position;
  size_t n_folded = count_since (trail, position);

  if (!make_room (trail))
    return false;
  /* What is folded may be lost: then so is the path that leads there. It is never longer than
   * MAX_ENTRIES. */
  trail->entries[trail->n++]
      = (WpBoundsTrailEntry){ .at = trail->position,
                              .back = length,
                              .length = places,
                              .gap = times,
                              .instr = WP_TRAIL_FOLD,
                              .from = n_folded > UINT32_MAX ? UINT32_MAX : (uint32_t)n_folded };
  trail->position += places ? times * length : 0;
  trail->idles |= !places;
  return true;
}

/* ---- Intervals ---- */

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
get_pipeline (const WpMachine *machine, const WpBoundsTrailEntry *entry)
{
  return entry->edge == WP_EDGE_BARRIER
             ? WP_NO_PIPELINE
             : wp_instr_get_last_pipeline (machine, &machine->instrs[entry->from]);
}

/* How far the collection had come before an entry: intervals that had ended, and instructions of
 * the one that was open. */
typedef struct
{
  size_t n;
  uint64_t open;
} Progress;

/* Repeats what was collected since SINCE. What was open there is the beginning of the first
 * interval of the first round alone: in the others it is what is open now. */
static void
repeat_intervals (WpInterval *intervals, size_t *n, uint64_t *open, Progress since, uint64_t times)
{
  WpInterval again;

  if (*n == since.n)
    {
      *open += (*open - since.open) * times;
      return;
    }
  again = intervals[since.n];
  again.instructions += *open - since.open;
  again.times = times;
  for (size_t i = since.n + 1; i < *n; i++)
    intervals[i].times *= times + 1;
  intervals[(*n)++] = again;
}

/* Those of SEGMENT's warp but for the last, which is in LAST as far as it goes; returns how many,
 * at most one for each entry. */
static size_t
collect_intervals (const WpBoundsTrail *trail, const WpMachine *machine, Progress *progress,
                   uint32_t segment, WpInterval *intervals, WpInterval *last)
{
  size_t n = 0;

  for (size_t i = 0; i < trail->n; i++)
    {
      const WpBoundsTrailEntry *entry = &trail->entries[i];
      bool waited = entry->edge == WP_EDGE_DEPENDENCY || entry->edge == WP_EDGE_BARRIER;

      progress[i] = (Progress){ n, last->instructions };
      if (entry->instr == WP_TRAIL_FOLD)
        {
          repeat_intervals (intervals, &n, &last->instructions, progress[i - entry->from],
                            entry->gap);
          continue;
        }
      if (entry->segment != segment)
        continue;
      if (waited && entry->gap > 0 && last->instructions > 0)
        {
          intervals[n++] = (WpInterval){ .instructions = last->instructions,
                                         .wait = (WpTick)entry->gap,
                                         .pipeline = get_pipeline (machine, entry),
                                         .times = 1 };
          last->instructions = 0;
        }
      last->instructions++;
    }
  return n;
}

bool
wp_bounds_trail_find_intervals (const WpBoundsTrail *trail, uint32_t segment, WpInterval last,
                                WpBounds *bounds)
{
  Progress *progress = malloc ((trail->n + 1) * sizeof *progress);
  WpInterval *intervals = malloc ((trail->n + 1) * sizeof *intervals);
  bool done = progress != NULL && intervals != NULL;
  size_t n;

  if (done && trail->n_lost == 0)
    {
      last.instructions = 0;
      last.times = 1;
      n = collect_intervals (trail, bounds->machine, progress, segment, intervals, &last);
      if (last.instructions > 0)
        intervals[n++] = last;
      bounds->n_intervals = merge_intervals (intervals, n);
      bounds->intervals = intervals;
      intervals = NULL;
    }
  free (progress);
  free (intervals);
  return done;
}
