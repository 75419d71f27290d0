/* SPDX-License-Identifier: MIT */
/* Blocks are made once for each place on an SM, and used again for one block after the other. */
#include "exec/machine/wp-block-run.h"
#include "exec/machine/wp-diverge.h"
#include "exec/machine/wp-kernel-code.h"
#include "exec/machine/wp-stretch.h"
#include "exec/machine/wp-tensor-memory.h"
#include "exec/machine/wp-waits.h"
#include "exec/machine/wp-warp-run.h"
#include "exec/memory/wp-coalesce.h"

#include <string.h>

static WpWarp *
new_warp (WpBlock *block, guint number)
{
  WpWarp *warp = g_aligned_alloc0 (1, sizeof *warp, 64);

  warp->block = block;
  warp->number = number;
  warp->r = g_aligned_alloc0 (block->grid->rows, sizeof *warp->r, 64);
  wp_access_log_init (&warp->log, block->patterns);
  wp_trail_init (&warp->trail, NULL);
  return warp;
}

static void
free_warp (WpWarp *warp)
{
  g_aligned_free (warp->r);
  g_free (warp->local);
  g_free (warp->local_unknown);
  g_free (warp->failure);
  g_free (warp->memory_state);
  g_clear_pointer (&warp->stretches, g_ptr_array_unref);
  wp_access_log_clear (&warp->log);
  wp_trail_clear (&warp->trail);
  g_aligned_free (warp);
}

WpBlock *
wp_block_new (WpGrid *grid)
{
  WpBlock *block = g_new0 (WpBlock, 1);

  block->grid = grid;
  block->patterns = wp_patterns_new ();
  block->shared = g_malloc0 ((gsize)grid->shared_bytes + 16);
  block->shared_unknown = g_new (guint64, grid->shared_bytes / 64 + 1);
  block->shared_state.given = g_new (guint64, grid->shared_bytes / 64 + 1);
  block->n_warps = grid->warps;
  block->warps = g_new0 (WpWarp *, grid->warps);
  for (guint k = 0; k < grid->warps; k++)
    block->warps[k] = new_warp (block, k);
  block->waits = wp_waits_new (block);
  return block;
}

void
wp_block_free (WpBlock *block)
{
  if (!block)
    return;
  for (guint k = 0; k < block->n_warps; k++)
    free_warp (block->warps[k]);
  g_free (block->warps);
  g_free (block->shared);
  g_free (block->shared_unknown);
  g_free (block->shared_state.given);
  g_free (block->memory_state);
  g_free (block->tensor);
  wp_patterns_free (block->patterns);
  wp_waits_free (block->waits);
  if (block->notes)
    g_array_unref (block->notes);
  if (block->owed)
    g_array_unref (block->owed);
  g_free (block);
}

void
wp_block_share_patterns (WpBlock *block, WpPatterns *patterns)
{
  if (block->patterns == NULL)
    return;
  for (guint k = 0; k < block->n_warps; k++)
    {
      WpWarp *warp = block->warps[k];

      wp_stretches_flush (warp);
      g_clear_pointer (&warp->stretches, g_ptr_array_unref);
      memset (warp->r_shape, 0, sizeof warp->r_shape);
      warp->log.patterns = patterns;
    }
  g_clear_pointer (&block->patterns, wp_patterns_free);
}

/* So that a turn without accesses to memory ends, too, and one in which the warps of a block let
 * each other through a barrier again and again. */
#define TURN_INSTRUCTIONS (1u << 20)

static void
begin_turn (WpWarp *warp)
{
  guint most = warp->block->grid->turn_instructions;

  warp->n_accesses = 0;
  warp->turn_end = warp->n_executed + (most ? most : TURN_INSTRUCTIONS);
}

/* Registers are zeros, so that what is never set is the same in every run. Only those that the code
 * names are touched. */
