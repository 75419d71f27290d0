/* SPDX-License-Identifier: MIT */
/* The critical path, read off a trail backwards. A path of a thousand million steps has no more
 * than a few hundred that differ: inside of a fold all rounds are alike, so that a path that comes
 * to one place of two rounds goes on in the same way from there, and the steps between are a group
 * that repeats.
 *
 *     round      ..  7   6   5   4  ..
 *     path     <---- x <---- x            at the same place x of rounds 7 and 6: one round is
 *                                         the group, and it comes 1 + 6 times; the path goes on
 *                                         from x of round 0
 *
 * Groups then take in what is the same before and after them, and begin with the instruction that
 * is written first.
 */
#include "sim/bounds/wp-bounds-trail.h"

#include <stdlib.h>
#include <string.h>

/* A step, or a group: a list of its own. In order of time. */
typedef struct Item
{
  struct Item *prev, *next;
  struct Item *first, *last; /* a group's */
  uint64_t times;
  const WpBoundsTrailEntry *entry; /* NULL: a group */
  bool inside;                     /* of a group */
} Item;

#define POOL 1024

/* Steps that are looked at. Rounds of a few, nested deep, give longer paths that no fold makes
 * short: of these the end is kept. */
#define MAX_STEPS ((size_t)1 << 20)

/* Places that are remembered, for 84 MB. */
#define MAX_VISITS ((size_t)1 << 20)
/* A group needs a later round, an earlier one, and one before that. */
#define LEAST_ROUNDS 3

/* Steps that come again at once become a group where that saves so many, and one round is not
 * longer than that. */
#define LEAST_SAVED 4
#define LONGEST_TANDEM 64

typedef struct Pool
{
  struct Pool *next;
  size_t n;
  Item items[POOL];
} Pool;

/* A round of a fold that a position lies in. */
typedef struct
{
  const WpBoundsTrailEntry *fold;
  uint64_t base; /* position of the fold's first round */
  uint64_t round, offset;
} Region;

/* Where the path has been: at OFFSET of ROUND of FOLD, when it emitted ITEM. */
typedef struct
{
  Region region;
  Item *item;
} Visit;

typedef struct
{
  const WpBoundsTrail *trail;
  Item *first, *last; /* the path so far */
  Pool *pool;
  Visit *visits; /* a hash table; those with an item are taken */
  size_t n_visits, n_places;
  size_t n_steps;
  bool no_memory;
} Path;

static Item *
new_item (Path *path)
{
  if (path->pool == NULL || path->pool->n == POOL)
    {
      Pool *pool = malloc (sizeof *pool);

      if (pool == NULL)
        {
          path->no_memory = true;
          return NULL;
        }
      pool->next = path->pool;
      pool->n = 0;
      path->pool = pool;
    }
  path->pool->items[path->pool->n] = (Item){ .times = 1 };
  return &path->pool->items[path->pool->n++];
}

static void
path_clear (Path *path)
{
  while (path->pool != NULL)
    {
      Pool *next = path->pool->next;

      free (path->pool);
      path->pool = next;
    }
  free (path->visits);
}

/* ---- Where a position is ---- */

/* The last of entries [FIRST, END) that is at X or before it; NULL: lost. */
static const WpBoundsTrailEntry *
search (const WpBoundsTrail *trail, size_t first, size_t end, uint64_t x)
{
  while (first < end)
    {
      size_t middle = first + (end - first) / 2;

      if (trail->entries[middle].at <= x)
        first = middle + 1;
      else
        end = middle;
    }
  return first > 0 && trail->entries[first - 1].at <= x ? &trail->entries[first - 1] : NULL;
}

/* The step at position X, and the folds that X lies in, the outermost first. NULL: lost. */
static const WpBoundsTrailEntry *
find_step (const WpBoundsTrail *trail, uint64_t x, Region *regions, int *n_regions)
{
  const WpBoundsTrailEntry *entry = search (trail, 0, trail->n, x);
  uint64_t position = x;

  *n_regions = 0;
  while (entry != NULL && entry->instr == WP_TRAIL_FOLD)
    {
      size_t index = (size_t)(entry - trail->entries);
      uint64_t offset = position - entry->at;

      if (entry->from > index || *n_regions == WP_TRAIL_DEPTH)
        return NULL;
      regions[(*n_regions)++] = (Region){ .fold = entry,
                                          .base = x - offset,
                                          .round = offset / entry->back,
                                          .offset = offset % entry->back };
      position = entry->at - entry->back + offset % entry->back;
      entry = search (trail, index - entry->from, index, position);
    }
  return entry;
}

/* ---- Where the path has been ---- */

