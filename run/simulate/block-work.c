/* SPDX-License-Identifier: MIT */
/* Where blocks are alike an SM's work is its number of them: no sum for each SM is needed. */
#include "run/simulate/block-work.h"

static gboolean
are_alike (const WpMachine *machine)
{
  gdouble mean = wp_block_work_count (machine, machine->n_blocks) / (gdouble)machine->n_blocks;

  for (guint32 i = 0; i < machine->n_block_ranges; i++)
    if (machine->block_ranges[i].first_block < machine->n_blocks
        && !wp_block_work_is_alike (wp_block_work_of_range (machine, i), mean))
      return FALSE;
  return TRUE;
}

guint64
wp_block_work_get_most_blocks (const WpMachine *machine, const WpResult *result)
{
  guint64 sms = machine->simulated_sms;

  return MAX ((machine->n_blocks + sms - 1) / sms, result->most_blocks);
}

gdouble
wp_block_work_get_fullest (const WpMachine *machine, const WpResult *result)
{
  guint64 sms = machine->simulated_sms;

  if (sms < 2 || machine->n_blocks == 0 || !are_alike (machine))
    return 1;
  return (gdouble)wp_block_work_get_most_blocks (machine, result) * (gdouble)sms
         / (gdouble)machine->n_blocks;
}
