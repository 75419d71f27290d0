/* SPDX-License-Identifier: MIT */
/* Only what allocates is here: accepting is inline in the header, on the path of every issue.
 */
#include "sim/engine/core/wp-pipeline.h"

#include <stdlib.h>

bool
wp_pipeline_init (WpPipeline *pipeline, const WpPipelineDesc *desc, bool special, bool last)
{
  *pipeline = (WpPipeline){ .queue = desc->queue,
                            .special = special,
                            .shared = desc->shared > 1,
                            .last = last,
                            .turnaround = last ? desc->turnaround_last : desc->turnaround,
                            .channel_issue = last ? desc->channel_issue_last : desc->channel_issue,
                            .n_ends = desc->inflight };
  if (desc->inflight > 0)
    {
      pipeline->ends = calloc (desc->inflight, sizeof *pipeline->ends);
      if (pipeline->ends == NULL)
        return false;
    }
  if (desc->queue != 0 && desc->queue != WP_NO_QUEUE_LIMIT)
    {
      pipeline->starts = calloc (desc->queue, sizeof *pipeline->starts);
      if (pipeline->starts == NULL)
        return false;
    }
  if (desc->channels > 0)
    {
      pipeline->channels = calloc (desc->channels, sizeof *pipeline->channels);
      if (pipeline->channels == NULL)
        return false;
    }
  return true;
}

void
wp_pipeline_clear (WpPipeline *pipeline)
{
  free (pipeline->starts);
  free (pipeline->channels);
  free (pipeline->ends);
}

/* The earliest gives way: a full ring, whose first place becomes its last. */
void
wp_pipeline_note_end (WpPipeline *pipeline, WpTick t)
{
  uint32_t n = pipeline->n_ends, at = pipeline->first_end;

  if (t <= pipeline->ends[at])
    return;
  pipeline->first_end = at + 1 == n ? 0 : at + 1;
  for (uint32_t i = 1; i < n; i++)
    {
      uint32_t before = at == 0 ? n - 1 : at - 1;
      WpTick end = pipeline->ends[before];

      if (end <= t)
        break;
      pipeline->ends[at] = end;
      at = before;
    }
  pipeline->ends[at] = t;
}
