/* SPDX-License-Identifier: MIT */
#include "exec/trail/wp-trail-rows.h"

#include <string.h>

/* A row begins with its own number of warps, so that it can be hashed by itself. */
static guint
hash_row (gconstpointer key)
{
  const guint32 *row = key;
  guint64 hash = 0;

  for (guint32 i = 0; i <= row[0]; i++)
    hash = (hash ^ row[i]) * G_GUINT64_CONSTANT (0x9E3779B97F4A7C15);
  return (guint)(hash >> 32);
}

static gboolean
equal_rows (gconstpointer x, gconstpointer y)
{
  const guint32 *row = x;

  return memcmp (x, y, (row[0] + 1) * sizeof *row) == 0;
}

void
wp_trail_rows_init (WpTrailRows *rows, guint32 warps)
{
  rows->warps = warps;
  rows->known = g_hash_table_new (hash_row, equal_rows);
  rows->rows = g_ptr_array_new_with_free_func (g_free);
  rows->blocks = g_array_new (FALSE, FALSE, sizeof (WpTrailBlock));
  rows->row = g_new (guint32, warps + 1);
  rows->last = 0;
}

void
wp_trail_rows_clear (WpTrailRows *rows)
{
  g_clear_pointer (&rows->known, g_hash_table_unref);
  g_clear_pointer (&rows->rows, g_ptr_array_unref);
  g_clear_pointer (&rows->blocks, g_array_unref);
  g_clear_pointer (&rows->row, g_free);
}

/* Returns the number of the row that equals ROW, which has the number of warps before it. */
static guint32
find_row (WpTrailRows *rows, const guint32 *row)
{
  gpointer number = g_hash_table_lookup (rows->known, row);

  if (!number)
    {
      g_ptr_array_add (rows->rows, g_memdup2 (row, (rows->warps + 1) * sizeof *row));
      number = GUINT_TO_POINTER (rows->rows->len);
      g_hash_table_insert (rows->known, g_ptr_array_index (rows->rows, rows->rows->len - 1),
                           number);
    }
  return GPOINTER_TO_UINT (number) - 1;
}

void
wp_trail_rows_add_block (WpTrailRows *rows, guint64 block, const guint32 *classes)
{
  WpTrailBlock ended = { .block = block };

  rows->row[0] = rows->warps;
  memcpy (rows->row + 1, classes, rows->warps * sizeof *classes);
  if (rows->rows->len == 0 || !equal_rows (rows->row, g_ptr_array_index (rows->rows, rows->last)))
    rows->last = find_row (rows, rows->row);
  ended.row = rows->last;
  g_array_append_val (rows->blocks, ended);
}

static gint
compare_blocks (gconstpointer a, gconstpointer b)
{
  const WpTrailBlock *x = a, *y = b;

  return x->block < y->block ? -1 : x->block > y->block;
}

/* Makes the rows anew in the order of the blocks, with class K as NUMBERS[K]; NULL: as they are. */
static void
remake (WpTrailRows *rows, const guint32 *numbers)
{
  g_autoptr (GPtrArray) old = g_steal_pointer (&rows->rows);
  g_autofree guint32 *places = g_new0 (guint32, old->len + 1); /* + 1; 0: not yet */

  g_hash_table_remove_all (rows->known);
  rows->rows = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < rows->blocks->len; i++)
    {
      WpTrailBlock *block = &g_array_index (rows->blocks, WpTrailBlock, i);
      guint32 *row = g_ptr_array_index (old, block->row);

      if (places[block->row] == 0)
        {
          for (guint32 warp = 1; numbers && warp <= rows->warps; warp++)
            row[warp] = numbers[row[warp]];
          places[block->row] = find_row (rows, row) + 1;
        }
      block->row = places[block->row] - 1;
    }
}

void
wp_trail_rows_finish (WpTrailRows *rows)
{
  g_array_sort (rows->blocks, compare_blocks);
  remake (rows, NULL);
}

void
wp_trail_rows_renumber (WpTrailRows *rows, const guint32 *numbers)
{
  remake (rows, numbers);
}
