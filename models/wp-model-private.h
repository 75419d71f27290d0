/* SPDX-License-Identifier: MIT */
/* What the models share, and the parts of them that published figures are checked on. Private. */
#pragma once

#include "models/wp-model.h"

G_BEGIN_DECLS

/* ---- For estimates ---- */

/* Adds a term to RESULT. NAME is static. */
void wp_model_add_term (WpModelResult *result, const gchar *name, gdouble value);

/* The memory instructions that a warp stalls on: loads; all memory instructions where nothing waits
 * for any. mem_latency is their mean. */
gdouble wp_model_count_stalling (const WpModelInput *input);

/* Loads that a warp has in flight at a time: all of them / those that it waits for one after
 * another, at least 1. */
gdouble wp_model_get_mlp (const WpModelInput *input);

/* Cycles of an SM for each arithmetic instruction, were there no others (Volkov 2016, section
 * 4.10): max (alu_lat / N, 1 / alu_thru), for N instructions that are under way at a time. */
gdouble wp_model_get_arithmetic_time (const WpModelInput *input, gdouble n);

/* The same of memory, for all memory instructions of a warp: section 4.11's max (mem_lat / N, 1 /
 * mem_thru), summed up. Stores that nothing waits for count by their throughput alone. */
gdouble wp_model_get_memory_time (const WpModelInput *input, gdouble n);

/* GB/s of the device: of its pins, else the most that its memory ops sustain; 0: not known. And the
 * same as bytes a cycle and SM. */
gdouble wp_model_get_bandwidth (const WpModelInput *input);
gdouble wp_model_get_sm_bandwidth (const WpModelInput *input);

/* A / B; by 0 infinite, 0 / 0 is 0: what takes no time is no load. */
gdouble wp_model_ratio (gdouble a, gdouble b);

/* ---- Estimates ---- */

typedef const gchar *WpModelEstimate (const WpModelInput *input, gdouble warps,
                                      WpModelResult *result);

WpModelEstimate wp_model_estimate_volkov;
WpModelEstimate wp_model_estimate_volkov_contention;
WpModelEstimate wp_model_estimate_lemeire;
WpModelEstimate wp_model_estimate_roofline;
WpModelEstimate wp_model_estimate_guide;
WpModelEstimate wp_model_estimate_guide_refined;
WpModelEstimate wp_model_estimate_saavedra;
WpModelEstimate wp_model_estimate_agarwal;
WpModelEstimate wp_model_estimate_hong;
WpModelEstimate wp_model_estimate_baghsorkhi;
WpModelEstimate wp_model_estimate_zhang;
WpModelEstimate wp_model_estimate_sim;
WpModelEstimate wp_model_estimate_huang_rr;
WpModelEstimate wp_model_estimate_huang_gto;
WpModelEstimate wp_model_estimate_huang_bandwidth;
WpModelEstimate wp_model_estimate_adding;
WpModelEstimate wp_model_estimate_overlapping;
WpModelEstimate wp_model_estimate_kothapalli_max;
WpModelEstimate wp_model_estimate_kothapalli_sum;

/* ---- Published equations on raw numbers ---- */

/* Kothapalli et al. 2009, equations 3 and 4. Cycles are those of one thread. */
typedef struct
{
  gdouble blocks;  /* N_B, on an SM */
  gdouble warps;   /* N_w, of a block */
  gdouble threads; /* N_t, of a warp */
  gdouble comp, memory;
  gdouble cores; /* N_C, of an SM */
  gdouble depth; /* D, of their pipelines */
  gdouble ghz;   /* R */
} WpKothapalli;

/* Seconds. SUM: computation and memory access add up (else the longer one counts). */
gdouble wp_kothapalli_time (const WpKothapalli *kernel, gboolean sum);

/* Cycles for each of a thread's accesses to global memory, one transaction of which serves K
 * threads (section 3.2.2). */
gdouble wp_kothapalli_access (gdouble latency, gdouble k);

/* Huang et al. 2014, equations 21 to 23, as Volkov corrects them: cycles of delay by contention for
 * the device's memory. REQUESTS of an SM (core_reqs), CORES SMs, LATENCY of memory > 0, SERVICE
 * cycles for each request. */
gdouble wp_huang_bandwidth_delay (gdouble requests, gdouble cores, gdouble latency, gdouble service,
                                  gdouble *rho);

G_END_DECLS
