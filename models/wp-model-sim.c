/* SPDX-License-Identifier: MIT */
/* J. Sim, A. Dasgupta, H. Kim and R. Vuduc, A performance analysis framework for identifying
 * potential benefits in GPGPU applications, PPoPP 2012; Volkov 2016, section 7.4.
 *
 *   T_comp = N x instructions x avg_inst_lat / ITILP,
 *     ITILP = min (ILP N, avg_inst_lat / CPI at peak)  (eq. 2 to 5)
 *   CWP = min (N, 1 + mem_cycles / comp_cycles), comp_cycles = T_comp / N,
 *     mem_cycles = memory instructions x AMAT / MLP  (eq. A.1 to A.4)
 *   MWP = min (N, MWP_peak_bw)  (eq. A.5)
 *   T_mem = N x memory instructions x AMAT / ITMLP, ITMLP = min (MLP x MWP_cp, MWP_peak_bw),
 *     MWP_cp = min (max (1, CWP - 1), MWP)  (eq. 11, 14, 15)
 *   T_exec = max (T_comp, T_mem) if CWP > MWP,
 *     else max (T_comp, T_mem + T_comp / N)  (eq. 1, 16, 17)
 * Omitted here: departure delay, and with it pin bandwidth, so that MWP_peak_bw comes from the
 * sustained throughput, for the reasons given in the thesis; the overheads of serialization
 * (equations 6 to 10: barriers, special functions, divergence, bank conflicts), because the
 * contexts and pipelines of the GPU's description contain them; and caches (AMAT is the latency of
 * the description).
 *
 * Generalization: ILP is the kernel's, for all arithmetic; MLP is all loads divided by those on the
 * critical path. For chains of dependent instructions both are 1, as in the thesis. avg_inst_lat is
 * that of arithmetic. Stores that nothing waits for count for bandwidth, not for latency. */
#include "models/wp-model-private.h"

#include <math.h>

const gchar *
wp_model_estimate_sim (const WpModelInput *input, gdouble warps, WpModelResult *result)
{
  gdouble mlp = wp_model_get_mlp (input), n = warps;
  gdouble comp_cycles = input->instructions * wp_model_get_arithmetic_time (input, input->ilp * n);
  gdouble mem_cycles = wp_model_count_stalling (input) * input->mem_latency / mlp;
  gdouble cwp = MIN (n, 1 + wp_model_ratio (mem_cycles, comp_cycles));
  gdouble peak
      = input->mem_latency > 0 ? wp_model_ratio (input->mem_latency, input->mem_cpi) : INFINITY;
  gdouble mwp = MIN (n, peak), mwp_cp = MIN (MAX (1, cwp - 1), mwp);
  /* The second argument is the cap on ITMLP: latency / MWP_peak_bw = 1 / mem_thru. */
  gdouble t_mem = n * MAX (mem_cycles / mwp_cp, input->memory * input->mem_cpi);
  gdouble t_comp = n * comp_cycles;
  gdouble t_exec = MAX (t_comp, cwp > mwp ? t_mem : t_mem + t_comp / n);

  result->throughput = wp_model_ratio (n, t_exec);
  wp_model_add_term (result, "ILP", input->ilp);
  wp_model_add_term (result, "MLP", mlp);
  wp_model_add_term (result, "MWP_peak_bw", peak);
  wp_model_add_term (result, "MWP", mwp);
  wp_model_add_term (result, "CWP", cwp);
  wp_model_add_term (result, "MWP_cp", mwp_cp);
  wp_model_add_term (result, "T_comp", t_comp);
  wp_model_add_term (result, "T_mem", t_mem);
  wp_model_add_term (result, "T_exec", t_exec);
  return NULL;
}
