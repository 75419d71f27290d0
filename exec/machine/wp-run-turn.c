/* SPDX-License-Identifier: MIT */
/* A turn: blocks run, on all threads or one after the other; L1s look up what they accessed, on all
 * threads; and warps that have ended are counted, on all threads. L2 is one turn behind: meanwhile
 * a thread has it look up what L1s lacked in the turn before, so that this holds up nobody. Where
 * it matters at once what that came to, the run waits for it: wp_run_catch_up(). */
#include "exec/machine/wp-cluster.h"
#include "exec/machine/wp-run-private.h"

#include "exec/memory/wp-coalesce.h"
#include "idg/kernel/idg-kernel.h"

#include <string.h>

static gboolean
is_cancelled (const WpRun *run)
{
  return run->options->cancel && g_atomic_int_get (run->options->cancel);
}

/* ---- Blocks ---- */

static WpBlock *
new_block (WpRun *run)
{
  WpBlock *block = wp_block_new (run->grid);

  g_mutex_lock (&run->lock);
  g_ptr_array_add (run->blocks, block);
  g_mutex_unlock (&run->lock);
  return block;
}

/* Only while it runs has the block at SLOT of SM logs, which others have before and after it: they
 * are at hand, and not so many. Called again it gives them back. */
static void
swap_logs (const WpRun *run, WpRunSm *sm, WpRunSlot *slot)
{
  const guint warps = run->grid->warps;
  WpAccessLog *logs = sm->logs + (slot - sm->slots) * warps;

  for (guint k = 0; k < warps; k++)
    wp_access_log_swap (&slot->block->warps[k]->log, &logs[k]);
}

static void
begin_block (WpRun *run, WpRunSm *sm, WpRunSlot *slot, WpRunWorker *worker)
{
  if (!slot->block)
    slot->block = worker->block ? g_steal_pointer (&worker->block) : new_block (run);
  swap_logs (run, sm, slot);
  wp_block_begin (slot->block, (guint)(sm - run->sms), (guint)(slot - sm->slots), slot->number,
                  sm->store);
  slot->has_ended = FALSE;
}

/* The block goes on in another turn, at this place of SM, where others do what it does. */
static void
keep_block (WpRun *run, WpRunSm *sm, WpRunSlot *slot)
{
  if (!sm->patterns)
    sm->patterns = wp_patterns_new ();
  wp_block_share_patterns (slot->block, sm->patterns);
  if (!slot->own)
    {
      slot->own = g_new0 (WpCounts *, run->grid->warps);
      for (guint k = 0; k < run->grid->warps; k++)
        slot->own[k] = wp_counts_new ();
    }
  memcpy (slot->counts, slot->own, run->grid->warps * sizeof *slot->counts);
}

#define MUCH_OWED 8 /* of what a block has logged: one of so many parts */

/* The block that BLOCK is simulated as: of two that multiply together (cta_group::2) the first one,
 * which has the products of both issued, and whose arrivals the other one waits for. */
static WpBlock *
find_model (const WpRun *run, WpBlock *block)
{
  WpBlock *first = run->code->has_pairs ? wp_cluster_get_of_pair (block, 0) : NULL;

  return first != NULL ? first : block;
}

/* The block has ended: what it executed is classified. Where it did not take more than one turn,
 * its accesses are counted as those of its classes, and what it ran in is the worker's again, but
 * for what shares patterns with its SM, which others may run elsewhere at the same time. */