static void
begin_warp (WpWarp *warp, guint threads)
{
  const WpKernelCode *code = warp->block->grid->code;
  guint first = warp->number * WP_LANES, n = WP_ROW_R0 + code->registers;

  memset (warp->r[WP_ROW_R0], 0, code->registers * sizeof *warp->r);
  memset (warp->r_unknown, 0, n * sizeof *warp->r_unknown);
  memset (warp->r_tag, 0, n * sizeof *warp->r_tag);
  memset (warp->r_shape, 0, n * sizeof *warp->r_shape);
  memset (warp->p, 0, sizeof warp->p);
  memset (warp->p_unknown, 0, sizeof warp->p_unknown);
  memset (warp->p_tag, 0, sizeof warp->p_tag);
  memset (warp->up, 0, sizeof warp->up);
  memset (warp->up_unknown, 0, sizeof warp->up_unknown);
  memset (warp->up_tag, 0, sizeof warp->up_tag);
  memset (warp->ur, 0, code->uniforms * sizeof *warp->ur);
  memset (warp->ur_unknown, 0, code->uniforms * sizeof *warp->ur_unknown);
  memset (warp->ur_tag, 0, code->uniforms * sizeof *warp->ur_tag);
  memset (warp->rpc, 0, sizeof warp->rpc);
  memset (warp->rpc_unknown, 0, sizeof warp->rpc_unknown);
  memset (warp->rpc_tag, 0, sizeof warp->rpc_tag);
  memset (warp->barriers, 0, code->convergence * sizeof *warp->barriers);
  warp->p[WP_PT] = WP_ALL_LANES;
  warp->up[WP_PT] = 1;
  warp->present = threads - first >= WP_LANES ? WP_ALL_LANES : (1u << (threads - first)) - 1;
  /* The first cluster is executed in full: what is wrong with data shows there. */
  warp->is_lean = code->is_lean && warp->block->number >= warp->block->grid->cluster_blocks;
  warp->n_executed = warp->n_backward = 0;
  warp->polled_at = warp->n_polls = 0;
  warp->asking = (WpAsking){ 0 };
  warp->cluster_lanes = 0;
  warp->cluster_phase = 0;
  begin_turn (warp);
  warp->fingerprint = 0;
  warp->doubtful = 0;
  warp->kept.lanes = 0;
  g_clear_pointer (&warp->local, g_free);
  g_clear_pointer (&warp->local_unknown, g_free);
  g_clear_pointer (&warp->memory_state, g_free);
  warp->local_tag = WP_TAG (WP_TAG_UNWRITTEN, 0);
  wp_access_log_reset (&warp->log);
  wp_stretches_restart (warp);
  wp_warp_begin (warp, 0);
}

/* Where two blocks allocate tensor memory together, one of even rank does, and tells the other one
 * by a barrier there, which waits for one arrival and a word. Each has the phase of its own that it
 * waits for next: the first one's is over, as if the second one had answered. Nobody has published
 * this; code as ptxas 13.0 makes it asks for it. */
#define PAIR_BARRIER 0x48
#define PAIR_PHASE 0x50
#define BARRIER_OF_ONE_LOW ((0x100000u - 1) << 1)
#define BARRIER_OF_ONE_HIGH ((0x100000u - 1) << 11)

/* What comes before a block's own shared memory is zeros where code allocates tensor memory, of
 * which it keeps account there. */
static void
begin_reserved (WpBlock *block)
{
  const WpGrid *grid = block->grid;
  const guint n = MIN (grid->shared_reserved, grid->shared_bytes) / 64;
  guint32 barrier[2], phase;

  if (!grid->code->allocates || n == 0)
    return;
  memset (block->shared, 0, n * 64);
  memset (block->shared_unknown, 0, n * sizeof *block->shared_unknown);
  block->shared_state.has_known = TRUE;
  if (!grid->code->has_pairs || n * 64 < PAIR_PHASE + 4)
    return;
  barrier[0] = GUINT32_TO_LE (BARRIER_OF_ONE_LOW);
  barrier[1] = GUINT32_TO_LE (BARRIER_OF_ONE_HIGH);
  phase = GUINT32_TO_LE (1 - (block->rank & 1));
  memcpy (block->shared + PAIR_BARRIER, barrier, sizeof barrier);
  memcpy (block->shared + PAIR_PHASE, &phase, sizeof phase);
}

