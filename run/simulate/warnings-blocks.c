/* SPDX-License-Identifier: MIT */
/* Whether the blocks that are simulated are like those that are not: the first ones of the launch
 * are (MODEL.md, section 4), if somebody said of how many SMs, and where data decide what a block
 * does, others may do more. Where each block has an SM of its own, the one that does most decides
 * the time. */
#include "run/simulate/block-work.h"
#include "run/simulate/warnings-find.h"

/* Times the instructions of a block: of blocks that are as different no verdict is one on all. */
#define TOO_MUCH 2

void
wp_warnings_find_blocks (GPtrArray *warnings, const IdgKernel *kernel, const WpResolved *resolved)
{
  const WpMachine *machine = &resolved->machine;
  guint64 all = (guint64)resolved->launch.blocks;
  const gdouble mean = resolved->mean_work, longest = resolved->most_work;
  g_autofree gchar *which = NULL;
  gdouble some;

  if (!kernel->spread_blocks || machine->n_blocks >= all || machine->n_blocks == 0)
    return;
  if (resolved->has_longest)
    {
      wp_warnings_add (warnings, "blocks-differ", FALSE,
                       "a block executes %.2f times the instructions of one on average, and more "
                       "than an SM does on average: it decides the time, and is simulated with "
                       "%" G_GUINT64_FORMAT " others; --sms all simulates all of them",
                       longest / mean, machine->n_blocks - 1);
      return;
    }
  if (all <= machine->n_sms)
    {
      some = wp_block_work_get_most (machine, machine->n_blocks);
      if (!wp_block_work_is_alike (some, longest))
        wp_warnings_add (warnings, "blocks-differ", some * TOO_MUCH < longest,
                         "%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " blocks, which have an SM "
                         "each, are simulated, the first ones; another executes %.2f times the "
                         "instructions of the longest of these, and decides how long the launch "
                         "takes; --sms all simulates all of them",
                         machine->n_blocks, all, longest / some);
      return;
    }
  some = wp_block_work_count (machine, machine->n_blocks) / (gdouble)machine->n_blocks;
  which = machine->n_blocks == 1
              ? g_strdup_printf ("%s of %" G_GUINT64_FORMAT " blocks is simulated, which",
                                 resolved->is_sample ? "one" : "the first", all)
              : g_strdup_printf ("%s%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
                                 " blocks are simulated, of which each",
                                 resolved->is_sample ? "" : "the first ", machine->n_blocks, all);
  if (mean > 0 && !wp_block_work_is_alike (some, mean))
    wp_warnings_add (
        warnings, "blocks-differ", some * TOO_MUCH < mean || some > TOO_MUCH * mean,
        "%s executes %.0f%% of the instructions of a block on average, and times may be off by as "
        "much; --sms all simulates all of them",
        which, 100 * some / mean);
}
