/* SPDX-License-Identifier: MIT */
/* Units of trails, stored once each: an open hash table of their numbers, by the 128 bits of their
 * hashes, which are taken as proof that two are equal (of 10^9 units, two would be confused with a
 * probability of 10^-21). */
#include "exec/trail/wp-trail-private.h"

#include <string.h>

#define FIRST_SLOTS 64

static void
hash_items (const WpTrailStore *store, const WpTrailItem *items, guint32 n, WpTrailHash *hash)
{
  *hash = (WpTrailHash)WP_TRAIL_BODY;
  for (guint32 i = 0; i < n; i++)
    {
      const WpTrailHash *unit = &g_array_index (store->units, WpTrailUnit, items[i].unit).hash;

      wp_trail_hash_add (hash, unit->a, unit->b ^ items[i].count);
    }
  wp_trail_hash_end (hash);
}

WpTrailStore *
wp_trail_store_new (void)
{
  WpTrailStore *store = g_new0 (WpTrailStore, 1);

  store->units = g_array_new (FALSE, FALSE, sizeof (WpTrailUnit));
  store->runs = g_array_new (FALSE, FALSE, sizeof (WpTrailRun));
  store->items = g_array_new (FALSE, FALSE, sizeof (WpTrailItem));
  store->n_slots = FIRST_SLOTS;
  store->slots = g_new0 (guint32, store->n_slots);
  store->ended.items = g_array_new (FALSE, FALSE, sizeof (WpTrailItem));
  hash_items (store, NULL, 0, &store->ended.hash);
  return store;
}

void
wp_trail_store_free (WpTrailStore *store)
{
  if (!store)
    return;
  g_array_unref (store->units);
  g_array_unref (store->runs);
  g_array_unref (store->items);
  g_array_unref (store->ended.items);
  g_free (store->slots);
  g_free (store);
}

const WpTrailUnit *
wp_trail_store_get (const WpTrailStore *store, guint32 unit)
{
  g_return_val_if_fail (unit < store->units->len, NULL);
  return &g_array_index (store->units, WpTrailUnit, unit);
}

const WpTrailRun *
wp_trail_store_get_runs (const WpTrailStore *store, guint32 unit)
{
  return &g_array_index (store->runs, WpTrailRun, wp_trail_store_get (store, unit)->first);
}

const WpTrailItem *
wp_trail_store_get_items (const WpTrailStore *store, guint32 unit)
{
  return &g_array_index (store->items, WpTrailItem, wp_trail_store_get (store, unit)->first);
}

gsize
wp_trail_store_get_size (const WpTrailStore *store)
{
  return store->units->len * sizeof (WpTrailUnit) + store->runs->len * sizeof (WpTrailRun)
         + store->items->len * sizeof (WpTrailItem) + store->n_slots * sizeof (guint32);
}

/* Returns the slot of the unit with HASH, or the free one where it would be. */
static guint32 *
find_slot (const WpTrailStore *store, const WpTrailHash *hash)
{
  guint32 place = (guint32)hash->b & (store->n_slots - 1);

  while (store->slots[place] != 0
         && !wp_trail_hash_equal (
             &g_array_index (store->units, WpTrailUnit, store->slots[place] - 1).hash, hash))
    place = (place + 1) & (store->n_slots - 1);
  return &store->slots[place];
}

guint32
wp_trail_store_find (const WpTrailStore *store, const WpTrailHash *hash)
{
  return *find_slot (store, hash) - 1; /* WP_TRAIL_NOWHERE for a free one */
}

static void
grow (WpTrailStore *store)
{
  g_free (store->slots);
  store->n_slots *= 2;
  store->slots = g_new0 (guint32, store->n_slots);
  for (guint32 i = 0; i < store->units->len; i++)
    *find_slot (store, &g_array_index (store->units, WpTrailUnit, i).hash) = i + 1;
}

static guint32
add_unit (WpTrailStore *store, const WpTrailUnit *unit)
{
  if (store->units->len >= store->n_slots / 2)
    grow (store);
  g_array_append_vals (store->units, unit, 1);
  *find_slot (store, &unit->hash) = store->units->len;
  return store->units->len - 1;
}

