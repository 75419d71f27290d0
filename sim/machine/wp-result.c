/* SPDX-License-Identifier: MIT */
/* Per-instruction counts are kept instead of per-pipeline sums: all that reports want follows from
 * the counts and the machine.
 */
#include "sim/machine/wp-result.h"

#include "sim/base/wp-measure.h"

#include <stdlib.h>
#include <string.h>

WpResult *
wp_result_new (const WpMachine *machine)
{
  return wp_result_new_partial (machine, true);
}

WpResult *
wp_result_new_partial (const WpMachine *machine, bool counted)
{
  WpResult *result = calloc (1, sizeof *result);

  if (result == NULL)
    return NULL;
  if (counted)
    result->counts = calloc (machine->n_instrs + (size_t)1, sizeof *result->counts);
  result->waits = calloc (machine->n_pipelines + (size_t)1, sizeof *result->waits);
  result->busy = calloc (machine->n_pipelines + (size_t)1, sizeof *result->busy);
  result->turned = calloc (machine->n_pipelines + (size_t)1, sizeof *result->turned);
  if (machine->kinds != NULL)
    result->waited = calloc (wp_result_count_waited (machine) + (size_t)1, sizeof *result->waited);
  if ((counted && result->counts == NULL) || result->waits == NULL || result->busy == NULL
      || result->turned == NULL || (machine->kinds != NULL && result->waited == NULL))
    {
      wp_result_free (result);
      return NULL;
    }
  return result;
}

uint64_t
wp_result_measure (const WpMachine *machine, bool counted)
{
  const WpResult *result = NULL;

  return wp_measure (1, sizeof *result)
         + (counted ? wp_measure (machine->n_instrs + (uint64_t)1, sizeof *result->counts) : 0)
         + 3 * wp_measure (machine->n_pipelines + (uint64_t)1, sizeof *result->waits)
         + (machine->kinds != NULL ? wp_measure (wp_result_count_waited (machine) + (uint64_t)1,
                                                 sizeof *result->waited)
                                   : 0);
}

void
wp_result_free (WpResult *result)
{
  if (result == NULL)
    return;
  free (result->counts);
  free (result->waits);
  free (result->busy);
  free (result->turned);
  free (result->waited);
  free (result);
}

void
wp_result_reset (WpResult *result, const WpMachine *machine)
{
  uint64_t *counts = result->counts;
  WpSum *waits = result->waits, *busy = result->busy, *turned = result->turned;
  WpSum *waited = result->waited;

  if (counts != NULL)
    memset (counts, 0, machine->n_instrs * sizeof *counts);
  memset (waits, 0, machine->n_pipelines * sizeof *waits);
  memset (busy, 0, machine->n_pipelines * sizeof *busy);
  memset (turned, 0, machine->n_pipelines * sizeof *turned);
  if (waited != NULL)
    memset (waited, 0, wp_result_count_waited (machine) * sizeof *waited);
  *result = (WpResult){
    .counts = counts, .waits = waits, .busy = busy, .turned = turned, .waited = waited
  };
}

void
wp_result_add (WpResult *result, const WpResult *other, uint64_t times, const WpMachine *machine)
{
  if (other->elapsed > result->elapsed)
    result->elapsed = other->elapsed;
  if (other->drained > result->drained)
    result->drained = other->drained;
  result->blocks += other->blocks * times;
  result->warps += other->warps * times;
  result->issued += other->issued * times;
  result->issues += other->issues * times;
  wp_sum_add_times (&result->lifetimes, other->lifetimes, times);
  wp_sum_add_times (&result->occupied, other->occupied, times);
  wp_sum_add_times (&result->slot_time, other->slot_time, times);
  for (int i = 0; i < WP_N_STALLS; i++)
    wp_sum_add_times (&result->stalls[i], other->stalls[i], times);
  for (uint32_t i = 0; other->counts != NULL && i < machine->n_instrs; i++)
    result->counts[i] += other->counts[i] * times;
  for (uint32_t i = 0; i < machine->n_pipelines; i++)
    {
      wp_sum_add_times (&result->waits[i], other->waits[i], times);
      wp_sum_add_times (&result->busy[i], other->busy[i], times);
      wp_sum_add_times (&result->turned[i], other->turned[i], times);
    }
  for (size_t i = 0; i < wp_result_count_waited (machine); i++)
    wp_sum_add_times (&result->waited[i], other->waited[i], times);
}

