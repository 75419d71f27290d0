/* SPDX-License-Identifier: MIT */
/* S. Baghsorkhi, M. Delahaye, S. Patel, W. Gropp and W.-m. Hwu, An adaptive performance modeling
 * tool for GPU architectures, PPoPP 2010; Volkov 2016, section 7.2.
 *
 * The time that each warp adds to the SM's time, its "latency", is a path through a weighted graph:
 *   an arithmetic instruction: alu = max (1 / alu_thru, alu_lat / N)  (eq. 3)
 *   CYC_compute = arithmetic x alu + NUM_mem x instruction time; CYC_mem = NUM_mem / mem_thru
 *   a memory instruction: Latency_BW =
 *     instruction time + max (0, (CYC_mem - CYC_compute) / NUM_mem)  (eq. 4)
 *   a warp runs for NBC_avg = CYC_compute / (NUM_mem + NUM_sync + 1) until it stalls  (eq. 5)
 *   waiting for memory: Latency_exposed = mem_lat - (N - 1) NBC_avg  (eq. 6)
 * Throughput is 1 / (arithmetic x alu + sum of max (Latency_BW, Latency_exposed)). The model
 * ignores that warps also switch at instructions other than memory accesses and barriers, and it
 * counts exposed latency for each warp, even if it overlaps with that of another warp.
 *
 * Generalization: a warp waits for memory as often as its critical path does (several loads in
 * flight are one wait); its other memory instructions take Latency_BW. The time that a warp spends
 * at barriers is not in the graph. */
#include "models/wp-model-private.h"

const gchar *
wp_model_estimate_baghsorkhi (const WpModelInput *input, gdouble warps, WpModelResult *result)
{
  gdouble memory = input->memory, waits = MIN (input->memory_waits, memory);
  gdouble alu = wp_model_get_arithmetic_time (input, warps);
  gdouble compute = input->arithmetic * alu + memory * input->instruction_time;
  gdouble cyc_mem = memory * input->mem_cpi;
  gdouble more = memory > 0 ? MAX (0, (cyc_mem - compute) / memory) : 0;
  gdouble latency_bw = input->instruction_time + more;
  gdouble nbc_avg = compute / (memory + input->barriers + 1);
  gdouble exposed = input->mem_latency - (warps - 1) * nbc_avg;
  gdouble time
      = input->arithmetic * alu + waits * MAX (latency_bw, exposed) + (memory - waits) * latency_bw;

  result->throughput = wp_model_ratio (1, time);
  wp_model_add_term (result, "CYC_compute", compute);
  wp_model_add_term (result, "CYC_mem", cyc_mem);
  wp_model_add_term (result, "NBC_avg", nbc_avg);
  wp_model_add_term (result, "Latency_BW", latency_bw);
  wp_model_add_term (result, "Latency_exposed", exposed);
  wp_model_add_term (result, "Warp latency", time);
  return NULL;
}
