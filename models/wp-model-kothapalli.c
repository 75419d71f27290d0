/* SPDX-License-Identifier: MIT */
/* K. Kothapalli, R. Mukherjee, M. S. Rehman, S. Patidar, P. J. Narayanan and K. Srinathan, A
 * performance prediction model for the CUDA GPGPU platform, HiPC 2009.
 *
 * The model counts the cycles of one thread. N_comp is 4 for each simple operation and more for
 * others. N_memory is, for each access to global memory, (latency + k) / k if a transaction serves
 * k threads, and the latency if it serves one; for shared memory, 4 x the number of threads that
 * conflict. C_T is max (N_comp, N_memory) (kothapalli-max: latency is hidden) or their sum
 * (kothapalli-sum: none is hidden). With N_C cores of depth D, an SM works on N_C x D threads at a
 * time:
 *   T = N_B N_w N_t C_T / (N_C D R)  (eq. 3 and 4),
 * a throughput of N_C D / (N_t C_T) warps per cycle and SM, whatever the occupancy. Not modelled:
 * occupancy, bandwidth, barriers.
 *
 * Generalization: N_C is the number of lanes that the GPU's fastest arithmetic keeps busy (8 on the
 * paper's GTX 280), and D = 4. The fastest operations cost D cycles, others more in proportion to
 * their lambda: the paper's 4 and 16. A global access has the latency of its op without context,
 * and k is the warp size / transactions; a store costs what the kernel's slowest load does, because
 * the paper does not distinguish them. Shared memory accesses are those that move bytes on a
 * compute pipeline or without transactions; conflicts multiply their lambda. */
#include "models/wp-model-private.h"

#define DEPTH 4.0         /* D */
#define SHARED_CYCLES 4.0 /* section 3.2.2 */

gdouble
wp_kothapalli_time (const WpKothapalli *kernel, gboolean sum)
{
  gdouble cycles = sum ? kernel->comp + kernel->memory : MAX (kernel->comp, kernel->memory);

  return kernel->blocks * kernel->warps * kernel->threads * cycles
         / (kernel->cores * kernel->depth * kernel->ghz * 1e9);
}

gdouble
wp_kothapalli_access (gdouble latency, gdouble k)
{
  return k > 1 ? (latency + k) / k : latency;
}

static gboolean
is_shared (const WpModelOp *op)
{
  return op->memory ? op->transactions == 0 : op->bytes > 0;
}

static gdouble
find_global_latency (const WpModelInput *input)
{
  gdouble latency = 0;

  for (guint i = 0; i < input->n_ops; i++)
    if (input->ops[i].memory && !is_shared (&input->ops[i]))
      latency = MAX (latency, input->ops[i].plain_completion);
  return latency;
}

static void
add_cycles (const WpModelInput *input, const WpModelOp *op, gdouble global_latency,
            WpKothapalli *kernel)
{
  gdouble degree = op->plain_issue > 0 ? op->issue / op->plain_issue : 1;
  gdouble latency = op->plain_completion > 0 ? op->plain_completion : global_latency;

  if (is_shared (op))
    kernel->memory += op->count * SHARED_CYCLES * degree;
  else if (op->memory)
    kernel->memory
        += op->count * wp_kothapalli_access (latency, input->warp_size / op->transactions);
  else
    kernel->comp += op->count * op->issue * kernel->cores * kernel->depth / kernel->threads;
}

static const gchar *
estimate (const WpModelInput *input, gboolean sum, WpModelResult *result)
{
  WpKothapalli warp = { .blocks = 1,
                        .warps = 1,
                        .threads = input->warp_size,
                        .cores = input->cores,
                        .depth = DEPTH,
                        .ghz = 1e-9 }; /* one cycle per second, so that the time is in cycles */
  gdouble global_latency = find_global_latency (input);

  if (!(input->cores > 0))
    return "the GPU has no arithmetic to count cores by";
  for (guint i = 0; i < input->n_ops; i++)
    add_cycles (input, &input->ops[i], global_latency, &warp);
  result->throughput = wp_model_ratio (1, wp_kothapalli_time (&warp, sum));
  wp_model_add_term (result, "N_comp", warp.comp);
  wp_model_add_term (result, "N_memory", warp.memory);
  wp_model_add_term (result, "C_T", sum ? warp.comp + warp.memory : MAX (warp.comp, warp.memory));
  wp_model_add_term (result, "N_C", warp.cores);
  wp_model_add_term (result, "D", warp.depth);
  return NULL;
}

const gchar *
wp_model_estimate_kothapalli_max (const WpModelInput *input, G_GNUC_UNUSED gdouble warps,
                                  WpModelResult *result)
{
  return estimate (input, FALSE, result);
}

const gchar *
wp_model_estimate_kothapalli_sum (const WpModelInput *input, G_GNUC_UNUSED gdouble warps,
                                  WpModelResult *result)
{
  return estimate (input, TRUE, result);
}
