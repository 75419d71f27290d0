/* SPDX-License-Identifier: MIT */
/* J. Lemeire, GPU Computing (lecture slides, "Occupancy roofline"), and Lemeire, Cornelis and
 * Segers, Microbenchmarks for GPU characteristics: the occupancy roofline and the pipeline model,
 * PDP 2016.
 *
 * An op has an issue latency lambda and a completion latency Lambda. N warps with k independent
 * instructions each issue one instruction every max (lambda, Lambda / (k N)) cycles. The ridge
 * point, Lambda / (k lambda) warps, is the occupancy above which lambda is the limit.
 *
 * Generalization: the instructions of a pipeline are one class, with mean latencies, and the kernel
 * takes as long as its slowest class. All classes use the kernel's k. The needed occupancy is the
 * largest ridge point. Not modelled: issue slots, barriers, and that a warp is not in two pipelines
 * at once. */
#include "models/wp-model-private.h"

#include <math.h>

typedef struct
{
  gdouble count, issue, completion; /* sums */
} Class;

static void
sum_classes (const WpModelInput *input, Class classes[WP_MAX_PIPELINES])
{
  for (guint i = 0; i < input->n_ops; i++)
    {
      const WpModelOp *op = &input->ops[i];
      Class *class = &classes[op->pipeline];

      class->count += op->count;
      class->issue += op->count * op->issue;
      class->completion += op->count * op->completion;
    }
}

static gdouble
get_time (const Class *class, gdouble concurrency)
{
  return MAX (class->issue, class->completion / concurrency);
}

const gchar *
wp_model_estimate_lemeire (const WpModelInput *input, gdouble warps, WpModelResult *result)
{
  Class classes[WP_MAX_PIPELINES] = { { 0, 0, 0 } };
  const Class *slowest = NULL;
  gdouble k = input->ilp;

  sum_classes (input, classes);
  result->needed = 0;
  for (guint i = 0; i < WP_MAX_PIPELINES; i++)
    {
      const Class *class = &classes[i];

      if (!(class->count > 0))
        continue;
      result->needed = MAX (result->needed, wp_model_ratio (class->completion, k * class->issue));
      if (slowest == NULL || get_time (class, k * warps) > get_time (slowest, k * warps))
        slowest = class;
    }
  if (slowest == NULL)
    return "a warp uses no pipeline";
  result->throughput = wp_model_ratio (1, get_time (slowest, k * warps));
  wp_model_add_term (result, "k", k);
  wp_model_add_term (result, "lambda", slowest->issue / slowest->count);
  wp_model_add_term (result, "Lambda", slowest->completion / slowest->count);
  wp_model_add_term (result, "CPI", get_time (slowest, k * warps) / slowest->count);
  wp_model_add_term (result, "Ridge point",
                     wp_model_ratio (slowest->completion, k * slowest->issue));
  return NULL;
}
