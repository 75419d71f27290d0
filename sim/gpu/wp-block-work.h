/* SPDX-License-Identifier: MIT */
/* How much blocks do, by the instructions of their warps. What looks at all blocks costs O(the
 * machine's ranges of blocks). */
#pragma once

#include <glib.h>

#include "sim/machine/wp-machine.h"

G_BEGIN_DECLS

/* The instructions of a block of RANGE of MACHINE's block_ranges. O(its segments). */
static inline gdouble
wp_block_work_of_range (const WpMachine *machine, guint32 range)
{
  const WpRow *row = &machine->rows[machine->block_ranges[range].row];
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
static inline guint64
wp_block_work_count_range (const WpMachine *machine, guint32 i, guint64 end)
{
  guint64 first = machine->block_ranges[i].first_block;

  if (i + 1 < machine->n_block_ranges)
    end = MIN (end, machine->block_ranges[i + 1].first_block);
  return first < end ? end - first : 0;
}

/* The instructions of all blocks of MACHINE before END. */
static inline gdouble
wp_block_work_count (const WpMachine *machine, guint64 end)
{
  gdouble all = 0;

  for (guint32 i = 0; i < machine->n_block_ranges; i++)
    {
      guint64 n = wp_block_work_count_range (machine, i, end);

      if (n > 0)
        all += wp_block_work_of_range (machine, i) * (gdouble)n;
    }
  return all;
}

/* Whether blocks that execute SOME instructions are like those that execute MEAN: so much more or
 * less is no matter. */
#define WP_BLOCK_WORK_MUCH 0.05
static inline gboolean
wp_block_work_is_alike (gdouble some, gdouble mean)
{
  return ABS (some - mean) <= WP_BLOCK_WORK_MUCH * mean;
}

/* The most instructions of a block of MACHINE before END; 0: there is none. */
static inline gdouble
wp_block_work_get_most (const WpMachine *machine, guint64 end)
{
  gdouble most = 0;

  for (guint32 i = 0; i < machine->n_block_ranges; i++)
    if (wp_block_work_count_range (machine, i, end) > 0)
      most = MAX (most, wp_block_work_of_range (machine, i));
  return most;
}

G_END_DECLS
