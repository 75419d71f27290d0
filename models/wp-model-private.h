/* SPDX-License-Identifier: MIT */
/* Private: helpers that the models share, and those parts of models that tests check against
 * published numbers. */
#pragma once

#include "models/wp-model.h"

G_BEGIN_DECLS

/* ---- For estimates ---- */

/* Adds a term to RESULT. NAME is static. */
void wp_model_add_term (WpModelResult *result, const gchar *name, gdouble value);

/* Returns the number of memory instructions of a warp that it stalls on: its loads or, if nothing
 * waits for any, all memory instructions. mem_latency is their mean latency. */
gdouble wp_model_count_stalling (const WpModelInput *input);

/* Returns how many loads a warp has in flight at a time: all its loads, divided by those that it
 * waits for one after another; at least 1. */
gdouble wp_model_get_mlp (const WpModelInput *input);

/* Returns the cycles that an SM needs for each arithmetic instruction if there are no others: max
 * (alu_lat / N, 1 / alu_thru), with N instructions in progress at a time (Volkov 2016, section
 * 4.10). */
gdouble wp_model_get_arithmetic_time (const WpModelInput *input, gdouble n);

/* Returns the cycles that an SM needs for all memory instructions of a warp if there are no others:
 * section 4.11's max (mem_lat / N, 1 / mem_thru), summed. Stores that nothing waits for count with
 * their throughput only. */
gdouble wp_model_get_memory_time (const WpModelInput *input, gdouble n);

/* The first returns the bandwidth of the device in GB/s: of its pins, else the maximum that its
 * memory ops sustain; 0: not known. The second returns it in bytes per cycle and SM. */
gdouble wp_model_get_bandwidth (const WpModelInput *input);
gdouble wp_model_get_sm_bandwidth (const WpModelInput *input);

/* Returns A / B, but infinity if only B is 0, and 0 for 0 / 0: what takes no time is no load. */
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
  gdouble ghz;   /* R, its clock */
} WpKothapalli;

/* Returns seconds. With SUM, the times of computation and memory access are added; otherwise the
 * longer one counts. */
gdouble wp_kothapalli_time (const WpKothapalli *kernel, gboolean sum);

/* Returns the cycles of each access of a thread to global memory, if one transaction serves K
 * threads (section 3.2.2). */
gdouble wp_kothapalli_access (gdouble latency, gdouble k);

/* Returns the delay in cycles due to contention for the device's memory (Huang et al. 2014,
 * equations 21 to 23, as corrected by Volkov). REQUESTS: requests of one SM (core_reqs); CORES:
 * number of SMs; LATENCY: of memory, > 0; SERVICE: cycles for each request. *RHO receives the
 * utilization. */
gdouble wp_huang_bandwidth_delay (gdouble requests, gdouble cores, gdouble latency, gdouble service,
                                  gdouble *rho);

G_END_DECLS
