/* SPDX-License-Identifier: MIT */
/* J.-C. Huang, J. H. Lee, H. Kim and H.-H. Lee, GPUMech: GPU performance modeling technique based
 * on interval analysis, MICRO 2014; Volkov 2016, sections 7.5 to 7.8, with his corrections of
 * equations 7, 15, 16, 21 and 22.
 *
 * A representative warp alone takes total_cycles: it issues intervals of instructions, one a cycle,
 * and each interval is followed by stall_cycles. In any cycle it issues with probability p =
 * instructions / total_cycles (equation 9). Of n warps, the instructions that do not fit into its
 * stalls add to that: n warps take total_cycles + NO (equation 7)
 *   huang-rr: NO_i = p (n - 1) (interval_insts_i - 1)  (eq. 10 and 11)
 *   huang-gto: NO_i = max (0, issue_insts_in_stall_i - stall_cycles_i), where  (eq. 12 to 16)
 *     issue_insts_in_stall_i = avg_interval_insts x min (p x stall_cycles_i, 1) x (n - 1)
 *   huang-bandwidth: huang-rr, and for each interval that ends in a wait for memory
 *     Bandwidth_delay = min (lambda s^2 / (2 (1 - rho)), s x core_reqs x SMs / 2)  (eq. 17 to 23)
 *     with lambda = core_reqs x SMs / mem_lat, rho = lambda s, s cycles to serve a request.
 * The model does not have the throughput of pipelines, or that of memory unless accesses diverge.
 * Bandwidth_delay is meant for divergent accesses, and is negative if requests arrive faster than
 * memory serves them, because the paper's arrival rate uses the unloaded latency. MSHR_delay is
 * omitted here, as the number of MSHRs is not known.
 *
 * Generalization: the representative warp is the slowest one alone, with its intervals from
 * wp-bounds. Equation 12 is read as (warps that issue in a stall) x avg_interval_insts; the thesis
 * has it only for intervals of one instruction. The model assumes one issue per cycle and SM: an SM
 * that issues more is treated as several cores with an equal share of the warps each, as the thesis
 * does for Kepler and Maxwell; all of them share memory. A memory access makes ceil (bytes / 128)
 * requests; waits for memory are those on the critical path. */
#include "models/wp-model-private.h"

#include <math.h>

#define REQUEST_BYTES 128.0

/* The stall after an interval. */
static gdouble
get_stall (const WpModelInput *input, const WpInterval *interval)
{
  return MAX ((gdouble)interval->wait * input->tick - 1, 0);
}

/* What the variants share: the representative warp alone, and with others. */
typedef struct
{
  gdouble n;            /* warps of a core, which issues once a cycle */
  gdouble instructions; /* of the representative warp */
  gdouble total_cycles;
  gdouble p;
  gdouble avg_interval_insts;
  gdouble no;
} Multithreading;

static gdouble
get_nonoverlapped (const Multithreading *m, gdouble instructions, gdouble stall, gboolean gto)
{
  gdouble others = MAX (m->n - 1, 0);

  if (!gto)
    return m->p * others * (instructions - 1);
  return MAX (0, m->avg_interval_insts * MIN (m->p * stall, 1) * others - stall);
}

/* Returns false if the intervals are not known. */
static gboolean
interleave (const WpModelInput *input, gdouble warps, gboolean gto, Multithreading *m)
{
  gdouble times = 0, slowest;

  *m = (Multithreading){ .n = isinf (input->issue_rate) ? warps / input->schedulers
                                                        : warps / MAX (input->issue_rate, 1) };
  for (guint i = 0; i < input->n_intervals; i++)
    {
      const WpInterval *interval = &input->intervals[i];

      times += (gdouble)interval->times;
      m->instructions += (gdouble)interval->times * (gdouble)interval->instructions;
      m->total_cycles += (gdouble)interval->times
                         * ((gdouble)interval->instructions + get_stall (input, interval));
    }
  if (!(m->instructions > 0))
    return FALSE;
  m->p = m->instructions / m->total_cycles;
  m->avg_interval_insts = m->instructions / times;
  for (guint i = 0; i < input->n_intervals; i++)
    {
      const WpInterval *interval = &input->intervals[i];

      m->no += (gdouble)interval->times
               * get_nonoverlapped (m, (gdouble)interval->instructions, get_stall (input, interval),
                                    gto);
    }
  /* scales from the slowest warp to the mean one */
  slowest = input->instructions / m->instructions;
  m->total_cycles *= slowest;
  m->no *= slowest;
  return TRUE;
}

static void
add_terms (const Multithreading *m, WpModelResult *result)
{
  wp_model_add_term (result, "n", m->n);
  wp_model_add_term (result, "total_cycles", m->total_cycles);
  wp_model_add_term (result, "p", m->p);
  wp_model_add_term (result, "NO", m->no);
}

static const gchar *
estimate (const WpModelInput *input, gdouble warps, gboolean gto, WpModelResult *result)
{
  Multithreading m;

  if (!interleave (input, warps, gto, &m))
    return "a warp's intervals are not known";
  result->throughput = warps / (m.total_cycles + m.no);
  add_terms (&m, result);
  return NULL;
}

const gchar *
wp_model_estimate_huang_rr (const WpModelInput *input, gdouble warps, WpModelResult *result)
{
  return estimate (input, warps, FALSE, result);
}

const gchar *
wp_model_estimate_huang_gto (const WpModelInput *input, gdouble warps, WpModelResult *result)
{
  return estimate (input, warps, TRUE, result);
}

gdouble
wp_huang_bandwidth_delay (gdouble requests, gdouble cores, gdouble latency, gdouble service,
                          gdouble *rho)
{
  gdouble lambda = requests * cores / latency, all = service * requests * cores / 2;

  *rho = lambda * service;
  if (*rho == 1)
    return all;
  return MIN (lambda * service * service / (2 * (1 - *rho)), all);
}

/* Returns the total requests of one warp. */
static gdouble
count_requests (const WpModelInput *input)
{
  gdouble requests = 0;

  for (guint i = 0; i < input->n_ops; i++)
    if (input->ops[i].memory)
      requests += input->ops[i].count * MAX (ceil (input->ops[i].bytes / REQUEST_BYTES), 1);
  return requests;
}

const gchar *
wp_model_estimate_huang_bandwidth (const WpModelInput *input, gdouble warps, WpModelResult *result)
{
  gdouble waits = input->memory_waits > 0 ? input->memory_waits : input->memory;
  gdouble bandwidth = wp_model_get_bandwidth (input), service, rho, delay, time;
  Multithreading m;

  if (!(input->memory > 0))
    return "without memory accesses it has no bandwidth term";
  if (!(input->mem_latency > 0))
    return "no memory latency to find the rate of requests by";
  if (!(bandwidth > 0))
    return "the bandwidth of the GPU's memory is not known";
  if (!interleave (input, warps, FALSE, &m))
    return "a warp's intervals are not known";
  service = input->clock_ghz * REQUEST_BYTES / bandwidth;
  delay = wp_huang_bandwidth_delay (warps * count_requests (input) / waits, input->sms,
                                    input->mem_latency, service, &rho);
  time = (m.total_cycles + m.no) / warps + waits * delay;
  result->throughput = wp_model_ratio (1, time);
  add_terms (&m, result);
  wp_model_add_term (result, "core_reqs", warps * count_requests (input) / waits);
  wp_model_add_term (result, "s", service);
  wp_model_add_term (result, "rho", rho);
  wp_model_add_term (result, "Bandwidth_delay", delay);
  wp_model_add_term (result, "CPI_final", time / input->instructions);
  return NULL;
}