static bool
is_same_place (const Region *a, const Region *b)
{
  return a->fold == b->fold && a->base == b->base && a->offset == b->offset;
}

static Visit *
find_visit (const Path *path, const Region *region)
{
  uint64_t hash = (uint64_t)(region->fold - path->trail->entries) * UINT64_C (0x9E3779B97F4A7C15);
  size_t mask = path->n_places - 1;
  size_t place;

  hash = (hash ^ region->base) * UINT64_C (0xBF58476D1CE4E5B9);
  hash = (hash ^ region->offset) * UINT64_C (0x94D049BB133111EB);
  place = (size_t)(hash ^ hash >> 32) & mask;
  while (path->visits[place].item != NULL && !is_same_place (&path->visits[place].region, region))
    place = (place + 1) & mask;
  return &path->visits[place];
}

static void
grow_visits (Path *path)
{
  Visit *old = path->visits;
  size_t n_old = path->n_places;

  path->n_places = n_old == 0 ? 1024 : 2 * n_old;
  path->visits = calloc (path->n_places, sizeof *path->visits);
  if (path->visits == NULL)
    {
      path->visits = old;
      path->n_places = n_old;
      path->no_memory = true;
      return;
    }
  for (size_t i = 0; i < n_old; i++)
    if (old[i].item != NULL)
      *find_visit (path, &old[i].region) = old[i];
  free (old);
}

static void
remember (Path *path, const Region *region, Item *item)
{
  Visit *visit;

  if (region->fold->gap < LEAST_ROUNDS || path->n_visits == MAX_VISITS)
    return;
  if (2 * (path->n_visits + 1) > path->n_places)
    grow_visits (path);
  if (path->no_memory)
    return;
  visit = find_visit (path, region);
  path->n_visits += visit->item == NULL;
  *visit = (Visit){ *region, item };
}

/* ---- Groups ---- */

/* Makes a group of the items from the first one to LAST, which come TIMES times. */
static void
fold_items (Path *path, Item *last, uint64_t times)
{
  Item *group = new_item (path);

  if (group == NULL)
    return;
  group->times = times;
  group->first = path->first;
  group->last = last;
  group->next = last->next;
  for (Item *item = path->first; item != last->next; item = item->next)
    item->inside = true;
  if (group->next != NULL)
    group->next->prev = group;
  else
    path->last = group;
  last->next = NULL;
  path->first = group;
}

/* The path has been at this place of a later round: folds what lies between, and moves X back by
 * all the rounds that go the same way. */
static bool
try_fold (Path *path, const Region *regions, int n_regions, uint64_t *x)
{
  for (int i = n_regions - 1; i >= 0 && path->n_places > 0; i--)
    {
      const Visit *visit = find_visit (path, &regions[i]);
      uint64_t rounds, more;

      if (visit->item == NULL || visit->item->inside || visit->region.round <= regions[i].round)
        continue;
      rounds = visit->region.round - regions[i].round;
      more = regions[i].round / rounds;
      if (more == 0)
        continue;
      fold_items (path, visit->item, 1 + more);
      *x -= more * rounds * regions[i].fold->back;
      return true;
    }
  return false;
}

static void
emit (Path *path, const WpBoundsTrailEntry *entry, const Region *regions, int n_regions)
{
  Item *item = new_item (path);

  if (item == NULL)
    return;
  path->n_steps++;
  item->entry = entry;
  item->next = path->first;
  if (path->first != NULL)
    path->first->prev = item;
  else
    path->last = item;
  path->first = item;
  for (int i = 0; i < n_regions; i++)
    remember (path, &regions[i], item);
}

/* ---- Making it neat ---- */

static bool is_same (const Item *a, const Item *b);

static bool
has_same_items (const Item *a, const Item *b)
{
  for (a = a->first, b = b->first; a != NULL && is_same (a, b); a = a->next)
    b = b->next;
  return a == NULL && b == NULL;
}

static bool
is_same (const Item *a, const Item *b)
{
  if (a == NULL || b == NULL || (a->entry == NULL) != (b->entry == NULL))
    return false;
  if (a->entry != NULL)
    return a->entry == b->entry
           || (a->entry->instr == b->entry->instr && a->entry->segment == b->entry->segment
               && a->entry->edge == b->entry->edge && a->entry->length == b->entry->length);
  return a->times == b->times && has_same_items (a, b);
}

/* Takes the items ONE to OTHER out of the list that FIRST and LAST are the ends of. */
static void
cut (Item **first, Item **last, Item *one, Item *other)
{
  if (one->prev != NULL)
    one->prev->next = other->next;
  else
    *first = other->next;
  if (other->next != NULL)
    other->next->prev = one->prev;
  else
    *last = one->prev;
}

