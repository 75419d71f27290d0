/* SPDX-License-Identifier: MIT */
#include "sim/gpu/wp-block-work.h"

#include <math.h>

#define MUCH 0.05 /* of the instructions of a block */

/* The instructions of a block that runs ROW. */
static gdouble
count_block (const WpMachine *machine, const WpRow *row)
{
  gdouble block = 0;

  for (guint32 k = 0; k < row->n_segments; k++)
    {
      const WpSegment *segment = &machine->segments[row->first_segment + k];
      guint32 warps = k + 1 < row->n_segments ? segment[1].first_warp : machine->warps_per_block;

      block
          += (gdouble)machine->programs[segment->program].n_dynamic * (warps - segment->first_warp);
    }
  return block;
}

/* How many of the blocks before END are in range I. */
static guint64
count_range (const WpMachine *machine, guint32 i, guint64 end)
{
  guint64 first = machine->block_ranges[i].first_block;

  if (i + 1 < machine->n_block_ranges)
    end = MIN (end, machine->block_ranges[i + 1].first_block);
  return first < end ? end - first : 0;
}

gdouble
wp_block_work_count (const WpMachine *machine, guint64 end)
{
  gdouble all = 0;

  for (guint32 i = 0; i < machine->n_block_ranges; i++)
    {
      guint64 n = count_range (machine, i, end);

      if (n > 0)
        all += count_block (machine, &machine->rows[machine->block_ranges[i].row]) * (gdouble)n;
    }
  return all;
}

gboolean
wp_block_work_is_alike (gdouble some, gdouble mean)
{
  return fabs (some - mean) <= MUCH * mean;
}

gdouble
wp_block_work_get_most (const WpMachine *machine, guint64 end)
{
  gdouble most = 0;

  for (guint32 i = 0; i < machine->n_block_ranges; i++)
    if (count_range (machine, i, end) > 0)
      most = MAX (most, count_block (machine, &machine->rows[machine->block_ranges[i].row]));
  return most;
}

gdouble
wp_block_work_of_range (const WpMachine *machine, guint32 range)
{
  return count_block (machine, &machine->rows[machine->block_ranges[range].row]);
}
