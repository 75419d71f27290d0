/* SPDX-License-Identifier: MIT */
/* Where a launch is so large that only some of its blocks are executed, these are its first ones
 * and maybe some of its last:
 *
 *     0 ... P-1           P ... L-1            L ... N-1
 *     executed            not executed         executed
 *
 * Of the first ones the last *period* is taken again and again for those that are not executed: so
 * many that each block between has the place in the grid's rows that the one has which it is taken
 * from, where that is possible, so that blocks at the grid's edges stay there; else a wave. Blocks
 * that end a block's work early or do more of it at the very beginning are not repeated. */
#include "exec/fold/wp-fold-blocks.h"

/* More stretches of equal blocks are not added: the rest is taken to be as its commonest block. */
#define MAX_STRETCHES 1000000

typedef struct
{
  const WpFoldInput *input;
  IdgFoldWarps *warps;
  const guint32 *rows;
  const GArray *blocks; /* of WpTrailBlock */
  guint64 n;            /* blocks of the grid */
  guint64 prefix;       /* P */
  guint stretches;
} Blocks;

static const WpTrailBlock *
get_block (const Blocks *blocks, guint64 i)
{
  return &g_array_index (blocks->blocks, WpTrailBlock, i);
}

/* Adds blocks FIRST to FIRST + N - 1 as what executed block I and those after it ran. */
static void
add_like (Blocks *blocks, guint64 first, guint64 n, guint64 i)
{
  while (n > 0)
    {
      guint32 row = get_block (blocks, i)->row;
      guint64 length = 1;

      while (length < n && get_block (blocks, i + length)->row == row)
        length++;
      idg_fold_warps_add_blocks (blocks->warps, first, length, blocks->rows[row]);
      blocks->stretches++;
      first += length;
      i += length;
      n -= length;
    }
}

/* The commonest row of the N blocks from I on. */
static guint32
find_commonest (const Blocks *blocks, guint64 i, guint64 n)
{
  guint n_rows = wp_trail_classes_get_n_rows (blocks->input->classes);
  g_autofree guint64 *counts = g_new0 (guint64, n_rows);
  guint32 best = 0;

  for (guint64 k = i; k < i + n; k++)
    counts[get_block (blocks, k)->row]++;
  for (guint32 row = 1; row < n_rows; row++)
    if (counts[row] > counts[best])
      best = row;
  return best;
}

static guint64
find_period (const Blocks *blocks)
{
  const guint *grid = blocks->input->grid;
  guint64 plane = (guint64)grid[0] * grid[1];
  guint64 wave
      = blocks->input->wave > 0 ? MIN (blocks->input->wave, blocks->prefix) : blocks->prefix;

  /* Not the first of all where there is another, as it may be special. */
  if (grid[2] > 1 && plane < blocks->prefix)
    return (blocks->prefix - 1) / plane * plane;
  if (grid[1] > 1 && grid[0] < blocks->prefix)
    return (blocks->prefix - 1) / grid[0] * grid[0];
  return MIN (wave, MAX (blocks->prefix - 1, 1));
}

/* Adds blocks FIRST to END - 1, which were not executed. */
static void
add_missing (Blocks *blocks, guint64 first, guint64 end)
{
  guint64 period = find_period (blocks), begin = blocks->prefix - period;
  guint32 row = find_commonest (blocks, begin, period);
  guint64 n;

  for (guint64 next = first; next < end; next += n)
    {
      guint64 i = begin + (next - begin) % period;

      n = MIN (end - next, begin + period - i);
      if (blocks->stretches >= MAX_STRETCHES)
        {
          idg_fold_warps_add_blocks (blocks->warps, next, end - next, blocks->rows[row]);
          return;
        }
      add_like (blocks, next, n, i);
    }
}

/* Tells whether all N blocks from I on have the same row. */
static gboolean
are_alike (const Blocks *blocks, guint64 i, guint64 n)
{
  for (guint64 k = 1; k < n; k++)
    if (get_block (blocks, i + k)->row != get_block (blocks, i)->row)
      return FALSE;
  return TRUE;
}

void
wp_fold_add_blocks (const WpFoldInput *input, IdgFoldWarps *warps, const guint32 *rows)
{
  Blocks blocks = { .input = input,
                    .warps = warps,
                    .rows = rows,
                    .blocks = wp_trail_classes_get_blocks (input->classes),
                    .n = (guint64)input->grid[0] * input->grid[1] * input->grid[2] };
  guint64 next = 0, period;

  while (blocks.prefix < blocks.blocks->len
         && get_block (&blocks, blocks.prefix)->block == blocks.prefix)
    blocks.prefix++;
  if (blocks.prefix == 0) /* none but later ones: all are taken as these */
    blocks.prefix = blocks.blocks->len;
  period = find_period (&blocks);
  for (guint64 i = 0; i <= blocks.blocks->len; i++)
    {
      guint64 block = i < blocks.blocks->len ? get_block (&blocks, i)->block : blocks.n;

      if (block > next)
        {
          if (are_alike (&blocks, blocks.prefix - period, period))
            idg_fold_warps_add_blocks (warps, next, block - next,
                                       rows[get_block (&blocks, blocks.prefix - period)->row]);
          else
            add_missing (&blocks, next, block);
        }
      if (i < blocks.blocks->len)
        add_like (&blocks, block, 1, i);
      next = block + 1;
    }
}
