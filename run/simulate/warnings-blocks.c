/* SPDX-License-Identifier: MIT */
/* Whether the blocks that are simulated are like those that are not: the first ones of the launch
 * are (MODEL.md, section 4), and where data decide what a block does, others may do more. */
#include "run/simulate/warnings-find.h"

/* Of the instructions of a block: less is no matter. */
#define MUCH 0.05
/* Times the instructions of a block: of blocks that are as different no verdict is one on all. */
#define TOO_MUCH 2

/* Returns the instructions of all blocks before END. */
static gdouble
count_instructions (const WpMachine *machine, guint64 end)
{
  gdouble all = 0;

  for (guint32 i = 0; i < machine->n_block_ranges; i++)
    {
      const WpRow *row = &machine->rows[machine->block_ranges[i].row];
      guint64 first = machine->block_ranges[i].first_block, last = end;
      gdouble block = 0;

      if (i + 1 < machine->n_block_ranges)
        last = MIN (end, machine->block_ranges[i + 1].first_block);
      for (guint32 k = 0; k < row->n_segments && first < last; k++)
        {
          const WpSegment *segment = &machine->segments[row->first_segment + k];
          guint32 warps
              = k + 1 < row->n_segments ? segment[1].first_warp : machine->warps_per_block;

          block += (gdouble)machine->programs[segment->program].n_dynamic
                   * (warps - segment->first_warp);
        }
      all += first < last ? block * (gdouble)(last - first) : 0;
    }
  return all;
}

void
wp_warnings_find_blocks (GPtrArray *warnings, const IdgKernel *kernel, const WpResolved *resolved)
{
  const WpMachine *machine = &resolved->machine;
  guint64 all = (guint64)resolved->launch.blocks;
  gdouble some, mean;

  if (kernel->accesses == NULL || machine->n_blocks >= all || machine->n_blocks == 0)
    return;
  some = count_instructions (machine, machine->n_blocks) / (gdouble)machine->n_blocks;
  mean = count_instructions (machine, all) / (gdouble)all;
  if (mean > 0 && (some < (1 - MUCH) * mean || some > (1 + MUCH) * mean))
    wp_warnings_add (
        warnings, "blocks-differ", some * TOO_MUCH < mean || some > TOO_MUCH * mean,
        "the first %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
        " blocks are simulated, of which each executes %.0f%% of the instructions "
        "of a block on average, and times are off by about as much; --sms all simulates all "
        "of them",
        machine->n_blocks, all, 100 * some / mean);
}
