/* SPDX-License-Identifier: MIT */
/* Terms that several models have in common, and ratios that are never NAN. */
#include "models/wp-model-private.h"

#include <math.h>

void
wp_model_add_term (WpModelResult *result, const gchar *name, gdouble value)
{
  g_return_if_fail (result->n_terms < WP_MODEL_MAX_TERMS);
  result->terms[result->n_terms++] = (WpModelTerm){ name, value };
}

gdouble
wp_model_count_stalling (const WpModelInput *input)
{
  return input->loads > 0 ? input->loads : input->memory;
}

gdouble
wp_model_get_mlp (const WpModelInput *input)
{
  return input->memory_waits > 0 ? MAX (input->loads / input->memory_waits, 1) : 1;
}

gdouble
wp_model_get_arithmetic_time (const WpModelInput *input, gdouble n)
{
  return MAX (input->alu_latency / n, input->alu_cpi);
}

gdouble
wp_model_get_memory_time (const WpModelInput *input, gdouble n)
{
  return MAX (wp_model_count_stalling (input) * input->mem_latency / n,
              input->memory * input->mem_cpi);
}

gdouble
wp_model_get_bandwidth (const WpModelInput *input)
{
  return input->pin_gbs > 0 ? input->pin_gbs : input->peak_bytes * input->sms * input->clock_ghz;
}

gdouble
wp_model_get_sm_bandwidth (const WpModelInput *input)
{
  return input->pin_gbs > 0 ? input->pin_gbs / (input->sms * input->clock_ghz) : input->peak_bytes;
}

gdouble
wp_model_ratio (gdouble a, gdouble b)
{
  if (b == 0)
    return a == 0 ? 0 : copysign (INFINITY, a);
  return a / b;
}
