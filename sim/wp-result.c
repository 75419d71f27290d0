/* SPDX-License-Identifier: MIT */
/* Per-instruction counts are kept instead of per-pipeline sums: an issue then costs one increment, and all that
 * reports want follows from the counts and the machine.
 */
#include "sim/wp-result.h"

#include <stdlib.h>

WpResult *
wp_result_new (const WpMachine *machine)
{
  WpResult *result = calloc (1, sizeof *result);

  if (result == NULL)
    return NULL;
  result->counts = calloc (machine->n_instrs + (size_t)1, sizeof *result->counts);
  result->waits = calloc (machine->n_pipelines + (size_t)1, sizeof *result->waits);
  if (result->counts == NULL || result->waits == NULL)
    {
      wp_result_free (result);
      return NULL;
    }
  return result;
}

void
wp_result_free (WpResult *result)
{
  if (result == NULL)
    return;
  free (result->counts);
  free (result->waits);
  free (result);
}

const char *
wp_result_check (const WpResult *result)
{
  WpSum stalls = { 0, 0 };

  for (int i = 0; i < WP_N_STALLS; i++)
    wp_sum_add_sum (&stalls, result->stalls[i]);
  if (wp_sum_compare (stalls, result->lifetimes) != 0)
    return "lifetimes are not the sum of their stalls";
  if (result->complete && wp_sum_compare (result->occupied, result->lifetimes) != 0)
    return "Little's law: occupancy summed over time is not the sum of lifetimes";
  return NULL;
}

WpPipelineUse
wp_result_pipeline_use (const WpResult *result, const WpMachine *machine, uint32_t pipeline)
{
  WpPipelineUse use = { 0 };

  for (uint32_t i = 0; i < machine->n_instrs; i++)
    {
      const WpInstr *instr = &machine->instrs[i];

      if (instr->pipeline != pipeline)
        continue;
      use.instructions += result->counts[i];
      wp_sum_add_product (&use.busy, result->counts[i], (uint64_t)instr->issue);
      use.flops += (double)result->counts[i] * (double)instr->flops;
      use.bytes += (double)result->counts[i] * (double)instr->bytes;
    }
  return use;
}