static void
hash_runs (const WpTrailRun *runs, guint32 n, WpTrailHash *hash)
{
  *hash = (WpTrailHash)WP_TRAIL_SEGMENT;
  for (guint32 i = 0; i < n; i++)
    wp_trail_hash_add (hash, (guint64)runs[i].first << 32 | runs[i].n, runs[i].mask);
  wp_trail_hash_end (hash);
}

/* Whether NUMBER is a segment of N RUNS. */
static gboolean
has_runs (const WpTrailStore *store, guint32 number, const WpTrailRun *runs, guint32 n)
{
  const WpTrailUnit *unit = &g_array_index (store->units, WpTrailUnit, number);

  return unit->n == n
         && memcmp (&g_array_index (store->runs, WpTrailRun, unit->first), runs, n * sizeof *runs)
                == 0;
}

static guint32
find_segment (WpTrailStore *store, const WpTrailRun *runs, guint32 n)
{
  WpTrailUnit unit = { .first = store->runs->len, .n = n };
  guint32 known;

  hash_runs (runs, n, &unit.hash);
  known = wp_trail_store_find (store, &unit.hash);
  if (known != WP_TRAIL_NOWHERE)
    return known;
  for (guint32 i = 0; i < n; i++)
    unit.instructions += runs[i].n;
  g_array_append_vals (store->runs, runs, n);
  return add_unit (store, &unit);
}

guint32
wp_trail_store_add_segment (WpTrailStore *store, const WpTrailRun *runs, guint32 n)
{
  const WpTrailRun *last = &runs[n - 1];
  const guint32 place = runs->first * 7 + last->first * 3 + last->n + last->mask % 61;
  guint32 *recent = &store->recent[place % WP_TRAIL_RECENT];

  if (*recent == 0 || !has_runs (store, *recent - 1, runs, n))
    *recent = find_segment (store, runs, n) + 1;
  return *recent - 1;
}

guint32
wp_trail_store_add_body (WpTrailStore *store, const WpTrailItem *items, guint32 n)
{
  WpTrailUnit unit = { .first = store->items->len, .n = n, .depth = 1 };
  guint32 known;

  hash_items (store, items, n, &unit.hash);
  known = wp_trail_store_find (store, &unit.hash);
  if (known != WP_TRAIL_NOWHERE)
    return known;
  for (guint32 i = 0; i < n; i++)
    {
      const WpTrailUnit *part = &g_array_index (store->units, WpTrailUnit, items[i].unit);

      unit.instructions += part->instructions * items[i].count;
      unit.depth = (guint16)MAX (unit.depth, part->depth + 1);
    }
  g_array_append_vals (store->items, items, n);
  return add_unit (store, &unit);
}

static void
sum_up (WpTrailStore *store, const WpTrailItem *items, guint32 n)
{
  WpTrailEnded *ended = &store->ended;

  g_array_set_size (ended->items, 0);
  g_array_append_vals (ended->items, items, n);
  hash_items (store, items, n, &ended->hash);
  ended->instructions = 0;
  for (guint32 i = 0; i < n; i++)
    ended->instructions
        += items[i].count * g_array_index (store->units, WpTrailUnit, items[i].unit).instructions;
}

const WpTrailEnded *
wp_trail_store_sum_up (WpTrailStore *store, const WpTrailItem *items, guint32 n)
{
  const WpTrailEnded *ended = &store->ended;

  if (ended->items->len != n
      || (n > 0 && memcmp (ended->items->data, items, n * sizeof *items) != 0))
    sum_up (store, items, n);
  return ended;
}

guint32
wp_trail_store_copy (WpTrailStore *store, const WpTrailStore *from, guint32 number)
{
  const WpTrailUnit *unit = wp_trail_store_get (from, number);
  guint32 known = wp_trail_store_find (store, &unit->hash);
  const WpTrailItem *items;
  g_autofree WpTrailItem *copy = NULL;

  if (known != WP_TRAIL_NOWHERE)
    return known;
  if (unit->depth == 0)
    return wp_trail_store_add_segment (store, wp_trail_store_get_runs (from, number), unit->n);
  items = wp_trail_store_get_items (from, number);
  copy = g_new (WpTrailItem, unit->n + 1);
  for (guint32 i = 0; i < unit->n; i++)
    copy[i] = (WpTrailItem){ wp_trail_store_copy (store, from, items[i].unit), items[i].count };
  return wp_trail_store_add_body (store, copy, unit->n);
}