const char *
wp_result_check (const WpResult *result)
{
  WpSum stalls = { 0, 0 };

  for (int i = 0; i < WP_N_STALLS; i++)
    {
      wp_sum_add_sum (&stalls, result->stalls[i]);
      if (result->complete && wp_sum_compare (result->stalls[i], result->lifetimes) > 0)
        return "a stall is longer than all lifetimes"; /* or less than nothing */
    }
  if (result->complete && wp_sum_compare (stalls, result->lifetimes) != 0)
    return "lifetimes are not the sum of their stalls";
  if (result->complete && wp_sum_compare (result->occupied, result->lifetimes) != 0)
    return "Little's law: occupancy summed over time is not the sum of lifetimes";
  return NULL;
}

static void
add_use (WpPipelineUse *use, uint64_t count, WpTick issue)
{
  use->instructions += count;
  wp_sum_add_product (&use->busy, count, (uint64_t)issue);
}

WpPipelineUse
wp_result_pipeline_use (const WpResult *result, const WpMachine *machine, uint32_t pipeline)
{
  WpPipelineUse use = { 0 };

  for (uint32_t i = 0; i < machine->n_instrs; i++)
    {
      const WpInstr *instr = &machine->instrs[i];

      if (instr->cost->pipeline == pipeline)
        add_use (&use, result->counts[i], instr->cost->issue);
      for (uint32_t k = 0; k < instr->cost->n_passes; k++)
        {
          const WpPass *pass = &machine->passes[instr->cost->first_pass + k];

          if (pass->pipeline == pipeline)
            add_use (&use, result->counts[i], pass->issue);
        }
      if (instr->cost->pipeline == WP_NO_PIPELINE
          || wp_instr_get_last_pipeline (machine, instr) != pipeline)
        continue;
      use.flops += (double)result->counts[i] * (double)instr->cost->flops;
      use.bytes += (double)result->counts[i] * (double)instr->cost->bytes;
    }
  if (machine->pipelines[pipeline].shared > 1)
    use.busy = result->busy[pipeline];
  return use;
}

/* For how long an instruction of ISSUE keeps a pipeline, or one of its channels. */
static WpTick
get_use (const WpPipelineDesc *pipeline, WpTick issue, uint32_t transactions)
{
  WpTick visits = transactions > 1 ? transactions : 1, channel = pipeline->channel_issue;

  channel = channel > WP_TICK_LIMIT / visits ? WP_TICK_LIMIT : channel * visits;
  return channel > issue ? channel : issue;
}

/* The longest time for which one instruction keeps what it passes, all of it together. */
static WpTick
find_longest_use (const WpMachine *machine)
{
  WpTick longest = 0;

  for (uint32_t i = 0; i < machine->n_instrs; i++)
    {
      const WpInstr *instr = &machine->instrs[i];
      WpTick use;

      if (instr->cost->pipeline == WP_NO_PIPELINE)
        continue;
      use = get_use (&machine->pipelines[instr->cost->pipeline], instr->cost->issue,
                     instr->cost->transactions);
      for (uint32_t k = 0; k < instr->cost->n_passes; k++)
        {
          const WpPass *pass = &machine->passes[instr->cost->first_pass + k];
          WpTick more
              = get_use (&machine->pipelines[pass->pipeline], pass->issue, pass->transactions);

          use = more > WP_TICK_LIMIT - use ? WP_TICK_LIMIT : use + more;
        }
      longest = use > longest ? use : longest;
    }
  return longest;
}

/* Whether a pipeline is busy for longer than the run lasts. */
static bool
is_overfull (const WpResult *result, const WpMachine *machine)
{
  for (uint32_t i = 0; i < machine->n_pipelines; i++)
    {
      WpSum room = { 0, 0 };

      wp_sum_add_product (&room, (uint64_t)result->elapsed,
                          wp_machine_count_instances (machine, i));
      if (wp_sum_compare (wp_result_pipeline_use (result, machine, i).busy, room) > 0)
        return true;
    }
  return false;
}

bool
wp_result_has_queue (const WpResult *result, const WpMachine *machine)
{
  return result->complete
         && (result->drained - result->elapsed > find_longest_use (machine)
             || is_overfull (result, machine));
}