/* A group of the same before this one becomes part of it. Whether there was one. */
static bool
join_before (Item **first, Item **last, Item *group)
{
  Item *before = group->prev;

  if (before == NULL || before->entry != NULL || !has_same_items (before, group))
    return false;
  group->times += before->times;
  cut (first, last, before, before);
  return true;
}

/* A whole round before the group, or after it, becomes one of its own. Whether there was
 * one. */
static bool
take_in (Item **first, Item **last, Item *group)
{
  for (bool some = false;; some = true)
    {
      Item *item = group->prev, *mine = group->last, *one = item, *other = item;

      for (; mine != NULL && is_same (item, mine); mine = mine->prev)
        {
          one = item;
          item = item->prev;
        }
      if (mine == NULL)
        cut (first, last, one, other);
      else
        {
          item = one = group->next;
          for (mine = group->first; mine != NULL && is_same (item, mine); mine = mine->next)
            {
              other = item;
              item = item->next;
            }
          if (mine != NULL)
            return some;
          cut (first, last, one, other);
        }
      group->times++;
    }
}

static void
insert_after (Item **last, Item *place, Item *item)
{
  item->prev = place;
  item->next = place->next;
  if (place->next != NULL)
    place->next->prev = item;
  else
    *last = item;
  place->next = item;
}

static void
insert_before (Item **first, Item *place, Item *item)
{
  item->next = place;
  item->prev = place->prev;
  if (place->prev != NULL)
    place->prev->next = item;
  else
    *first = item;
  place->prev = item;
}

/* a {b c a} -> {a b c} a. */
static void
turn_left (Item **first, Item **last, Item *group)
{
  Item *before = group->prev, *end = group->last;

  cut (first, last, before, before);
  cut (&group->first, &group->last, end, end);
  if (group->first == NULL)
    {
      group->first = group->last = before;
      before->prev = before->next = NULL;
    }
  else
    insert_before (&group->first, group->first, before);
  insert_after (last, group, end);
}

/* {a b c} a -> a {b c a}. */
static void
turn_right (Item **first, Item **last, Item *group)
{
  Item *after = group->next, *begin = group->first;

  cut (first, last, after, after);
  cut (&group->first, &group->last, begin, begin);
  if (group->last == NULL)
    {
      group->first = group->last = after;
      after->prev = after->next = NULL;
    }
  else
    insert_after (&group->last, group->last, after);
  insert_before (first, group, begin);
}

static uint32_t
get_first_instr (const Item *item)
{
  while (item->entry == NULL)
    item = item->first;
  return item->entry->instr;
}

/* Lets the group begin with the instruction that is written first, as far as what is around it
 * allows. Whether it took something in. */
static bool
turn (Item **first, Item **last, Item *group)
{
  bool some;
  size_t n = 0, best = 0, at = 0;
  uint32_t least;

  for (const Item *item = group->first; item != NULL; item = item->next)
    n++;
  for (size_t i = 0; i < n && is_same (group->prev, group->last); i++)
    turn_left (first, last, group);
  some = take_in (first, last, group);
  least = get_first_instr (group->first);
  for (; at + 1 < n && is_same (group->next, group->first); at++)
    {
      turn_right (first, last, group);
      if (get_first_instr (group->first) < least)
        {
          least = get_first_instr (group->first);
          best = at + 1;
        }
    }
  for (; at > best; at--)
    turn_left (first, last, group);
  return some;
}

/* Steps that were simulated are not folded yet. The shortest stretch from ITEM on that comes again
 * at once, often enough to be worth a group: how many items, 0: none; how many TIMES it comes. */
static uint64_t
find_tandem (const Item *item, uint64_t *times)
{
  const Item *next = item->next;

  for (uint64_t n = 1; n <= LONGEST_TANDEM && next != NULL; n++, next = next->next)
    {
      const Item *a = item, *b = next;
      uint64_t alike = 0;

      for (; b != NULL && is_same (a, b); a = a->next, b = b->next)
        alike++;
      *times = 1 + alike / n;
      if (alike / n * n >= LEAST_SAVED)
        return n;
    }
  return 0;
}

/* Makes a group of N items from ITEM on, and drops those that come after it for the other TIMES. */
static Item *
make_group (Path *path, Item **first, Item **last, Item *item, uint64_t n, uint64_t times)
{
  Item *group = new_item (path), *end = item;

  if (group == NULL)
    return NULL;
  for (uint64_t i = 1; i < n; i++)
    end = end->next;
  for (uint64_t i = 0; i < n * (times - 1); i++)
    cut (first, last, end->next, end->next);
  *group = (Item){ .times = times, .first = item, .last = end };
  insert_before (first, item, group);
  cut (first, last, item, end);
  item->prev = end->next = NULL;
  return group;
}

