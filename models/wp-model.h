/* SPDX-License-Identifier: MIT */
/* Performance models from the literature: each computes warp throughput from the counts of a
 * kernel, the numbers of a GPU and an occupancy, with arithmetic that could be done by hand.
 *
 * A model is a function estimate() in wp-model-AUTHOR.c and a row of the table in wp-model.c. It
 * sees only the plain data that wp_model_input_init() has counted, never the engine. Estimates use
 * floating point and follow the published equations faithfully, including their mistakes (even
 * negative times). doc/models.md describes them. */
#pragma once

#include "sim/bounds/wp-bounds.h"
#include "sim/gpu/wp-gpu.h"
#include "sim/gpu/wp-resolve.h"

G_BEGIN_DECLS

/* An op that the kernel uses, in one context. Times are in cycles; counts are for each warp (means
 * over warps, if programs differ). The `plain_` members describe the same op without its context.
 *
 * `completion` is the latency with which the kernel waits for the op. If an op has several, it is
 * the shortest for any consumer in the kernel; otherwise, a chain of two ops would look as if some
 * of its instructions were independent. It is the op's own if nothing waits for it, and 0 if it is
 * posted. */
typedef struct
{
  const gchar *name;    /* in the GPU's description; borrowed */
  const gchar *context; /* or NULL */
  const WpGpuOp *op;    /* borrowed */
  guint pipeline;       /* index into the GPU's pipelines */
  gboolean memory;      /* on a pipeline of kind memory */
  gdouble count;
  gdouble issue; /* lambda / instances of its pipeline: how long one such op occupies an SM's share
                  * of it */
  gdouble plain_issue;
  gdouble completion; /* Lambda */
  gdouble plain_completion;
  gdouble slots;                      /* issue slots */
  gdouble transactions, flops, bytes; /* of one warp instruction */
} WpModelOp;

/* Everything a model may know. "Arithmetic" instructions are those that are neither on a memory
 * pipeline nor barriers; "loads" are memory instructions that something waits for. A mean over
 * nothing is 0. */
typedef struct
{
  /* ---- The GPU ---- */
  gdouble warp_size, sms, schedulers; /* schedulers of an SM */
  gdouble clock_ghz;
  gdouble issue_rate; /* peak issues per cycle and SM; infinite if nothing limits them */
  gdouble max_warps;  /* per SM; 0: no limit */
  gdouble pin_gbs;    /* of the whole device; 0: not known */
  gboolean has_contention;
  gdouble contention_a, contention_b, contention_c; /* cycles, cycles, GB/s: Volkov, table 6.5 */
  /* How many lanes an SM's arithmetic keeps busy at its peak: the warp size / the smallest nonzero
   * lambda of the ops on compute pipelines; 0: there is none. */
  gdouble cores;
  /* Per cycle and SM, at peak issue rate (dual issue included), of the kernel's flops: each takes
   * as long as with the GPU's best op of its pipeline and format (single precision, halves in
   * pairs, ...). Of a kernel without any, with the best op of all. 0: no op counts any. */
  gdouble peak_flops;
  gdouble peak_bytes; /* the maximum over memory ops without context: the sustained peak */

  /* ---- The kernel, for each warp ---- */
  guint n_ops;
  WpModelOp *ops;       /* in the order of their first appearance in the kernel */
  gdouble instructions; /* dynamic, of all kinds: arithmetic + memory + barriers */
  gdouble arithmetic, memory, barriers;
  gdouble loads;
  gdouble flops, bytes, transactions; /* bytes and transactions: of memory instructions only */
  /* Means over the kernel's arithmetic instructions: completion latency, and the cycles of an SM
   * that one takes (1 / alu_thru), counting pipelines and issue slots without dual issue. If the
   * kernel has no arithmetic, both are those of the GPU's op that defines `cores`. */
  gdouble alu_latency, alu_cpi;
  /* For memory instructions: mem_latency is the mean over loads, or over all memory instructions if
   * there are no loads; mem_cpi is the mean number of cycles of an SM that any memory instruction
   * takes (1 / mem_thru). */
  gdouble mem_latency, mem_cpi;
  /* How many cycles of an SM it takes to issue an arithmetic instruction at the peak rate: alu_cpi,
   * or its issue slots if that is more. */
  gdouble instruction_time;
  gdouble latency; /* latency bound, launch latency included */
  gdouble launch_latency;
  gdouble throughput;     /* throughput bound, cycles for each warp */
  gdouble serial_latency; /* completion latencies of all instructions, one after another */
  gdouble ilp; /* serial_latency / (latency - launch_latency), >= 1: the mean number of independent
                * instructions */
  /* On the critical path: memory_waits counts the memory instructions that are waited for, one
   * after another. path_loads counts those of them that miss the caches (they take at least as long
   * as the plain op); path_load_cycles sums their completion latencies, and path_load_plain what
   * these would be for the plain ops. */
  gdouble memory_waits;
  gdouble path_loads, path_load_cycles, path_load_plain;
  const WpInterval *intervals; /* [n_intervals], of the slowest warp; borrowed */
  guint n_intervals;           /* 0: not known */
  gdouble tick;                /* in cycles */

  /* ---- Measured ---- */
  /* Measured throughputs of two kernels that consist of one instruction each, in instructions per
   * cycle and SM, at 1 .. n_measured warps ([0] is for one); NULL: not measured. Zhang and Owens
   * use them. Borrowed; the caller fills them in. */
  guint n_measured;
  const gdouble *measured_alu, *measured_mem;
} WpModelInput;

