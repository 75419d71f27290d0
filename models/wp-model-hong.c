/* SPDX-License-Identifier: MIT */
/* S. Hong and H. Kim, An analytical model for a GPU architecture with memory-level and thread-level
 * parallelism awareness, ISCA 2009; Volkov 2016, section 7.1.
 *
 * Of N warps, MWP can access memory at a time, and CWP can compute while one waits:
 *   MWP = min (N, MWP_peak_bw),
 *     MWP_peak_bw = bandwidth x Mem_L / (clock x bytes x SMs)  (eq. 6 and 7)
 *   CWP = min (N, CWP_full), CWP_full = (Mem_cycles + Comp_cycles) / Comp_cycles  (eq. 8 and 9)
 * with Comp_cycles = instructions x instruction time, Mem_cycles = memory instructions x Mem_L. All
 * N warps take
 *   Mem_cycles + Comp_cycles + Comp_cycles / #Mem_insts x (MWP - 1)  if MWP = CWP = N  (eq. 22)
 *   Mem_cycles x N / MWP + Comp_cycles / #Mem_insts x (MWP - 1)  if MWP < CWP  (eq. 23)
 *   Mem_L + Comp_cycles x N  else  (eq. 24).
 * The model does not have arithmetic latency. Omitted here: departure delays (they never bind if
 * accesses are coalesced, and are not known for most GPUs) and with them the cost of barriers; and
 * the paper's second condition for equation 23, Comp_cycles > Mem_cycles, under which more
 * arithmetic would cost nothing. The thesis, too, uses equation 24 in that case.
 *
 * Generalization: memory instructions are those that a warp stalls on. Mem_L is their mean latency,
 * with that of divergent accesses taken from the GPU's description. The bandwidth is that of the
 * pins or, if not known, the sustained one. If neither is known, or there are no bytes or no
 * latency, nothing limits MWP. */
#include "models/wp-model-private.h"

#include <math.h>

static gdouble
get_mwp_peak_bw (const WpModelInput *input)
{
  gdouble bandwidth = wp_model_get_sm_bandwidth (input);

  if (!(bandwidth > 0) || !(input->bytes > 0) || !(input->mem_latency > 0))
    return INFINITY;
  return bandwidth * input->mem_latency / (input->bytes / input->memory);
}

const gchar *
wp_model_estimate_hong (const WpModelInput *input, gdouble warps, WpModelResult *result)
{
  gdouble stalls = wp_model_count_stalling (input), mem_l = input->mem_latency;
  gdouble mem_cycles = stalls * mem_l;
  gdouble comp_cycles = input->instructions * input->instruction_time;
  gdouble period = stalls > 0 ? comp_cycles / stalls : 0;
  gdouble mwp_peak_bw = get_mwp_peak_bw (input);
  gdouble cwp_full = wp_model_ratio (mem_cycles + comp_cycles, comp_cycles);
  gdouble mwp = MIN (warps, mwp_peak_bw), cwp = MIN (warps, cwp_full);
  gdouble time, equation;

  if (mwp == warps && cwp == warps)
    {
      equation = 22;
      time = mem_cycles + comp_cycles + period * (mwp - 1);
    }
  else if (mwp < cwp)
    {
      equation = 23;
      time = mem_cycles * warps / mwp + period * (mwp - 1);
    }
  else
    {
      equation = 24;
      time = mem_l + comp_cycles * warps;
    }
  result->throughput = wp_model_ratio (warps, time);
  result->needed = cwp_full;
  wp_model_add_term (result, "Mem_cycles", mem_cycles);
  wp_model_add_term (result, "Comp_cycles", comp_cycles);
  wp_model_add_term (result, "MWP_peak_bw", mwp_peak_bw);
  wp_model_add_term (result, "CWP_full", cwp_full);
  wp_model_add_term (result, "MWP", mwp);
  wp_model_add_term (result, "CWP", cwp);
  wp_model_add_term (result, "equation", equation);
  wp_model_add_term (result, "Exec_cycles", time);
  return NULL;
}
