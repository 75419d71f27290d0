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

#include "idg/kernel/idg-coalesce.h"

/* More stretches of equal blocks are not added: the rest is taken to be as its commonest block. */
#define MAX_STRETCHES 1000000

typedef struct
{
  const WpFoldInput *input;
  WpFoldPlace place;
  gpointer data;
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

/* Places blocks FIRST to FIRST + N - 1, which were not executed, as block I, which was, and those
 * after it. */
static void
place_like (Blocks *blocks, guint64 first, guint64 n, guint64 i)
{
  while (n > 0)
    {
      guint32 row = get_block (blocks, i)->row;
      guint64 length = 1;

      while (length < n && get_block (blocks, i + length)->row == row)
        length++;
      blocks->place (blocks->data, first, length, row, FALSE);
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

/* Returns how many of the first blocks, the last ones, are whole rows, or planes, of N blocks each:
 * none of the first wave, which has an edge of the grid, if there are others; else not the first
 * row. */
static guint64
count_whole (const Blocks *blocks, guint64 n)
{
  guint64 wave = blocks->input->wave;

  if (blocks->prefix >= wave + n)
    return (blocks->prefix - wave) / n * n;
  return blocks->prefix >= 2 * n ? (blocks->prefix - n) / n * n : (blocks->prefix - 1) / n * n;
}

static guint64
find_period (const Blocks *blocks)
{
  const guint *grid = blocks->input->grid;
  guint64 plane = (guint64)grid[0] * grid[1];
  guint64 wave
      = blocks->input->wave > 0 ? MIN (blocks->input->wave, blocks->prefix) : blocks->prefix;

  if (grid[2] > 1 && plane < blocks->prefix)
    return count_whole (blocks, plane);
  if (grid[1] > 1 && grid[0] < blocks->prefix)
    return count_whole (blocks, grid[0]);
  return MIN (wave, MAX (blocks->prefix - 1, 1));
}

/* Places blocks FIRST to END - 1, which were not executed. */
static void
place_missing (Blocks *blocks, guint64 first, guint64 end)
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
          blocks->place (blocks->data, next, end - next, row, FALSE);
          return;
        }
      place_like (blocks, next, n, i);
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

static void
place_all (Blocks *blocks)
{
  guint64 next = 0, period = find_period (blocks), begin = blocks->prefix - period;
  gboolean alike = are_alike (blocks, begin, period);

  for (guint64 i = 0; i <= blocks->blocks->len; i++)
    {
      const WpTrailBlock *one = i < blocks->blocks->len ? get_block (blocks, i) : NULL;
      guint64 block = one ? one->block : blocks->n;

      if (block > next && alike)
        blocks->place (blocks->data, next, block - next, get_block (blocks, begin)->row, FALSE);
      else if (block > next)
        place_missing (blocks, next, block);
      if (one)
        blocks->place (blocks->data, block, 1, one->row, TRUE);
      next = block + 1;
    }
}

void
wp_fold_place_blocks (const WpFoldInput *input, WpFoldPlace place, gpointer data)
{
  Blocks blocks = { .input = input,
                    .place = place,
                    .data = data,
                    .blocks = wp_trail_classes_get_blocks (input->classes),
                    .n = (guint64)input->grid[0] * input->grid[1] * input->grid[2] };

  while (blocks.prefix < blocks.blocks->len
         && get_block (&blocks, blocks.prefix)->block == blocks.prefix)
    blocks.prefix++;
  if (blocks.prefix == 0) /* none but later ones: all are taken as these */
    blocks.prefix = blocks.blocks->len;
  place_all (&blocks);
}

/* ---- Accesses ---- */

typedef struct
{
  const WpFoldInput *input;
  guint64 *missing; /* warps of each class in blocks that were not executed */
} Weights;

static void
count_missing (gpointer data, G_GNUC_UNUSED guint64 first, guint64 n, guint32 row,
               gboolean is_executed)
{
  Weights *weights = data;
  const guint32 *classes = wp_trail_classes_get_row (weights->input->classes, row);
  guint n_warps = (weights->input->threads + IDG_LANES - 1) / IDG_LANES;

  for (guint warp = 0; warp < n_warps && !is_executed; warp++)
    weights->missing[classes[warp]] += n;
}

static WpCounts *
weigh (const WpFoldInput *input, guint class, guint64 missing)
{
  WpCounts *counts = wp_counts_new ();
  guint64 n_warps = wp_trail_classes_get (input->classes, class)->n_warps;

  if (!input->counts[class])
    return counts;
  wp_counts_merge (counts, input->counts[class]);
  if (input->steady && input->steady_warps[class] > 0)
    wp_counts_merge_times (counts, input->steady[class], missing, input->steady_warps[class]);
  else
    wp_counts_merge_times (counts, input->counts[class], missing, n_warps);
  return counts;
}

GPtrArray *
wp_fold_weigh_counts (const WpFoldInput *input)
{
  guint n = wp_trail_classes_get_n (input->classes);
  g_autofree guint64 *missing = g_new0 (guint64, n + 1);
  Weights weights = { input, missing };
  GPtrArray *counts;

  if (!input->counts)
    return NULL;
  counts = g_ptr_array_new_with_free_func ((GDestroyNotify)wp_counts_free);
  wp_fold_place_blocks (input, count_missing, &weights);
  for (guint class = 0; class < n; class ++)
    g_ptr_array_add (counts, weigh (input, class, missing[class]));
  return counts;
}
