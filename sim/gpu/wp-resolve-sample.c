/* SPDX-License-Identifier: MIT */
/* Which blocks are simulated where these are not all: the first ones of the launch (MODEL.md,
 * section 4), unless these do more or less than others, of a kernel whose file or execution asks
 * for that (IdgKernel, spread_blocks), and nobody said how many SMs. Then they are spread over the
 * launch. The block that does most is the first of them where it does more than an SM has to do on
 * average, as it decides the time. */
#include "sim/gpu/wp-block-work.h"
#include "sim/gpu/wp-resolver.h"

/* The lowest k for which block (2 k + 1) * ALL / (2 N) is FIRST or a later one. */
static guint64
find_sampled (guint64 first, guint64 n, guint64 all)
{
  const unsigned __int128 twice = (unsigned __int128)2 * n * first;

  return twice <= all ? 0 : (guint64)((twice - all + 2 * (unsigned __int128)all - 1) / 2 / all);
}

static void
add_range (GArray *ranges, guint64 first, guint32 row)
{
  WpBlockRange range = { first, row };

  if (ranges->len == 0 || g_array_index (ranges, WpBlockRange, ranges->len - 1).row != row)
    g_array_append_val (ranges, range);
}

/* The range of the blocks that do most. */
static guint32
find_most (const WpMachine *machine)
{
  guint32 most = 0;

  for (guint32 i = 1; i < machine->n_block_ranges; i++)
    if (wp_block_work_of_range (machine, i) > wp_block_work_of_range (machine, most))
      most = i;
  return most;
}

/* Block k of the N that are simulated is the one in the middle of the kth of as many parts of ALL,
 * but for the longest. */
static void
spread (WpResolver *r, guint64 all)
{
  WpMachine *machine = &r->resolved->machine;
  const guint64 n = machine->n_blocks;
  GArray *ranges = g_array_sized_new (FALSE, TRUE, sizeof (WpBlockRange), 1);

  if (r->resolved->has_longest)
    add_range (ranges, 0, machine->block_ranges[find_most (machine)].row);
  for (guint32 i = 0; i < machine->n_block_ranges; i++)
    {
      const WpBlockRange *range = &machine->block_ranges[i];
      const gboolean is_last = i + 1 == machine->n_block_ranges;
      const guint64 end = is_last ? n : MIN (find_sampled (range[1].first_block, n, all), n);
      const guint64 first
          = MAX (find_sampled (range->first_block, n, all), r->resolved->has_longest ? 1 : 0);

      if (first < end)
        add_range (ranges, first, range->row);
    }
  g_array_unref (r->arena->block_ranges);
  r->arena->block_ranges = ranges;
  machine->n_block_ranges = ranges->len;
  machine->block_ranges = (const WpBlockRange *)(gconstpointer)ranges->data;
}

void
wp_resolver_sample_blocks (WpResolver *r)
{
  WpResolved *resolved = r->resolved;
  const WpMachine *machine = &resolved->machine;
  const guint64 all = (guint64)resolved->launch.blocks, n = machine->n_blocks;
  gdouble first, share;
  gboolean is_long;

  if (!r->kernel->spread_blocks || n >= all || n == 0)
    return;
  resolved->mean_work = wp_block_work_count (machine, all) / (gdouble)all;
  resolved->most_work = wp_block_work_get_most (machine, all);
  if (r->options->sms_said)
    return;
  share = resolved->mean_work * MAX (1, (gdouble)all / machine->n_sms);
  first = wp_block_work_get_most (machine, n);
  is_long = resolved->most_work > share;
  resolved->is_sample = (is_long && !wp_block_work_is_alike (first, resolved->most_work))
                        || !wp_block_work_is_alike (wp_block_work_count (machine, n) / (gdouble)n,
                                                    resolved->mean_work);
  resolved->has_longest = resolved->is_sample && is_long;
  if (resolved->is_sample)
    spread (r, all);
}
