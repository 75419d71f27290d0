/* SPDX-License-Identifier: MIT */
/* S. Williams, A. Waterman and D. Patterson, Roofline: an insightful visual performance model for
 * multicore architectures, CACM 52(4), 2009.
 *
 * Attainable flops = min (peak flops, peak bandwidth x operational intensity), where the intensity
 * is flops per byte of memory traffic. For a warp, that is min (peak flops / its flops, bandwidth /
 * its bytes). Not modelled: latency, hence occupancy, and all work other than flops.
 *
 * Generalization: the bandwidth is that of the pins or, if not known, what the GPU's memory ops
 * sustain. Shared memory is not memory traffic. The intensity is 0 for a kernel without flops, and
 * infinite for one without bytes. */
#include "models/wp-model-private.h"

#include <math.h>

const gchar *
wp_model_estimate_roofline (const WpModelInput *input, G_GNUC_UNUSED gdouble warps,
                            WpModelResult *result)
{
  gdouble bandwidth = wp_model_get_sm_bandwidth (input);
  gdouble flops_peak = input->peak_flops > 0 ? input->peak_flops : INFINITY;

  if (!(input->flops > 0) && !(input->bytes > 0))
    return "the kernel counts neither flops nor bytes of memory traffic";
  if (input->bytes > 0 && !(bandwidth > 0))
    return "the bandwidth of the GPU's memory is not known";
  result->throughput = MIN (input->flops > 0 ? flops_peak / input->flops : INFINITY,
                            input->bytes > 0 ? bandwidth / input->bytes : INFINITY);
  wp_model_add_term (result, "Operational intensity", wp_model_ratio (input->flops, input->bytes));
  wp_model_add_term (result, "Peak flops", flops_peak);
  wp_model_add_term (result, "Peak bandwidth", bandwidth);
  wp_model_add_term (result, "Ridge point",
                     isinf (flops_peak) ? INFINITY : wp_model_ratio (flops_peak, bandwidth));
  return NULL;
}
