/* SPDX-License-Identifier: MIT */
/* Which blocks come next. Where the first wave says that all blocks would be more work than the
 * limit, waves are executed until two in a row agree in their instructions and in what the caches
 * lacked, to within 1%, and make about whole rows of the grid, or the limit is reached; then the
 * last wave, which may be a part of one and has the grid's edge. */
#include "exec/machine/wp-run-private.h"

#define MISFIT 0.01 /* of whole rows */

void
wp_run_waves_begin (WpRun *run)
{
  run->n_blocks = (guint64)run->grid->grid[0] * run->grid->grid[1] * run->grid->grid[2];
  run->wave = (guint64)run->n_sms * MAX (run->options->resident, 1);
  run->wave -= run->wave % run->grid->cluster_blocks;
  run->limit = run->options->limit ? run->options->limit : WP_EXEC_LIMIT;
  run->threshold = run->limit / 3 * 2;
  run->stop = run->resume = run->n_blocks;
  run->waves = g_array_new (FALSE, TRUE, sizeof (WpRunWave));
  run->is_decided = run->n_blocks <= 2 * run->wave;
}

static WpRunWave *
get_wave (WpRun *run, guint64 block)
{
  guint64 number = block / run->wave;

  while (run->waves->len <= number)
    {
      WpRunWave wave = { .left = MIN (run->wave, run->n_blocks - run->waves->len * run->wave) };
      g_array_append_val (run->waves, wave);
    }
  return &g_array_index (run->waves, WpRunWave, number);
}

/* How many places get a block now: a cluster begins when there is room for all of it. */
static guint64
count_free (const WpRun *run)
{
  guint64 n = 0;

  for (guint sm = 0; sm < run->n_sms; sm++)
    for (guint slot = 0; slot < run->n_slots; slot++)
      n += !run->sms[sm].slots[slot].is_taken;
  return n - n % run->grid->cluster_blocks;
}

/* Breadth first over the SMs. Blocks begin where they run: on all threads. */
gboolean
wp_run_waves_fill (WpRun *run)
{
  guint64 n_free = count_free (run);
  gboolean any = FALSE;

  for (guint slot = 0; slot < run->n_slots; slot++)
    for (guint sm = 0; sm < run->n_sms; sm++)
      {
        WpRunSlot *place = &run->sms[sm].slots[slot];
        if (!place->is_taken && n_free > 0)
          {
            n_free--;
            if (run->next == run->stop)
              {
                run->next = run->resume;
                run->stop = run->resume = run->n_blocks;
              }
            if (run->next < run->n_blocks)
              {
                place->number = run->next++;
                place->is_taken = place->is_new = TRUE;
              }
          }
        any |= place->is_taken;
      }
  return any;
}

static gboolean
is_near (gdouble x, gdouble y)
{
  return x <= 1.01 * y && y <= 1.01 * x;
}

/* Whether waves K - 1 and K came to about the same. */
static gboolean
agree (const WpRun *run, guint k)
{
  const WpRunWave *wave = &g_array_index (run->waves, WpRunWave, k);
  const WpTraffic *a = &wave[-2].traffic, *b = &wave[-1].traffic, *c = &wave[0].traffic;
  /* Of all that is asked for, a hundredth is nothing. */
  gdouble least = 0.01 * (c->sectors - b->sectors) + 1;

  return is_near (wave[-1].instructions, wave[0].instructions)
         && is_near (b->sectors - a->sectors + least, c->sectors - b->sectors + least)
         && is_near (b->l1_sectors - a->l1_sectors + least, c->l1_sectors - b->l1_sectors + least)
         && is_near (b->l2_sectors - a->l2_sectors + least, c->l2_sectors - b->l2_sectors + least);
}

/* How many of the BEGUN waves, the last ones, agree so far; N have ended. */
static guint64
count_agreeing (const WpRun *run, guint n, guint64 begun)
{
  guint k = n - 1;

  while (k >= 2 && agree (run, k))
    k--;
  return k < n - 1 ? begun - k : 1;
}

/* Goes on with the last wave after those that have begun, of which N have ended. */
static void
skip_to_last (WpRun *run, guint n, guint64 begun)
{
  guint64 last = (run->n_blocks - 1) / run->wave;
  gdouble misfit;

  run->is_decided = TRUE;
  if (begun >= last)
    return;
  run->stop = begun * run->wave;
  run->resume = last * run->wave;
  run->first_waves = begun;
  run->steady_waves = wp_run_choose_steady (run, count_agreeing (run, n, begun), &misfit);
}

/* Whether the last of N waves agree, and those that agree are whole rows of the grid. Rows that are
 * no whole number of a few waves, or of much work, are not waited for. */
static gboolean
is_steady (const WpRun *run, guint n, guint64 begun)
{
  guint64 agreeing = count_agreeing (run, n, begun);
  gdouble misfit;

  if (n < 3 || !agree (run, n - 1))
    return FALSE;
  wp_run_choose_steady (run, agreeing, &misfit);
  return misfit <= MISFIT || misfit == 1 || agreeing >= WP_RUN_SETS
         || run->instructions > run->limit / 4;
}

/* What L1s were asked for is known when a wave ends. The last waves are open. */
void
wp_run_waves_close (WpRun *run)
{
  for (guint k = run->waves->len; run->n_open > 0 && k-- > 0;)
    {
      WpRunWave *wave = &g_array_index (run->waves, WpRunWave, k);
      const guint64 sectors = wave->traffic.sectors, lost = wave->traffic.lost;

      if (!wave->is_open)
        continue;
      wave->traffic = wp_caches_get_traffic (run->options->caches);
      wave->traffic.sectors = sectors;
      wave->traffic.lost = lost;
      wave->is_open = FALSE;
      run->n_open--;
    }
}

static void
decide (WpRun *run)
{
  guint n = 0;
  guint64 instructions = 0, begun = (run->next + run->wave - 1) / run->wave;

  while (n < run->waves->len && !g_array_index (run->waves, WpRunWave, n).left)
    instructions += g_array_index (run->waves, WpRunWave, n++).instructions;
  if (run->is_decided || !n)
    return;
  if ((gdouble)instructions / n * ((gdouble)run->n_blocks / run->wave) <= run->limit)
    {
      run->is_decided = run->instructions > run->limit / 2;
      return;
    }
  if (run->n_open > 0)
    {
      wp_run_catch_up (run);
      wp_run_waves_close (run);
    }
  if (run->instructions > run->limit || is_steady (run, n, begun))
    skip_to_last (run, n, begun);
}

void
wp_run_waves_count (WpRun *run)
{
  for (guint k = 0; k < run->n_sms; k++)
    for (guint j = 0; j < run->sms[k].ended->len; j++)
      {
        const WpRunEnded *ended = &g_array_index (run->sms[k].ended, WpRunEnded, j);
        run->instructions += ended->instructions;
        run->n_ended++;
        if (run->is_decided)
          continue;
        WpRunWave *wave = get_wave (run, ended->block);
        wave->instructions += ended->instructions;
        if (--wave->left == 0 && run->options->caches)
          {
            wave->traffic = wp_caches_get_traffic (run->options->caches);
            wave->is_open = TRUE;
            run->n_open++;
          }
      }
  if (!run->is_decided)
    decide (run);
}
