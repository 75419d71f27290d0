/* SPDX-License-Identifier: MIT */
/* A turn: blocks run, on all threads or one after the other; L1s look up what they accessed, on all
 * threads; L2 on one; and warps that have ended are counted, on all threads. */
#include "exec/machine/wp-run-private.h"

#include "idg/kernel/idg-kernel.h"

static gboolean
is_cancelled (const WpRun *run)
{
  return run->options->cancel && g_atomic_int_get (run->options->cancel);
}

static void
run_block (WpRun *run, WpRunSm *sm, WpRunSlot *slot)
{
  if (!slot->is_taken || sm->failed || is_cancelled (run))
    return;
  if (slot->is_new)
    wp_block_begin (slot->block, slot->block->number, sm->store);
  else
    wp_block_next_turn (slot->block);
  slot->is_new = FALSE;
  if (run->alone && slot->block->number >= run->alone)
    return;
  if (!wp_block_run (slot->block, run->quantum))
    sm->failed = slot->block;
}

static void
look_up_l1 (guint element, gpointer data)
{
  WpRun *run = data;
  WpRunSm *sm = &run->sms[element];
  guint n = 0;

  for (guint k = 0; k < sm->n_slots; k++)
    for (guint j = 0; sm->slots[k].is_taken && j < run->grid->warps; j++)
      {
        sm->warps[n].log = &sm->slots[k].block->warps[j]->log;
        sm->warps[n++].counts = sm->slots[k].counts[j];
      }
  if (n)
    wp_caches_replay_l1 (run->options->caches, element, sm->warps, n);
}

/* L1 comes at once, while what the blocks did is at hand. */
static void
run_sm (guint element, gpointer data)
{
  WpRun *run = data;
  WpRunSm *sm = &run->sms[element];

  for (guint k = 0; k < sm->n_slots; k++)
    run_block (run, sm, &sm->slots[k]);
  if (run->options->caches && !sm->failed && !is_cancelled (run))
    look_up_l1 (element, data);
}

static gint
compare_slots (gconstpointer a, gconstpointer b)
{
  const WpBlock *x = (*(WpRunSlot *const *)a)->block, *y = (*(WpRunSlot *const *)b)->block;

  return x->number < y->number ? -1 : x->number > y->number;
}

/* One after the other, by their numbers. */
static void
run_in_order (WpRun *run)
{
  g_autoptr (GPtrArray) slots = g_ptr_array_new ();

  for (guint k = 0; k < run->n_sms; k++)
    for (guint j = 0; j < run->sms[k].n_slots; j++)
      if (run->sms[k].slots[j].is_taken)
        g_ptr_array_add (slots, &run->sms[k].slots[j]);
  g_ptr_array_sort (slots, compare_slots);
  for (guint k = 0; k < slots->len; k++)
    {
      WpRunSlot *slot = g_ptr_array_index (slots, k);
      run_block (run, &run->sms[slot->block->sm], slot);
      if (run->sms[slot->block->sm].failed)
        return;
    }
}

static void
count_warp (WpRun *run, WpRunSm *sm, WpRunSlot *slot, guint k)
{
  WpWarp *warp = slot->block->warps[k];
  guint32 number = wp_trail_classes_add (run->classes, slot->block->number, k, &warp->trail);

  wp_run_count_warp (run, sm, slot->block->number, number, slot->counts[k]);
  wp_counts_reset (slot->counts[k]);
}

static guint64
count_instructions (const WpBlock *block)
{
  guint64 n = 0;

  for (guint k = 0; k < block->n_warps; k++)
    n += block->warps[k]->n_executed;
  return n;
}

/* Blocks that have ended make room. */
static void
count_sm (guint element, gpointer data)
{
  WpRun *run = data;
  WpRunSm *sm = &run->sms[element];

  g_array_set_size (sm->ended, 0);
  sm->instructions = 0;
  if (run->options->caches)
    wp_caches_count (run->options->caches, element);
  for (guint k = 0; k < sm->n_slots; k++)
    {
      WpRunSlot *slot = &sm->slots[k];
      if (!slot->is_taken)
        continue;
      WpRunEnded ended = { slot->block->number, count_instructions (slot->block) };
      if (slot->block->is_busy)
        {
          sm->instructions += ended.instructions;
          continue;
        }
      for (guint j = 0; j < run->grid->warps; j++)
        count_warp (run, sm, slot, j);
      g_array_append_val (sm->ended, ended);
      slot->is_taken = FALSE;
    }
}

/* Of the blocks that have failed, the first one. */
static gboolean
check_failures (WpRun *run, GError **error)
{
  const WpBlock *first = NULL;

  for (guint k = 0; k < run->n_sms; k++)
    {
      const WpBlock *failed = run->sms[k].failed;
      if (failed && (!first || failed->number < first->number))
        first = failed;
    }
  if (!first)
    return TRUE;
  g_autofree gchar *text = wp_block_describe_failure (first);
  g_set_error (error, IDG_ERROR, IDG_ERROR_VALUE, "%s", text);
  return FALSE;
}

gboolean
wp_run_turn (WpRun *run, GError **error)
{
  if (run->code->is_serial)
    run_in_order (run);
  else
    wp_workers_run (run->workers, run->n_sms, run_sm, run);
  if (is_cancelled (run))
    {
      g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_INTR, "the execution was stopped");
      return FALSE;
    }
  if (!check_failures (run, error))
    return FALSE;
  if (run->options->caches)
    {
      if (run->code->is_serial)
        wp_workers_run (run->workers, run->n_sms, look_up_l1, run);
      wp_caches_replay_l2 (run->options->caches);
    }
  wp_workers_run (run->workers, run->n_sms, count_sm, run);
  return TRUE;
}
