/* SPDX-License-Identifier: MIT */
/* Accesses counted, by class of warps. Where blocks are left out, those of the last waves before
 * them stand for them: the first waves found the caches empty. So the counts of the newest waves
 * are kept apart until it is decided.
 *
 * Of the waves that agree, so many are taken as come nearest to whole rows of the grid (of a grid
 * of small planes, to whole planes): the first block of a row finds the caches otherwise than those
 * after it, and a wave of 2.4 rows begins 2 or 3 of them. */
#include "exec/machine/wp-run-private.h"

#include "exec/machine/wp-stretch.h"
#include "exec/memory/wp-coalesce.h"

/* The counts of NUMBER. */
static WpCounts *
get_counts (GPtrArray *counts, guint number)
{
  if (counts->len <= number)
    g_ptr_array_set_size (counts, (gint)number + 1);
  if (!counts->pdata[number])
    counts->pdata[number] = wp_counts_new ();
  return counts->pdata[number];
}

/* Adds what SET has to the counts of SM, and begins it anew for WAVE. */
static void
restart_set (WpRunSm *sm, WpRunSet *set, guint64 wave)
{
  for (guint k = 0; k < set->counts->len; k++)
    if (set->counts->pdata[k])
      wp_counts_merge (get_counts (sm->counts, k), set->counts->pdata[k]);
  g_ptr_array_set_size (set->counts, 0);
  set->wave = wave;
}

/* Where accesses of the blocks of WAVE are counted. */
static GPtrArray *
choose_counts (const WpRun *run, WpRunSm *sm, guint64 wave)
{
  WpRunSet *set = &sm->sets[wave % WP_RUN_SETS];

  if (wave < set->wave || (run->is_decided && wave >= run->first_waves))
    return sm->counts;
  if (wave > set->wave)
    restart_set (sm, set, wave);
  return set->counts;
}

/* Blocks that begin in one turn are of a wave or two, so that no set begins anew meanwhile. */
WpCounts *
wp_run_get_counts (const WpRun *run, WpRunSm *sm, guint64 block, guint number)
{
  return get_counts (choose_counts (run, sm, block / run->wave), number);
}

void
wp_run_count_warp (const WpRun *run, WpRunSm *sm, guint64 block, guint number, const WpCounts *some)
{
  wp_counts_merge (wp_run_get_counts (run, sm, block, number), some);
}

/* How far N waves are from whole rows of the grid, as a part of them. */
static gdouble
find_misfit (const WpRun *run, guint64 n)
{
  const WpGrid *grid = run->grid;
  guint64 row = (guint64)grid->grid[0] * grid->cluster[1] * grid->cluster[2];
  guint64 plane = (guint64)grid->grid[0] * grid->grid[1] * grid->cluster[2];
  guint64 blocks = n * run->wave, unit = plane <= run->wave ? plane : row, rest = blocks % unit;

  return blocks < unit ? 1 : (gdouble)MIN (rest, unit - rest) / (gdouble)blocks;
}

guint64
wp_run_choose_steady (const WpRun *run, guint64 n, gdouble *misfit)
{
  guint64 best = 1;

  for (guint64 k = 2; k <= MIN (n, WP_RUN_SETS); k++)
    if (find_misfit (run, k) <= find_misfit (run, best))
      best = k;
  *misfit = find_misfit (run, best);
  return best;
}

/* ---- A part of a wave ---- */

static void
add_all (WpCounts *pool, const GPtrArray *counts)
{
  for (guint k = 0; k < counts->len; k++)
    if (counts->pdata[k])
      wp_counts_merge (pool, counts->pdata[k]);
}

/* Adds what the warps of SLOT have come to. */
static void
add_slot (WpCounts *pool, const WpRun *run, const WpRunSlot *slot)
{
  for (guint k = 0; k < run->grid->warps; k++)
    {
      WpWarp *warp = slot->has_ended || slot->block == NULL ? NULL : slot->block->warps[k];

      if (warp != NULL)
        {
          wp_access_log_reset (&warp->log); /* it is counted */
          wp_stretches_flush (warp);
          wp_caches_count_shared (&warp->log, slot->counts[k]);
          wp_access_log_reset (&warp->log);
        }
      wp_counts_merge (pool, slot->counts[k]);
    }
}

WpCounts *
wp_run_pool_counts (const WpRun *run)
{
  WpCounts *pool = wp_counts_new ();

  for (guint k = 0; k < run->n_sms; k++)
    {
      const WpRunSm *sm = &run->sms[k];

      add_all (pool, sm->counts);
      for (guint j = 0; j < WP_RUN_SETS; j++)
        add_all (pool, sm->sets[j].counts);
      for (guint j = 0; j < sm->n_slots; j++)
        if (sm->slots[j].is_taken)
          add_slot (pool, run, &sm->slots[j]);
    }
  return pool;
}

