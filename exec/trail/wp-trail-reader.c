/* SPDX-License-Identifier: MIT */
/* Walks through the steps of a trail, with a place in each body that it is in. */
#include "exec/trail/wp-trail-private.h"

typedef struct
{
  guint32 unit; /* a body */
  guint32 item; /* of it */
  guint32 left; /* how often that item is still to come, this time included */
} Level;

/* Goes down to the first segment of UNIT. */
static void
enter (WpTrailReader *reader, guint32 number)
{
  const WpTrailUnit *unit;

  while ((unit = wp_trail_store_get (reader->store, number))->depth > 0 && unit->n > 0)
    {
      const WpTrailItem *item = wp_trail_store_get_items (reader->store, number);
      Level level = { number, 0, item->count };

      g_array_append_val (reader->levels, level);
      number = item->unit;
    }
  reader->unit = unit->depth > 0 ? WP_TRAIL_NOWHERE : number;
  reader->run = reader->place = 0;
}

/* Goes to the next segment. */
static void
leave (WpTrailReader *reader)
{
  reader->unit = WP_TRAIL_NOWHERE;
  while (reader->levels->len > 0)
    {
      Level *level = &g_array_index (reader->levels, Level, reader->levels->len - 1);
      const WpTrailItem *items = wp_trail_store_get_items (reader->store, level->unit);

      if (--level->left == 0)
        {
          if (++level->item == wp_trail_store_get (reader->store, level->unit)->n)
            {
              g_array_set_size (reader->levels, reader->levels->len - 1);
              continue;
            }
          level->left = items[level->item].count;
        }
      enter (reader, items[level->item].unit);
      return;
    }
}

void
wp_trail_reader_init (WpTrailReader *reader, const WpTrailStore *store, guint32 unit)
{
  reader->store = store;
  reader->levels = g_array_new (FALSE, FALSE, sizeof (Level));
  enter (reader, unit);
}

void
wp_trail_reader_clear (WpTrailReader *reader)
{
  g_clear_pointer (&reader->levels, g_array_unref);
}

gboolean
wp_trail_reader_next (WpTrailReader *reader, guint32 *index, guint32 *mask)
{
  const WpTrailRun *run;

  if (reader->unit == WP_TRAIL_NOWHERE)
    return FALSE;
  run = wp_trail_store_get_runs (reader->store, reader->unit) + reader->run;
  *index = run->first + reader->place;
  *mask = run->mask;
  if (++reader->place == run->n)
    {
      reader->place = 0;
      if (++reader->run == wp_trail_store_get (reader->store, reader->unit)->n)
        leave (reader);
    }
  return TRUE;
}