static void
end_block (WpRun *run, WpRunSm *sm, WpRunSlot *slot, WpRunWorker *worker, gboolean is_new)
{
  WpBlock *block = slot->block, *model = find_model (run, block);

  slot->has_ended = TRUE;
  slot->instructions = 0;
  if (block->n_owed > block->n_logged / MUCH_OWED)
    g_atomic_int_set (&run->grid->loses_copies, TRUE);
  for (guint j = 0; j < block->n_warps; j++)
    {
      worker->trails[j] = &model->warps[j]->trail;
      slot->instructions += block->warps[j]->n_executed;
    }
  if (block->waits && model == block)
    {
      g_mutex_lock (&run->lock);
      wp_waits_end (block, &run->waits);
      g_mutex_unlock (&run->lock);
    }
  if (wp_reach_is_any (&block->reach))
    {
      g_mutex_lock (&run->lock);
      wp_cluster_add_reach (run->grid, block);
      g_mutex_unlock (&run->lock);
    }
  wp_trail_classes_add_block (run->classes, slot->number, worker->trails, slot->classes);
  for (guint j = 0; is_new && j < block->n_warps; j++)
    slot->counts[j] = wp_run_get_counts (run, sm, slot->number, slot->classes[j]);
  if (is_new && !worker->block && block->patterns)
    worker->block = g_steal_pointer (&slot->block);
}

/* The blocks of a cluster, or one that is alone, which are at PLACES, run together. Those that have
 * ended stay until all have, as others may look into what they have. */
static void
run_cluster (WpRun *run, const WpRunPlace *places, WpRunWorker *worker)
{
  const guint n = run->grid->cluster_blocks;
  const gboolean is_new = places[0].slot->is_new;
  WpBlock *blocks[WP_MAX_CLUSTER];
  gboolean has_ended = FALSE;

  if (is_cancelled (run))
    return;
  for (guint k = 0; k < n; k++)
    {
      WpRunSlot *slot = places[k].slot;

      if (is_new)
        begin_block (run, places[k].sm, slot, worker);
      else
        {
          swap_logs (run, places[k].sm, slot);
          wp_block_next_turn (slot->block);
        }
      slot->is_new = FALSE;
      blocks[k] = slot->block;
    }
  if (is_new)
    wp_cluster_begin (blocks, n);
  if (!run->alone || places[0].slot->number < run->alone)
    {
      WpBlock *failed = wp_cluster_run (blocks, n, run->quantum);

      has_ended = failed == NULL;
      for (guint k = 0; k < n; k++)
        {
          if (blocks[k] == failed)
            places[k].sm->failed = failed;
          has_ended &= !blocks[k]->is_busy;
        }
    }
  for (guint k = 0; k < n; k++)
    {
      if (is_new && !has_ended)
        keep_block (run, places[k].sm, places[k].slot);
      swap_logs (run, places[k].sm, places[k].slot);
      if (has_ended)
        end_block (run, places[k].sm, places[k].slot, worker, is_new);
    }
}

/* ---- SMs ---- */

static void
look_up_l1 (guint element, G_GNUC_UNUSED guint worker, gpointer data)
{
  WpRun *run = data;
  WpRunSm *sm = &run->sms[element];
  guint n = 0;

  for (guint k = 0; k < sm->n_slots; k++)
    for (guint j = 0; sm->slots[k].is_taken && j < run->grid->warps; j++)
      {
        sm->warps[n].log = &sm->logs[k * run->grid->warps + j];
        sm->warps[n++].counts = sm->slots[k].counts[j];
      }
  if (n)
    wp_caches_replay_l1 (run->options->caches, element, sm->warps, n);
}

/* L1 comes at once, while what the blocks did is at hand. */
static void
run_sm (guint element, guint worker, gpointer data)
{
  WpRun *run = data;
  WpRunSm *sm = &run->sms[element];

  sm->logs = run->logs + (gsize)worker * run->n_slots * run->grid->warps;
  for (guint k = 0; k < sm->n_slots; k++)
    {
      const WpRunPlace place = { .slot = &sm->slots[k], .sm = sm };
      if (place.slot->is_taken && !sm->failed)
        run_cluster (run, &place, &run->own[worker]);
    }
  if (run->options->caches && !sm->failed && !is_cancelled (run))
    look_up_l1 (element, worker, data);
}

/* One after the other, by their numbers, as those of a cluster follow one another. */
static void
run_unit (WpRun *run, guint unit, guint worker)
{
  const guint *begins = &g_array_index (run->units, guint, unit);

  for (guint k = begins[0]; k < begins[1]; k += run->grid->cluster_blocks)
    {
      const WpRunPlace *place = &g_array_index (run->places, WpRunPlace, k);

      run_cluster (run, place, &run->own[worker]);
      for (guint j = 0; j < run->grid->cluster_blocks; j++)
        if (place[j].sm->failed)
          return;
    }
}

