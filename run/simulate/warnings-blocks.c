/* SPDX-License-Identifier: MIT */
/* Whether the blocks that are simulated are like those that are not: the first ones of the launch
 * are (MODEL.md, section 4), and where data decide what a block does, others may do more. */
#include "run/simulate/block-work.h"
#include "run/simulate/warnings-find.h"

/* Times the instructions of a block: of blocks that are as different no verdict is one on all. */
#define TOO_MUCH 2

void
wp_warnings_find_blocks (GPtrArray *warnings, const IdgKernel *kernel, const WpResolved *resolved)
{
  const WpMachine *machine = &resolved->machine;
  guint64 all = (guint64)resolved->launch.blocks;
  gdouble some, mean;

  if (kernel->accesses == NULL || machine->n_blocks >= all || machine->n_blocks == 0)
    return;
  some = wp_block_work_count (machine, machine->n_blocks) / (gdouble)machine->n_blocks;
  mean = wp_block_work_count (machine, all) / (gdouble)all;
  if (mean > 0 && !wp_block_work_is_alike (some, mean))
    wp_warnings_add (
        warnings, "blocks-differ", some * TOO_MUCH < mean || some > TOO_MUCH * mean,
        "the first %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
        " blocks are simulated, of which each executes %.0f%% of the instructions "
        "of a block on average, and times are off by about as much; --sms all simulates all "
        "of them",
        machine->n_blocks, all, 100 * some / mean);
}
