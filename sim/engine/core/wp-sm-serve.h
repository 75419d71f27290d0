/* SPDX-License-Identifier: MIT */
/* Contended memory: when an access is served (MODEL.md, section 11). Private; plain C11. Inline, as
 * it is most of what such an issue costs.
 */
#pragma once

#include "sim/engine/core/wp-sm-state.h"

/* When dynamic instruction K of WARP, of OP, is served that starts in PIPELINE at START. CAREFUL: a
 * time may be too late, and the device then notes which. */
static INLINE WpTick
wp_sm_serve (WpSm *sm, const WpWarp *warp, WpPipeline *pipeline, const WpOp *op, uint64_t k,
             WpTick start, const bool careful)
{
  const WpAccess *access = &sm->host->plan->accesses[op - sm->ops];
  const uint64_t random = wp_random_of_instruction (warp->random, k),
                 n_channels = access->n_channels;
  const WpTick channel_issue = access->channel_issue;
  const uint32_t n_visits = access->n_visits;
  WpTick *const channels = pipeline->channels; /* nothing that is written changes any of these */
  WpTick served = start;

  for (uint32_t j = 0; j < n_visits; j++)
    {
      WpTick *channel = &channels[wp_random_draw (random, j) * n_channels >> 32];
      WpTick begin = *channel > start ? *channel : start;

      *channel = begin + channel_issue;
      if (careful
          && wp_sm_overflows (sm, *channel, "the time at which a channel is free",
                              sm->blocks[warp->block].id, (uint32_t)(op - sm->ops)))
        return served;
      served = begin > served ? begin : served;
    }
  if (n_visits > 0 && served + channel_issue > pipeline->latest)
    pipeline->latest = served + channel_issue;
  if (access->spread != NULL)
    served += wp_random_spread (access->spread, wp_random_draw (random, WP_RANDOM_SPREAD));
  return served;
}

/* MODEL.md, section 11: what completions of OP, issued at NOW and served at SERVED, count from.
 * What is posted is complete when it issues. */
static INLINE WpTick
wp_sm_get_base (const WpOp *op, WpTick served, WpTick now)
{
  return op->posted ? now : served;
}