static guint64
count_instructions (const WpBlock *block)
{
  guint64 n = 0;

  for (guint k = 0; k < block->n_warps; k++)
    n += block->warps[k]->n_executed;
  return n;
}

/* All of what blocks came to that ended in the turn before is counted: counts of their own join
 * those of their classes. */
static void
count_kept (WpRun *run, WpRunSm *sm)
{
  for (guint i = 0; i < sm->kept->len; i++)
    {
      const WpRunKept *kept = &g_array_index (sm->kept, WpRunKept, i);

      for (guint k = 0; k < run->grid->warps; k++)
        {
          wp_run_count_warp (run, sm, kept->number, kept->classes[k], kept->own[k]);
          wp_counts_free (kept->own[k]);
        }
      g_free (kept->own);
      g_free (kept->classes);
    }
  g_array_set_size (sm->kept, 0);
}

/* What SM asked L2 for is counted. */
static void
count_l2 (guint element, G_GNUC_UNUSED guint worker, gpointer data)
{
  WpRun *run = data;

  wp_caches_count (run->options->caches, element);
  count_kept (run, &run->sms[element]);
}

/* The block has ended, and makes room. */
static void
count_block (WpRun *run, WpRunSm *sm, WpRunSlot *slot)
{
  const WpRunEnded ended = { slot->number, slot->instructions };

  if (slot->own && slot->counts[0] == slot->own[0])
    {
      WpRunKept kept = { slot->number, g_steal_pointer (&slot->own),
                         g_memdup2 (slot->classes, run->grid->warps * sizeof *slot->classes) };

      g_array_append_val (sm->kept, kept);
    }
  g_array_append_val (sm->ended, ended);
  slot->is_taken = FALSE;
}

static void
count_sm (guint element, guint worker, gpointer data)
{
  WpRun *run = data;
  WpRunSm *sm = &run->sms[element];

  if (run->options->caches)
    {
      count_l2 (element, worker, data);
      wp_caches_hand_on (run->options->caches, element);
    }
  g_array_set_size (sm->ended, 0);
  sm->instructions = 0;
  for (guint k = 0; k < sm->n_slots; k++)
    if (sm->slots[k].is_taken && sm->slots[k].has_ended)
      count_block (run, sm, &sm->slots[k]);
    else if (sm->slots[k].is_taken)
      sm->instructions += count_instructions (sm->slots[k].block);
  if (!run->options->caches)
    count_kept (run, sm);
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

/* ---- The turn ---- */

/* L2 comes first, as it takes the longest. */
static void
run_element (guint element, guint worker, gpointer data)
{
  WpRun *run = data;

  if (element == 0 && run->is_behind)
    wp_caches_replay_l2 (run->options->caches);
  else if (element > 0 && run->units)
    run_unit (run, element - 1, worker);
  else if (element > 0)
    run_sm (element - 1, worker, data);
}

void
wp_run_catch_up (WpRun *run)
{
  if (!run->is_behind)
    return;
  wp_caches_replay_l2 (run->options->caches);
  wp_workers_run (run->workers, run->n_sms, count_l2, run);
  run->is_behind = FALSE;
}

gboolean
wp_run_turn (WpRun *run, GError **error)
{
  run->grid->turn++;
  if (run->units)
    wp_run_units_find (run);
  wp_workers_run (run->workers, 1 + (run->units ? run->units->len - 1 : run->n_sms), run_element,
                  run);
  if (is_cancelled (run))
    {
      g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_INTR, "the execution was stopped");
      return FALSE;
    }
  if (!check_failures (run, error))
    return FALSE;
  if (run->options->caches && run->units)
    wp_workers_run (run->workers, run->n_sms, look_up_l1, run);
  wp_workers_run (run->workers, run->n_sms, count_sm, run);
  run->is_behind = run->options->caches != NULL;
  return TRUE;
}