void
wp_block_find_id (const WpGrid *grid, guint64 number, guint id[3])
{
  guint64 cluster = number / grid->cluster_blocks;
  guint rank = (guint)(number % grid->cluster_blocks);

  for (guint k = 0; k < 3; k++)
    {
      const guint n = grid->grid[k] / grid->cluster[k];

      id[k] = (guint)(cluster % n) * grid->cluster[k] + rank % grid->cluster[k];
      cluster /= n;
      rank /= grid->cluster[k];
    }
}

void
wp_block_begin (WpBlock *block, guint sm, guint slot, guint64 number, WpTrailStore *store)
{
  block->sm = sm;
  block->slot = slot;
  block->number = number;
  wp_block_find_id (block->grid, number, block->id);
  block->rank = (guint)(number % block->grid->cluster_blocks);
  block->cluster = &block->own_cluster;
  block->own_cluster = (WpCluster){ .n = 1, .blocks = { block } };
  block->has_copied = FALSE;
  for (guint k = 0; block->notes && k < block->notes->len; k++)
    g_array_index (block->notes, WpMachineNote, k).times = 0;
  block->reach = (WpReach){ 0 };
  block->n_logged = block->n_owed = 0;
  if (block->owed)
    g_array_set_size (block->owed, 0);
  block->shared_tag = WP_TAG (WP_TAG_UNWRITTEN, 0);
  block->shared_state = (WpSharedState){ .given = block->shared_state.given };
  memset (block->shared_unknown, 0xff, ((gsize)block->grid->shared_bytes / 64 + 1) * 8);
  begin_reserved (block);
  wp_tensor_memory_begin (block->tensor);
  if (block->used_barriers)
    memset (block->barriers, 0, sizeof block->barriers);
  block->used_barriers = 0;
  block->has_arrived = FALSE;
  g_clear_pointer (&block->memory_state, g_free);
  for (guint k = 0; k < block->n_warps; k++)
    {
      begin_warp (block->warps[k], block->grid->threads);
      wp_trail_restart (&block->warps[k]->trail, store);
    }
  wp_waits_begin (block->waits);
  block->is_busy = TRUE;
}

static gboolean
waits_for_cluster (const WpWarp *warp)
{
  return warp->state == WP_WARP_ASKS && warp->asking.is_at_cluster;
}

static gboolean
fail_deadlock (WpBlock *block)
{
  const WpKernelCode *code = block->grid->code;
  g_autoptr (GString) text = g_string_new (NULL);
  WpWarp *first = NULL;

  for (guint k = 0; k < block->n_warps; k++)
    {
      WpWarp *warp = block->warps[k];
      if (warp->state != WP_WARP_BARRIER && !waits_for_cluster (warp))
        continue;
      if (first && text->len > 600)
        {
          g_string_append (text, "; ...");
          break;
        }
      g_string_append_printf (text, "%swarp %u: ", first ? "; " : "", k);
      if (waits_for_cluster (warp))
        g_string_append (text, "the others of its cluster");
      else
        wp_warp_describe (warp, text);
      first = first ? first : warp;
    }
  if (waits_for_cluster (first))
    {
      wp_warp_fail (first, &code->steps[first->pc], (guint)__builtin_ctz (first->active),
                    "no warp of the cluster can go on, as not all of it come to barrier.cluster; "
                    "of this block, %s",
                    text->str);
      return FALSE;
    }
  const WpGroup *group = &first->groups[0];
  const WpNamedBarrier *barrier = &block->barriers[group->barrier];
  if (barrier->expected)
    g_string_append_printf (text, "; of %u threads %u are there", barrier->expected,
                            barrier->arrived);
  wp_warp_fail (first, &code->steps[group->pc ? group->pc - 1 : 0], __builtin_ctz (group->lanes),
                "no warp of the block can go on: %s", text->str);
  return FALSE;
}

/* Runs WARP, if it can go on. FALSE: it has executed nothing. */
static gboolean
run_warp (WpWarp *warp, guint quantum)
{
  const guint64 before = warp->n_executed;
  const gboolean asks = warp->state == WP_WARP_ASKS;

  if (!asks && warp->state != WP_WARP_RUNS)
    return FALSE;
  warp->state = WP_WARP_RUNS;
  warp->asking.n = asks ? 0 : warp->asking.n;
  wp_warp_run (warp, quantum);
  return !asks || warp->n_executed != before;
}

