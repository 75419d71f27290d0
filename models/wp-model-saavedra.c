/* SPDX-License-Identifier: MIT */
/* R. Saavedra-Barrera, D. Culler and T. von Eicken, Analysis of multithreaded architectures for
 * parallel computing, SPAA 1990 (equation 4), and A. Agarwal, Performance tradeoffs in
 * multithreaded processors, MIT VLSI Memo 89-566, 1989 (section 2); Volkov 2016, section 4.9.
 *
 * A thread runs for R cycles, then waits L cycles for memory; a switch to another thread takes C.
 * saavedra: L / (R + C) + 1 threads hide L; with fewer, the processor is busy for n R / (R + L + C)
 * of the time. agarwal: switching back to the thread that waited hides latency, too, so that (R +
 * L) / (R + C) threads are needed, and fewer attain n R / (R + L). With more threads, both attain R
 * / (R + C). Not modelled: arithmetic latency, as threads switch only at memory accesses, and the
 * bandwidth of memory.
 *
 * Generalization: a GPU switches at no cost, C = 0, so that both models agree. R is instructions x
 * instruction time, for each memory instruction that a warp stalls on. */
#include "models/wp-model-private.h"

/* GPUs keep the registers of all warps in place. */
#define CONTEXT_SWITCH 0.0

static const gchar *
estimate (const WpModelInput *input, gdouble warps, gboolean switch_hides, WpModelResult *result)
{
  gdouble stalls = wp_model_count_stalling (input);
  gdouble busy = input->instructions * input->instruction_time;
  gdouble r = stalls > 0 ? busy / stalls : busy;
  gdouble l = input->mem_latency, c = CONTEXT_SWITCH, alone = r + l + (switch_hides ? 0 : c);

  if (!(busy > 0))
    return "issuing an instruction takes no time";
  result->needed = alone / (r + c);
  result->throughput = MIN (warps * r / alone, r / (r + c)) / busy;
  wp_model_add_term (result, "R", r);
  wp_model_add_term (result, "L", l);
  wp_model_add_term (result, "C", c);
  return NULL;
}

const gchar *
wp_model_estimate_saavedra (const WpModelInput *input, gdouble warps, WpModelResult *result)
{
  return estimate (input, warps, FALSE, result);
}

const gchar *
wp_model_estimate_agarwal (const WpModelInput *input, gdouble warps, WpModelResult *result)
{
  return estimate (input, warps, TRUE, result);
}
