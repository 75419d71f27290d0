/* SPDX-License-Identifier: MIT */
/* Y. Zhang and J. Owens, A quantitative performance analysis model for GPU architectures, HPCA
 * 2011; Volkov 2016, section 7.3.
 *
 * Each kind of instruction takes a time that follows from its throughput, measured alone at the
 * same occupancy, and the longest time counts: throughput = min (alu (N) / arithmetic instructions,
 * mem (N) / memory instructions). The model ignores that a warp is in one kind of instruction at a
 * time. Omitted here, as in the thesis: memory was measured with the kernel's own grid and number
 * of accesses, and the paper's treatment of barriers.
 *
 * Generalization: all arithmetic is measured as the op that the kernel issues most, and so is
 * memory. Measured throughputs are interpolated between whole numbers of warps. */
#include "models/wp-model-private.h"

#include <math.h>

/* Returns the throughput at WARPS, which are clamped to 1 .. N. */
static gdouble
read_curve (const gdouble *curve, guint n, gdouble warps)
{
  guint below = (guint)floor (warps);
  gdouble rest = warps - below;

  if (rest == 0 || below >= n)
    return curve[below - 1];
  return curve[below - 1] * (1 - rest) + curve[below] * rest;
}

/* Stores the time of COUNT instructions in TIME. Returns false if it was not measured. */
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