/* Adds to COUNTS what instruction INDEX comes to in as many warps as the pool is of, each of which
 * executes it as often as the N_WARPS that OWN is of: what the pool has, and for the executions
 * after those the later half of what it has. What nobody had come to is as OWN has it. */
static void
estimate (const WpRun *run, WpCounts *counts, const WpCounts *late, const WpCounts *own,
          guint32 index, guint64 n_warps)
{
  WpTotals mine, pooled, later;
  guint64 wanted;

  if (!wp_counts_get_totals (own, index, &mine))
    return;
  if (!wp_counts_get_totals (run->pool, index, &pooled))
    {
      wp_counts_merge_index (counts, own, index, run->pool_warps, n_warps);
      return;
    }
  wanted = mine.accesses * run->pool_warps / n_warps;
  if (wanted <= pooled.accesses || !wp_counts_get_totals (late, index, &later))
    {
      wp_counts_merge_index (counts, run->pool, index, wanted, pooled.accesses);
      return;
    }
  wp_counts_merge_index (counts, run->pool, index, 1, 1);
  wp_counts_merge_index (counts, late, index, wanted - pooled.accesses, later.accesses);
}

/* What stands for the blocks that were not executed, and in place of what the others came to: most
 * of that was without neighbours. */
static void
sum_up_part (const WpRun *run, WpExecResult *result)
{
  g_autoptr (WpCounts) late = wp_counts_new ();

  wp_counts_merge (late, run->pool);
  if (run->early)
    wp_counts_take_away (late, run->early);
  for (guint k = 0; k < result->counts->len; k++)
    {
      WpCounts *own = result->counts->pdata[k], *steady = result->steady->pdata[k];
      guint64 n_warps = wp_trail_classes_get (run->classes, k)->n_warps;
      g_autoptr (GArray) indices = wp_counts_get_indices (own);

      for (guint i = 0; i < indices->len; i++)
        estimate (run, steady, late, own, g_array_index (indices, guint32, i), n_warps);
      wp_counts_reset (own);
      wp_counts_merge_times (own, steady, n_warps, run->pool_warps);
      g_array_index (result->steady_warps, guint64, k) = run->pool_warps;
    }
}

/* ---- Summed up ---- */

static GPtrArray *
new_counts (const WpRun *run)
{
  GPtrArray *counts = g_ptr_array_new_with_free_func ((GDestroyNotify)wp_counts_free);

  for (guint k = 0; k < wp_trail_classes_get_n (run->classes); k++)
    g_ptr_array_add (counts, wp_counts_new ());
  return counts;
}

/* Adds SOME, by the numbers of classes, to COUNTS, by the classes that these have become. */
static void
join_counts (const WpRun *run, GPtrArray *counts, const GPtrArray *some)
{
  for (guint number = 0; number < some->len; number++)
    if (some->pdata[number])
      wp_counts_merge (counts->pdata[wp_trail_classes_find (run->classes, number)],
                       some->pdata[number]);
}

/* Counts the warps of each class in the waves that stand for others. */
static void
count_steady_warps (const WpRun *run, GArray *warps)
{
  const GArray *blocks = wp_trail_classes_get_blocks (run->classes);
  guint64 end = run->first_waves * run->wave, begin = end - run->steady_waves * run->wave;

  for (guint i = 0; i < blocks->len; i++)
    {
      const WpTrailBlock *block = &g_array_index (blocks, WpTrailBlock, i);
      const guint32 *row = wp_trail_classes_get_row (run->classes, block->row);

      for (guint w = 0; block->block >= begin && block->block < end && w < run->grid->warps; w++)
        g_array_index (warps, guint64, row[w])++;
    }
}

static void
sum_up_sm (const WpRun *run, const WpRunSm *sm, WpExecResult *result)
{
  join_counts (run, result->counts, sm->counts);
  for (guint j = 0; j < WP_RUN_SETS; j++)
    {
      const WpRunSet *set = &sm->sets[j];

      join_counts (run, result->counts, set->counts);
      if (run->first_waves > 0 && set->wave < run->first_waves
          && set->wave >= run->first_waves - run->steady_waves)
        join_counts (run, result->steady, set->counts);
    }
}

void
wp_run_sum_up_counts (const WpRun *run, WpExecResult *result)
{
  result->counts = new_counts (run);
  if (run->first_waves > 0 || run->is_part)
    {
      result->steady = new_counts (run);
      result->steady_warps = g_array_new (FALSE, TRUE, sizeof (guint64));
      g_array_set_size (result->steady_warps, result->steady->len);
    }
  for (guint k = 0; k < run->n_sms; k++)
    sum_up_sm (run, &run->sms[k], result);
  if (run->first_waves > 0)
    count_steady_warps (run, result->steady_warps);
  else if (run->is_part)
    sum_up_part (run, result);
}
