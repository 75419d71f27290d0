/* SPDX-License-Identifier: MIT */
/* Y. Zhang and J. Owens, A quantitative performance analysis model for GPU architectures, HPCA
 * 2011; Volkov 2016, section 7.3.
 *
 * Each kind of instruction takes as long as its throughput, measured alone at the same occupancy,
 * says; the longest time counts: throughput = min (alu (N) / arithmetic instructions, mem (N) /
 * memory instructions). Left out by the model: that a warp is in one kind at a time. Left out here,
 * as in the thesis: that memory was measured with the kernel's own grid and number of accesses, and
 * the paper's way with barriers.
 *
 * In generalising: all arithmetic is measured as the op that the kernel issues most, memory
 * likewise. Between whole numbers of warps measured throughputs are interpolated.
 */
#include "models/wp-model-private.h"

#include <math.h>

/* Throughput at WARPS, within 1 .. N. */
static gdouble
read_curve (const gdouble *curve, guint n, gdouble warps)
{
  guint below = (guint)floor (warps);
  gdouble rest = warps - below;

  if (rest == 0 || below >= n)
    return curve[below - 1];
  return curve[below - 1] * (1 - rest) + curve[below] * rest;
}

/* The time of COUNT instructions into TIME; false where it was not measured. */
static gboolean
measure (const WpModelInput *input, const gdouble *curve, gdouble count, gdouble warps,
         gdouble *time)
{
  gdouble throughput;

  *time = 0;
  if (!(count > 0))
    return TRUE;
  if (curve == NULL || warps < 1 || warps > input->n_measured)
    return FALSE;
  throughput = read_curve (curve, input->n_measured, warps);
  if (!(throughput > 0))
    return FALSE;
  *time = count / throughput;
  return TRUE;
}

const gchar *
wp_model_estimate_zhang (const WpModelInput *input, gdouble warps, WpModelResult *result)
{
  gdouble alu_time, mem_time;

  if (!(input->arithmetic > 0) && !(input->memory > 0))
    return "a warp uses no pipeline";
  if (!measure (input, input->measured_alu, input->arithmetic, warps, &alu_time)
      || !measure (input, input->measured_mem, input->memory, warps, &mem_time))
    return "not measured at this occupancy";
  result->throughput = wp_model_ratio (1, MAX (alu_time, mem_time));
  wp_model_add_term (result, "alu_time", alu_time);
  wp_model_add_term (result, "mem_time", mem_time);
  return NULL;
}