/* How many items from ITEM on take no time and come again at once, 0: none. */
static uint64_t
find_idle (const Item *item)
{
  const Item *next = item->next;

  for (uint64_t n = 1; n <= LONGEST_TANDEM && next != NULL && next->prev->entry != NULL
                       && next->prev->entry->length == 0;
       n++, next = next->next)
    {
      const Item *a = item, *b = next;
      uint64_t alike = 0;

      for (; alike < n && is_same (a, b); a = a->next, b = b->next)
        alike++;
      if (alike == n)
        return n;
    }
  return 0;
}

/* Rounds that take no time say nothing that the first of them does not: how many of them were
 * simulated, and not skipped, is of no interest. */
static void
drop_idle (Item **first, Item **last)
{
  for (Item *item = *first; item != NULL; item = item->next)
    if (item->entry == NULL)
      drop_idle (&item->first, &item->last);
    else
      for (uint64_t n = find_idle (item); n > 0; n = find_idle (item))
        for (; n > 0; n--)
          cut (first, last, item->next, item->next);
}

static bool
fold_tandems (Path *path, Item **first, Item **last)
{
  bool some = false;

  for (Item *item = *first; item != NULL; item = item->next)
    {
      uint64_t times, n = find_tandem (item, &times);

      if (n == 0)
        continue;
      item = make_group (path, first, last, item, n, times);
      if (item == NULL)
        return false;
      some = true;
    }
  return some;
}

/* Whether anything became shorter: then there may be more to do. Depth is that of folds, at most
 * WP_TRAIL_DEPTH, and of stretches in stretches. */
static bool
tidy (Path *path, Item **first, Item **last)
{
  bool some = fold_tandems (path, first, last);

  for (Item *item = *first; item != NULL; item = item->next)
    if (item->entry == NULL)
      {
        some |= tidy (path, &item->first, &item->last);
        some |= take_in (first, last, item);
        some |= turn (first, last, item);
        some |= join_before (first, last, item);
      }
  return some;
}

/* ---- Writing it down ---- */

static uint32_t
count_items (const Item *item)
{
  uint32_t n = 0;

  for (; item != NULL; item = item->next)
    n += 1 + (item->entry == NULL ? count_items (item->first) : 0);
  return n;
}

static WpPathItem *
write_items (const Item *item, WpPathItem *to)
{
  for (; item != NULL; item = item->next)
    {
      WpPathItem *head = to++;

      if (item->entry != NULL)
        *head = (WpPathItem){ .times = 1,
                              .instr = item->entry->instr,
                              .segment = item->entry->segment,
                              .edge = (WpEdge)item->entry->edge,
                              .length = item->entry->length };
      else
        {
          to = write_items (item->first, to);
          *head = (WpPathItem){ .n_items = (uint32_t)(to - head - 1), .times = item->times };
        }
    }
  return to;
}

static WpTick
add_lengths (const Item *item)
{
  uint64_t sum = 0;

  for (; item != NULL; item = item->next)
    sum += item->entry != NULL ? (uint64_t)item->entry->length
                               : item->times * (uint64_t)add_lengths (item->first);
  return (WpTick)sum;
}

bool
wp_bounds_trail_find_path (const WpBoundsTrail *trail, uint64_t end, WpTick time, WpBounds *bounds)
{
  Path path = { .trail = trail };
  uint64_t x = end;
  bool ended = end == WP_NOWHERE;

  while (!ended && !path.no_memory && path.n_steps < MAX_STEPS)
    {
      Region regions[WP_TRAIL_DEPTH];
      int n_regions;
      const WpBoundsTrailEntry *entry = find_step (trail, x, regions, &n_regions);

      if (entry != NULL && try_fold (&path, regions, n_regions, &x))
        continue;
      if (entry != NULL)
        emit (&path, entry, regions, n_regions);
      ended = entry == NULL || entry->back == 0;
      x -= ended ? 0 : entry->back;
    }
  if (trail->idles)
    drop_idle (&path.first, &path.last);
  while (tidy (&path, &path.first, &path.last))
    ;
  bounds->path_begins = time - add_lengths (path.first);
  bounds->n_path = count_items (path.first);
  bounds->path = malloc (((size_t)bounds->n_path + 1) * sizeof *bounds->path);
  path.no_memory |= bounds->path == NULL;
  if (!path.no_memory)
    write_items (path.first, bounds->path);
  path_clear (&path);
  return !path.no_memory;
}