/* Nothing else of BLOCK can go on: the questions of those who ask are answered with no. FALSE:
 * nobody asks. */
static gboolean
answer (WpBlock *block)
{
  gboolean any = FALSE;

  for (guint k = 0; k < block->n_warps; k++)
    {
      WpWarp *warp = block->warps[k];
      if (warp->state != WP_WARP_ASKS || warp->asking.is_at_cluster)
        continue;
      warp->asking.is_answered = any = TRUE;
      warp->state = WP_WARP_TURN;
    }
  return any;
}

/* What its warps came to. */
typedef struct
{
  gboolean again, waits, goes_on;
} Outcome;

/* Each warp of BLOCK runs, once. FALSE: one has failed. */
static gboolean
run_warps (WpBlock *block, guint quantum, Outcome *outcome)
{
  for (guint k = 0; k < block->n_warps; k++)
    {
      WpWarp *warp = block->warps[k];

      outcome->again |= run_warp (warp, quantum);
      if (warp->state == WP_WARP_FAILED)
        return FALSE;
      outcome->waits |= warp->state == WP_WARP_BARRIER || waits_for_cluster (warp);
      outcome->goes_on |= warp->state == WP_WARP_TURN || warp->state == WP_WARP_RUNS;
    }
  return TRUE;
}

/* BLOCK has run, and GOES_ON in another turn, or has ended. */
static void
set_busy (WpBlock *block, gboolean goes_on)
{
  block->is_busy = goes_on;
  for (guint k = 0; !goes_on && k < block->n_warps; k++)
    wp_stretches_flush (block->warps[k]);
}

static gboolean
has_ended (const WpBlock *block)
{
  for (guint k = 0; k < block->n_warps; k++)
    if (block->warps[k]->state != WP_WARP_ENDED)
      return FALSE;
  return TRUE;
}

/* The first of N BLOCKS, one of which waits, that does. */
static WpBlock *
find_waiting (WpBlock *const *blocks, guint n)
{
  for (guint k = 0; k < n; k++)
    if (!has_ended (blocks[k]))
      return blocks[k];
  return blocks[0];
}

WpBlock *
wp_cluster_run (WpBlock *const *blocks, guint n, guint quantum)
{
  Outcome outcome = { .again = TRUE };

  while (outcome.again)
    {
      outcome = (Outcome){ .again = FALSE };
      for (guint k = 0; k < n; k++)
        if (!run_warps (blocks[k], quantum, &outcome))
          return blocks[k];
    }
  for (guint k = 0; k < n && !outcome.goes_on; k++)
    outcome.goes_on = answer (blocks[k]);
  if (outcome.waits && !outcome.goes_on)
    {
      WpBlock *first = find_waiting (blocks, n);

      fail_deadlock (first);
      return first;
    }
  for (guint k = 0; k < n; k++)
    set_busy (blocks[k], outcome.goes_on && !has_ended (blocks[k]));
  return NULL;
}

void
wp_block_next_turn (WpBlock *block)
{
  for (guint k = 0; k < block->n_warps; k++)
    {
      WpWarp *warp = block->warps[k];
      wp_access_log_reset (&warp->log);
      begin_turn (warp);
      if (warp->state == WP_WARP_ASKS && !warp->asking.is_at_cluster
          && ++warp->asking.turns > WP_WAITS_MOST_TURNS)
        warp->asking.is_answered = TRUE;
      if (warp->state == WP_WARP_TURN)
        warp->state = WP_WARP_RUNS;
    }
}

gchar *
wp_block_describe_failure (const WpBlock *block)
{
  for (guint k = 0; k < block->n_warps; k++)
    {
      const WpWarp *warp = block->warps[k];
      guint id[3];
      if (warp->state != WP_WARP_FAILED)
        continue;
      g_autofree gchar *place = wp_kernel_code_place (block->grid->code, warp->failure_pc);
      wp_warp_thread_id (warp, warp->failure_lane, id);
      return g_strdup_printf ("%s: block (%u, %u, %u), thread (%u, %u, %u): %s", place,
                              block->id[0], block->id[1], block->id[2], id[0], id[1], id[2],
                              warp->failure);
    }
  return NULL;
}
