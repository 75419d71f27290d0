/* SPDX-License-Identifier: MIT */
/* V. Volkov, Understanding Latency Hiding on GPUs, PhD thesis, University of California, Berkeley,
 * 2016.
 *
 * volkov (sections 3.5 and 4.1): the throughput at N warps is min (N / latency bound, 1 /
 * throughput bound); the needed warps are latency bound / throughput bound (Little's law). Not
 * modelled: anything between the two bounds, most of all the gradual saturation of memory.
 *
 * volkov-contention (sections 6.4 and 6.5, table 6.5): memory latency is a + b x / (c - x) at x
 * GB/s, where x follows from the throughput itself; bisection solves that. Not modelled: contention
 * for anything but memory.
 *
 * Generalization: the bounds are those of wp-bounds, for any graph. For contention, the latency of
 * each load on the path is replaced, but only that of the op without its context (a divergent
 * access keeps its extra latency); accesses that hit a cache are not changed. */
#include "models/wp-model-private.h"

#include <math.h>

const gchar *
wp_model_estimate_volkov (const WpModelInput *input, gdouble warps, WpModelResult *result)
{
  result->throughput
      = MIN (wp_model_ratio (warps, input->latency), wp_model_ratio (1, input->throughput));
  result->needed = wp_model_ratio (input->latency, input->throughput);
  wp_model_add_term (result, "Latency", input->latency);
  wp_model_add_term (result, "Throughput bound", input->throughput);
  return NULL;
}

/* Returns the memory latency at the device's memory throughput X. */
static gdouble
get_memory_latency (const WpModelInput *input, gdouble x)
{
  if (x >= input->contention_c)
    return INFINITY;
  return input->contention_a + input->contention_b * x / (input->contention_c - x);
}

static gdouble
get_latency (const WpModelInput *input, gdouble x)
{
  gdouble others = input->latency - input->path_load_plain;

  return input->path_loads > 0 ? others + input->path_loads * get_memory_latency (input, x)
                               : input->latency;
}

/* Returns the device's GB/s at a throughput of one warp per cycle and SM. */
static gdouble
get_traffic (const WpModelInput *input)
{
  return input->bytes * input->sms * input->clock_ghz;
}

/* Tells whether WARPS suffice for THROUGHPUT (Little's law). */
static gboolean
is_attained (const WpModelInput *input, gdouble warps, gdouble throughput)
{
  return throughput * get_latency (input, throughput * get_traffic (input)) <= warps;
}

/* Returns the largest throughput that WARPS attain. Every smaller one is attained, too, because
 * latency grows with throughput. */
static gdouble
solve (const WpModelInput *input, gdouble warps)
{
  gdouble low = 0;
  gdouble high
      = MIN (wp_model_ratio (1, input->throughput), wp_model_ratio (warps, get_latency (input, 0)));

  if (isinf (high) || is_attained (input, warps, high))
    return high;
  for (;;)
    {
      gdouble middle = low + (high - low) / 2;

      if (!(middle > low && middle < high))
        return low;
      if (is_attained (input, warps, middle))
        low = middle;
      else
        high = middle;
    }
}

const gchar *
wp_model_estimate_volkov_contention (const WpModelInput *input, gdouble warps,
                                     WpModelResult *result)
{
  gdouble peak = wp_model_ratio (1, input->throughput), x;

  if (!input->has_contention)
    return "the GPU's description has no <contention> figures";
  if (isinf (peak) && input->bytes > 0)
    peak = input->contention_c / get_traffic (input);
  result->throughput = solve (input, warps);
  if (!isinf (peak))
    result->needed = peak * get_latency (input, peak * get_traffic (input));
  else
    result->needed = peak;
  x = isinf (result->throughput) ? 0 : result->throughput * get_traffic (input);
  wp_model_add_term (result, "x", x);
  wp_model_add_term (result, "Memory latency", get_memory_latency (input, x));
  wp_model_add_term (result, "Latency", get_latency (input, x));
  return NULL;
}
