/* SPDX-License-Identifier: MIT */
/* Only what allocates is here: accepting is inline in the header, on the path of every issue.
 */
#include "sim/engine/core/wp-pipeline.h"

#include <stdlib.h>

bool
wp_pipeline_init (WpPipeline *pipeline, const WpPipelineDesc *desc)
{
  *pipeline = (WpPipeline){ .queue = desc->queue };
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
}
