/* SPDX-License-Identifier: MIT */
/* Records what a warp executes. `items` holds the segments so far, with repeats counted:
 *
 *     ... x  (a b)^7  a b^3 | c ...        c ends b^3: are "a b^3" what precedes them?
 *
 * An item is complete when another one follows it. Then it may end a round: if the same items
 * precede the last few, both become a body that is repeated twice; if they equal the body before
 * them, its count grows. So a loop within a loop is folded while it runs. Only the last PERIOD
 * items are looked at; what repeats in a longer period is stored as it comes. */
#include "exec/trail/wp-trail-private.h"

#include <string.h>

/* The longest round that is found: of a loop that holds so many different inner paths. */
#define PERIOD 32
/* Bodies in bodies: deeper ones are left as they are. */
#define MAX_DEPTH 32
#define FIRST_ROOM 16 /* runs */

void
wp_trail_init (WpTrail *trail, WpTrailStore *store)
{
  *trail = (WpTrail){ .items = g_array_new (FALSE, FALSE, sizeof (WpTrailItem)) };
  wp_trail_restart (trail, store);
}

void
wp_trail_clear (WpTrail *trail)
{
  g_clear_pointer (&trail->runs, g_free);
  g_clear_pointer (&trail->items, g_array_unref);
}

void
wp_trail_restart (WpTrail *trail, WpTrailStore *store)
{
  trail->store = store;
  trail->next = trail->first = WP_TRAIL_NOWHERE;
  trail->mask = 0;
  trail->n_runs = 0;
  trail->items->len = 0;
}

static inline void
end_run (WpTrail *trail)
{
  const WpTrailRun run = { trail->first, trail->next - trail->first, trail->mask };

  if (trail->first == WP_TRAIL_NOWHERE)
    return;
  if (trail->n_runs == trail->room)
    {
      trail->room = MAX (2 * trail->room, FIRST_ROOM);
      trail->runs = g_renew (WpTrailRun, trail->runs, trail->room);
    }
  trail->runs[trail->n_runs++] = run;
}

void
wp_trail_turn (WpTrail *trail, guint32 index, guint32 mask)
{
  end_run (trail);
  trail->first = index;
  trail->next = index + 1;
  trail->mask = mask;
}

static inline WpTrailItem *
get_item (const WpTrail *trail, guint32 i)
{
  return &g_array_index (trail->items, WpTrailItem, i);
}

static gboolean
equal_items (const WpTrailItem *x, const WpTrailItem *y, guint32 n)
{
  return memcmp (x, y, n * sizeof *x) == 0;
}

/* If the last items equal the body before them, adds them to its count. */
static gboolean
join_body (WpTrail *trail)
{
  guint32 end = trail->items->len;

  for (guint32 n = 1; n <= PERIOD && n < end; n++)
    {
      WpTrailItem *item = get_item (trail, end - 1 - n);
      const WpTrailUnit *unit = wp_trail_store_get (trail->store, item->unit);

      if (unit->depth > 0 && unit->n == n && item->count < G_MAXINT32
          && equal_items (wp_trail_store_get_items (trail->store, item->unit), item + 1, n))
        {
          item->count++;
          g_array_set_size (trail->items, end - n);
          return TRUE;
        }
    }
  return FALSE;
}

static gboolean
is_shallow (const WpTrail *trail, guint32 first, guint32 n)
{
  for (guint32 i = first; i < first + n; i++)
    if (wp_trail_store_get (trail->store, get_item (trail, i)->unit)->depth >= MAX_DEPTH)
      return FALSE;
  return TRUE;
}

/* If the last items precede themselves, makes both a body. */
static void
make_body (WpTrail *trail)
{
  guint32 end = trail->items->len;
  const WpTrailItem *last = get_item (trail, end - 1);

  for (guint32 n = 1; n <= PERIOD && 2 * n <= end; n++)
    if (equal_items (last - n, last, 1)
        && equal_items (get_item (trail, end - 2 * n), get_item (trail, end - n), n)
        && is_shallow (trail, end - n, n))
      {
        WpTrailItem item
            = { wp_trail_store_add_body (trail->store, get_item (trail, end - n), n), 2 };

        g_array_set_size (trail->items, end - 2 * n);
        g_array_append_val (trail->items, item);
        return;
      }
}

/* The last item is complete. */
static void
end_item (WpTrail *trail)
{
  if (trail->items->len > 1 && !join_body (trail))
    make_body (trail);
}

void
wp_trail_cut (WpTrail *trail)
{
  WpTrailItem item = { .count = 1 };
  WpTrailItem *last;

  if (trail->first == WP_TRAIL_NOWHERE)
    return;
  end_run (trail);
  item.unit = wp_trail_store_add_segment (trail->store, trail->runs, trail->n_runs);
  trail->n_runs = 0;
  trail->next = trail->first = WP_TRAIL_NOWHERE;
  last = trail->items->len > 0 ? get_item (trail, trail->items->len - 1) : NULL;
  if (last && last->unit == item.unit && last->count < G_MAXINT32)
    {
      last->count++;
      return;
    }
  end_item (trail);
  g_array_append_val (trail->items, item);
}

void
wp_trail_finish (WpTrail *trail, WpTrailHash *hash, guint64 *count)
{
  const WpTrailEnded *ended;

  wp_trail_cut (trail);
  end_item (trail);
  ended = wp_trail_store_sum_up (trail->store, (const WpTrailItem *)(gpointer)trail->items->data,
                                 trail->items->len);
  *hash = ended->hash;
  if (count)
    *count = ended->instructions;
}

guint32
wp_trail_keep (WpTrail *trail)
{
  return wp_trail_store_add_body (trail->store, (const WpTrailItem *)(gpointer)trail->items->data,
                                  trail->items->len);
}