/* Fills INPUT with what the models need to know of RESOLVED (a kernel on GPU) and BOUNDS (computed
 * for its machine). All are borrowed. It does not fill in measurements. O(instructions as written,
 * and ops of the GPU). */
void wp_model_input_init (WpModelInput *input, const WpResolved *resolved, const WpGpu *gpu,
                          const WpBounds *bounds);
void wp_model_input_clear (WpModelInput *input);

/* Returns the arithmetic op, or with MEMORY the memory op, that a warp issues most often (the first
 * one, if several tie), for the kernels of one instruction. NULL if there is none. */
const WpModelOp *wp_model_input_get_main_op (const WpModelInput *input, gboolean memory);

/* An intermediate quantity of a model, under its author's name: "MWP". */
typedef struct
{
  const gchar *name;
  gdouble value; /* may be infinite */
} WpModelTerm;

#define WP_MODEL_MAX_TERMS 12

typedef struct
{
  /* Warps per cycle and SM. It may be negative or infinite if the model says so, but never NAN. */
  gdouble throughput;
  /* How many warps per SM hide all latency, if the model defines such a number (it may be
   * infinite); else NAN. */
  gdouble needed;
  guint n_terms;
  WpModelTerm terms[WP_MODEL_MAX_TERMS];
} WpModelResult;

typedef struct
{
  const gchar *name;    /* "hong": the first author, as in the CSV's column */
  const gchar *authors; /* "Hong and Kim" */
  guint year;
  const gchar *title;  /* one line on what the model says */
  const gchar *source; /* the equations of the paper, and the section of the thesis that evaluates
                        * them */
  gboolean wants_measured;
  /* Estimates the warp throughput of INPUT, which has instructions, with WARPS > 0 resident warps.
   * Returns NULL, or why the model does not apply (static). */
  const gchar *(*estimate) (const WpModelInput *input, gdouble warps, WpModelResult *result);
} WpModel;

/* The first returns the I-th model, or NULL past the last; the second the model called NAME, or
 * NULL. */
const WpModel *wp_model_get (gsize i);
const WpModel *wp_model_find (const gchar *name);

/* Clears RESULT and computes the estimate. Returns NULL, or why MODEL does not apply (static); then
 * RESULT's throughput and needed are NAN. */
const gchar *wp_model_estimate (const WpModel *model, const WpModelInput *input, gdouble warps,
                                WpModelResult *result);

G_END_DECLS
