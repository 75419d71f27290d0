/* SPDX-License-Identifier: MIT */
/* What is added up less often than at each issue. */
#include "sim/engine/core/wp-sm-account.h"

#include <string.h>

void
wp_sm_find_stalls (const WpSm *sm, const WpWarp *warp, WpTick stalls[WP_N_STALLS])
{
  const WpImplied *implied = &sm->host->plan->implied[warp->program];

  memcpy (stalls, warp->stalls, WP_N_STALLS * sizeof *stalls);
  if (sm->implies)
    {
      stalls[WP_STALL_DEPENDENCY] += implied->dependency;
      stalls[WP_STALL_ILP] += implied->ilp;
    }
  stalls[WP_STALL_NOT_SELECTED]
      = warp->end - warp->start
        - (stalls[WP_STALL_BARRIER] + stalls[WP_STALL_DEPENDENCY] + stalls[WP_STALL_ILP]
           + stalls[WP_STALL_PIPELINE] + stalls[WP_STALL_DRAIN]);
}

void
wp_sm_settle_occupancy (WpSm *sm, WpTick now)
{
  uint64_t time = (uint64_t)(now - sm->occupied_since);

  if (time == 0)
    return;
  if (time <= UINT32_MAX)
    wp_sum_add (&sm->result->occupied, sm->n_live * time);
  else
    wp_sum_add_product (&sm->result->occupied, sm->n_live, time);
  sm->occupied_since = now;
}

void
wp_sm_keep_wait (const WpSm *sm, WpWarp *warp, WpTick last)
{
  uint32_t n = sm->machine->n_pipelines;
  WpStall stall = warp->wait < n                      ? WP_STALL_DEPENDENCY
                  : warp->wait == n + WP_WAIT_BARRIER ? WP_STALL_BARRIER
                                                      : WP_STALL_ILP;

  warp->stalls[stall] += warp->ready - last;
}

/* Of the time that SM's warps have lived, what is left when all else is accounted for: the time for
 * which they were ready and not selected. Until when is accounted for: what a running warp waits
 * for in program order is known and counted when the wait begins. */
static WpSum
find_not_selected (const WpSm *sm)
{
  uint32_t n = sm->machine->n_pipelines;
  WpSum time = wp_sum_subtract (sm->result->lifetimes, sm->result->stalls[WP_STALL_DRAIN]);

  for (uint32_t slot = 0; slot < sm->n_slots; slot++)
    {
      const WpWarp *warp = &sm->warps[slot];
      bool waits = warp->state == WP_WARP_RUNNING && sm->flows == NULL;

      if (warp->state != WP_WARP_FREE)
        wp_sum_add (&time, (uint64_t)((waits ? warp->ready : warp->since) - warp->start));
    }
  for (uint32_t i = 0; i < n + WP_N_WAITS; i++)
    time = wp_sum_subtract (time, sm->waits[i]);
  return wp_sum_subtract (time, sm->result->stalls[WP_STALL_PIPELINE]);
}

/* When all pipelines of SM are free, or DRAINED where that is later. */
static WpTick
find_drained (const WpSm *sm, WpTick drained)
{
  const WpMachine *m = sm->machine;

  for (uint32_t p = 0; p < m->n_pipelines; p++)
    {
      uint32_t n = m->pipelines[p].per_scheduler ? m->n_schedulers : 1;

      for (uint32_t i = 0; i < n; i++)
        {
          const WpPipeline *pipeline = &sm->pipelines[p][i];
          /* As wp_pipeline_accept(): without a queue `accept` is what is kept up to date. */
          bool accepts = pipeline->queue == 0 && !pipeline->special;
          WpTick free_at = accepts ? pipeline->accept : pipeline->free_at;

          drained = free_at > drained ? free_at : drained;
          drained = pipeline->latest > drained ? pipeline->latest : drained;
        }
    }
  return drained;
}

/* For how long pipelines P of SM turned around while an instruction waited. */
static WpSum
find_turned (const WpSm *sm, uint32_t p)
{
  uint32_t n = sm->machine->pipelines[p].per_scheduler ? sm->machine->n_schedulers : 1;
  WpSum turned = { 0, 0 };

  for (uint32_t i = 0; i < n; i++)
    wp_sum_add_times (&turned, sm->pipelines[p][i].turned, 1);
  return turned;
}

void
wp_sm_add_to_result (WpSm *sm, WpResult *result, WpTick until)
{
  WpSum occupied = { 0, 0 };
  uint32_t n = sm->machine->n_pipelines;

  if (until > sm->occupied_since)
    wp_sum_add_product (&occupied, sm->n_live, (uint64_t)(until - sm->occupied_since));
  sm->result->stalls[WP_STALL_NOT_SELECTED] = find_not_selected (sm);
  wp_result_add (result, sm->result, sm->count, sm->machine);
  wp_sum_add_times (&result->occupied, occupied, sm->count);
  wp_sum_add_times (&result->stalls[WP_STALL_BARRIER], sm->waits[n + WP_WAIT_BARRIER], sm->count);
  wp_sum_add_times (&result->stalls[WP_STALL_ILP], sm->waits[n + WP_WAIT_ILP], sm->count);
  for (uint32_t p = 0; p < n; p++)
    {
      wp_sum_add_times (&result->waits[p], sm->waits[p], sm->count);
      wp_sum_add_times (&result->stalls[WP_STALL_DEPENDENCY], sm->waits[p], sm->count);
    }
  for (uint32_t p = 0; p < n; p++)
    {
      const WpPipelineDesc *desc = &sm->machine->pipelines[p];

      if (desc->shared > 1 && wp_sm_keeps_pipeline (sm, p))
        wp_sum_add_times (&result->busy[p], sm->pipelines[p]->busy, sm->count);
      if (desc->turnaround > 0 && wp_sm_keeps_pipeline (sm, p))
        wp_sum_add_times (&result->turned[p], find_turned (sm, p), sm->count);
    }
  result->drained = find_drained (sm, result->drained);
}
