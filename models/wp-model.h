/* SPDX-License-Identifier: MIT */
/* Other people's performance models: from a kernel's counts, a GPU's figures and an occupancy to
 * warp throughput, with pencil and paper's arithmetic.
 *
 * Each model is an estimate() in wp-model-AUTHOR.c and its line in the table of wp-model.c. Models
 * see plain data only: what wp_model_input_init() has counted, never the engine. They are estimates
 * in floating point, faithful to the equations that they name, mistakes of the originals included
 * (negative times, too). doc/models.md is about them.
 */
#pragma once

#include "sim/bounds/wp-bounds.h"
#include "sim/gpu/wp-gpu.h"
#include "sim/gpu/wp-resolve.h"

G_BEGIN_DECLS

/* An op that the kernel uses, in one context. Times are cycles, counts are for each warp (means,
 * where programs differ). "Plain" is the same op without its context.
 *
 * A completion latency is the one with which the kernel waits for it: the shortest for any consumer
 * that the kernel has for it (where an op has several, a chain of two ops would otherwise look as
 * if it had instructions to spare); its own where nothing waits; 0 of a posted one. */
typedef struct
{
  const gchar *name;    /* as the GPU knows it; borrowed */
  const gchar *context; /* or NULL */
  const WpGpuOp *op;    /* borrowed */
  guint pipeline;       /* of the GPU */
  gboolean memory;      /* on a pipeline of kind memory */
  gdouble count;
  gdouble issue; /* lambda / instances of its pipeline: for how long one keeps an SM's busy */
  gdouble plain_issue;
  gdouble completion; /* Lambda */
  gdouble plain_completion;
  gdouble slots;                      /* issue slots */
  gdouble transactions, flops, bytes; /* of one warp instruction */
  gboolean waited_for;                /* something depends on it */
} WpModelOp;

/* All that a model may know. "Arithmetic" is whatever is neither on a memory pipeline nor a
 * barrier; "loads" are the memory instructions that something waits for. A mean with nothing to
 * take it over is 0. */
typedef struct
{
  /* ---- The GPU ---- */
  gdouble warp_size, sms, schedulers; /* schedulers of an SM */
  gdouble clock_ghz;
  gdouble issue_rate; /* peak issues a cycle and SM; infinite where nothing limits it */
  gdouble max_warps;  /* of an SM; 0: no limit */
  gdouble pin_gbs;    /* of the device; 0: not known */
  gboolean has_contention;
  gdouble contention_a, contention_b, contention_c; /* cycles, cycles, GB/s: Volkov, table 6.5 */
  /* Lanes that an SM's arithmetic keeps busy at its peak: the warp size / the smallest lambda (but
   * 0) of its ops on compute pipelines; 0: it has none. */
  gdouble cores;
  /* A cycle and SM, at its peak of issue (dual issue included): the most that any of its ops
   * reaches. 0: none counts any. */
  gdouble peak_flops;
  gdouble peak_bytes; /* of its memory ops, without context: the sustained peak */

  /* ---- The kernel, for each warp ---- */
  guint n_ops;
  WpModelOp *ops;       /* by first appearance in the kernel */
  gdouble instructions; /* dynamic, all: arithmetic + memory + barriers */
  gdouble arithmetic, memory, barriers;
  gdouble loads;
  gdouble flops, bytes, transactions; /* the latter two of memory instructions */
  /* Of an arithmetic instruction, as mean over the kernel's: completion latency, and cycles of an
   * SM that one takes, its pipelines and issue slots counted, without dual issue (1 / alu_thru).
   * Those of the GPU's op that `cores` comes from, where the kernel has no arithmetic. */
  gdouble alu_latency, alu_cpi;
  /* The same of memory: latency as mean over loads (over all memory instructions, where there are
   * no loads), and cycles as mean over all memory instructions (1 / mem_thru). */
  gdouble mem_latency, mem_cpi;
  /* Cycles of an SM that issuing one of its instructions takes at the peak: alu_cpi, or their issue
   * slots if more. */
  gdouble instruction_time;
  gdouble latency; /* latency bound, launch latency included */
  gdouble launch_latency;
  gdouble throughput;     /* throughput bound, cycles for each warp */
  gdouble serial_latency; /* completion latencies of all instructions, one after another */
  gdouble ilp; /* serial latency / (latency - launch latency), >= 1: independent instructions */
  /* On the critical path: memory instructions that are waited for, one after another. Of these, the
   * loads that miss the caches (they take at least as long as the plain op does), their completion
   * latencies, and what those would be of the plain ops. */
  gdouble memory_waits;
  gdouble path_loads, path_load_cycles, path_load_plain;
  const WpInterval *intervals; /* [n_intervals], of the slowest warp; borrowed */
  guint n_intervals;           /* 0: not known */
  gdouble tick;                /* cycles */

  /* ---- Measured ---- */
  /* Throughputs of the two kernels of one instruction each, instructions a cycle and SM, at 1 ..
   * n_measured warps ([0] is for one); NULL: not measured. For Zhang and Owens. Borrowed; the
   * caller fills them in. */
  guint n_measured;
  const gdouble *measured_alu, *measured_mem;
} WpModelInput;

/* Counts what the models want of RESOLVED (a kernel on GPU) and BOUNDS (of its machine, done); all
 * are borrowed. Nothing is measured. O(instructions as written, and ops of the GPU). */
void wp_model_input_init (WpModelInput *input, const WpResolved *resolved, const WpGpu *gpu,
                          const WpBounds *bounds);
void wp_model_input_clear (WpModelInput *input);

/* The arithmetic and the memory op that a warp issues most (the first of those that it issues as
 * often), for the two kernels of one instruction; NULL: none. */
const WpModelOp *wp_model_input_get_main_op (const WpModelInput *input, gboolean memory);

/* An intermediate figure of a model, by the name that its author gave it: "MWP". */
typedef struct
{
  const gchar *name;
  gdouble value; /* may be infinite */
} WpModelTerm;

#define WP_MODEL_MAX_TERMS 12

typedef struct
{
  /* Warps a cycle and SM; may be negative or infinite where the model says so, never NAN. */
  gdouble throughput;
  /* Warps an SM that hide all latency, where the model names such a number (it may be infinite);
   * else NAN. */
  gdouble needed;
  guint n_terms;
  WpModelTerm terms[WP_MODEL_MAX_TERMS];
} WpModelResult;

typedef struct
{
  const gchar *name;    /* "hong": first author, as the CSV column has it */
  const gchar *authors; /* "Hong and Kim" */
  guint year;
  const gchar *title;  /* a line on what it says */
  const gchar *source; /* equations of the paper; section of the thesis that evaluates it */
  gboolean wants_measured;
  /* Estimates INPUT's warp throughput at WARPS > 0 resident ones, where INPUT has instructions.
   * NULL, or why the model does not apply (static). */
  const gchar *(*estimate) (const WpModelInput *input, gdouble warps, WpModelResult *result);
} WpModel;

/* The I-th model, or NULL past the last; the model called NAME, or NULL. */
const WpModel *wp_model_get (gsize i);
const WpModel *wp_model_find (const gchar *name);

/* Estimates; RESULT is cleared first. NULL, or why MODEL does not apply; RESULT's throughput and
 * needed are NAN then. */
const gchar *wp_model_estimate (const WpModel *model, const WpModelInput *input, gdouble warps,
                                WpModelResult *result);

G_END_DECLS
