/* SPDX-License-Identifier: MIT */
/* NVIDIA, CUDA C Programming Guide, section 5.2.3 (since version 3.0; numbers of version 5.5,
 * 2013), in the formulas of Volkov 2016, section 4.8.
 *
 * guide: while one warp waits for memory, others issue, so that the needed warps are mem_lat /
 * (instruction time x alpha), where alpha is the number of arithmetic instructions per memory
 * instruction. guide-refined also counts the memory instruction and the waiting warp: mem_lat /
 * (instruction time x (alpha + 1)) + 1. Neither models arithmetic latency or the bandwidth of
 * memory.
 *
 * Generalization: neither says what fewer warps attain. Here, throughput is proportional to the
 * number of warps up to the needed number; from there on, one instruction issues each instruction
 * time. Memory instructions are those that a warp stalls on; with barriers, and stores that nothing
 * waits for, alpha + 1 is the number of instructions per stall. */
#include "models/wp-model-private.h"

static const gchar *
ramp (const WpModelInput *input, gdouble needed, gdouble warps, WpModelResult *result)
{
  gdouble peak;

  if (!(input->instruction_time > 0))
    return "issuing an instruction takes no time";
  peak = 1 / (input->instruction_time * input->instructions);
  result->needed = needed;
  result->throughput = warps < needed ? peak * warps / needed : peak;
  wp_model_add_term (result, "mem_lat", input->mem_latency);
  wp_model_add_term (result, "instruction time", input->instruction_time);
  return NULL;
}

const gchar *
wp_model_estimate_guide (const WpModelInput *input, gdouble warps, WpModelResult *result)
{
  gdouble alpha = wp_model_ratio (input->arithmetic, wp_model_count_stalling (input));

  if (!(alpha > 0))
    return "without arithmetic its estimate of needed warps is infinite";
  wp_model_add_term (result, "alpha", alpha);
  return ramp (input, wp_model_ratio (input->mem_latency, input->instruction_time * alpha), warps,
               result);
}

const gchar *
wp_model_estimate_guide_refined (const WpModelInput *input, gdouble warps, WpModelResult *result)
{
  gdouble run = wp_model_ratio (input->instructions, wp_model_count_stalling (input));

  wp_model_add_term (result, "alpha + 1", run);
  return ramp (input, wp_model_ratio (input->mem_latency, input->instruction_time * run) + 1, warps,
               result);
}
