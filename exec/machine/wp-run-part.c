/* SPDX-License-Identifier: MIT */
/* Where the first wave alone is more work than the limit, a part of it is executed. Until two
 * thirds of the limit all blocks run side by side, so that they find in the caches what their
 * neighbours brought there. Then all but the first block that has not ended stop, and that one runs
 * until it ends. By what it took, as many of the others go on, those with the lowest numbers, as
 * the limit allows; the rest is given up, and no block begins any more. Blocks that turn out to be
 * longer than that one are stopped at the limit in the same way. Blocks with the lowest numbers
 * never wait for others that were given up where kernels pass sums from block to block.
 *
 * Where all blocks wait for one another at a barrier of the grid, all of them are executed, or
 * none ends. */
#include "exec/machine/wp-run-private.h"

static guint64
count_block (const WpRun *run, const WpRunSlot *slot)
{
  guint64 n = 0;

  for (guint k = 0; k < run->grid->warps; k++)
    n += slot->block->warps[k]->n_executed;
  return n;
}

/* The resident block with the lowest number. NULL: none is resident. */
static WpRunSlot *
find_first (const WpRun *run)
{
  WpRunSlot *first = NULL;

  for (guint k = 0; k < run->n_sms; k++)
    for (guint j = 0; j < run->n_slots; j++)
      {
        WpRunSlot *slot = &run->sms[k].slots[j];
        if (slot->is_taken && (!first || slot->number < first->number))
          first = slot;
      }
  return first;
}

static gint
compare_numbers (gconstpointer a, gconstpointer b)
{
  guint64 x = *(const guint64 *)a, y = *(const guint64 *)b;

  return x < y ? -1 : x > y;
}

/* Gives up all resident blocks but the first KEPT. */
static void
give_up (WpRun *run, guint64 kept)
{
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (guint64));

  for (guint k = 0; k < run->n_sms; k++)
    for (guint j = 0; j < run->n_slots; j++)
      if (run->sms[k].slots[j].is_taken)
        g_array_append_val (numbers, run->sms[k].slots[j].number);
  kept -= kept % run->grid->cluster_blocks;
  if (kept >= numbers->len)
    return;
  g_array_sort (numbers, compare_numbers);
  guint64 end = g_array_index (numbers, guint64, kept);
  for (guint k = 0; k < run->n_sms; k++)
    for (guint j = 0; j < run->n_slots; j++)
      {
        WpRunSlot *slot = &run->sms[k].slots[j];
        if (!slot->is_taken || slot->number < end)
          continue;
        run->given_up += count_block (run, slot);
        for (guint w = 0; w < run->grid->warps; w++)
          wp_counts_reset (slot->own[w]);
        slot->block->is_busy = FALSE;
        slot->is_taken = FALSE;
      }
  run->next = run->stop = run->resume = run->n_blocks;
  run->is_decided = run->is_part = TRUE;
}

/* The instructions of the block that ran alone, which ended in this turn. */
static guint64
find_ended (const WpRun *run)
{
  for (guint k = 0; k < run->n_sms; k++)
    for (guint j = 0; j < run->sms[k].ended->len; j++)
      {
        const WpRunEnded *ended = &g_array_index (run->sms[k].ended, WpRunEnded, j);
        if (ended->block + 1 == run->alone)
          return ended->instructions;
      }
  return 0;
}

/* The block that ran alone has ended. */
static void
go_on (WpRun *run, guint64 instructions)
{
  const WpRunSlot *first = find_first (run);
  guint64 n = find_ended (run), left = run->limit - MIN (run->limit, instructions);

  run->alone = 0;
  run->threshold = run->limit;
  if (first)
    {
      guint64 done = count_block (run, first);
      give_up (run, left / (n > done ? n - done : 1));
    }
}

static WpCounts *
pool_counts (WpRun *run)
{
  wp_run_catch_up (run);
  return wp_run_pool_counts (run);
}

/* From here on the first block runs alone. */
static void
stop_others (WpRun *run, const WpRunSlot *first)
{
  run->alone = first->number + 1;
  if (run->pool)
    return;
  run->pool = pool_counts (run);
  for (guint k = 0; k < run->n_sms; k++)
    for (guint j = 0; j < run->n_slots; j++)
      run->pool_warps += run->sms[k].slots[j].is_taken ? run->grid->warps : 0;
  run->pool_warps += run->n_ended * run->grid->warps;
}

/* What the block that runs alone has executed, or of its cluster the one that has most. */
static guint64
count_alone (const WpRun *run, const WpRunSlot *first)
{
  guint64 most = count_block (run, first);

  for (guint k = 0; k < run->n_sms; k++)
    for (guint j = 0; j < run->n_slots; j++)
      {
        const WpRunSlot *slot = &run->sms[k].slots[j];
        if (slot->is_taken && slot->number < first->number + run->grid->cluster_blocks)
          most = MAX (most, count_block (run, slot));
      }
  return most;
}

gboolean
wp_run_part (WpRun *run, guint64 instructions)
{
  const WpRunSlot *first = find_first (run);

  if (run->code->meets)
    return instructions <= run->limit;
  if (run->alone && !(first && first->number < run->alone))
    go_on (run, instructions);
  else if (!run->alone && first && run->n_ended < MIN (run->wave, run->n_blocks))
    {
      if (!run->early && instructions > run->limit / 3)
        run->early = pool_counts (run);
      if (instructions > run->threshold)
        stop_others (run, first);
    }
  return !run->alone || count_alone (run, first) <= run->limit;
}
