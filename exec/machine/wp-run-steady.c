/* SPDX-License-Identifier: MIT */
/* Accesses counted, by class of warps. Where blocks are left out, those of the last waves before
 * them stand for them: the first waves found the caches empty. So the counts of the newest waves
 * are kept apart until it is decided.
 *
 * Of the waves that agree, so many are taken as come nearest to whole rows of the grid (of a grid
 * of small planes, to whole planes): the first block of a row finds the caches otherwise than those
 * after it, and a wave of 2.4 rows begins 2 or 3 of them. */
#include "exec/machine/wp-run-private.h"

/* Adds SOME to the counts of NUMBER. */
static void
add_counts (GPtrArray *counts, guint number, const WpCounts *some)
{
  if (counts->len <= number)
    g_ptr_array_set_size (counts, (gint)number + 1);
  if (!counts->pdata[number])
    counts->pdata[number] = wp_counts_new ();
  wp_counts_merge (counts->pdata[number], some);
}

/* Adds what SET has to the counts of SM, and begins it anew for WAVE. */
static void
restart_set (WpRunSm *sm, WpRunSet *set, guint64 wave)
{
  for (guint k = 0; k < set->counts->len; k++)
    if (set->counts->pdata[k])
      add_counts (sm->counts, k, set->counts->pdata[k]);
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

void
wp_run_count_warp (const WpRun *run, WpRunSm *sm, guint64 block, guint number, const WpCounts *some)
{
  add_counts (choose_counts (run, sm, block / run->wave), number, some);
}

/* How far N waves are from whole rows of the grid, as a part of them. */
static gdouble
find_misfit (const WpRun *run, guint64 n)
{
  guint64 row = run->grid->grid[0], plane = row * run->grid->grid[1];
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

void
wp_run_sum_up_counts (const WpRun *run, WpExecResult *result)
{
  result->counts = new_counts (run);
  if (run->first_waves > 0)
    result->steady = new_counts (run);
  for (guint k = 0; k < run->n_sms; k++)
    {
      const WpRunSm *sm = &run->sms[k];

      join_counts (run, result->counts, sm->counts);
      for (guint j = 0; j < WP_RUN_SETS; j++)
        {
          join_counts (run, result->counts, sm->sets[j].counts);
          if (result->steady && sm->sets[j].wave < run->first_waves
              && sm->sets[j].wave >= run->first_waves - run->steady_waves)
            join_counts (run, result->steady, sm->sets[j].counts);
        }
    }
  result->n_steady = run->steady_waves * run->wave;
}
