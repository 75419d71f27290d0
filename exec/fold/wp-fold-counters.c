/* SPDX-License-Identifier: MIT */
#include "exec/fold/wp-fold-counters.h"

#include "exec/fold/wp-fold-blocks.h"

/* Sums are made in floating point: a class has as many warps of the launch as are like its own,
 * which need be no multiple of those that were executed. */
typedef struct
{
  gdouble warp, thread;
  gdouble shared[2], global[2], local[2]; /* loads, stores */
  gdouble global_sectors, local_sectors;
  gdouble l2[2], memory[2];
} Sums;

typedef struct
{
  const WpFoldInput *input;
  guint64 *numbers; /* warps of each class */
} Warps;

static void
count_block (gpointer data, guint64 first, guint64 n, guint32 row, gboolean is_executed)
{
  Warps *warps = data;
  guint n_warps = (warps->input->threads + 31) / 32;

  (void)first;
  (void)is_executed;
  for (guint warp = 0; warp < n_warps; warp++)
    warps->numbers[wp_trail_classes_get_row (warps->input->classes, row)[warp]] += n;
}

static void
add_totals (Sums *sums, const WpTotals *totals)
{
  guint way = totals->is_write ? 1 : 0;

  sums->shared[1] += (gdouble)totals->copy_wavefronts;
  if (totals->space == WP_SPACE_SHARED)
    sums->shared[way] += (gdouble)totals->wavefronts;
  if (totals->space != WP_SPACE_GLOBAL && totals->space != WP_SPACE_LOCAL)
    return;
  *(totals->space == WP_SPACE_LOCAL ? &sums->local[way] : &sums->global[way])
      += (gdouble)totals->accesses;
  if (!totals->is_write)
    *(totals->space == WP_SPACE_LOCAL ? &sums->local_sectors : &sums->global_sectors)
        += (gdouble)totals->sectors;
  sums->l2[way] += (gdouble)totals->l1_sectors;
  sums->memory[way] += (gdouble)totals->l2_sectors;
}

static void
add_accesses (Sums *sums, const WpCounts *counts)
{
  g_autoptr (GArray) indices = wp_counts_get_indices (counts);

  for (guint i = 0; i < indices->len; i++)
    {
      WpTotals totals;

      if (wp_counts_get_totals (counts, g_array_index (indices, guint32, i), &totals))
        add_totals (sums, &totals);
    }
}

/* Adds to SUMS the instructions of UNIT of STORE, and the lanes that executed them, TIMES times.
 * Meetings are none. */
static void
add_unit (const WpFoldInput *input, const WpTrailStore *store, guint32 number, gdouble times,
          Sums *sums)
{
  const WpTrailUnit *unit = wp_trail_store_get (store, number);
  const WpTrailRun *runs = unit->depth == 0 ? wp_trail_store_get_runs (store, number) : NULL;
  const WpTrailItem *items = runs ? NULL : wp_trail_store_get_items (store, number);

  for (guint32 i = 0; i < unit->n; i++)
    if (!runs)
      add_unit (input, store, items[i].unit, times * items[i].count, sums);
    else if (runs[i].first < input->n_instrs)
      {
        sums->warp += times * runs[i].n;
        sums->thread += times * runs[i].n * __builtin_popcount (runs[i].mask);
      }
}

/* Adds TIMES the instructions of all warps of CLASS, of which one stands for them. */
static void
add_class (const WpFoldInput *input, const WpTrailClass *class, gdouble times, Sums *sums)
{
  if (class->instructions > 0)
    add_unit (input, class->store, class->unit,
              times * (gdouble) class->total / (gdouble) class->instructions, sums);
}

/* Of the sectors written to L2 by a launch, whose accesses come to SUMS, those that memory receives
 * while it runs: what waited in L2 makes room, too, and what waits at the end does not count. Where
 * blocks were left out, L2 is taken to be full at the end of what it took in, in proportion. */
static gdouble
get_written (const WpFoldInput *input, const Sums *sums)
{
  gdouble taken = sums->memory[0] + sums->memory[1], before = (gdouble)input->l2_unwritten[0];
  gdouble after = (gdouble)input->l2_unwritten[1];

  if (input->steady && taken > 0)
    after = MIN (taken, (gdouble)input->l2_sectors) * sums->memory[1] / taken;
  return MAX (0, sums->memory[1] + before - after);
}

static guint64
whole (gdouble sum)
{
  return (guint64)(sum + 0.5);
}

static IdgCounters *
make_counters (const WpFoldInput *input, const Sums *sums)
{
  IdgCounters *counters = g_new0 (IdgCounters, 1);

  *counters = (IdgCounters){
    .warp_instructions = whole (sums->warp),
    .thread_instructions = whole (sums->thread),
    .shared_load_wavefronts = whole (sums->shared[0]),
    .shared_store_wavefronts = whole (sums->shared[1]),
    .global_loads = whole (sums->global[0]),
    .global_stores = whole (sums->global[1]),
    .local_loads = whole (sums->local[0]),
    .local_stores = whole (sums->local[1]),
    .global_load_sectors = whole (sums->global_sectors),
    .local_load_sectors = whole (sums->local_sectors),
    .l2_read_sectors = whole (sums->l2[0]),
    .l2_write_sectors = whole (sums->l2[1]),
    .memory_read_sectors = whole (sums->memory[0]),
    .memory_write_sectors = whole (get_written (input, sums)),
  };
  return counters;
}

IdgCounters *
wp_fold_count (const WpFoldInput *input)
{
  g_autofree guint64 *warps = g_new0 (guint64, wp_trail_classes_get_n (input->classes) + 1);
  Sums sums = { 0 };

  wp_fold_place_blocks (input, count_block, &(Warps){ input, warps });
  for (guint i = 0; i < wp_trail_classes_get_n (input->classes); i++)
    {
      const WpTrailClass *class = wp_trail_classes_get (input->classes, i);
      gdouble scale = (gdouble)warps[i] / (gdouble)MAX (class->n_warps, 1);

      add_class (input, class, scale, &sums);
      if (input->counts && input->counts[i])
        add_accesses (&sums, input->counts[i]);
    }
  return make_counters (input, &sums);
}
