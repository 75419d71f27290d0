/* SPDX-License-Identifier: MIT */
/* V. Volkov 2016, sections 4.11 and 4.12: the common core of many models.
 *
 * With N warps, arithmetic alone takes the arithmetic time (N) = max (alu_lat / N, 1 / alu_thru)
 * for each instruction, and memory alone takes max (mem_lat / N, 1 / mem_thru). overlapping (after
 * Zhang and Owens 2011 and Sim et al. 2012) takes the longer of the two sums, which is too fast for
 * few warps, because each would be in arithmetic and in memory at once. adding takes their sum,
 * which is too slow for many warps.
 *
 * Generalization: latencies and throughputs are means over the kernel's instructions; what nothing
 * waits for counts by throughput alone. Not modelled: barriers, and independent instructions of one
 * warp. */
#include "models/wp-model-private.h"

static const gchar *
estimate (const WpModelInput *input, gdouble warps, gboolean add, WpModelResult *result)
{
  gdouble arithmetic = input->arithmetic * wp_model_get_arithmetic_time (input, warps);
  gdouble memory = wp_model_get_memory_time (input, warps);
  gdouble time = add ? arithmetic + memory : MAX (arithmetic, memory);

  result->throughput = wp_model_ratio (1, time);
  wp_model_add_term (result, "arithmetic time", arithmetic);
  wp_model_add_term (result, "memory time", memory);
  wp_model_add_term (result, "Time", time);
  return NULL;
}

const gchar *
wp_model_estimate_adding (const WpModelInput *input, gdouble warps, WpModelResult *result)
{
  return estimate (input, warps, TRUE, result);
}

const gchar *
wp_model_estimate_overlapping (const WpModelInput *input, gdouble warps, WpModelResult *result)
{
  return estimate (input, warps, FALSE, result);
}
